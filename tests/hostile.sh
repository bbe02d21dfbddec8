#!/bin/sh
# TAP: files, names and runners that mean harm, through the commands: nothing is written elsewhere, nothing waits for ever, nothing
# that holds answers is left for others to read.
. tests/lib/tap.sh
export XDG_STATE_HOME="$T/state" XDG_DATA_HOME="$T/data" XDG_CONFIG_HOME="$T/config" XDG_CACHE_HOME="$T/cache"
# One pack: each run reads what there is.
mkdir -p "$T/content/packs"
cp -r content/packs/first-principles "$T/content/packs/"
cp -r content/tables content/drills content/cards content/figures content/rubrics "$T/content"
export WARPDRILL_CONTENT="$T/content/packs"
run() { timeout 240 "$W" "$@" >"$T/out" 2>"$T/err" </dev/null; }
mode() { [ "$(stat -c %a "$1")" = "$2" ]; }
P=$T/deep/er/packs/p
mkdir -p "$T/deep/er/packs" "$T/config"

# ---- a runner that names its GPU as a path ----
pack() { # pack FOLDER: one story
    mkdir "$1" && cp -r content/packs/first-principles/plain-copy "$1" &&
    sed '/^tasks:/d; s/^scenarios: .*/scenarios: [plain-copy]/' content/packs/first-principles/pack.yaml >"$1/pack.yaml"
}
pack "$P"
find "$T" -type f | sort >"$T/before"
for slug in ../../../../../victim /etc/victim .hidden 'A' 'a b'; do
    WARPDRILL_FAKE_SLUG=$slug exits 1 "record: a GPU called $slug is refused" record "$P" --trust --runner "$FAKE climbing"
    complains 'gpu.slug is no plain name' "and that is said"
