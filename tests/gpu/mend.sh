#!/bin/sh
# On a GPU: every fix and every best as a person's text, and what must be refused: see mend.py. TAP; skips with a reason where there
# is no GPU, or no python3. RUNNER names another runner; further arguments are those of mend.py.
set -u
. tests/lib/tap.sh
: "${RUNNER:=$BUILD/warpdrill-runner}"
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state"
command -v python3 >/dev/null || skip "python3 is not there"
"$W" probe first-principles/transposed-copy/a symptom --tier live --runner "$RUNNER" --pack content/packs/first-principles --trust >"$T/out" 2>"$T/err" </dev/null ||
    skip "no GPU: $(tail -n 1 "$T/err")"
python3 tests/gpu/mend.py --build "$BUILD" --runner "$RUNNER" "$@"
