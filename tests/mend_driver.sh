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
# ---- without a GPU: machine code by an nvdisasm that prints what it is told ----
mkdir -p "$T/cuda/bin"
cp content/packs/first-principles/transposed-copy/a/suspect.cu "$T/mine/mine.cu"
arch() { # arch WORDS...
    CUDA_HOME="$T/cuda" "$W" mend transposed-copy/a --pack content/packs/first-principles --db "$T/p.db" --arch sm_90 --folder "$T/mine" --runner "$BUILD/warpdrill-runner" "$@" >"$T/out" 2>"$T/err" </dev/null
}
disassembler() { # disassembler COMMANDS
    printf '#!/bin/sh\n%s\n' "$1" >"$T/cuda/bin/nvdisasm"
    chmod +x "$T/cuda/bin/nvdisasm"
}
if ! command -v nvdisasm >/dev/null && [ ! -e /usr/local/cuda/bin/nvdisasm ]; then
    arch
    says "no SASS: nvdisasm is not there (package cuda-nvdisasm" "without nvdisasm that is said"
    says "instructions in PTX" "and PTX is counted"
fi
disassembler 'n=$(grep -c . "$2")
echo ".text.move:"
for i in $(seq "$n"); do echo "        /*0000*/              @!P0 LDG.E.128 R4, desc[UR4][R2.64] ; /* 0x0000000402047981 */"; done
echo "        /*0010*/                   NOP ;"'
arch
[ $? -eq 0 ]; ok "with one it compiles as before" $?
says "instructions in SASS  *yours  *fix" "and its instructions are counted"
grep -q "LDG.E.128" "$T/mine/mine.sass" && grep -q "LDG.E.128" "$T/mine/fix.sass"
ok "both listings lie beside the text" $?
arch --json
grep -q '"sass":{"LDG.E.128":\[[0-9]*,[0-9]*\]}' "$T/out"
ok "JSON has them, without padding" $?
disassembler 'echo half; exit 3'
arch
says "no SASS: nvdisasm of this machine failed" "one that fails is told"
echo "1..$n"
