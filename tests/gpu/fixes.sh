#!/bin/sh
# compute-sanitizer on the fixes of kernels that use what a Hopper has, and of Triton's: see fixes.py. TAP; skips without a GPU.
set -u
: "${BUILD:?set BUILD to the build folder}"
command -v python3 > /dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
python3 tests/gpu/fixes.py --runner "${RUNNER:-$BUILD/warpdrill-runner}" --program "$BUILD/warpdrill" --only hopper/,tiles/
