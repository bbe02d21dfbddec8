#!/bin/sh
# Against NVIDIA's own compiler, where it is installed: every shipped kernel compiles for the outermost architectures that its
# scenario claims and this NVRTC knows (check says why these do), and its messages are read as they are. No GPU is needed.
set -u
. tests/lib/tap.sh
unset WARPDRILL_NVRTC
export WARPDRILL_CUDA=/nonexistent/libcuda.so
"$W" check content/packs/first-principles plain-copy >"$T/out" 2>"$T/err"
grep -q '^kernels: ' "$T/out" || skip "$(sed -n 's/^warpdrill: \(kernels were not compiled\)/\1/p' "$T/err" | head -1)"
case $BUILD in
*/san) packs= ;; # the compiler is not ours; what we make of its words stands below
*) packs=$(echo content/packs/*/) ;;
esac
for pack in $packs; do
    grep -qs '^launches:' "$pack"*/scenario.yaml || continue # cases have no kernels
    # A cache a pack, since one for all would be trimmed.
    WARPDRILL_CACHE="$BUILD/tests/nvrtc/$(basename "$pack")" "$W" check --compile "$pack" >"$T/out" 2>"$T/err"
    grep -q '^kernels: ' "$T/out" && ! grep -q '\[compiles\]\|\[kernel-name\]\|not all compiled' "$T/err"
    ok "$(basename "$pack"): $(sed -n 's/^kernels: //p' "$T/out")" $?
done

# A kernel in place of the suspect of a copy, and what is found.
finds() { # finds WHAT PATTERN
    cp -r content/packs/first-principles "$T/pack"
    cat >"$T/pack/transposed-copy/a/suspect.cu"
    sed -i.old 's/^  text: .*/  text: "out\[0\] = "/' "$T/pack/transposed-copy/a/sealed/answer.yaml"
    "$W" check "$T/pack" transposed-copy/a >"$T/out" 2>"$T/err"
    grep -q -e "$2" "$T/err"
    ok "$1" $?
    rm -rf "$T/pack"
}
kernel=$(sed -n 's/^ *- kernel: //p' content/packs/first-principles/transposed-copy/scenario.yaml | head -1)
finds "an undefined name, under the caret" 'suspect.cu:3:14: error: does not compile for sm_75 to sm_[0-9]*: identifier "nothing" is undefined' <<END
extern "C" __global__ void $kernel(float *out)
{
    out[0] = nothing;
}
END
finds "an instruction that old GPUs lack, on its line" "suspect.cu:4:5: error: does not compile for sm_75: Feature 'cp.async.wait_all' requires .target sm_80.*compute: 8" <<END
extern "C" __global__ void $kernel(float *out)
{
    out[0] = 1;
    asm volatile("cp.async.wait_all;");
}
END
finds "too much shared memory, at the kernel" "suspect.cu:1:28: error: does not compile for sm_75 to sm_[0-9]*: Entry function '$kernel' uses too much shared data" <<END
extern "C" __global__ void $kernel(float *out)
{
    __shared__ float all[20000];
    all[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[0] = all[5];
}
END
finds "a kernel under its C++ name" "suspect.cu:1:17: error: the kernel $kernel is compiled under a C++ name (_Z.*$kernel" <<END
__global__ void $kernel(float *out)
{
    out[0] = 1;
}
END
# Sources that eat the compiler. With a limit of the account below the runner's own, that one is soon reached.
finds "templates that call each other without end" 'suspect.cu:1:.*: error: does not compile for .*excessive recursion' <<END
template <int N> struct t { typedef typename t<N + 1>::u u; };
extern "C" __global__ void $kernel(float *out)
{
    out[0] = (t<0>::u)0;
}
END
finds "a constant that takes for ever" 'suspect.cu:2:.*: error: does not compile for .*constant value' <<END
constexpr long f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
constexpr long v = f(60);
extern "C" __global__ void $kernel(float *out)
{
    out[0] = v;
}
END
ten() { echo "#define a$2 a$1$3a$1$3a$1$3a$1$3a$1$3a$1$3a$1$3a$1$3a$1$3a$1"; }
bomb() {
    echo '#define a0 1'
    for i in 1 2 3 4 5 6 7 8; do ten $((i - 1)) $i ,; done
    echo '__device__ const int v[] = {a8};'
    echo 'extern "C" __global__ void bad(float *out) { out[0] = v[(int)out[1]]; }'
}
compiles() { # compiles ID TEXT: the request
    printf '{"type":"compile","id":%d,"deadline_ms":300000,"sources":{"a":{"name":"a.cu","text":"%s"}},"arch":["sm_90"]}\n' "$1" "$2"
}
case ${BUILD##*/} in
san) ;; # AddressSanitizer reserves more than any limit
*)
    mkfifo "$T/to" "$T/from"
    (ulimit -d 200000; WARPDRILL_CACHE="$T/cache" exec "$BUILD/warpdrill-runner") <"$T/to" >"$T/from" 2>"$T/err" &
    exec 3>"$T/to" 4<"$T/from"
    : >"$T/out"
    hear() { while IFS= read -r line <&4; do printf '%s\n' "$line" >>"$T/out"; case $line in *'"type":"done"'*) return ;; esac; done; }
    printf '{"type":"open","protocol":1,"client":"test","nonce":"x"}\n' >&3
    compiles 1 "$(bomb | sed 's/"/\\"/g; s/$/\\n/' | tr -d '\n')" >&3
    hear
    grep -q '"id":1,.*"log":".*the compiler ran out of its 0.191 GiB of memory' "$T/out"
    ok "a table of 100 million numbers: out of memory, and of how much" $?
    compiles 2 'extern \"C\" __global__ void good(float *out) { out[0] = 1; }' >&3
    hear
    grep -q '"type":"compiled",.*"id":2,.*"kernels":\["good"\]' "$T/out"
    ok "and the next source compiles" $?
    exec 3>&- 4<&-
    wait
    ;;
