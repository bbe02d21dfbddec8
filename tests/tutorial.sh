#!/bin/sh
# content/TUTORIAL.md typed again: its commands print what it says, its pack is tests/packs/tutorial, what it quotes stands in tests/packs/camera. What needs a GPU was
# recorded there.
set -u
command -v python3 >/dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
mkdir "$T/work"
export XDG_DATA_HOME="$T/data" XDG_CACHE_HOME="$T/cache" XDG_STATE_HOME="$T/state"
evidence=
[ -n "$(find tests/packs/tutorial -name '*.json' 2>/dev/null)" ] && evidence="--evidence tests/packs/tutorial"
python3 tests/tutorial/replay.py content/TUTORIAL.md "$BUILD/warpdrill" "$T/work" $evidence >"$T/tap"
grep -v '^1\.\.' "$T/tap"
n=$(grep -c '^\(not \)\{0,1\}ok' "$T/tap")
n=$((n + 1))
if [ -z "$evidence" ]; then
    echo "ok $n - the pack is that of the tests # SKIP nothing was recorded yet"
elif diff -r "$T/work/spray" tests/packs/tutorial >"$T/diff"; then
    echo "ok $n - the pack is that of the tests"
else
    echo "not ok $n - the pack is that of the tests"
    sed 's/^/# /' "$T/diff" | head -40
fi
# The packs of two variants, of which its last sections tell.
for pack in camera lattice; do
    n=$((n + 1))
    "$BUILD/warpdrill" check "tests/packs/$pack" --strict --no-compile --json >"$T/json" 2>"$T/err"
    if [ -z "$(find "tests/packs/$pack" -name '*.json')" ]; then
        if grep '"rule"' "$T/json" | grep -v evidence-missing >"$T/diff"; then echo "not ok $n - the pack $pack lacks evidence alone"; sed 's/^/# /' "$T/diff"
        else echo "ok $n - the pack $pack is well made # SKIP nothing was recorded yet"; fi
    elif grep '"rule"\|"text"' "$T/json" >"$T/diff"; then
        echo "not ok $n - the pack $pack passes check"
        sed 's/^/# /' "$T/diff"
    else
        echo "ok $n - the pack $pack passes check"
    fi
done
echo "1..$n"
