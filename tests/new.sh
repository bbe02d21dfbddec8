#!/bin/sh
# warpdrill new from outside: options, questions on a terminal, what is said; and that what it makes passes `check` but for what is the author's.
set -u
. tests/lib/tap.sh

# ---- without a terminal ----
exits 2 "new needs a place" new --from tests/new/one-arg.cu
exits 2 "and a kernel" new "$T/p/one"
complains "usage: warpdrill new PACK/SCENARIO --from kernel.cu" "and says so"
exits 1 "a file that is not there" new "$T/p/one" --from "$T/none.cu"
exits 1 "an id that is none" new "$T/p/One" --from tests/new/one-arg.cu
complains "an id of 1 to 40 characters" "is explained"
exits 2 "a cause that is none" new "$T/p/one" --from tests/new/one-arg.cu --cause mem.slow
complains "mem.uncoalesced  *uncoalesced access" "brings the list"
exits 2 "a cause that one kernel cannot have" new "$T/p/one" --from tests/new/one-arg.cu --cause pipe.extra-pass
complains "kind pipeline --cause pipe.extra-pass" "says what makes a draft of it"
exits 2 "a cause that a benchmark has" new "$T/p/one" --from tests/new/one-arg.cu --cause bench.cache-state
complains "kind harness --cause bench.cache-state" "says what makes a draft of it"
exits 2 "a cause that a system has" new "$T/p/one" --from tests/new/one-arg.cu --cause sys.fault-stack
complains "kind case --cause sys.fault-stack" "says what makes a draft of it"
exits 2 "a report of a profiler" new "$T/p/one" --from "$T/kernel.ncu-rep"
complains "the .cu that was profiled was expected" "is no source"
exits 2 "an output that is none" new "$T/p/one" --from tests/new/host-code.cu --outputs in
exits 2 "a level that is none" new "$T/p/one" --from tests/new/one-arg.cu --level 6
exits 2 "a title that is too long" new "$T/p/one" --from tests/new/one-arg.cu --title "$(printf '%061d' 0)"
exits 2 "a block that is none" new "$T/p/one" --from tests/new/one-arg.cu --block 2048
complains "one to three numbers of together at most 1024 threads were expected, such as 256 or 32,8" "is explained"
exits 2 "a grid of what is no size" new "$T/p/one" --from tests/new/one-arg.cu --grid "ceildiv(rows, 256)"
complains "'rows' is no size of this scenario; count, elements, gpu.sm_count" "brings the sizes"
exits 2 "a kernel that is not there" new "$T/p/one" --from tests/new/several.cu --kernel other
complains "one of these was expected: scale, histogram" "brings the list"
[ ! -e "$T/p" ]
ok "nothing was made so far" $?

for f in one-arg host-code several many-args half clash crlf matmul rows; do
    exits 0 "a scenario of $f.cu" new "$T/p/$f" --from "tests/new/$f.cu" --yes
