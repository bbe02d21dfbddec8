#!/bin/sh
# TAP: a story whose variants differ in what the host does beside its launches, from outside: recorded, played, pointed at.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache" WARPDRILL_CONTENT="$T/packs"
run() { "$W" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }
mkdir "$T/packs"
cp -R tests/packs/hosted "$T/packs/hosted"
P=$T/packs/hosted S=$P/decoded-steps ID=hosted/decoded-steps
LIVE="--tier live --trust --runner $FAKE"

# ---- what the host does is evidence ----
exits 0 "the source of a variant" probe "$ID/b" source
says '^ *9  read(out)  // look$' "ends with what the host does"
says '^ *11  wait(20.0 µs)$' "in the order in which it does it"
exits 0 "of one that has the story's" probe "$ID/a" source
says '^ *8  capture(graph)$' "they are the story's"
says '^ *11  replay(graph)$' "graphs too"
exits 0 "its timing" probe "$ID/b" timing $LIVE\ good
says '^ *2  read (look)  *2.00 µs  *2.00 µs$' "brings rows of the host"
says '^ *6  the end ' "down to the wait behind them"
says 'host in driver calls' "and how long driver calls take"

# ---- recording ----
exits 0 "record" record "$P" --trust --runner "$FAKE good"
run check --no-compile "$P"
! grep -q 'evidence-' "$T/err"
ok "leaves nothing that is missing" $?
sed -i 's/20e-6/21e-6/' "$S/b/launches.yaml"
run check --no-compile "$P"
complains "$S/b/.*\[evidence-stale\]" "evidence of other steps is stale"
! grep -q "$S/a/.*evidence-stale" "$T/err"
ok "and that of the other variant is not" $?
sed -i 's/21e-6/20e-6/; s/wait: 20e-6/wait: 0.2/' "$S/b/launches.yaml"
exits 1 "a wait that is too long" check --no-compile --no-evidence --for h200 "$P"
complains "b/launches.yaml:6:12.*wait is 0.2 s; above 0 and at most 0.1 was expected" "is said where it stands"
sed -i 's/wait: 0.2/wait: 20e-6/' "$S/b/launches.yaml"

# ---- a graph that each run makes ----
cp "$S/scenario.yaml" "$T/kept.yaml"
sed -i 's/capture: graph/capture: anew/' "$S/scenario.yaml"
exits 0 "a graph that is made anew" probe "$ID/a" source
says '^ *8  capture(graph, anew)$' "is told where it is made"
run check --no-compile "$P"
complains "$S/a/.*\[evidence-stale\]" "and evidence of one that was kept is not its own"
sed -i 's/^\( *\)- {capture: anew}/\1- {load: ptx, label: for this size}\n&/' "$S/scenario.yaml"
exits 0 "a module that is loaded in the step" probe "$ID/a" source
says '^ *8  load(ptx)  // for this size$' "is told with its form"
exits 0 "its timing" probe "$ID/a" timing $LIVE\ good
says '^ *1  load (for this size) ' "has a row of it"
says '^ *2  capture ' "and one of the capture"
cp "$T/kept.yaml" "$S/scenario.yaml"
run check --no-compile "$P"
! grep -q "$S/a/.*evidence-stale" "$T/err"
ok "but that of the one that is kept" $?

# ---- the place ----
point() { # point VARIANT LINE: what the score says of the place
    printf '{"kind":"committed","body":{"line":%s,"remedy":"once"}}\n' "$2" >"$T/script"
    run grade "$ID/$1" --script "$T/script" --seed 1
}
point b 9
says 'location  *5.0 of   5   line 9' "the line of the step is the place"
point b 12
says 'location  *0.0 of   5   line 9; you said line 12' "and another step is not"
sed -i 's/{launch: look}/{launch: look, to: again}/' "$S/b/sealed/answer.yaml"
point b 10
says 'location  *5.0 of   5   line 10' "all from one launch to another may be the place"
point b 11
says 'location  *0.0 of   5   line 9; you said line 11' "and what stands behind is not"
sed -i 's/look, to: again/again, to: look/' "$S/b/sealed/answer.yaml"
run check --no-compile --no-evidence "$P"
complains "'look' stands before 'again'; a launch behind it was expected" "from the first to the last"

echo "1..$n"
