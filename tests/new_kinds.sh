#!/bin/sh
# warpdrill new --kind: for every cause that a kind can have, a draft that is whole: check finds the marks of what is the author's and nothing else.
set -u
. tests/lib/tap.sh

# of KIND: the causes, as the refusal of one that is none lists them
of() { "$W" new "$T/none/one" --kind "$1" --cause no.such 2>&1 | sed -n 's/.*one of these was expected: //p' | tr -d ,; }

# ---- what is refused ----
exits 2 "a kind that is none" new "$T/p/one" --kind kernels
complains "kernel, pipeline, harness or case was expected" "brings the kinds"
exits 2 "a kernel without its source" new "$T/p/one" --kind kernel
complains "usage: warpdrill new PACK/SCENARIO --from kernel.cu" "says what it needs"
exits 1 "a cause that no benchmark has" new "$T/p/one" --kind harness --cause mem.uncoalesced
complains "bench.invalid-timing, bench.cache-state" "brings those that one has"
exits 2 "a grid without a kernel of one's own" new "$T/p/one" --kind harness --grid 64
exits 2 "a level that is none" new "$T/p/one" --kind case --level 7
exits 2 "a title that is too long" new "$T/p/one" --kind case --title "$(printf '%061d' 0)"
[ ! -e "$T/p" ] && [ ! -e "$T/none" ]
ok "nothing was made so far" $?

# ---- every cause ----
for kind in pipeline harness case; do
    causes=$(of $kind)
    [ "$(echo "$causes" | wc -w)" -ge 6 ]
    ok "a $kind can have six causes or more" $?
    for cause in $causes; do
        rm -rf "$T/p"
        run new "$T/p/one" --kind $kind --cause "$cause" --no-compile
        "$W" check "$T/p" --no-evidence --no-compile --json >"$T/json" 2>"$T/err"
        grep '"rule"' "$T/json" | sort -u >"$T/out"
        [ "$(grep -c . "$T/out")" -eq 1 ] && grep -q unfinished "$T/out" && grep -q "^kind: $kind\$" "$T/p/one/scenario.yaml" &&
            grep -q "^cause: $cause\$" "$T/p/one/a/sealed/answer.yaml"
        ok "$kind, $cause: whole, but for what is its author's" $?
        find "$T/p" -type f | xargs sed -i 's/FILL IN/Done/'
        exits 0 "and nothing is left when the marks are gone" check "$T/p" --no-evidence --no-compile --strict
    done
done

# ---- the taxonomy has no cause that is left out: each is that of a kernel, or of a draft of another kind ----
for kind in pipeline harness case; do of $kind; done >"$T/drafts"
"$W" new "$T/none/one" --from tests/new/one-arg.cu --cause no.such >"$T/kernels" 2>&1
for cause in $(sed -n '/^#### hypotheses/,/^## /s/^| `\([a-z]*\.[a-z-]*\)` .*/\1/p' content/FORMAT.md); do
    grep -qw -e "$cause" "$T/drafts" "$T/kernels" || echo "$cause"
done >"$T/out"
[ ! -s "$T/out" ] && [ "$(grep -c mem.uncoalesced "$T/kernels")" -eq 1 ]
ok "every cause of the taxonomy has a draft" $?

# ---- what its author says ----
exits 0 "title and level" new "$T/q/late-sums" --kind harness --title "It's: late" --level 4 --no-compile
grep -q "^title: 'It''s: late'\$" "$T/q/late-sums/scenario.yaml" && grep -q '^level: 4$' "$T/q/late-sums/scenario.yaml" &&
    grep -q '^id: late-sums$' "$T/q/late-sums/scenario.yaml"
ok "are in the files" $?
says "To undo: delete the folder $T/q\\." "and how to undo it is said"
exits 0 "another one beside it" new "$T/q/two-cards" --kind case --cause sys.short-share
says "$T/q/pack.yaml    (one id more)" "in the same pack"
sed -n '/^variants:/,/^$/p' "$T/q/two-cards/sealed/model.yaml" >"$T/out"
[ "$(grep -c . "$T/out")" -eq 2 ] && grep -q '^  a: {short: 1}$' "$T/out" && grep -q '^variants: \[a\]$' "$T/q/two-cards/scenario.yaml"
ok "has one variant of its model" $?
exits 2 "a further variant of it" new "$T/q/two-cards/b" --kind case
complains "by a copy of its folder a" "is said to be a copy"
exits 2 "a further variant without a kernel" new "$T/q/two-cards/b"
complains "or PACK/SCENARIO/VARIANT --from kernel.cu where the scenario is there already" "is told what it needs"
exits 1 "a further variant of a harness" new "$T/q/late-sums/b" --from tests/new/one-arg.cu --cause bench.cache-state --yes
complains "late-sums is a harness; a further variant of it is made by a copy of its folder a, with another benchmark.yaml" "is a copy, too"
exits 1 "the same again" new "$T/q/two-cards" --kind case
complains "exists already, and nothing is overwritten" "is refused"