done
mkdir -p "$T/data/warpdrill/tables"
cp -r content/drills "$T/data/warpdrill/drills" && cp content/tables/*.csv "$T/data/warpdrill/tables/"
exits 1 "record drills refuses it too" record drills --trust --runner "$FAKE climbing"
rm -r "$T/data/warpdrill"
[ ! -e "$T/victim" ] && [ ! -e "$T/deep/victim.json" ]
ok "nothing was written" $?
find "$T" -type f | sort | grep -v -e '/out$' -e '/err$' -e '/before$' -e '/after$' -e '/cache/' -e '/data/' -e '/state/' >"$T/after"
grep -v -e '/out$' -e '/err$' -e '/before$' "$T/before" | diff - "$T/after" >"$T/out"
ok "anywhere" $?

# ---- a folder of the pack that leads elsewhere ----
mkdir "$T/elsewhere"
rm -r "$P/plain-copy/a/sealed/evidence"
ln -s "$T/elsewhere" "$P/plain-copy/a/sealed/evidence"
exits 1 "a pack with a link is refused" record "$P" --trust --runner "$FAKE good"
[ -z "$(ls "$T/elsewhere")" ]
ok "and nothing is written behind it" $?
rm "$P/plain-copy/a/sealed/evidence"

# ---- a runner without an end ----
exits 1 "parts without end end" probe --pack "$P" plain-copy timing --tier live --trust --runner "$FAKE parts"
complains 'answers to one request' "with a reason"

# ---- the same under a drill that is measured ----
mkdir -p "$T/data/warpdrill/tables" && cp -r content/drills "$T/data/warpdrill/drills" && cp content/tables/*.csv "$T/data/warpdrill/tables/"
find "$T/data" -type f | sort >"$T/before"
for how in 'garbage|not a message' 'truncated|closed the connection' 'crashing|signal 6' 'parts|answers to one request' 'large|64 MiB to one request'; do
    export WARPDRILL_FAKE_THEN="${how%%|*}"
    exits 1 "record drills, a runner that plays ${how%%|*}" record drills --trust --seeds 0..0 --runner "$FAKE whole"
    complains "${how#*|}" "is told of"
    exits 1 "drill, the same" drill measured/copy-time --tier live --trust --answer '100 us' --runner "$FAKE whole"
    complains "${how#*|}" "is told of"
done
unset WARPDRILL_FAKE_THEN
find "$T/data" -type f | sort | grep -v 'progress.db' | cmp -s "$T/before" -
ok "nothing is recorded" $?

# ---- cards, number tables and scripts that nobody can have meant ----
head='id,topic,kind,front,back'
for file in utf nul cell open wide quotes; do
    case $file in
    utf) printf '%s\na,silicon,recall,\377\376,A\n' "$head" ;;
    nul) printf '%s\na,sil\000icon,recall,Q,A\n' "$head" ;;
    cell) printf '%s\na,silicon,recall,' "$head"; head -c 9000000 /dev/zero | tr '\0' x; echo ,A ;;
    open) printf '%s\na,silicon,recall,"' "$head"; yes x | head -c 9000000 ;;
    wide) printf '%s\n' "$head"; head -c 9000000 /dev/zero | tr '\0' , ;;
    quotes) printf '%s\n' "$head"; head -c 9000000 /dev/zero | tr '\0' '"' ;;
    esac >"$T/bad.csv"
    exits 1 "cards: $file" cards import "$T/bad.csv" --set own
    complains "bad.csv:[0-9]*: " "is refused with its line"
    cp "$T/bad.csv" "$T/data/warpdrill/tables/chips.csv"
    exits 0 "a number table: $file" drill
    complains "chips.csv" "is left out by its name"
    cp content/tables/chips.csv "$T/data/warpdrill/tables/"
done
{ echo "$head"; seq -f 'c%.0f,silicon,recall,Q?,A' 1000000; } >"$T/bad.csv"
exits 1 "a million cards" cards import "$T/bad.csv" --set own
complains 'more than 16 MiB' "are too many"
{ echo "$head"; seq -f 'c%.0f,silicon,recall,Q?,A' 19999; } >"$T/most.csv"
exits 0 "as many as there may be are taken" cards import "$T/most.csv" --set own
exits 0 "twice" cards import "$T/most.csv" --set own
says ' 0 new, 0 changed, 19999 as they were' "and known again"
for file in words utf nul line deep number; do
    case $file in
    words) yes 'buy timing' | head -n 100000 ;;
    utf) printf '{"buy":"\377\376"}\n' ;;
    nul) printf '{"buy":"tim\000ing"}\n' ;;
    line) printf '{"buy":"'; head -c 9000000 /dev/zero | tr '\0' x ;;
    deep) head -c 1000000 /dev/zero | tr '\0' '[' ;;
    number) printf '{"believe":{"mem.uncoalesced":1e999}}\n' ;;
    esac >"$T/bad.script"
    exits 1 "grade: $file" grade plain-copy/a --script "$T/bad.script"
    complains "bad.script:1: " "is refused with its line"
done
rm -r "$T/data/warpdrill"

# ---- names that would not stay on their line ----
for what in file folder; do
    odd="$P/plain-copy/two
lines.yaml"
    if [ $what = file ]; then : >"$odd"; else mkdir "$odd"; fi
    run check "$P"
    [ $? -ne 0 ] && ! grep -q '^lines.yaml' "$T/out" "$T/err" && grep -q 'two?lines.yaml' "$T/out" "$T/err"
    ok "a $what with a newline in its name keeps to one line" $?
    rm -r "$odd"
done

# ---- pipes in the place of files ----
mkfifo "$T/pipe"
waits() { # waits WHAT ARGUMENTS...: does not
    what=$1
    shift
    timeout 240 "$W" "$@" >"$T/out" 2>"$T/err" </dev/null
    rc=$?
    [ $rc -ne 124 ] && [ $rc -ne 0 ]
    ok "$what" $?
    complains 'plain file' "which is said"
}
waits "grade waits for no pipe" grade plain-copy/a --script "$T/pipe"
waits "import neither" import "$T/pipe"
waits "cards import neither" cards import "$T/pipe" --set own
waits "new neither" new "$T/fresh/image-rows" --from "$T/pipe" --yes
waits "host's rubric neither" host --rubric "$T/pipe" --start
waits "host's key neither" host --key "$T/pipe" --start
mkfifo "$P/plain-copy/note.md"
run check "$P"
grep -q 'not a plain file' "$T/out" "$T/err"
ok "nor check" $?
rm "$P/plain-copy/note.md"
mkdir -p "$T/config/warpdrill"
mkfifo "$T/config/warpdrill/config.yaml"
exits 0 "nor do settings" list
rm -r "$T/config/warpdrill"
mkdir -p "$T/data/warpdrill/cards"
mkfifo "$T/data/warpdrill/cards/own.csv"
run cards
[ $? -ne 124 ]
ok "nor the library" $?
waits "nor an import into a set that is a pipe" cards import tests/content/cards/tiny.csv --set own
rm -r "$T/data/warpdrill"

# ---- what holds answers is its owner's alone ----
umask 022
printf '%s\n%s\n' '{"format":"warpdrill-log","version":1,"events":1,"blobs":0}' \
    '{"uid":"00000000000000000000000000000001","stream":"item:card:silicon/h100-bf16","kind":"reviewed","version":1,"at_ms":1767268800000,"day":20454,"actor":"self","audience":"all","blobs":[],"body":{"grade":3,"correct":true,"seconds":4.5,"answer":"private"}}' >"$T/log.json"
exits 0 "progress" import "$T/log.json"
exits 0 "an export" export --out "$T/progress.json"
mode "$T/progress.json" 600
ok "is nobody else's" $?
exits 0 "and in tables" export --format csv --out "$T/tables"
mode "$T/tables" 700 && mode "$T/tables/events.csv" 600
ok "neither" $?
exits 0 "a backup" backup "$T/copy.db"
mode "$T/copy.db" 600
ok "neither" $?

# ---- folders that others may write to ----
mkdir -p "$T/state/warpdrill/sessions"
chmod 777 "$T/state/warpdrill"
exits 1 "interviews of a folder that others write to are not listed" host --list
complains 'can be written to by others' "with a reason"
printf 'first-principles %s\n' "$(realpath "$P")" >"$T/state/warpdrill/trusted-packs"
exits 1 "nor is what stands there about trust believed" probe --pack "$P" plain-copy timing --tier live --runner "$FAKE good"
chmod 700 "$T/state/warpdrill"
exits 0 "until it is theirs alone" probe --pack "$P" plain-copy timing --tier live --runner "$FAKE good"
mv "$T/state/warpdrill" "$T/moved" && ln -s "$T/moved" "$T/state/warpdrill"
exits 1 "a link is not followed" host --list
complains 'is a symbolic link' "with a reason"
echo "1..$n"
