#!/bin/sh
# warpdrill mend from outside, with a runner that does what the text says of itself.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state" XDG_CONFIG_HOME="$T/config" XDG_CACHE_HOME="$T/cache"
mkdir -p "$T/data" "$T/state"
FIX=tests/packs/good/row-sums/a/sealed/fix.cu
run() { "$W" mend "$@" --pack tests/packs/good --db "$T/p.db" --runner "$FAKE live" >"$T/out" 2>"$T/err" </dev/null; }
mine=$T/mine/mine.cu
once() { run row-sums/a --folder "$T/mine" --once --trust "$@"; }
watch() { # watch SCENARIO: in the background. Old words must not pass for its own: it would be told to go before it began
    : >"$T/watch"
    : >"$T/err"
    "$W" mend row-sums/a --folder "$T/mine" --trust --pack tests/packs/good --db "$T/p.db" --runner "$FAKE $1" >"$T/watch" 2>"$T/err" </dev/null &
    pid=$!
}
text() { # text WORDS...: the fix as a person's text, of which the runner is told
    { for word; do echo "// fake: $word"; done; echo "// launches: fix"; cat "$FIX"; } >"$mine"
}
refused() { # refused WORD REASON WHAT
    text "$1"
    once --json
    [ $? -eq 1 ] && grep -q "\"reason\":\"$2\"" "$T/out"
    ok "$3" $?
}

exits 1 "what was never diagnosed is not mended" row-sums/a --folder "$T/mine" --once --trust
complains "was not diagnosed yet" "and says so"
[ ! -e "$T/mine" ] && ! grep -q -i "fix.cu\|uncoalesced" "$T/out" "$T/err"
ok "nothing was laid, nothing was told" $?
"$FAKES/fake_player" tests/packs/good row-sums/a "$T/p.db"
ok "a variant is played to its debrief" $?
exits 2 "there is nothing to go back to" row-sums/a --folder "$T/mine" --back 1
complains "row-sums/a: no try yet; each save that a GPU judges is one" "before the first try"
run
says "^level 2$" "what can be mended is listed by level"
says "^  > example/row-sums/a .*: uncoalesced access; not begun" "with the next one marked"
! grep -q "row-sums/b" "$T/out"; ok "and what was not diagnosed left out" $?
exits 1 "its sibling stays closed" row-sums/b --folder "$T/mine" --once --trust

exits 1 "the person's own code is not run unasked" row-sums/a --folder "$T/mine" --once
complains "give --trust" "and says what to do"
once
[ $? -eq 1 ] && grep -q "^// launch 1: grid ceildiv(n, 256); block 256; shared 0" "$mine"
ok "the suspect is laid with its contract" $?
says "try 1: right, as fast as the suspect, 0 % of the gap closed" "and judged: right and slow"
says "^  fix  .*#  *4.80" "bars show the fix"
says "^  roof " "and the roof"

text "time 1"
before=$(cat "$mine")
once
ok "the fix as a person's text ends with 0" $?
says "right, 7 times as fast as the suspect, 100 % of the gap closed" "its share is told"
says "^  roof .* 4.00 .*, 83 % of it reached" "and where the roof lies now"
says "what changed since try 1" "and what the hardware did otherwise"
[ "$before" = "$(cat "$mine")" ]
ok "a text that lies there is not written over" $?
once
! grep -q "best so far" "$T/out"; ok "the best text is not told to be put back onto itself" $?
text "time 2"
once --json
[ $? -eq 1 ] && grep -q '"done":false' "$T/out" && grep -q '"gap_closed":0.8' "$T/out"
ok "half as fast as the fix is not done" $?

refused compile compile "what does not compile is refused"
grep -q "mine.cu(3): error" "$T/out"
ok "with the compiler's line" $?
refused launch launch "what cannot be launched"
refused hangs hangs "what does not end"
refused fault fault "what faults"
refused wrong wrong "a wrong result"
refused size size "one that is wrong at other sizes"
refused poison memory "one that reads what lay in memory"
refused moved moved "one that needs its buffers where they are"
refused fence fence "one that reaches past a buffer"
refused held hangs "one that does not end before a fence"
refused differ unsteady "one that differs from launch to launch"
refused beside beside "one that writes beside its outputs"
refused floor floor "one that is faster than the machine"
text silent
once --json
[ $? -eq 1 ] && grep -q '"verdict":"not judged"' "$T/out" && grep -q "1 of 3 comparisons were made" "$T/out"
ok "what was not compared is not called right" $?
refused later stale "one that is wrong on fresh inputs after the timing"

# ---- compute-sanitizer, on demand ----
text racecheck
once --sanitize
[ $? -eq 1 ] && grep -q "^racecheck: 3 found" "$T/out" && grep -q "^memcheck: nothing found" "$T/out"
ok "what a tool finds is told" $?
text "time 1"
once --sanitize --json
[ $? -eq 0 ] && grep -q '"clean":true' "$T/out"
ok "a clean text ends with 0" $?
echo '#include "/etc/passwd"' >"$mine"
exits 1 "no source, no run" row-sums/a --folder "$T/mine" --sanitize --trust
complains "mine.cu:1:" "and why"

