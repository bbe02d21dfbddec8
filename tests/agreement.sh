#!/bin/sh
# The table of `make gpu-bench` without a GPU: the real runner on the fake driver, whose kernels all take 100 us. TAP.
set -u
. tests/lib/tap.sh
command -v python3 >/dev/null || skip "python3 is not there"
bench() { python3 tests/gpu/agreement.py --runner "$BUILD/warpdrill-runner" --short --tools none "$@" > "$T/out" 2>&1; }
export WARPDRILL_CUDA="$FAKES/libfakecuda.so" WARPDRILL_NVRTC="$FAKES/libfakenvrtc.so" WARPDRILL_CUPTI=missing/libcupti.so \
    WARPDRILL_NVML=missing/libnvml.so WARPDRILL_FAKE_PLAN="$T/plan"
echo "noise 0" > "$T/plan"

bench --runs 3
ok "three runs make a table" $?
# The interval is "-" where a slow machine had time for a few rounds only; that intervals are right is stats_test's matter.
for k in "copy 2048" "naive 1024" "tiled 2048" "softmax 2048" "gemm 256"; do
    grep -qE "^$k +101\.0[0-9] +(101\.0[0-9] +101\.0[0-9]|- +-) .* 0\.000" "$T/out"
    ok "$k is timed, without spread" $?
done
grep -q "under 0.5% in 5 of 5 rows" "$T/out"; ok "the spread is judged" $?
grep -q "ncu: left out: not asked for" "$T/out"; ok "a tool left out is named" $?
WARPDRILL_CUDA=missing/libcuda.so bench --runs 1
ok "no driver is no failure" $?
grep -q "^gpu-bench: skipped: .*missing/libcuda.so" "$T/out"; ok "and says why" $?

# The table of scenarios beside PyTorch: its requests and sizes, without GPU and PyTorch.
: "${WARPDRILL_BIN:=$BUILD/warpdrill}"
library() { python3 tests/gpu/library.py --program "$WARPDRILL_BIN" --content "$1" --dry --only "$2" > "$T/out" 2>&1; }
library content/packs transposed-copy,gated-activation
ok "operations of PyTorch name stories that there are, and lengths of their buffers" $?
grep -q "^operations: 2 stories have one" "$T/out"; ok "both stories have an operation" $?
grep -qE "^first-principles/transposed-copy/a +536\.9 " "$T/out"; ok "bytes are those that the program asks for" $?
mkdir "$T/packs" && cp -r content/packs/first-principles "$T/packs/"
! library "$T/packs" transposed-copy && grep -q "^operation: hidden-depths/fused-rows: there is no such story" "$T/out"
ok "an operation without a story is a failure" $?
echo "1..$n"
