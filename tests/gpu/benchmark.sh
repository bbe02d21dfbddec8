#!/bin/sh
# Benchmarks that the runner executes on this machine's GPU, mistakes and all, beside the same ones written by hand: see
# benchmark.py. TAP; skips with a reason where there is no GPU, no python3 or no nvcc. PROGRAM and FATBIN name what was compiled
# elsewhere.
set -u
: "${BUILD:?set BUILD to the build folder}"
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
command -v python3 > /dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export WARPDRILL_CACHE="$T/cache"
if [ -z "${PROGRAM:-}" ]; then
    [ -x "$NVCC" ] || { echo "1..0 # SKIP nvcc is not there"; exit 0; }
    PROGRAM=$T/benchmark FATBIN=$T/benchmark.fatbin
    "$NVCC" -std=c++17 -O2 -o "$PROGRAM" tests/gpu/benchmark.cu -lcuda > "$T/nvcc" 2>&1 &&
        "$NVCC" -std=c++17 -O2 -arch=all-major -fatbin -o "$FATBIN" tests/gpu/benchmark.cu >> "$T/nvcc" 2>&1 ||
        { echo "1..0 # SKIP nvcc does not compile benchmark.cu: $(head -n 1 "$T/nvcc")"; exit 0; }
fi
python3 tests/gpu/benchmark.py "${RUNNER:-$BUILD/warpdrill-runner}" "$PROGRAM" "$FATBIN"
