#!/bin/sh
# TAP: a pack whose texts are shown and whose images run, from outside: read, checked, recorded, sealed, and what is
# refused of an image. Where ptxas is installed, each image of the pack is held against it.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache" WARPDRILL_CONTENT="$T/packs"
run() { "$W" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }
mkdir "$T/packs"
cp -R tests/packs/images "$T/packs/imaged"
P=$T/packs/imaged S=$P/doubled-vector ID=imaged/doubled-vector
GOOD="$FAKE good"

# ---- what is seen ----
exits 0 "check" check --no-compile --no-evidence "$P"
exits 0 "the source of a text in Python" probe "$ID/a" source
says '^ *9  *at = tl.program_id' "is that text"
says 'twice<<<grid ceildiv(n, 1024), block 128>>>(out, in, n, 0, 0)$' "and its launch"
exits 0 "record" record "$P" --trust --runner "$GOOD"
[ -f "$S/a/sealed/evidence/fake-gpu.json" ] && [ -f "$S/b/sealed/evidence/fake-gpu.json" ]
ok "leaves evidence" $?
run check --no-compile "$P"
! grep -q 'evidence-' "$T/err"
ok "which check finds" $?

# ---- what a key depends on ----
hash() { sha256sum <"$1" | cut -c1-64; }
restamp() { # restamp FOLDER/NAME ENDING: as an author does who compiled again
    sed -i -e "s/^text: .*/text: $(hash "$1.$2")/" -e "s/^ptx: .*/ptx: $(hash "$1.ptx")/" "$1.image.yaml"
}
again() { rm -rf "$S"; cp -R tests/packs/images/doubled-vector "$S"; }
sed -i 's/of 4 warps/of four warps/' "$S/a/suspect.py"
run check --no-compile "$P"
complains 'suspect.image.yaml:2:.*not the SHA-256 of .*suspect.py' "a text that is not the one that was compiled is refused"
restamp "$S/a/suspect" py
run check --no-compile "$P"
! grep -q 'evidence-stale' "$T/err"
ok "with its hash, a comment of the text makes no evidence stale" $?
sed -i 's/%r2, 10;/%r2, 11;/' "$S/a/suspect.ptx"
restamp "$S/a/suspect" py
run check --no-compile "$P"
complains "$S/a/.*\[evidence-stale\]" "another image does"

# ---- what is refused ----
bad() { # bad WHAT MESSAGE COMMAND: of suspect.ptx after a sed
    again
    sed -i "$3" "$S/a/suspect.ptx"
    [ "${4-}" ] || restamp "$S/a/suspect" py
    run check --no-compile --no-evidence "$P"
    complains "$2" "$1"
}
bad "an image that is not the one of the hash" 'not the SHA-256 of .*suspect.ptx' 's/add.f32/sub.f32/' kept
bad "an image that is cut" 'suspect.ptx:.*is cut' '30,$d'
bad "of another target than is said" 'the PTX is for sm_90a' 's/sm_80/sm_90a/'
bad "of another kernel" "has no kernel 'twice'; thrice was expected" 's/entry twice/entry thrice/'
bad "with other arguments" '5 arguments; 4 were expected' '/param_4$/d; s/param_3,/param_3/'
sized() { # sized WHAT MESSAGE COMMAND: of launches.yaml after a sed
    again
    sed -i "$3" "$S/a/launches.yaml"
    run check --no-compile --no-evidence "$P"
    complains "launches.yaml:3:$2" "$1"
}
sized "an i32 for a pointer" '82: .*argument 4, of type i32, has 4 bytes; a buffer, an i64 or f64 (8 bytes) was expected by twice in .*suspect.ptx' \
    's/{i64: 0}, {i64: 0}/{i32: 0}, {i64: 0}/'