done
grep -q "bytes: .*FILL IN: each buffer was taken for whole" "$T/p/matmul/scenario.yaml" && ! grep -q "taken for whole" "$T/p/one-arg/scenario.yaml"
ok "of several inputs of a matrix the bytes are a guess, and marked" $?
says "$T/p/pack.yaml    (one id more)" "the pack's list has grown"
says "To undo: delete the folder $T/p/rows and its id in $T/p/pack.yaml" "and how to undo it is said"
exits 1 "the same again" new "$T/p/rows" --from tests/new/rows.cu
complains "exists already, and nothing is overwritten" "is refused"
exits 0 "every answer by an option" new "$T/p/keys" --from tests/new/several.cu --kernel histogram --title "It's: a count" --cause inst.divergence --outputs bins --level 4
complains "several.cu:8: kernel scale was left out: a draft launches one" "what was left out is said at its place"
grep -q "^title: 'It''s: a count'" "$T/p/keys/scenario.yaml" && grep -q '^level: 4' "$T/p/keys/scenario.yaml" && grep -q '^cause: inst.divergence' "$T/p/keys/a/sealed/answer.yaml"
ok "and they are in the files" $?
exits 0 "a template beside the kernel" new "$T/u/halves" --from tests/new/beside-template.cu --yes
grep -q 'kernel: halve' "$T/u/halves/scenario.yaml"
ok "the draft is of what is no template" $?
exits 1 "a template that was asked for" new "$T/u/all" --from tests/new/beside-template.cu --kernel fill --yes
complains "kernel 'fill' is a template" "is refused as before"
exits 0 "a template that the host launches" new "$T/u/rows" --from tests/new/instances.cu --cause lat.oversync --yes
complains "instances.cu:32: norm_rows is a template: the draft is of norm_rows<float, kDim>; --kernel 'norm_rows<...>' makes one of another" "is drafted as the instance of its launch"
complains "instances.cu:35: norm_rows<float, 64, true> was left out" "and others are named"
printf '%s\n' 'typedef float T;' 'constexpr int DIM = 128;' 'constexpr bool TURNED = false;' '// One block for each row.' >"$T/want"
grep -A3 '^typedef' "$T/u/rows/a/suspect.cu" | cmp -s - "$T/want"
ok "what its parameters stand for is declared above it" $?
! grep -q 'namespace\|struct' "$T/u/rows/a/suspect.cu"
ok "a namespace without a name goes, and a variable called half brings no type" $?
grep -q '^    grid: \[rows\]$' "$T/u/rows/scenario.yaml" && grep -q '^    block: \[128\]$' "$T/u/rows/scenario.yaml" && grep -q '{f32: 1e-6}\]$' "$T/u/rows/scenario.yaml"
ok "and its launch is read, through a structure that the host passes" $?
grep -q '^  each: 128    # guessed; FILL IN: the elements of a block' "$T/u/rows/scenario.yaml" && grep -q '^  elements: rows \* each ' "$T/u/rows/scenario.yaml"
ok "a block for each row has as many elements as threads, not one" $?
exits 0 "another instance" new "$T/u/turned" --from tests/new/instances.cu --kernel 'norm_rows<half, 64, true>' --cause lat.oversync --yes
grep -q '^typedef half T;$' "$T/u/turned/a/suspect.cu" && grep -q '^struct __half' "$T/u/turned/a/suspect.cu" && grep -q 'block: \[64\]    # guessed' "$T/u/turned/scenario.yaml"
ok "has types and bounds of its own" $?
exits 2 "an instance with too few arguments" new "$T/u/few" --from tests/new/instances.cu --kernel 'norm_rows<half>' --yes
complains "'norm_rows<half>' is no instance of norm_rows; a type or a number for each of <typename T, " "is none, and says of what"
exits 0 "a pack in a folder that is there" new "$T/q/one" --from tests/new/one-arg.cu
says "cause: guessed, mem.uncoalesced, as the commonest" "a cause that nobody named is said to be guessed"
says "results: guessed, written to x" "and so is what it writes"
says "title: made of the id; level: 2" "and title and level"
says "q/pack.yaml: title and licence of the pack (MIT was taken)" "the licence is one of the things to see to"
says "To undo: delete the folder $T/q\\." "is undone as a whole"

