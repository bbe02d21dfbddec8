#!/bin/sh
# warpdrill preview: a scenario as its author sees it, in the order in which a candidate meets it, before anything is recorded. TAP.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache"
follows() { # follows WHAT TEXT...: these stand in this order
    what=$1 before=0
    shift
    for text in "$@"; do
        at=$(grep -n -F -e "$text" "$T/out" | cut -d: -f1 | while read -r line; do [ "$line" -gt "$before" ] && echo "$line" && break; done)
        [ -n "$at" ] || break
        before=$at
    done
    [ -n "$at" ]
    ok "$what" $?
}
run new "$T/spray/falling-drops" --from tests/tutorial/drops.cu --cause inst.wrong-pipe --no-compile --yes

# ---- a draft, of which nothing is recorded ----
exits 0 "a draft" preview "$T/spray/falling-drops"
says "^spray/falling-drops  preview$" "is a preview"
says "For its author: nothing is measured, asked or scored here, and no try is kept" "which says that nothing is kept"
follows "all stands in a candidate's order" "THE OPENING, level 2" "FILL IN: what the code is for" "Sizes: " "Its time: [not recorded]" \
    "THE CAUSES ON OFFER" "inst.wrong-pipe" "QUESTIONS" "Did the driver or the clocks change?" "NUMBERS THAT ARE ASKED FOR" "before timing, in s: " \
    "WHAT CAN BE BOUGHT" "THE SOURCE, a" "THE REMEDIES ON OFFER" "THE PUSHBACK" "THE DEBRIEF, a" "Cause: inst.wrong-pipe (wrong pipe or type), line 13" \
    "HOW EVIDENCE BEARS ON IT" "pipes: fp64_busy >= 0.2; settles inst.wrong-pipe" "THE FIX, falling-drops/a/sealed/fix.cu" "ITS TEXT" "## What it was"
says '^  timing  *1  \[not recorded\]  timing in detail$' "what can be bought is said to be unrecorded"
says '^  source  *6  in the pack  *source code$' "but the source, which is there"
says '^  13      *v += dt' "which is shown with its launches"
sed -i 's/^FILL IN: the mechanism.*/It takes {{suspect.time}}, {{ratio}} times the fix./' "$T/spray/falling-drops/a/sealed/debrief.md"
exits 0 "by a variant" preview "$T/spray/falling-drops/a"
says '^  It takes {{suspect.time}}, {{ratio}} times the fix\.$' "what a recording fills in keeps its name"
exits 0 "by the pack, of one story" preview "$T/spray" --for t4
says "Sizes are those of Tesla T4" "for another GPU"
exits 0 "by an id" preview --pack "$T/spray" falling-drops/a
exits 2 "a GPU that nobody knows" preview "$T/spray" --for x1
exits 1 "what is not there" preview "$T/none"
[ ! -e "$T/data/warpdrill" ] && [ ! -e "$T/state/warpdrill" ]
ok "and nothing is kept" $?

# ---- its folder in the place of an id ----
here() { ( cd "$1" && shift && "$W" "$@" >"$T/out" 2>"$T/err" </dev/null ); }
here "$T/spray" probe falling-drops
says '^spray/falling-drops/*a*  probes and experiments' "probe takes the folder of a story"
here "$T/spray/falling-drops" probe a source
says "v += dt" "and of a variant"
here "$T/spray/falling-drops" probe a timing
complains "spray/falling-drops/a has no recorded evidence; .*warpdrill preview. shows it without" "what is not recorded is said, with what shows it"
here "$T/spray" play falling-drops
complains "terminal" "and so does play, which needs a terminal"
here "$T" probe none
complains "there is no pack; one was expected in --pack DIR" "what is no folder is an id"

# ---- a pack with recordings ----
cp -R tests/packs/good "$T/fine"
exits 0 "a pack that is recorded" preview "$T/fine/row-sums"
says '^  timing  *1  recorded  *timing in detail$' "says so"
follows "all its variants follow each other" "THE SOURCE, a" "THE SOURCE, b" "THE DEBRIEF, a" "THE DEBRIEF, b"
exits 1 "what is no scenario" preview --pack "$T/fine" example/none
exits 2 "a pack of several stories" preview content/packs/attention
complains "attention has 2 stories; name one, such as attention/one-token-attention" "asks for one"

# ---- cases ----
exits 0 "a case" preview tests/packs/cases
says "^THE PLACES, where the fault may be" "has places in the place of a source"

exits 0 "a suspect that fails" preview tests/packs/failing
says "^  Of b in its place: there is no result$" "has no time"
says '^  dram  *2  no run has it  *DRAM traffic$' "nor what takes a run"
exits 0 "a benchmark" preview tests/packs/benchmarks/"$(ls tests/packs/benchmarks | grep -v pack.yaml | head -1)"
says "^  What it prints: " "has what it prints"

# ---- sealed ----
echo "four small drops of rain" >"$T/pass"
run seal "$T/spray" --out "$T/shut" --passphrase-file "$T/pass"
exits 0 "a sealed pack" preview "$T/shut"
says "is sealed: --passphrase-file FILE opens the rest" "shows its public half"
! grep -q 'THE DEBRIEF\|THE PUSHBACK' "$T/out"
ok "and no more" $?
exits 0 "with its passphrase" preview "$T/shut" --passphrase-file "$T/pass"
says "^THE DEBRIEF, a$" "all of it"

echo "1..$n"
