# What tests in the shell share. They run in the repository's root and source this first: $T is a folder of the test's own, removed at the
# end; ok counts in $n; a failure shows the ends of the files in $SHOWN.
: "${BUILD:?set BUILD to the build folder}"
T=$(mktemp -d -t warpdrill-XXXXXX) || exit 1
trap 'rm -rf "$T"' EXIT
trap 'exit 1' INT TERM HUP PIPE
# What is shipped is read by each run that finds it: a test that needs it says so, as the sanitized build has to anyway.
mkdir "$T/shipped"
export WARPDRILL_CONTENT="$T/shipped"
W=$BUILD/warpdrill
FAKES=$BUILD/tests/fakes
FAKE=$FAKES/fake_runner
SHOWN="$T/out $T/err"
n=0
skip() { echo "1..0 # SKIP $1"; exit 0; }
ok() { # ok WHAT STATUS
    n=$((n + 1))
    if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; tail -n 40 $SHOWN 2>/dev/null | sed 's/^/# /'; fi
}
# Looks 50 times a second until the command is true, for at most 40 s.
await() {
    tries=0
    until "$@" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 2000 ] || return 1
        sleep 0.02
    done
}
gone() { # a zombie whose parent reaps nothing is gone too
    ! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}
run() { "$W" "$@" >"$T/out" 2>"$T/err" </dev/null; } # where all runs of a test share arguments, it says run anew
exits() { # exits STATUS WHAT ARGUMENTS...
    want=$1 what=$2
    shift 2
    run "$@"
    [ $? -eq "$want" ]
    ok "$what" $?
}
says() { grep -q -e "$1" "$T/out"; ok "$2" $?; }
complains() { grep -q -e "$1" "$T/err"; ok "$2" $?; }