exits 0 "a cause that is guessed from atomics" new "$T/r/counts" --from tests/new/several.cu --kernel histogram --yes
says "cause: guessed, inst.atomic-contention, because of atomicAdd" "says so"
grep -q '^cause: inst.atomic-contention    # guessed because of atomicAdd; FILL IN' "$T/r/counts/a/sealed/answer.yaml"
ok "and it is marked" $?
exits 0 "an id that tells" new "$T/r/slow-rows" --from tests/new/rows.cu --yes
complains "the id 'slow-rows' is shown to everybody and cannot be changed later, and 'slow' says how it stands" "is warned of"
mkdir "$T/other" && touch "$T/other/notes.txt"
exits 1 "a folder with other things" new "$T/other/one" --from tests/new/one-arg.cu
complains "other holds other things and no pack.yaml; a folder of its own was expected" "is no pack"
# marks: how many places of the story wait for what its author knows.
marks() {
    "$W" check "$T/s" "$1" --no-compile 2>&1 | sed -n 's|.*/scenario.yaml:.*: \([a-z0-9]*\) marks* FILL IN .*\[unfinished\]$|\1|p' | sed 's/^one$/1/'
}
exits 0 "what the host passes" new "$T/s/taps" --from tests/new/left-out.cu --cause mem.uncoalesced --outputs y --title Taps --level 2 --yes
complains "left-out.cu:29: cudaMemcpyToSymbol() to .taps. was left out, and so .taps. holds zeros" "a copy that stays behind is said at its line"
[ "$(marks taps)" -eq 6 ]
ok "is left to be filled in, and check counts the marks" $?
exits 0 "plain numbers of a launch" new "$T/s/strides" --from tests/new/launches.cu --kernel strides --yes
grep -q 'grid: \[1320\]    # guessed; FILL IN: as your launch has it' "$T/s/strides/scenario.yaml" && grep -q 'block: \[256\]$' "$T/s/strides/scenario.yaml"
ok "are taken" $?
exits 0 "members of a structure that a launch passes" new "$T/s/members" --from tests/new/members.cu --kernel scaled_rows --yes
grep -q 'args: \[in, squares, out, n, width, {f32: 1e-5}\]$' "$T/s/members/scenario.yaml" && grep -q '^  width: 4096    # what your case had' "$T/s/members/scenario.yaml"
ok "have the numbers that they are declared with" $?
sed -e 's/^    int n = p.rows.*/&\n    q->width = 2048;/' -e 's/p\.\([a-z]\)/p->\1/g' tests/new/members.cu >"$T/arrow.cu"
exits 0 "behind ->" new "$T/s/arrow" --from "$T/arrow.cu" --kernel scaled_rows --yes
grep -q '^  width: 2048    # what your case had' "$T/s/arrow/scenario.yaml"
ok "rather the one that is assigned" $?
exits 0 "numbers with quotes" new "$T/s/squares" --from tests/new/quotes.cu --yes
complains "quotes.cu:8: 1'000'000 became 1000000: numbers of a pack have no quotes" "lose them, and it is said"
exits 0 "a launch by options" new "$T/s/said" --from tests/new/launches.cu --kernel plain --grid "ceildiv(n, 128)" --block 128 --yes
grep -q 'grid: \["ceildiv(n, 128)"\]$' "$T/s/said/scenario.yaml" && grep -q 'block: \[128\]$' "$T/s/said/scenario.yaml"
ok "is in the files" $?
[ "$(marks said)" -eq 1 ]
ok "so that the story alone is left" $?

# ---- headers beside the file ----
exits 0 "a header beside the file" new "$T/h/row-norms" --from tests/new/beside/rms.cu --yes
grep -q '^constexpr int THREADS = 256;' "$T/h/row-norms/a/suspect.cu" && grep -q 'float sq(float v)' "$T/h/row-norms/a/suspect.cu" &&
    ! grep -q '#include\|#pragma' "$T/h/row-norms/a/suspect.cu"
ok "stands in its place" $?
grep -q '^    grid: \[rows\]$' "$T/h/row-norms/scenario.yaml" && grep -q '{f32: 1e-6}\]$' "$T/h/row-norms/scenario.yaml"
ok "the launch is read by the names that it uses" $?
complains 'rms.cu:2: #include <cuda_runtime.h>, <cstdio>, <vector> left out' "and the others are told"
complains 'beside/rms.cu:28: main() was left out' "places are those of the author's file"
grep -q '^  # your code, line 37: <<<grid, block>>>$' "$T/h/row-norms/scenario.yaml"
ok "so is that of the launch" $?
mkdir "$T/beside"
sed 's/^#include <cstdio>/#include "other.cuh"/; s/^#include <vector>/#include <cstdio>/' tests/new/beside/rms.cu >"$T/beside/rms.cu"
cp tests/new/beside/rms_common.cuh "$T/beside/"
printf '#ifndef OTHER\n#define OTHER\n#include <cstdio>\n\ntemplate <int N> __global__ void other(float *x) { x[0] = N; }\n#endif\n' >"$T/beside/other.cuh"
exits 0 "a header with a guard and a kernel" new "$T/h/other-norms" --from "$T/beside/rms.cu" --yes --no-compile
complains "beside/other.cuh:5: kernel other was left out" "whose places are the header's"
complains '#include <cuda_runtime.h>, <cstdio> left out' "and what two files include is told once"
printf '#pragma once\n\n__global__ void torn(float *x) { x[0] = 1;\n' >"$T/beside/other.cuh"
exits 1 "a header whose brackets do not match" new "$T/h/torn-norms" --from "$T/beside/rms.cu" --yes --no-compile
complains "beside/other.cuh:3:32: brackets that do not match" "is refused with the place in it"
complains '^__global__ void torn' "and the line"

