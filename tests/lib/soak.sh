#!/bin/sh
# Runs every test given TIMES times, round by round, beside LOOPS busy loops, and tells how often each
# failed. A failure's output stays in $BUILD/soak/TEST.ROUND. `make soak` calls it.
set -u
: "${BUILD:?set BUILD to the build folder}" "${TIMES:=20}" "${LOOPS:=$((2 * $(nproc)))}"
kept=$BUILD/soak
rm -rf "$kept"
mkdir -p "$kept"
loops=
trap 'kill $loops 2>/dev/null' EXIT
trap 'exit 1' INT TERM HUP PIPE
for i in $(seq "$LOOPS"); do
    sh -c "while kill -0 $$ 2>/dev/null; do for i in $(seq -s ' ' 1000); do :; done; done" &
    loops="$loops $!"
done

# A test fails by its status or by a line of TAP; what it skips is no failure.
once() { # once TEST LOG
    case $1 in
    *.sh) timeout 600 sh "$1" ;;
    *) timeout 600 "$1" ;;
    esac >"$2" 2>&1 </dev/null && ! grep -q -e '^not ok' -e '^Bail out' "$2"
}

round=0
while [ "$round" -lt "$TIMES" ]; do
    round=$((round + 1))
    for test in "$@"; do
        log=$kept/$(basename "$test").$round
        if once "$test" "$log"; then rm -f "$log"; else echo "round $round: $test failed: $log"; fi
    done
done

echo
printf '%6s %8s  %s\n' runs failures test
failed=0
for test in "$@"; do
    n=$(find "$kept" -name "$(basename "$test").[0-9]*" | wc -l)
    failed=$((failed + n))
    printf '%6d %8d  %s\n' "$TIMES" "$n" "$test"
done
[ "$failed" -eq 0 ]
