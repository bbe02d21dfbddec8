#!/bin/sh
# Packs from anywhere through the commands: origins, settings, clashes, other formats, and whose GPU code may run. TAP.
cd "$(dirname "$0")/.." || exit 1
. tests/lib/tap.sh
export XDG_CONFIG_HOME="$T/config" XDG_STATE_HOME="$T/state" XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" WARPDRILL_CONTENT="$T/shipped"

# pack FOLDER ID
pack() { mkdir -p "$1" && cp -r tests/packs/good/row-sums "$1/" && printf 'format: 1\nid: %s\ntitle: A pack\nlicence: MIT\nscenarios: [row-sums]\n' "$2" > "$1/pack.yaml"; }
pack "$T/shipped/ours" ours
pack "$T/data/warpdrill/packs/mine" mine
pack "$T/work/packs/team" team
mkdir -p "$T/config/warpdrill"
printf 'packs:\n  - %s/work/packs\n' "$T" > "$T/config/warpdrill/config.yaml"

exits 0 "list" list
says '^ours  A pack$' "what was shipped"
says '^    shipped, version [0-9a-f]\{8\}$' "says so"
says "^    from $T/data/warpdrill/packs/mine, version [0-9a-f]\{8\}$" "a folder is named, and which text it has"
says '^team/row-sums ' "a scenario has its pack in front"
[ ! -s "$T/err" ]; ok "nothing is complained of" $?
exits 0 "list --json" list --json
says '"kind": "folder"' "has origins"
says '"version": "[0-9a-f]\{8\}"' "and which text each pack has"
says '"versions": {' "and versions"
says '"problems": \[\]' "and no problems"

exits 1 "a name in three packs must be full" probe row-sums/a timing
complains 'may be ' "which is said"

pack "$T/mine-too" mine
exits 0 "a clash is no failure" --pack "$T/mine-too" list
complains "data/warpdrill/packs/mine: pack 'mine' was found in $T/mine-too already" "both places are named"
says "^    from $T/mine-too, version" "--pack beats the rest"
exits 0 "as JSON" --pack "$T/mine-too" list --json
says '"where": ' "the problem stands there"

pack "$T/newer" newer
sed -i 's/^format: 1/format: 3\nauthors: [somebody]/' "$T/newer/pack.yaml"
exits 0 "a newer format does not stop the rest" --pack "$T/newer" list
complains "^warpdrill: $T/newer/pack.yaml:1:[0-9]*: " "its file is told, once"
complains 'format 3; this warpdrill (.*) reads formats 1 to 2, so a newer warpdrill is needed' "it is told"
says '^team/row-sums ' "the rest is listed"

echo 'pack: [/x]' > "$T/config/warpdrill/config.yaml"
exits 0 "settings that cannot be read do not stop the rest" list
complains '^warpdrill: [^ ]*config.yaml:1:1: .*config.yaml has: packs$' "they are told with their place, once"
says '^mine/row-sums ' "the rest is listed"
rm "$T/config/warpdrill/config.yaml"

# ---- whose code may run: nobody is asked here, since there is no terminal ----
live() { run --pack "$T/work/packs" probe "$1/row-sums/a" timing --tier live --runner "$FAKE good" $2; }
live ours; ok "what was shipped runs" $?
live team; [ $? = 1 ]; ok "a foreign pack does not" $?
complains "'team' in $T/work/packs/team did not come with warpdrill" "it is named"
complains 'answer on a terminal, or give --trust' "and what to do"
[ ! -e "$T/state/warpdrill/trusted-packs" ]; ok "no answer is kept" $?
live team --trust; ok "--trust runs it" $?
[ ! -e "$T/state/warpdrill/trusted-packs" ]; ok "for this command alone" $?
exits 1 "record is refused too" record "$T/work/packs/team" --runner "$FAKE good"
complains "did not come with warpdrill" "for the same reason"
exits 1 "check --live as well" check --live "$T/work/packs/team" --runner "$FAKE good"
complains "did not come with warpdrill" "for the same reason"
mkdir -p "$T/state/warpdrill"
printf '# mine\nteam %s\nnonsense\n' "$(realpath "$T/work/packs/team")" > "$T/state/warpdrill/trusted-packs"
live team; ok "a line in the file is a yes" $?
cp -r "$T/work/packs/team" "$T/elsewhere"
run --pack "$T/elsewhere" probe team/row-sums/a timing --tier live --runner "$FAKE good"; [ $? = 1 ]; ok "for that folder alone" $?
run --pack "$T/elsewhere" probe team/row-sums/a ask; [ $? = 0 ]; ok "what is no GPU code needs no answer" $?
mkdir -p "$T/data/warpdrill/drills" && cp content/drills/measured.yaml "$T/data/warpdrill/drills/own.yaml" && sed -i 's/^id: measured/id: own/' "$T/data/warpdrill/drills/own.yaml"
cp -r content/drills/measured "$T/data/warpdrill/drills/" && mkdir -p "$T/data/warpdrill/tables" && cp content/tables/*.csv "$T/data/warpdrill/tables/"
exits 1 "drills of one's own ask as well" drill own/copy-time --tier live --runner "$FAKE whole"
complains "'drills' in $T/data/warpdrill/drills did not come with warpdrill" "they are named"
exits 0 "--trust runs them" drill own/copy-time --tier live --runner "$FAKE whole" --trust --answer '100 us'
echo "1..$n"