# ---- a further variant ----
exits 0 "a variant of a story that is there" new "$T/h/row-norms/b" --from tests/new/beside/rms.cu --yes
says "cause: guessed, mem.uncoalesced, as the first on offer that no variant has" "has another cause"
says "To undo: delete the folder $T/h/row-norms/b" "and how to undo it is said"
says "It is launched as its story says" "and who says how it is launched"
[ "$(find "$T/h/row-norms/b" -type f | wc -l)" -eq 5 ] && cmp -s "$T/h/row-norms/a/sealed/reference.cu" "$T/h/row-norms/b/sealed/reference.cu"
ok "with the truth of the first" $?
"$W" list --pack "$T/h" | grep -q '^h/row-norms .* 2 variants' 
ok "and both are in the list" $?
"$W" check "$T/h" row-norms/b --no-compile --json | grep '"rule"' | grep -v 'evidence-missing\|fix-same\|unfinished' >"$T/out"
[ ! -s "$T/out" ]
ok "whose check finds what is the author's alone" $?
exits 2 "a grid of a variant alone" new "$T/h/row-norms/c" --from tests/new/beside/rms.cu --grid 64 --yes
complains "or as a launches.yaml beside its suspect.cu does" "is refused with its place"
exits 1 "the same variant again" new "$T/h/row-norms/b" --from tests/new/beside/rms.cu --yes
complains "row-norms/b exists already, and nothing is overwritten; the letter of a new variant was expected" "is refused"
exits 1 "the story again" new "$T/h/row-norms" --from tests/new/beside/rms.cu --yes
complains "or PACK/SCENARIO/b for a further variant of it" "says how a variant is made"
exits 1 "a variant of a scenario that is not there" new "$T/h/row-means/b" --from tests/new/beside/rms.cu --yes
complains "/h is a pack, and row-means no scenario of it, so there can be no variant b; .warpdrill new .*/h/row-means. begins that scenario" "says how the scenario is begun"
exits 1 "a cause that is not on offer" new "$T/h/row-norms/c" --from tests/new/beside/rms.cu --cause inst.divergence --yes
complains "inst.divergence is not on offer in .*row-norms; one of these was expected, .*: mem.uncoalesced, " "brings the list"
exits 1 "another kernel" new "$T/h/row-norms/c" --from tests/new/one-arg.cu --yes
complains "row-norms launches rmsnorm, and the kernel here is " "is refused"
[ ! -e "$T/h/row-norms/c" ]
ok "and nothing was made" $?

# ---- does it compile? ----
fake() { # fake ARGUMENTS...: new with the fake NVRTC
    WARPDRILL_CACHE="$T/cache" WARPDRILL_CUDA=/nonexistent/libcuda.so WARPDRILL_NVRTC="$FAKES/libfakenvrtc.so" run "$@"
}
fake new "$T/f/one" --from tests/new/one-arg.cu --yes
says '^kernels: [0-9]* images by NVRTC' "a draft is compiled, where NVRTC is there"
sed 's/{/{    \/\/ fake: refuse/' tests/new/one-arg.cu >"$T/torn.cu"
fake new "$T/f/torn" --from "$T/torn.cu" --yes
says "^It does not compile yet: " "one that does not compile says so"
complains "f/torn/a/suspect.cu:1:1: .*refused by the fake" "with the place"
WARPDRILL_NVRTC=/nonexistent/libnvrtc.so run new "$T/f/two" --from tests/new/one-arg.cu --yes
complains "kernels were not compiled: .*NVRTC cannot be loaded" "without NVRTC that is said"

# ---- what check says of them ----
# Beside what the author has yet to do: a parameter called stride, which check cannot know to be innocent.
cat >"$T/expected" <<'END'
evidence-missing
fix-same
leak-hint
unfinished
END
"$W" check "$T/p" --no-compile --json >"$T/json" 2>"$T/err"
[ $? -eq 1 ]
ok "check finds that they are drafts" $?
sed -n 's/.*"rule": "\(.*\)".*/\1/p' "$T/json" | sort -u >"$T/out"
cmp -s "$T/out" "$T/expected"
ok "and finds nothing else" $?
[ "$(grep -c '"rule": "leak-hint"' "$T/json")" -eq 2 ]
ok "the hint is that of one kernel" $?
"$W" check "$T/p" --compile --json >"$T/json" 2>"$T/err"
if grep -q '"missing"' "$T/json"; then
    echo "ok $((n += 1)) - every source compiles # SKIP no NVRTC here"