has_state() { # has_state LINE WHAT: above the fix
    { echo "$1"; cat "$FIX"; } >"$mine"
    once --json
    [ $? -eq 1 ] && grep -q '"reason":"state"' "$T/out" && grep -q "mine.cu:1: " "$T/out"
    ok "$2" $?
}
has_state "__device__ unsigned launches;" "a variable that could count launches is refused"
has_state "__device__ float kept[1024];" "an array of results from before"
has_state "__managed__ int n;" "managed memory"
has_state "__device__ const float *last = nullptr;" "a pointer that could be moved"
has_state "__device__ int f() { static int n; return n++; }" "a static one inside a function"
has_state "__device__ long long f() { return clock64(); }" "a clock"
{ echo "#define HIDDEN __device__"; echo "HIDDEN int n;"; cat "$FIX"; } >"$mine"
once --json
grep -q '"reason":"state"' "$T/out" && grep -q "mine.cu:2: " "$T/out"
ok "and behind a macro" $?
{
    echo "// fake: time 1"
    echo "// launches: fix"
    echo "__constant__ float a[4]; __device__ const int b = 1; static __device__ int f(int n) { return n; }"
    cat "$FIX"
} >"$mine"
once
ok "constants and functions are none of these" $?

# ---- launch lines ----
wrong_line() { # wrong_line LINE WORDS WHAT
    { echo "$1"; cat "$FIX"; } >"$mine"
    once --json
    [ $? -eq 1 ] && grep -q "mine.cu:1: .*$2" "$T/out"
    ok "$3" $?
}
wrong_line "// launch 1: grid ceildiv(n, 8" "unbalanced parenthesis" "a formula that does not end is told at its line"
wrong_line "// launch 1: block m" "no size of this story" "a name that is none"
wrong_line "// launch 2: block 32" "there is no launch 2" "a launch that is none"
wrong_line "// launch 1: threads 32" "neither grid, block nor shared" "a word that is none"
wrong_line "// launches: perfect" "suspect, fix or best" "launches of nobody"
{ echo "// launch 1: grid ceildiv(n, 8); block 2048"; cat "$FIX"; } >"$mine"
once --json
grep -q "mine.cu: block is 2048; it must lie between 1 and 1024" "$T/out"
ok "a block that no GPU has" $?

# ---- the file ----
tries() { run row-sums/a --list; grep -c "^ *[0-9]" "$T/out"; }
kept=$(tries)
unreadable() { # unreadable WORDS WHAT
    once
    [ $? -eq 1 ] && grep -q "$1" "$T/err"
    ok "$2" $?
}
: >"$mine"
unreadable "is empty; what was judged before is kept" "an emptied file"
printf 'a\000b' >"$mine"
unreadable "mine.cu:1:2: holds what is no text" "a binary one"
head -c 300000 /dev/zero | tr '\0' 'x' >"$mine"
unreadable "more than 256 KiB" "a huge one"
echo '#include "/etc/passwd"' >"$mine"
unreadable "mine.cu:1:" "one that reaches for files, at its line"
rm "$mine"; ln -s /etc/passwd "$mine"
unreadable "is a symbolic link" "a link"
rm "$mine"; mkfifo "$mine"
unreadable "is a pipe" "a pipe, without waiting"
rm "$mine"; mkdir "$mine"
unreadable "is a folder" "a folder"
rmdir "$mine"
[ "$(tries)" -eq "$kept" ]
ok "none of these is a try, and nothing kept is lost" $?

# ---- back to any ----
text "time 3"
exits 0 "back to a try" row-sums/a --folder "$T/mine" --back 2
[ "$(cat "$mine")" = "$before" ]
ok "its text is in the file" $?
run row-sums/a --list
says "laid aside" "what stood there was kept first"
exits 0 "two tries are compared" row-sums/a --folder "$T/mine" --diff 1:2
grep -q "^--- try 1" "$T/out" && grep -q "^+++ try 2" "$T/out" && grep -q "^+ launches: fix" "$T/out"
ok "by their lines, launches among them" $?
exits 0 "a try and the file" row-sums/a --folder "$T/mine" --diff 2
says "the same code" "which has its text"
exits 2 "there is no try 99" row-sums/a --folder "$T/mine" --diff 1:99
run row-sums/a --list
says "  |\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.\.|  right, as fast" "the way there is a chart: nothing was won"
says "  |####################|  right, 7 times.* best$" "and all of it"
says "^example/row-sums/a: right, 100 % of the gap closed, [0-9]* tries, " "mending has a score of its own"
run
says "^    example/row-sums/a .*; right, 100 % of the gap closed" "the path marks no longer what is done"
run --json
says '"done": true' "in JSON too"
printf 'not\000text' >"$mine"
exits 0 "back from a file that is no text" row-sums/a --folder "$T/mine" --back 2
[ "$(tr '\000' . <"$mine.1")" = not.text ]
ok "which is moved aside" $?
sed 's/$/\r/' "$mine" >"$T/crlf" && mv "$T/crlf" "$mine"
once
ok "lines that end as on another system are read" $?
exits 2 "there is no try 0" row-sums/a --folder "$T/mine" --back 0
run row-sums/a --list --json
says '"scenario": "example/row-sums/a"' "the list is JSON too"

