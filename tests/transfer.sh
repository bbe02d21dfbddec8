#!/bin/sh
# What leaves and what enters, from outside: export, import, backup, restore, cards, sheets.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none"
WARPDRILL_CONTENT=$PWD/content/packs
export WARPDRILL_CONTENT
D=$T/data/warpdrill

# A log as another machine would export it: reviews of one item, a setting.
uid() { printf '%032x' "$1"; }
event() { # event NUMBER STREAM KIND BODY
    printf '{"uid":"%s","stream":"%s","kind":"%s","version":1,"at_ms":%s,"day":%s,"actor":"self","audience":"all","blobs":[],"body":%s}\n' \
        "$(uid "$1")" "$2" "$3" $((1767268800000 + $1 * 86400000)) $((20454 + $1)) "$4"
}
log() { # log FIRST LAST
    printf '{"format":"warpdrill-log","version":1,"events":%d,"blobs":0}\n' $(($2 - $1 + 1))
    for i in $(seq "$1" "$2"); do
        event "$i" "item:card:silicon/h100-bf16" reviewed "{\"grade\":3,\"correct\":true,\"seconds\":4.5,\"answer\":\"=1+1\"}"
    done
}

# ---- nothing yet ----
exits 1 "nothing to export" export
complains "no progress at" "and it is said"
exits 1 "nothing to back up" backup
exits 0 "no backups to list" restore --list
complains "no backups yet" "and it is said"
exits 2 "an unknown format is misuse" export --format xml
exits 2 "a folder needs a name" export --format csv
exits 1 "a missing file" import "$T/no-such"
echo 'no export' >"$T/none"
exits 1 "what is no export" import "$T/none"
complains "no export of warpdrill.*Nothing was stored" "is refused"
exits 1 "what never ends a line" import /dev/zero --db "$T/zero.db"
complains "not a plain file" "is not read at all"
mkdir "$T/none.d"
exits 1 "a folder that holds none" import "$T/none.d"
complains "warpdrill export --out FILE.json" "is refused, and what to import is said"
[ ! -e "$D/progress.db" ]
ok "and no progress was made for any of them" $?
[ ! -e "$D/progress.db-wal" ]
ok "nothing lies about" $?

# ---- in, out, and the same again ----
log 1 6 >"$T/log.json"
exits 0 "import, dry" import "$T/log.json" --dry-run
says "6 new.*dry run" "says what would come"
exits 0 "it stored nothing" import "$T/log.json" --dry-run
says "6 new" "so it is new again"
exits 0 "import" import "$T/log.json"
says "6 new, 0 known, 0 left out, 0 refused" "counts"
exits 0 "import again" import "$T/log.json" --json
says '"known": 6' "everything is known, in JSON"
exits 0 "cards know it" cards
says "^silicon .* 1 seen" "one card was seen"
exits 0 "export" export --out "$T/a.json"
complains "^wrote [0-9]* events to $T/a.json$" "says what was written"
exits 0 "export to standard output" export
cmp -s "$T/out" "$T/a.json"
ok "the same" $?
cmp -s "$T/log.json" "$T/a.json"
ok "what came in goes out" $?
exits 1 "nothing is replaced" export --out "$T/a.json"
exits 0 "export as CSV" export --format csv --out "$T/a"
grep -q "'=1+1" "$T/a/reviews.csv"
ok "a spreadsheet runs nothing" $?
! LC_ALL=C grep -q '^[^"]*,[=@]' "$T"/a/*.csv
ok "in no cell" $?
exits 1 "which does not come in again" import "$T/a"
complains "warpdrill export --out FILE.json" "and what does is said"
exits 1 "nor one of its files" import "$T/a/events.csv"

# ---- hostile ----
before=$("$W" export | cksum)
refuse() { # refuse WHAT SAYS
    exits 1 "$1" import "$T/bad"
    complains "$2" "said: $2"
}
head -c 700 "$T/log.json" >"$T/bad"; refuse "a truncated file" "bad:4: column"
says "^nothing was stored; in the file were: 0 new, 2 known, 0 left out, 1 refused$" "and what is counted came not"
exits 1 "in JSON" import "$T/bad" --json
says '"stored": false' "too"
log 7 7 >"$T/long" && truncate -s 200M "$T/long"
exits 1 "a line of 200 MB" import "$T/long"
complains "long:3: more than 128 MiB" "is read to the bound"
rm "$T/long"
log 7 7 | "$W" import /dev/stdin >"$T/out" 2>"$T/err"
[ $? -eq 1 ]
ok "a pipe" $?
complains "/dev/stdin: not a plain file" "is not read"
head -n 3 "$T/log.json" >"$T/bad"; refuse "a file cut between lines" "cut short"
printf 'PK\003\004zip' >"$T/bad"; refuse "another program's file" "no export of warpdrill"
: >"$T/bad"; refuse "an empty file" "no export of warpdrill"
sed 's/"version":1,"events"/"version":7,"events"/' "$T/log.json" >"$T/bad"; refuse "a newer version" "newer warpdrill"
{ log 7 7; printf '{"uid":\000}\n'; } >"$T/bad"; refuse "NUL" "bad:3: column"
log 7 8 | sed '2s/"uid":"0/"uid":"=/' >"$T/bad"; refuse "a broken uid" "bad:2: uid"
log 7 8 | sed '3s/"day":[0-9]*/"day":1/' >"$T/bad"; refuse "a broken day" "bad:3: day"
mkdir "$T/folder"; "$W" import "$T/folder" 2>"$T/err" >"$T/out"
[ $? -eq 1 ]
ok "a folder of something else" $?
[ "$before" = "$("$W" export | cksum)" ]
ok "nothing of all this was stored" $?

