#!/bin/sh
# Images on this machine's GPU: measured beside the same kernel from its text, refused where they must be. TAP; skips with a
# reason where there is no GPU. See images.py. Needs BUILD and python3; RUNNER names another runner.
set -u
: "${BUILD:?set BUILD to the build folder}"
command -v python3 >/dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export WARPDRILL_CACHE="$T/cache"
python3 tests/gpu/images.py "${RUNNER:-$BUILD/warpdrill-runner}" tests/packs/images/doubled-vector