esac
# A person's text without a GPU: figures of the assembler beside those of suspect and fix.
XDG_DATA_HOME=$T/data
export XDG_DATA_HOME
"$FAKES/fake_player" tests/packs/good row-sums/a "$T/p.db"
"$W" mend row-sums/a --pack tests/packs/good --db "$T/p.db" --arch sm_90 >"$T/out" 2>"$T/err"
ok "mend compiles a text for a GPU that is not there" $?
says "yours    sums  *[1-9][0-9]* registers .*occupancy at most [0-9]* %" "and tells what the assembler says of it"
says "fix      sums  *[1-9][0-9]* registers" "beside the fix"
echo 'extern "C" __global__ void sums(float *o) { o[0] = nothing; }' >"$T/data/warpdrill/mend/example/row-sums/a/mine.cu"
"$W" mend row-sums/a --pack tests/packs/good --db "$T/p.db" --arch sm_90 >"$T/out" 2>"$T/err"
[ $? -eq 1 ] && grep -q 'mine.cu(1): error: identifier "nothing" is undefined' "$T/out"
ok "an error is told at its line" $?
"$W" write --json --pack content/packs/first-principles --db "$T/p.db" >"$T/out" 2>/dev/null
written() { "$W" write "$id" "$@" --pack content/packs/first-principles --db "$T/p.db" >"$T/out" 2>"$T/err"; }
for id in $(sed -n 's/.*"id": "\(first-principles[^"]*\)".*/\1/p' "$T/out"); do # those that belong to no story are compiled by nothing above
    written --folder "$T/$id" --arch sm_90 --json
    [ $? -eq 0 ] && grep -q '"verdict":"compiles"' "$T/out" && grep -q '"best":\[\]' "$T/out"
    ok "$id: the empty kernel compiles, and nothing is told of a best that is closed" $?
    written give-up
    written --folder "$T/$id" --arch sm_90 --json
    [ $? -eq 0 ] && grep -q '"best":\[{' "$T/out"
    ok "and the best, once it is open" $?
done
echo "1..$n"