# ---- backup and restore ----
exits 0 "a backup" backup
[ -f "$(cat "$T/out")" ]
ok "there it is" $?
exits 0 "a backup with a name" backup "$T/mine.db"
exits 1 "nothing is replaced by a backup" backup "$T/mine.db"
exits 1 "no folder is made for a backup" backup "$T/new/deep/b.db"
complains "$T/new/deep/b.db: No such file" "and the file that was asked for is named"
exits 1 "nor for an export" export --out "$T/new/x.json"
complains "$T/new/x.json: No such file" "with its name"
exits 1 "nor for tables" export --format csv --out "$T/new/tables"
complains "$T/new/tables: No such file" "with theirs"
[ ! -e "$T/new" ]
ok "so there is none" $?
log 7 9 >"$T/more.json"
exits 0 "more comes in" import "$T/more.json"
exits 0 "list" restore --list
says "before-import" "a copy was made before the import"
exits 0 "list as JSON" restore --list --json
says '"good": true' "with what is good"
exits 2 "restore needs to know what" restore
exits 1 "a backup that is not there" restore yesterday
exits 0 "restore a file" restore "$T/mine.db"
says "before-restore" "what was there is kept"
[ "$before" = "$("$W" export | cksum)" ]
ok "the state of the backup" $?
kept=$(sed -n 's/^what was there before is //p' "$T/out")
exits 0 "what was kept can come back" restore "$kept"
exits 0 "with the rest" export
[ "$(wc -l <"$T/out")" -eq 10 ]
ok "nine events" $?
exits 0 "the latest" restore latest
printf 'no database' >"$T/no.db"
exits 1 "a file that is none" restore "$T/no.db"
complains "Nothing was changed" "and it is said"
exits 1 "a folder" restore "$T/a"
complains "it is a folder. Nothing was changed. Name a file" "is told to be one"
exits 1 "a device" restore /dev/zero
complains "it is no plain file" "likewise"
exits 1 "progress in a device" export --db /dev/zero
complains "cannot open /dev/zero: it is no plain file.*--db FILE" "is refused for what it is"
exits 1 "nor is it put there" restore "$T/mine.db" --db /dev/null
complains "what is there is no plain file.*--db FILE" "and what to do is said"
printf 'rubbish' >"$D/progress.db"
exits 1 "a damaged database is refused" export
exits 0 "and restored" restore latest
exits 0 "so that it works again" export

# ---- what may be read and not written ----
# The rights of a file are nothing to root, so root asks as nobody, who may enter none of its folders but these.
[ "$(id -u)" -eq 0 ] && plain="setpriv --reuid=65534 --regid=65534 --clear-groups" || plain=
if ! $plain "$W" --version >/dev/null 2>&1; then
    echo "ok $((n += 1)) - files that may not be written # SKIP nobody cannot be had here, or may not run $W"