# ---- a step of the launches in a file ----
S=$T/s/leap/scenario.yaml
exits 0 "a step of a file with several launches" new "$T/s/leap" --kind pipeline --from tests/new/leapfrog.cu --no-compile
says "cause: guessed, host.blocking-call, because the host waits" "guesses by what its host does"
complains "leapfrog.cu:63: a loop around launches: the draft has one turn of it" "says that it has one turn of a loop"
complains "kernel unused was left out: nothing launches it" "and what nothing launches"
cat >"$T/launches" <<'END'
  - {kernel: drift, label: drift 1, grid: ["ceildiv(n, 256)"], block: [256], args: [phi, pi, {f32: 1}, n]}    # guessed; FILL IN: the numbers for eps
  - {kernel: force, label: force, grid: ["ceildiv(lx * ly * lz, 256)"], block: [256], args: [f, phi, {f32: 1}, {f32: 1}, lx, ly, lz]}    # guessed; FILL IN: the numbers for kappa, lambda
  - {kernel: kick, label: kick 1, grid: ["ceildiv(n, 256)"], block: [256], args: [pi, f, {f32: 0.05}, n]}
  - {read: pi, label: line 67}
  - {copy: f, to: host, memory: pageable, label: line 68}
  - {kernel: drift, label: drift 2, grid: [n / 256], block: [256], args: [phi, pi, {f32: 0.025}, n]}
  - {kernel: kick, label: kick 2, grid: ["ceildiv(n, 256)"], block: [256], args: [pi, f, {f32: 0.025}, {i32: n / 2}]}    # guessed; FILL IN: grid, block
  - {sync: device, label: line 71}
END
sed -n '/^launches:/,/^$/p' "$S" | sed '1d;$d' >"$T/out"
cmp -s "$T/out" "$T/launches"
ok "launches and steps of the host stand in their order" $?
grep -q '^  n: lx \* ly \* lz ' "$S" && grep -q '^  phi: .*role: inout' "$S" && grep -q '^  f: .*role: workspace' "$S"
ok "sizes are the host's formulas, and roles follow from the order" $?
[ "$(grep -c 'extern "C" __global__' "$T/s/leap/a/suspect.cu")" -eq 3 ]
ok "the kernels that are launched are there" $?
for cause in host.launch-bound host.blocking-call host.pageable-copy pipe.extra-pass pipe.ordering mem.uncoalesced corr.race none.at-limit; do
    rm -rf "$T/s"
    run new "$T/s/leap" --kind pipeline --from tests/new/leapfrog.cu --cause "$cause" --no-compile
    "$W" check "$T/s" --no-evidence --no-compile --json >"$T/json" 2>"$T/err"
    grep '"rule"' "$T/json" | grep -v 'unfinished\|fix-same\|fix-elsewhere' >"$T/out"
    [ ! -s "$T/out" ] && grep -q "^cause: $cause\$" "$T/s/leap/a/sealed/answer.yaml"
    ok "$cause: check finds what is the author's alone" $?
done
exits 0 "a step in a function of its own" new "$T/s/clipped" --kind pipeline --from tests/new/clipped.cu --no-compile
! grep -q 'stream of its own' "$T/err"
ok "one stream for all is none of its own" $?
grep -q '^  total: {type: f32, count: 1, role: inout, fill: zeros}$' "$T/s/clipped/scenario.yaml" && grep -q '^  grad: {type: f32, count: n, role: inout, ' "$T/s/clipped/scenario.yaml"
ok "counts are those of cudaMalloc, and what is added to begins as zeros" $?
grep -A1 '^    if (i < 1)$' "$T/s/clipped/a/sealed/reference.cu" | grep -q 'total\[i\] = value;'
ok "and the reference writes no further" $?
exits 0 "a step in a loop" new "$T/s/looped" --kind pipeline --from tests/new/looped.cu --cause host.blocking-call --no-compile
complains "looped.cu:19: cudaMemsetAsync() in the step was left out: a kernel that writes those bytes takes its place" "what a step cannot say is told: a memory set"
complains "looped.cu:20: cudaMemcpyAsync() in the step was left out: a step copies a buffer" "a copy on the device"
complains "looped.cu:18: twice has a stream of its own: the draft has all launches in one" "streams"
grep '{copy:\|{sync:' "$T/s/looped/scenario.yaml" >"$T/out"
cat >"$T/expected" <<'END'
  - {copy: in, to: device, memory: pinned, label: line 17}
  - {sync: device, label: line 22}
  - {copy: out, to: host, memory: pageable, label: line 23}