# ---- the log goes where progress goes ----
"$W" export --db "$T/p.db" --out "$T/all.json" >"$T/out" 2>&1 && "$W" import "$T/all.json" --db "$T/q.db" >"$T/out" 2>"$T/err"
ok "export and import take the tries" $?
"$W" mend row-sums/a --list --pack tests/packs/good --db "$T/q.db" >"$T/there" 2>&1
"$W" mend row-sums/a --list --pack tests/packs/good --db "$T/p.db" >"$T/here" 2>&1
cmp -s "$T/here" "$T/there"
ok "and they are all there" $?

# ---- a store that is held by another ----
text "time 1"
sed -i '1i // held' "$mine"
mkfifo "$T/held"
python3 -c "
import sqlite3
c = sqlite3.connect('$T/p.db', isolation_level=None)
c.execute('begin immediate')
print(1, file=open('$T/took', 'w'), flush=True)
open('$T/held').read()
" &
holder=$!
await test -s "$T/took"
once
[ $? -eq 1 ] && grep -q "^not kept: right" "$T/out" && grep -q "another program is writing" "$T/err"
ok "a verdict that cannot be kept is told as such" $?
watch live
await grep -q "another program is writing" "$T/err"
[ ! -s "$T/watch" ]
ok "a watch holds it back" $?
echo >"$T/held"
await grep -q "^try [0-9]*: right" "$T/watch"
ok "and keeps it once it can" $?
kill -INT $pid
wait $pid $holder
run row-sums/a --list --json
[ "$(grep -c '// held' "$T/out")" -eq 1 ]
ok "once" $?

# ---- what has no code ----
for id in reported/small-sums/a tiles/gated-values/a; do
    "$FAKES/fake_player" "content/packs/${id%%/*}" "$id" "$T/p.db"
    "$W" mend "$id" --once --trust --pack "content/packs/${id%%/*}" --db "$T/p.db" --runner "$FAKE live" >"$T/out" 2>"$T/err" </dev/null
    [ $? -eq 1 ] && grep -q "$id: .*to be mended\|$id: .*compiled elsewhere" "$T/err"
    ok "$id has no text to be mended" $?
done

# ---- killed at any moment ----
run row-sums/a --list
kept=$(grep -c "^ *[0-9]" "$T/out")
bad=0
for signal in KILL TERM; do
    for moment in "mine.cu" "is it right" "race against" "everywhere else" "hardware did" "^try"; do
        text "time 4"
        sed -i "1i // $signal $moment" "$mine"
        last=$(cat "$mine")
        watch live
        await grep -q -h "$moment\|^try" "$T/watch" "$T/err"   # a machine under load may pass a moment unseen
        kill -$signal $pid
        wait $pid 2>/dev/null
        [ "$(cat "$mine")" = "$last" ] || bad=1
        run row-sums/a --list
        now=$(grep -c "^ *[0-9]" "$T/out")
        [ "$now" -ge $((kept + $(grep -c "^try" "$T/watch"))) ] || { bad=1; echo "# $signal $moment: $kept $now"; }
        kept=$now
    done
done
ok "killed at twelve moments, the text and every try that was told are there" $bad

# ---- watched ----
watch live
await grep -q "^try" "$T/watch"
ok "what lies there is judged at once" $?
text wrong
await grep -q "refused: wrong" "$T/watch"
ok "a save is judged" $?
: >"$mine"
await grep -q "is empty" "$T/err"
ok "an emptied file is told" $?
text "time 1" && mv "$mine" "$T/mine/other" && mv "$T/mine/other" "$mine"
await grep -q "100 % of the gap closed" "$T/watch"
ok "a file that was replaced is judged" $?
kill -INT $pid
wait $pid
ok "Ctrl-C ends it, with the last verdict" $?
gone $pid
ok "and nothing of it is left" $?

# ---- a save while another is judged ----
text "time 7"
sed -i '1i // overtaken' "$mine"
watch slow
await grep -q "is it right" "$T/err"
text "time 8"
await sh -c "[ \$(grep -c 'is it right' '$T/err') -gt 1 ]"
kill -INT $pid
wait $pid
run row-sums/a --list --json
grep -q '// overtaken' "$T/out"
ok "the text that was overtaken is among the tries" $?

# ---- without a GPU ----
"$W" mend row-sums/a --once --trust --folder "$T/mine" --pack tests/packs/good --db "$T/p.db" --runner "$FAKE no-gpu" >"$T/out" 2>"$T/err" </dev/null
[ $? -eq 1 ]; ok "without a GPU nothing is judged" $?
complains "What a compiler alone can tell: warpdrill mend row-sums/a --arch sm_90" "and what can be done is said"
run row-sums/a --folder "$T/mine" --arch sm_90
[ $? -eq 1 ] && grep -q "the fake has no compiler" "$T/err"
ok "without a compiler that is said" $?
exits 2 "an architecture is a number" row-sums/a --folder "$T/mine" --arch fast
echo "1..$n"