else
    asks() { # asks STATUS WHAT ARGUMENTS...
        want=$1 what=$2
        shift 2
        $plain env HOME="$T/closed" XDG_DATA_HOME= "$W" "$@" >"$T/out" 2>"$T/err" </dev/null
        [ $? -eq "$want" ]
        ok "$what" $?
    }
    "$W" import "$T/log.json" --db "$T/closed.db" >/dev/null
    mkdir "$T/closed" "$T/open" "$T/locked" && mv "$T/closed.db" "$T/closed/p.db" && cp "$T/a.json" "$T/open/a.json" && chmod 644 "$T/open/a.json" && cp "$T/closed/p.db" "$T/open/unread.db"
    chmod 755 "$T" && chmod 777 "$T/open" && chmod 444 "$T/closed/p.db" && chmod 0 "$T/open/unread.db" "$T/locked" && chmod 555 "$T/closed"
    before=$(cksum <"$T/closed/p.db")
    asks 0 "export of progress that cannot be written" export --db "$T/closed/p.db"
    cmp -s "$T/out" "$T/log.json"
    ok "is all of it" $?
    asks 0 "a backup with a name" backup "$T/open/b.db" --db "$T/closed/p.db"
    "$W" export --db "$T/open/b.db" | cmp -s - "$T/log.json"
    ok "is all of it" $?
    asks 1 "a backup beside it" backup --db "$T/closed/p.db"
    complains "closed/backups: Permission denied" "cannot be made, and why is said"
    asks 0 "cards" cards --db "$T/closed/p.db"
    says "^silicon .* 1 seen" "know what was seen"
    asks 1 "an import" import "$T/open/a.json" --db "$T/closed/p.db"
    complains "closed/p.db: Permission denied" "is refused"
    [ "$before" = "$(cksum <"$T/closed/p.db")" ] && [ "$(ls "$T/closed")" = p.db ]
    ok "and nothing has changed" $?
    asks 0 "doctor" doctor --db "$T/closed/p.db" --runner false
    says "no *writing *nothing is kept now" "says that it cannot be written"
    says "ok *database .* 0 attempts" "and what is in it"
    asks 0 "doctor in a home that cannot be written" doctor --runner false
    says "no *database .*~/.local" "says that there will be no progress"
    says "closed: Permission denied\|cannot be made: ~: Permission denied" "why"
    says "no *ceilings" "and no caches"
    asks 1 "a backup that may not be read" restore "$T/open/unread.db" --db "$T/open/b.db"
    complains "Permission denied. Nothing was changed. Name a file that you may read" "is told so"
    asks 1 "of a file that may not be read" import "$T/open/unread.db" --db "$T/open/new.db"
    complains "unread.db: Permission denied" "too"
    [ ! -e "$T/open/new.db" ]
    ok "and makes no progress" $?
    chmod 700 "$T/closed"
fi

# ---- cards ----
exits 0 "export a set" cards export silicon
cp "$T/out" "$T/my-cards.csv"
exits 1 "a set that is not there" cards export nowhere
exits 0 "import it under another name" cards import "$T/my-cards.csv"
says "my-cards.csv: [1-9][0-9]* new, 0 changed" "counts"
exits 0 "export that" cards export my-cards
cmp -s "$T/out" "$T/my-cards.csv"
ok "it comes back the same" $?
exits 0 "again" cards import "$T/my-cards.csv"
says " 0 new, 0 changed" "nothing new"
exits 1 "a set of the program stays" cards import "$T/my-cards.csv" --set silicon
complains "comes with warpdrill" "and it is said"
printf 'id,topic,kind,front,back,choices\na,silicon,recall,Q?,A,\nb,nonsense,recall,Q?,A,\nc,silicon,choice,Q?,x,y | z\na,silicon,recall,Again?,A,\n' >"$T/bad.csv"
exits 1 "bad rows" cards import "$T/bad.csv" --set mine
complains "bad.csv:3: topic: .* expected" "line, column, what was expected"
complains "bad.csv:4: choices: .* expected" "each of them"
complains "bad.csv:5: id: the same id stands in line 2" "also ids that come twice"
[ ! -e "$D/cards/mine.csv" ]
ok "nothing was stored" $?
exits 0 "the good ones alone" cards import "$T/bad.csv" --set mine --keep-good
says "1 new, 0 changed, 0 as they were, 3 left out" "counts"
printf '\357\273\277id,topic,kind,front,back\r\na,silicon,recall,Changed?,"=2+2, really"\r\nz,silicon,recall,New?,A\r\n' >"$T/mine.csv"
exits 0 "a merge, with a byte order mark and CRLF" cards import "$T/mine.csv"
says "1 new, 1 changed" "by id"
exits 0 "and out" cards export mine
says "\"'=2+2, really\"" "a formula is neutralised"
for bad in 'id,topic\n' 'id,topic,kind,front,back\n"a' 'id,topic,kind,front,back\n\000' 'id,topic,kind,front,back,shell\na,b,c,d,e,f\n' ''; do
    printf "$bad" >"$T/worse.csv"
    exits 1 "a file that is no set of cards" cards import "$T/worse.csv"
    complains "worse.csv:[12]: .*\(expected\|bytes\|known\)" "with line and reason"