END
cmp -s "$T/out" "$T/expected"
ok "and copies of the whole turn are there, pinned where the host's memory is" $?
printf '__global__ void a(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n__global__ void b(float *y, const float *x) { y[blockIdx.x * blockDim.x + threadIdx.x] = x[0]; }\nint main() { float *x, *y; a<<<64, 256>>>(x); b<<<64, 256>>>(y, x); }\n' >"$T/sizeless.cu"
exits 0 "a step whose kernels are passed no size" new "$T/s/sizeless" --kind pipeline --from "$T/sizeless.cu" --cause host.launch-bound --no-compile
exits 0 "a step that is passed members of a structure" new "$T/s/members" --kind pipeline --from tests/new/members.cu --no-compile
cat >"$T/expected" <<'END'
  - {kernel: squared_rows, label: squared_rows, grid: [rows], block: [256], args: [in, squares, rows, width]}
  - {kernel: scaled_rows, label: scaled_rows, grid: ["ceildiv(n, 256)"], block: [256], args: [in, squares, out, n, width, {f32: 1e-5}]}
END
grep '{kernel:' "$T/s/members/scenario.yaml" >"$T/out"
cmp -s "$T/out" "$T/expected"
ok "has buffers and sizes by their names, and the numbers that they are declared with" $?
grep -q '^  rows: 8192 ' "$T/s/members/scenario.yaml" && grep -q '^  n: rows \* width ' "$T/s/members/scenario.yaml"
ok "and sizes that are worked out of them" $?
sed 's/<<<(n + 255) \/ 256, 256/<<<p.rows * p.width \/ 256, 256/' tests/new/members.cu >"$T/rows.cu"
exits 0 "a grid of sizes that its kernel is not passed" new "$T/s/rows" --kind pipeline --from "$T/rows.cu" --no-compile
grep -q 'kernel: scaled_rows, .*grid: \[rows \* width / 256\]' "$T/s/rows/scenario.yaml"
ok "keeps them" $?
exits 0 "members of two structures" new "$T/s/two" --kind pipeline --from tests/new/two-structures.cu --no-compile
grep -q 'args: \[q_x, q_y, q_n\]' "$T/s/two/scenario.yaml" && grep -q 'args: \[q_y, r_x, q_n\]' "$T/s/two/scenario.yaml"
ok "are told apart, behind -> too" $?
exits 1 "one launch alone" new "$T/s/one" --kind pipeline --from tests/new/host-code.cu
complains "one launch in it; several" "is no step"
exits 1 "no launch at all" new "$T/s/one" --kind pipeline --from tests/new/one-arg.cu
complains "no launch in it" "is none either"
exits 2 "a cause that no step has" new "$T/s/one" --kind pipeline --from tests/new/leapfrog.cu --cause bench.unit-slip
complains "or one of a kernel was expected" "brings those that one has"
exits 2 "a further variant of a step" new "$T/s/leap/b" --kind pipeline --from tests/new/leapfrog.cu
exits 2 "a harness of a file" new "$T/s/one" --kind harness --from tests/new/leapfrog.cu
complains "makes one whole, whose kernel you change then" "says what there is"
[ ! -e "$T/s/one" ] && [ ! -e "$T/s/leap/b" ]
ok "and nothing was made" $?

# ---- sources ----
run new "$T/c/leap" --kind pipeline --from tests/new/leapfrog.cu --no-compile
for kind in pipeline harness; do
    for cause in $(of $kind); do "$W" new "$T/c/$kind-${cause#*.}" --kind $kind --cause "$cause" --no-compile >/dev/null 2>&1; done
done
"$W" check "$T/c" --compile --no-evidence --json >"$T/json" 2>"$T/err"
if grep -q '"missing"' "$T/json"; then
    echo "ok $((n += 1)) - every source compiles # SKIP no NVRTC here"
else
    ! grep -E '"rule": "(compiles|kernel-name)"' "$T/json" >"$T/out" && grep -q '"images": [1-9]' "$T/json"
    ok "every source compiles for every architecture" $?
fi
exits 1 "the pack of drafts itself" check scenarios/new/drafts --no-evidence --no-compile
grep 'error\|warning' "$T/err" | grep -v 'FILL IN\|\[unfinished\]' >"$T/out"
[ ! -s "$T/out" ]
ok "has nothing but its marks" $?
echo "1..$n"
