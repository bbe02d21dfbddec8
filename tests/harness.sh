#!/bin/sh
# TAP: a story whose number may be wrong, from outside: shown, bought, recorded, pointed at, checked live.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache" WARPDRILL_CONTENT="$T/packs"
run() { "$W" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }
mkdir "$T/packs"
cp -R tests/packs/benchmarks "$T/packs/benchmarks"
P=$T/packs/benchmarks S=$P/timed-sum ID=benchmarks/timed-sum
LIVE="--tier live --trust --runner $FAKE"

# ---- what is free ----
exits 0 "what was reported" probe "$ID/c" symptom $LIVE\ good
STEPS='inputs|load|warm.up|idle|repeat|flush|clock|stream|launches|synchronise|reduce|report '
says '^it prints 6979 GB/s$' "is what the benchmark prints"
! grep -Eq "^ *[0-9]* *($STEPS)" "$T/out"
ok "without its steps" $?
! grep -q 'first sample\|least sample' "$T/out"
ok "without its samples" $?
exits 0 "as JSON" probe "$ID/c" symptom $LIVE\ good --json
says '"prints": "6979 GB/s"' "is what it prints"
! grep -q 'reported_time' "$T/out"
ok "without the time, from which the rate was made" $?
! grep -Eq "$STEPS" "$T/out"
ok "without its steps" $?
! grep -q '"sample' "$T/out"
ok "alone" $?

# ---- what there is ----
exits 0 "the list of probes" probe "$ID/c"
says 'prices in minutes; par 8$' "begins with what par is"
exits 0 "as JSON" probe "$ID/c" --json
says '"par": 8' "has it too"

# ---- what is bought ----
exits 0 "timing" probe "$ID/b" timing $LIVE\ good
says '^  samples  *5.00 µs ' "brings the samples"
exits 0 "one step changed" probe "$ID/b" waited $LIVE\ good
says '^synchronise: before the clock stops$' "is named"
exits 0 "one that is so already" probe "$ID/c" waited $LIVE\ good
says '^changes nothing: it is so already (synchronise: before the clock stops); the minute is for the look$' "is said to"
says ' price 1 min$' "costs a look"
says '^it prints 6979 GB/s$' "prints what it printed"
! grep -q 'sample\|as it is\|verdict' "$T/out"
ok "and tells no more" $?
exits 0 "as JSON" probe "$ID/c" waited $LIVE\ good --json
says '"unchanged": true' "is said to be so too"
exits 0 "the source" probe "$ID/b" source
says '^ *10  inputs  *as declared$' "ends with the benchmark"
exits 0 "of another" probe "$ID/c" source
says 'report  *GB/s, with 24 \* n' "down to what it counts"

# ---- recording ----
exits 0 "record" record "$P" --trust --runner "$FAKE good"
exits 0 "is found whole" check --no-compile "$P"
says '0 errors, 0 warnings' "and every reading holds"
cp -R "$P" "$T/lonely"
rm -r "$T/lonely/timed-sum/"[bcd]
exits 0 "readings of one that stands alone" record "$T/lonely" --suggest
says 'nothing lies apart by a factor of 1.3 or more from the fix and other variants' "are none: there is nothing to be told from"
sed -i 's/flush: none/flush: inside/' "$S/a/benchmark.yaml"
run check --no-compile "$P"
complains "$S/a/.*\[evidence-stale\]" "evidence of another benchmark is stale"
! grep -q "$S/b/.*evidence-stale" "$T/err"
ok "and that of the other variants is not" $?
printf 'format: 2\n' >"$S/a/benchmark.yaml"
run check --no-compile --no-evidence "$P"
complains "sealed/benchmark.yaml.*\[fix-same\]" "an honest benchmark is nothing to ask about"
printf 'format: 2\nflush: none\n' >"$S/a/benchmark.yaml"
sed -i 's/{step: flush}/{step: report}/' "$S/a/sealed/answer.yaml"
run check --no-compile --no-evidence "$P"
complains "a/sealed/answer.yaml.*\[fix-elsewhere\]" "a place that the honest benchmark leaves alone is none"
sed -i 's/{step: report}/{step: flush}/' "$S/a/sealed/answer.yaml"
exits 0 "on a GPU" check --live --trust --no-compile --runner "$FAKE live" "$P"
says 'timed-sum/a  fake-gpu live  effect 0.5 .*sizes right 3/3, spoilt results refused' "what is reported is held against what is"

# ---- the place ----
point() { # point VARIANT LINE: what the score says of the place
    printf '{"kind":"committed","body":{"line":%s,"remedy":"slower"}}\n' "$2" >"$T/script"
    run grade "$ID/$1" --script "$T/script" --seed 1
}
point b 19
says 'location  *5.0 of   5   line 19' "the line of the step is the place"
point b 16
says 'location  *0.0 of   5   line 19; you said line 16' "and another step is not"

# ---- a baseline ----
printf 'format: 2\nflush: none\nbaseline:\n  flush: before\n  launches: [{kernel: add, grid: [n], block: [1], args: [out, in, n]}]\n' >"$S/a/benchmark.yaml"
exits 0 "the symptom of a comparison" probe "$ID/a" symptom $LIVE\ good
says 'x faster' "is how many times as fast it is said to be"
! grep -q 'µs' "$T/out"
ok "and no time" $?
exits 0 "its timing" probe "$ID/a" timing $LIVE\ good
says 'times as fast as baseline' "has the factor"
says 'baseline, as reported' "and what the baseline took"
exits 0 "its source" probe "$ID/a" source $LIVE\ good
says 'baseline  *add; flush: L2, before each sample$' "says which kernel that is, and what care it has"
says 'add<<<grid 4194304, block 1>>>' "and how that is launched"
exits 0 "a step changed for both" probe "$ID/a" flushed $LIVE\ good
says 'times as fast as baseline' "brings another factor"
says '^flush: L2, before each sample$' "is named without a word where the kernel changes by it"
sed -i -e 's/^flush: none/flush: before/' -e 's/^  flush: before/  flush: inside/' "$S/a/benchmark.yaml"
exits 0 "a step changed for the baseline alone" probe "$ID/a" flushed $LIVE\ good
says '^flush: L2, before each sample (baseline changed)$' "says so"
sed -i 's/^  flush: inside/  flush: before/' "$S/a/benchmark.yaml"
exits 0 "a step that both have" probe "$ID/a" flushed $LIVE\ good
says '^changes nothing: .* (flush: L2, before each sample); ' "changes nothing for both"
sed -i 's/^flush: before/flush: none/' "$S/a/benchmark.yaml"
sed -i 's/{step: flush}/{step: baseline}/' "$S/a/sealed/answer.yaml"
run record "$P" --trust --runner "$FAKE good"
point a 22
says 'location  *5.0 of   5   line 22' "the baseline may be the place"

echo "1..$n"