sized "an f64 for a whole number" '.*argument 3, of type f64, has 8 bytes; an i32 or f32 (4 bytes)' 's/in, n,/in, {f64: n},/'
sized "a buffer for a whole number" '.*argument 3, of type buffer, has 8 bytes' 's/in, n,/in, in,/'
sized "a parameter for a pointer" '.*argument 2, of type i32, has 4 bytes' 's/out, in, n,/out, n, n,/'
bad "a parameter that no launch can pass" 'no launch can pass a parameter of this size' 's/.param .u32 twice_param_2/.param .b8 twice_param_2[12]/'
again
sed -i 's/^buffers:/define: {WIDTH: n}\n&/' "$S/scenario.yaml"
run check --no-compile --no-evidence "$P"
complains 'scenario.yaml:[0-9]*:10: .*the macro WIDTH cannot reach doubled-vector/a/suspect.py, of which an image runs' "a macro"
bad "for other blocks" 'blocks of 128 threads; the image was compiled for 256' 's/128, 1, 1/256, 1, 1/'
bad "with an external function" 'the external symbol vprintf' 's/^.address_size 64/&\n.extern .func vprintf;/'
bad "with a function that is nowhere" 'the external function malloc' 's/^.address_size 64/&\n.func malloc();/'
bad "with a trap" 'trap, which ends all kernels' 's/^\tret;/\ttrap;/'
bad "with more shared memory than there is" 'suspect.ptx:.*more shared memory than a kernel can declare, which is 49152 bytes' 's/^{/{ .shared .b8 s[50000];/'
bad "with a preprocessor's line" 'preprocessor' 's/^.address_size 64/&\n#include "x"/'
again
printf 'cubin: {sm_90: %s}\n' "$(hash "$S/a/suspect.ptx")" >>"$S/a/suspect.image.yaml"
run check --no-compile --no-evidence "$P"
complains 'suspect.image.yaml:9:1: .*machine code is not taken from a pack: .*PTX alone was expected' "machine code"
again
head -c 600000 /dev/zero | tr '\0' '/' >>"$S/a/suspect.ptx"
run check --no-compile --no-evidence "$P"
complains 'suspect.ptx: .* bytes; at most 524288' "one that is too large"
again
rm "$S/a/suspect.ptx"
run check --no-compile --no-evidence "$P"
complains 'no .ptx of this name' "one that is not there"
again
rm "$S/a/suspect.image.yaml"
run check --no-compile --no-evidence "$P"
complains 'without its image' "a text that says nothing of its image"
again
mv "$S/b/suspect.image.yaml" "$S/b/suspect.yml"
run check --no-compile --no-evidence "$P"
complains 'b/suspect.ptx:1:1: .*says nothing of where it comes from, so that nobody runs it; an .image.yaml' "an image that says nothing of its text"

# ---- what lies astray ----
again
cp "$S/a/sealed/fix.ptx" "$S/a/sealed/fix.image.yaml" "$S/a"
cp "$S/a/sealed/fix.ptx" "$S/sealed/old.ptx"
run check --no-compile --no-evidence "$P"
for part in ptx image.yaml; do
    complains "a/fix.$part: .*handed out in clear; suspect.ptx and suspect.image.yaml of a suspect beside them, or a folder .sealed. with the text of their name, was expected .public-stray" "fix.$part beside the suspect"
done
complains 'sealed/old.ptx: .*nothing runs this image: no text of its name lies beside it.*image-stray' "an image of no text"
echo 'a passphrase for this test' >"$T/pass"
exits 1 "seal refuses it" seal "$P" --out "$T/astray" --passphrase-file "$T/pass"
complains 'a/fix.ptx would be handed out in clear; suspect.ptx and suspect.image.yaml' "by the same words"

# ---- sealed ----
again
exits 0 "seal" seal "$P" --out "$T/sealed" --passphrase-file "$T/pass"
[ -f "$T/sealed/doubled-vector/a/suspect.ptx" ] && [ ! -e "$T/sealed/doubled-vector/a/sealed" ]
ok "hands out the suspect's image and no other" $?
exits 0 "the sealed pack is checked" check --no-compile --no-evidence --passphrase-file "$T/pass" "$T/sealed"

