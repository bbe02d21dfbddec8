#!/bin/sh
# warpdrill mend through the real runner, compiler and worker on a driver in host memory, whose
# kernels do what a text says: spoilt versions are refused, each for its reason.
set -u
. tests/lib/tap.sh
export WARPDRILL_CUDA="$FAKES/libfakecuda.so" WARPDRILL_NVRTC="$FAKES/libfakenvrtc.so" WARPDRILL_CUPTI=/none WARPDRILL_NVML=/none
export WARPDRILL_CACHE="$T/cache" XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state"
"$FAKES/fake_player" content/packs/first-principles transposed-copy/a "$T/p.db"
ok "a shipped variant is played to its debrief" $?
mkdir "$T/mine"
judged() { # judged BEHAVIOUR
    { echo "// fake: $1 1e-5 0"; cat content/packs/first-principles/transposed-copy/a/suspect.cu; } >"$T/mine/mine.cu"
    "$W" mend transposed-copy/a --pack content/packs/first-principles --db "$T/p.db" --trust --once --json --folder "$T/mine" --runner "$BUILD/warpdrill-runner" >"$T/out" 2>"$T/err" </dev/null
}
judged move
[ $? -eq 0 ] && grep -q '"verdict":"right"' "$T/out" && grep -q '"done":true' "$T/out"
ok "what is right and fast ends with 0" $?
while read -r behaviour reason what; do
    judged "$behaviour"
    [ $? -eq 1 ] && grep -q "\"reason\":\"$reason\"" "$T/out"
    ok "$behaviour: $what" $?
done <<END
zeros wrong results that nobody computed
off wrong one element
tail wrong the end left out
stale wrong only the first launch works
writes beside an input that was changed
canary beside one write beyond its output
garbage memory what shared memory held
adds memory what the output held
race memory an element that comes and goes
beyond fence reads beyond its input
fault fault an address outside
END
judged refuse
[ $? -eq 1 ] && grep -q '"reason":"compile"' "$T/out"
ok "refuse: does not compile" $?
echo "1..$n"
