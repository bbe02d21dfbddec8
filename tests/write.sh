#!/bin/sh
# warpdrill write from outside: a kernel from nothing, judged by a runner that does what the text says of itself.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state" XDG_CONFIG_HOME="$T/config" XDG_CACHE_HOME="$T/cache"
mkdir -p "$T/data" "$T/state"
ID=example/row-sums
run() { "$W" write "$@" --pack tests/packs/good --db "$T/p.db" --runner "$FAKE live" >"$T/out" 2>"$T/err" </dev/null; }
mine=$T/mine/mine.cu
once() { run $ID --folder "$T/mine" --once --trust "$@"; }
text() { # text WORDS...: a text of which the runner is told
    for word; do echo "// fake: $word"; done >"$mine"
    echo 'extern "C" __global__ void sums(float *out, const float *in, int n, long long matrix) {}' >>"$mine"
}

exits 0 "what there is to write"
says "^$ID .*The sum of each row.* 0 of 2 walls; not begun" "is listed with its walls"
exits 1 "what is none" softmax
complains "write. lists what there is to write" "says where the list is"
exits 2 "a variant is none of it" $ID/a
complains "is no kernel to be written" "and says so"
exits 2 "help has three words" $ID help
exits 1 "our best waits" $ID best
complains "walls behind you: 0 of 2; .warpdrill write $ID give-up." "behind its walls"
! grep -q "warp to a row" "$T/out" "$T/err"; ok "and its lesson with it" $?
exits 0 "help" $ID hint
says "^Lanes along a row:" "is about the first wall"
exits 0 "the list"
says "^$ID .* 0 of 2 walls; no try yet, 1 hint" "has it noted"
exits 2 "nothing can be compared yet" $ID --folder "$T/early" --diff 1:2
complains "no try yet; each save that a GPU judges is one" "and says so"

# ---- an empty kernel, and better ones ----
text wrong 2>/dev/null
once
grep -q "^// mine.cu: The sum of each row, to be written" "$mine" && grep -q "^//    *extern.* reference(" "$mine" &&
    ! grep -q "long long all\|launches: fix" "$mine"
ok "an empty kernel with its contract and the reference is laid, and no suspect" $?
! grep -q "suspect\|fix" "$T/out"; ok "neither suspect nor fix is raced against" $?
text "time 4"
once --json
[ $? -eq 1 ] && grep -q '"steps":\[{"reached":false,"roof_share":0.30[0-9]*,"wall":"Lanes along a row","within":3.0}\]' "$T/out"
ok "a slow one has no wall behind it, and hears of the first alone" $?
text "time 2"
once
[ $? -eq 1 ]; ok "half as fast as the best is not done" $?
says "walls behind it: 1 of 2; next: The last of it, within 1.1 times the best's time, 82 % of the roof" "the next wall is named, with its share of the roof"
text wrong
once
! grep -q "walls behind" "$T/out"; ok "what is wrong has none" $?
text "time 1"
once
ok "as fast as the best is done" $?
says "walls behind it: 2 of 2$" "with all walls"
exits 0 "our best is shown now" $ID best
says "warp to a row" "with its lesson"
says "__global__ void" "and its code"
exits 0 "the list" --json
says '"walls": *2' "counts walls"
grep -q '"best_share": *0.9\|"best_share": *1' "$T/out"; ok "and tells the share of the best's speed" $?
exits 0 "tries are kept apart from those of mending" $ID --list
says "^$ID/write: right, .*our best's speed, .*1 hint" "and summed up"
"$FAKES/fake_player" tests/packs/good row-sums/a "$T/p.db"
"$W" mend row-sums/a --list --pack tests/packs/good --db "$T/p.db" >"$T/out" 2>&1
says "row-sums/a: no try yet" "of which there is none"

# ---- one that is no story's ----
run
says "^example/doubled .*Twice each number .* 0 of 1 walls; not begun" "a task that is no story's is listed"
run doubled --folder "$T/two" --once --trust --json
[ $? -eq 1 ] && grep -q '"scenario":"example/doubled/write"' "$T/out" && grep -q "^// mine.cu: Twice each number, to be written" "$T/two/mine.cu"
ok "and judged" $?
sed -i '1i // fake: time 1' "$T/two/mine.cu"
run example/doubled --folder "$T/two" --once --trust
ok "by its full name too, and done" $?
exits 0 "its best is shown then" doubled best
says "An element a thread" "with its code"
"$W" list --pack tests/packs/good --db "$T/p.db" >"$T/out" 2>&1
! grep -q doubled "$T/out"; ok "it is no scenario" $?

# ---- sealed ----
echo "a long passphrase" >"$T/pass"
"$W" seal tests/packs/good --out "$T/sealed" --passphrase-file "$T/pass" >"$T/out" 2>"$T/err" &&
    "$W" write $ID --pack "$T/sealed" --db "$T/s.db" >"$T/out" 2>"$T/err"
[ $? -eq 2 ]; ok "a sealed pack tells nothing of its kernels" $?
complains "$ID is sealed" "and says so"
"$W" write doubled --pack "$T/sealed" --db "$T/s.db" >"$T/out" 2>"$T/err"
[ $? -eq 2 ] && grep -q "example/doubled is sealed" "$T/err"
ok "nor of one that is no story's" $?

# ---- giving up ----
"$W" write $ID give-up --pack tests/packs/good --db "$T/q.db" >"$T/out" 2>"$T/err"
ok "who gives up" $?
says "warp to a row" "sees the best"
"$W" write $ID --list --pack tests/packs/good --db "$T/q.db" >"$T/out" 2>"$T/err"
says "no try yet" "without a try"

# ---- without a GPU ----
run $ID --folder "$T/mine" --arch sm_90
! grep -q "suspect\|fix" "$T/out"; ok "a compiler tells nothing of suspect or fix" $?
echo "1..$n"