done
yes 'x,silicon,recall,Q?,A' | head -n 1000000 | sed '1i id,topic,kind,front,back' >"$T/long.csv"
exits 0 "the cards of a set" cards formats
says "^[a-z]* *[A-Z]" "are listed with their kinds"
[ "$(wc -l <"$T/out")" -eq "$("$W" cards | awk '$1 == "formats" { print $2 }')" ]
ok "one a line" $?
exits 1 "a set that is not there" cards nowhere
exits 1 "a million rows" cards import "$T/long.csv"
complains "long.csv:.*expected" "refused"
exits 2 "what cannot be meant" cards dance all

mkdir -p "$D/tables" && echo 'a,b' >"$D/tables/bent.csv"
for command in cards sheet drill; do
    exits 0 "$command beside a table that is none" $command
    complains "^warpdrill: $D/tables/bent.csv:1: the columns" "tells its place once"
done
rm "$D/tables/bent.csv"

# ---- sheets ----
exits 0 "what there is to print" sheet
says "^chips$" "tables"
says "^cards silicon$" "and cards"
complains "prints one" "and how it is printed"
! grep -q "^drills machine" "$T/out"
ok "and nothing that cannot be" $?
"$W" sheet chips 2>"$T/err" | head -n 1 >"$T/out"
! [ -s "$T/err" ]
ok "a reader that leaves is told nothing" $?
exits 2 "cards alone is misuse" sheet cards
exits 2 "drills alone is misuse" sheet drills
exits 2 "import alone is misuse" cards import
exits 0 "a number table" sheet chips
says "H100 SXM5 .* GB/s" "with units"
says "^ *1  NVIDIA H100" "sources below"
exits 0 "cards to fold" sheet cards silicon
says " | 989 Tflop/s" "answers on the right"
cp "$T/out" "$T/sheets"
for topic in silicon kernels roofline formats memory inference training collectives pipeline moe cost measurement system; do
    "$W" sheet drills $topic >>"$T/sheets" 2>/dev/null || echo "no sheet of $topic" >>"$T/missing"
done
[ ! -e "$T/missing" ]
ok "drills of every topic" $?
for table in $("$W" sheet | grep -v ' '); do "$W" sheet "$table" >>"$T/sheets"; done
[ "$(awk '{ gsub(/[\200-\277]/, "") } length > 80' "$T/sheets" | wc -l)" -eq 0 ]
ok "80 columns are enough" $?
exits 0 "the same seed" sheet drills memory --seed 5
cp "$T/out" "$T/five"
exits 0 "again" sheet drills memory --seed 5
cmp -s "$T/out" "$T/five"
ok "the same sheet" $?
awk '/\f/ { exit } /^ +[0-9]+\.  / { sub(/^ +[0-9]+\.  /, ""); gsub(/[0-9.]+/, "N"); print }' "$T/five" | sort >"$T/asks"
[ -s "$T/asks" ] && [ -z "$(uniq -d "$T/asks")" ]
ok "no question twice" $?
! "$W" sheet drills silicon | grep -A9 ' 1) ' | grep -B1 -A9 ' 2) ' | grep -m1 'a number in' >"$T/out"
ok "a choice is no number" $?
[ "$(tr -cd '\f' <"$T/five" | wc -c)" -eq 1 ]
ok "answers on a page of their own" $?
exits 0 "Markdown" sheet metrics --format md
says '\\_' "is escaped"
[ "$(grep '^|' "$T/out" | sed 's/\\|//g; s/[^|]//g' | sort -u | wc -l)" -eq 1 ]
ok "every row has the same cells" $?
exits 1 "a table that is not there" sheet nowhere
exits 1 "a topic that is not there" sheet drills nowhere
exits 2 "a format that is not there" sheet chips --format pdf

echo "1..$n"