# ---- from a Triton cache folder ----
exits 2 "new of Python" new "$P/doubled-vector/c" --from tests/new/twice.py
complains 'from_triton.py' "names who makes it"
if command -v python3 >/dev/null; then
    again
    rm "$S/a"/suspect.*
    python3 scenarios/new/from_triton.py tests/new/triton-cache tests/new/twice.py "$S/a" >"$T/out" 2>"$T/err"
    ok "a cache folder becomes a suspect" $?
    says 'block: \[128\], shared: 0, args: \[BUFFER, BUFFER, {i32: VALUE}, {i64: 0}, {i64: 0}\]' "with its launch"
    ! grep -q -e /home -e debug "$S/a/suspect.ptx"
    ok "no folder of its author is in it" $?
    exits 0 "check takes it" check --no-compile --no-evidence "$P"
    python3 scenarios/new/from_triton.py tests/new/triton-cache tests/new/twice.py "$S/a" >"$T/out" 2>"$T/err"
    [ $? -eq 1 ]
    ok "a second time it writes nothing" $?
    complains 'is there already' "and says so"
    sed 's/"num_ctas": 1/"num_ctas": 2/; s/"shared": 0, //; s/"global_scratch_size": 0/"global_scratch_size": 64/' \
        tests/new/triton-cache/twice.json >"$T/twice.json"
    cp tests/new/triton-cache/twice.ptx "$T"
    python3 scenarios/new/from_triton.py "$T" tests/new/twice.py "$T/v" --as fix --kernel twice >"$T/out" 2>"$T/err"
    complains 'num_ctas 2: write it as' "what a launch cannot express is told"
    complains 'global_scratch_size 64' "scratch memory"
    complains 'does not tell shared' "and what is missing"

    # ---- several kernels of one text ----
    sed -e 's/twice/thrice/g' -e 's|\.file.1 "[^"]*" "[^"]*"|.file\t1 "/home/x/standard.py"\n\t.file\t2 "/home/x/twice.py"|' \
        -e 's/\.loc.1 \([69]\) /.loc\t2 \1 /' "$T/twice.ptx" >"$T/thrice.ptx"
    mkdir "$T/second"
    mv "$T/thrice.ptx" "$T/second"
    sed 's/twice/thrice/' tests/new/triton-cache/twice.json >"$T/second/thrice.json"
    python3 scenarios/new/from_triton.py tests/new/triton-cache tests/new/twice.py "$T/two" --and "$T/second" >"$T/out" 2>"$T/err"
    says 'kernel: twice, grid.*$' "each kernel of a text has its launch"
    says 'kernel: thrice, grid' "the second as well"
    says_in() { grep -q -e "$1" "$T/two/$3"; ok "$2" $?; }
    says_in '^options: "twice: num_warps=4.*; thrice: num_warps=4' "each has its options" suspect.image.yaml
    says_in '^.\.loc.1 9 .*\n*' "the text is the same file in both" suspect.ptx
    says_in '^.\.loc.2 10 ' "and another file goes on counting" suspect.ptx
    [ "$(grep -c '\.version' "$T/two/suspect.ptx")" -eq 1 ] && [ "$(grep -c '\.file.*suspect.py' "$T/two/suspect.ptx")" -eq 1 ]
    ok "there is one head, and the text is one file" $?
    sed -i 's/\.target sm_80/.target sm_90/' "$T/second/thrice.ptx"
    python3 scenarios/new/from_triton.py tests/new/triton-cache tests/new/twice.py "$T/three" --and "$T/second" >"$T/out" 2>"$T/err"
    complains 'one .target was expected, of all kernels; sm_80, sm_90 was found' "two targets make no image"
else
    ok "a cache folder becomes a suspect # SKIP python3 is not there" 0
fi

# ---- the assembler ----
if command -v ptxas >/dev/null || [ -x /usr/local/cuda/bin/ptxas ]; then
    PATH=$PATH:/usr/local/cuda/bin
    rc=0
    for image in $(find tests/packs/images "$T/two" -name '*.ptx'); do
        ptxas -arch=sm_90 -o "$T/x.cubin" "$image" 2>>"$T/err" || rc=1
    done
    ok "ptxas assembles each image" $rc
else
    ok "ptxas assembles each image # SKIP ptxas is not there" 0
fi

echo "1..$n"
