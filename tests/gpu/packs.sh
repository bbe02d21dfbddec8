#!/bin/sh
# Packs whose faults are of hosts and benchmarks, on this machine's GPU: recorded, then everything that is read from them
# must hold, then live. TAP; skips with a reason where there is no GPU.
set -u
: "${BUILD:?set BUILD to the build folder}"
W=$BUILD/warpdrill RUNNER=${RUNNER:-$BUILD/warpdrill-runner} n=0
ok() { # ok NAME STATUS
    n=$((n + 1))
    [ "$2" -eq 0 ] && echo "ok $n - $1" || { echo "not ok $n - $1"; sed 's/^/# /' "$T/out" "$T/err"; }
}
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export HOME="$T" WARPDRILL_CACHE="$T/cache" WARPDRILL_CONTENT="$PWD/tests/gpu/packs"
if ! "$W" probe sixteen-gates/d resources --tier live --trust --runner "$RUNNER" >"$T/out" 2>&1; then
    echo "1..0 # SKIP no NVIDIA GPU answers here: $(tail -1 "$T/out")"
    exit 0
fi
for p in tests/gpu/packs/*; do
    name=$(basename "$p")
    cp -R "$p" "$T/$name"
    "$W" record "$T/$name" --trust --runner "$RUNNER" >"$T/out" 2>"$T/err"
    ok "$name is recorded" $?
    "$W" check --no-compile "$T/$name" >"$T/out" 2>"$T/err"
    ok "$name: what was read of it holds" $?
    "$W" check --live --trust --no-compile --runner "$RUNNER" "$T/$name" >"$T/out" 2>"$T/err"
    ok "$name: and again, live" $?
    [ -z "${OUT:-}" ] || { mkdir -p "$OUT" && cp -R "$T/$name" "$OUT/"; }
done
echo "1..$n"