else
    ! grep -E '"rule": "(compiles|kernel-name)"' "$T/json" >"$T/out" && grep -q '"images": [1-9]' "$T/json"
    ok "every source compiles for every architecture" $?
fi

# ---- on a terminal ----
if ! command -v python3 >/dev/null; then
    echo "ok $((n += 1)) - questions on a terminal # SKIP python3 is not there"
    echo "1..$n"
    exit 0
fi
# answers LINES COMMAND...: each line is typed when the next question stands there.
answers() {
    python3 tests/new/answers.py "$@" >"$T/out" 2>&1
}
answers '|||||||' "$W" new "$T/t/one" --from tests/new/host-code.cu
ok "Enter at each question" $?
says "line 60: softmax_rows<<<grid, block>>>" "shows the launch"
says "Blocks of the grid, a formula for each side \[ceildiv(rows, 128)\]" "proposes the blocks that the file's names give"
grep -q 'block: \[128\]$' "$T/t/one/scenario.yaml" && grep -q "  cols: 1024    # what your case had" "$T/t/one/scenario.yaml" && sed -n "/^sizes:/,/^#/p" "$T/t/one/scenario.yaml" | grep -q "^  cols: cols\$"
ok "takes what is proposed, and the numbers that the launch passes" $?
says "Title, which says nothing about the cause" "asks for a title"
says "37\|mem.uncoalesced" "shows the causes"
"$W" check "$T/t" --no-compile --json | grep '"rule"' | grep -v 'evidence-missing\|fix-same\|unfinished' >"$T/out"
[ ! -s "$T/out" ]
ok "and what it makes loads" $?
answers '2|Counts|contended|inst.atomic-contention|bins|4||' "$W" new "$T/t/two" --from tests/new/several.cu
ok "an answer to each, with a search" $?
grep -q '^title: Counts' "$T/t/two/scenario.yaml" && grep -q '^level: 4' "$T/t/two/scenario.yaml" && grep -q 'kernel: histogram' "$T/t/two/scenario.yaml"
ok "and they are in the files" $?
answers '3|2||||9|1||' "$W" new "$T/t/four" --from tests/new/several.cu
ok "numbers that are none are asked again" $?
says "there is no kernel '3'; one of these was expected: scale, histogram" "with the kernels that there are"
says "'9' is no level; a number from 0 to 5 was expected" "and the levels"
grep -q '^level: 1' "$T/t/four/scenario.yaml" && grep -q 'kernel: histogram' "$T/t/four/scenario.yaml" && ! grep -q guessed "$T/t/four/a/sealed/answer.yaml"
ok "and what was asked is not guessed" $?
answers '|1|keys|bins|||' "$W" new "$T/t/three" --from tests/new/several.cu --kernel histogram
ok "a wrong answer is asked again" $?
says "'keys' is no parameter of histogram that is a pointer and not const" "with the reason"
grep -q '^cause: mem.uncoalesced' "$T/t/three/a/sealed/answer.yaml"
ok "a number is a cause" $?
answers '|||||' "$W" new "$T/t/six" --from tests/new/launches.cu --kernel strides --title Strides --block 256
ok "a launch with plain numbers" $?
says "a formula for each side, or for these sizes ceildiv(elements, 256) \[1320\]" "proposes them, and says what goes with the sizes"
grep -q 'grid: \[1320\]$' "$T/t/six/scenario.yaml"
ok "and Enter takes them" $?
answers '||||2048|128|ceildiv(m, 128)|ceildiv(n, 128)|0.5f|0.5' "$W" new "$T/t/five" --from tests/new/several.cu --kernel scale
ok "a launch that cannot be is asked again" $?
says "'2048' is no block" "with what a block is"
says "'m' is no size of this scenario; n, elements, gpu.sm_count" "the sizes that there are"
says "What did your case pass as a, float?" "and a number of the case"
grep -q 'grid: \["ceildiv(n, 128)"\]$' "$T/t/five/scenario.yaml" && grep -q 'block: \[128\]$' "$T/t/five/scenario.yaml" && grep -q 'args: \[x, {f32: 0.5}, n\]$' "$T/t/five/scenario.yaml"
ok "and what was said bears no mark" $?
echo "1..$n"
