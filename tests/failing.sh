#!/bin/sh
# TAP: suspects that bring no result, from outside: recorded, bought, graded, mended, checked live, sealed.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache" WARPDRILL_CONTENT="$T/packs"
run() { "$W" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }
mkdir "$T/packs"
cp -R tests/packs/failing "$T/packs/failing"
P=$T/packs/failing S=$P/doubled-vector ID=failing/doubled-vector
LIVE="--tier live --trust --runner $FAKE"

# ---- evidence ----
exits 0 "the symptom of a launch that is refused" probe "$ID/a" symptom
says 'no result' "is that there is none"
! grep -q 'error 1\|refused\|no end' "$T/out"
ok "and not how it fails" $?
exits 0 "its timing" probe "$ID/a" timing
says 'error 1: invalid argument' "is the driver's word"
exits 0 "of a kernel that faults" probe "$ID/b" timing $LIVE\ good
says 'error 700: an illegal memory access was encountered' "too"
exits 0 "of one that does not end" probe "$ID/c" timing $LIVE\ good
says 'no result after 5 s' "is the limit"
exits 1 "counters" probe "$ID/c" dram
complains "brings no result, so dram has nothing to measure" "have nothing to count"
exits 1 "other times" probe "$ID/b" zeros $LIVE\ good
complains "nothing to measure" "are none"
exits 0 "resources" probe "$ID/a" resources
says 'shared memory per block  *300 kB' "need no run"
exits 0 "a sweep of outcomes" probe "$ID/a" fewer-blocks
says 'error 1: invalid argument' "says of each step how it ended"
exits 0 "caps on registers of a refused launch" probe "$ID/a" registers $LIVE\ good
says 'launch refused  *1' "say whether they help"
exits 1 "of one that does not end" probe "$ID/c" registers
complains "nothing to measure" "they would say nothing"

# ---- recording ----
rm "$S"/?/sealed/evidence/fake-gpu.json
exits 0 "record" record "$P" --trust --runner "$FAKE good"
run record "$P" --trust --runner "$FAKE good"
[ "$(grep -c 'up to date' "$T/out")" -eq 3 ]
ok "brings all that there is" $?
exits 0 "check holds it" check --no-compile "$P"
says 'doubled-vector/c  fake-gpu  cheapest source: 6 min' "without an effect"

# ---- live: what the suspect asks of a buffer's beginning nobody sees ----
live() { WARPDRILL_FAKE_LIVE=$1 run check --live --no-compile --trust --runner "$FAKE live" "$P" doubled-vector/c; }
live misaligned:b
! grep -q "\[live-wrong\]" "$T/err" && grep -q "sizes right \([0-9]*\)/\1" "$T/out"
ok "a fix may fault where buffers are moved by less than a vector" $?
live fence:b
complains "a fence behind each buffer: it faults.*\[live-wrong\]" "and nowhere else"

# ---- played ----
printf '{"kind":"bought","body":{"probe":"resources"}}\n{"kind":"committed","body":{"line":8,"remedy":"bytes"}}\n' >"$T/script"
exits 0 "grade" grade "$ID/a" --script "$T/script" --seed 1
says 'location  *5.0 of   5' "knows the launch as the place"
says 'remedy  *5.0 of   5' "and the remedy"

# ---- sealing ----
printf 'correct horse battery\n' >"$T/pass"
mkdir "$T/sealed" "$T/open"
exits 0 "seal" seal "$P" --out "$T/sealed/failing" --passphrase-file "$T/pass"
exits 0 "unseal" unseal "$T/sealed/failing" --out "$T/open/failing" --passphrase-file "$T/pass"
diff -r "$P" "$T/open/failing" >"$T/out"
ok "brings back what was sealed" $?

echo "1..$n"
