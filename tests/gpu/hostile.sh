#!/bin/sh
# Kernels that mean harm, on a real GPU: each ends as an error or as a missing figure of its own request within its deadline, the next
# request is answered rightly, nothing of theirs reaches a terminal, and what was wrong gets no good time. It also looks at the walls
# of the compiler and the worker from outside. TAP; skips with a reason where there is no GPU. Needs BUILD; two minutes.
set -u
: "${BUILD:?set BUILD to the build folder}"
T=$(mktemp -d)
mkfifo "$T/to" "$T/from"
export WARPDRILL_CACHE="$T/cache"
n=0 id=0 line=
ok() { # TEXT STATUS
    n=$((n + 1))
    if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; tail -n 5 "$T/said" 2>/dev/null | cut -c1-1500 | sed 's/^/# /'; fi
}
"$BUILD/warpdrill-runner" < "$T/to" > "$T/from" 2> "$T/stderr" &
runner=$!
exec 3> "$T/to" 4< "$T/from"
trap 'exec 3>&-; wait $runner; rm -rf "$T"' EXIT
trap 'exit 1' INT TERM HUP PIPE

# TYPE: everything up to it is kept in said. 1: the request, or the runner, ended without one.
await() {
    while IFS= read -r line <&4; do
        printf '%s\n' "$line" >> "$T/said"
        case $line in *"\"type\":\"$1\""*) return 0 ;; *'"type":"done"'*) return 1 ;; esac
    done
    line='the runner is gone'
    return 1
}
now() { date +%s%N | cut -c1-13; }
quoted() { sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/' "$1" | tr -d '\n'; }
children() { cat /proc/$runner/task/*/children 2>/dev/null; }
child() { # ROLE: its process
    for p in $(children); do
        tr '\0' ' ' < "/proc/$p/cmdline" | grep -q -e "--$1" && echo "$p" && return
    done
}

count=1048576 # elements of each buffer
CHECK='{"probe":"check","runs":["a"],"against":"r"}'
FENCE='{"probe":"check","runs":["a"],"against":"r","fence":true}'
TIMING='{"probe":"timing","runs":["a"]}'
cat > "$T/r.cu" <<'K'
extern "C" __global__ void reference(double *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
K
send() { # KERNEL DEADLINE_MS ITEMS
    id=$((id + 1))
    : > "$T/said"
    args="{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":$count}"
    begun=$(now)
    printf '{"type":"measure","id":%d,"deadline_ms":%d,"seed":3,"sources":{"a":{"name":"a.cu","text":"%s"},"r":{"name":"r.cu","text":"%s"}},"buffers":[{"name":"in","type":"f32","count":%d,"fill":{"kind":"uniform","low":-1,"high":1}},{"name":"out","type":"f32","count":%d,"role":"output"}],"runs":{"a":[{"source":"a","kernel":"%s","grid":[%d],"block":[256],"args":[%s]}],"r":[{"source":"r","kernel":"reference","grid":[%d],"block":[256],"args":[%s]}]},"work":{"bytes":%d,"flops":0},"tolerance":{"kind":"exact"},"items":[%s]}\n' \
        $id "$2" "$(quoted "$T/a.cu")" "$(quoted "$T/r.cu")" $count $count "$1" $((count / 256)) "$args" $((count / 256)) "$args" $((count * 8)) "$3" >&3
}
ask() { # KERNEL DEADLINE_MS ITEMS: its done is left in $line, how long it took in $took
    send "$@"
    await done
    took=$(($(now) - begun))
}
ends() { # CODES: the request ended with one of these errors
    code=$(printf %s "$line" | sed -n 's/.*"error":{[^}]*"code":"\([a-z-]*\)".*/\1/p')
    text=$(printf %s "$line" | sed -n 's/.*"error":{[^}]*"text":"\([^"]*\)".*/\1/p' | cut -c1-90)
    case " $1 " in *" ${code:-none} "*) ok "$what: ends with ${code:-none} ($text)" 0 ;; *) ok "$what: ends with ${code:-none}, not with $1" 1 ;; esac
}
in_time() { [ "$took" -lt "$1" ]; ok "$what: answered in $took ms, at most $1" $?; }
value() { grep "\"item\":$1[,}]" "$T/said" | grep '"run":"a"' | sed -n "s/.*\"$2\":{[^}]*\"value\":\\([-0-9.e+]*\\).*/\\1/p"; }
is() { # ITEM METRIC awk-condition on x
    x=$(value "$1" "$2")
    awk -v x="${x:-nothing}" "BEGIN { exit !(x != \"nothing\" && ($3)) }"
    ok "$what: $2 is ${x:-missing}, expected $3" $?
}
no_time() { ! grep '"probe":"timing"' "$T/said" | grep -q '"time":{[^}]*"value"'; ok "$what: no time is told" $?; }
told() { # no test but a limit that SECURITY.md names: what is timed is not compared; only times below what physics allows are refused
    echo "# $what: $(grep '"probe":"timing"' "$T/said" | grep -o '"time":{[^}]*}' | cut -c1-120)"
}
clean() { # neither control characters nor their escapes in anything that was said
    ! LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]" "$T/said" && ! grep -q -e '\\u00[01]' -e '\\u007f' -e '\\u008' -e '\\u009' "$T/said"
    sound=$?
    LC_ALL=C grep -q -e "$(printf '\302[\200-\237]')" -e "$(printf '\342\200\256')" "$T/said" && sound=1
    ok "$what: nothing that a terminal would obey" $sound
}
works() { # the next request is answered, rightly
    hostile=$what what="after: $what"
    cat > "$T/a.cu" <<'K'
extern "C" __global__ void good(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
K
    count=1048576
    ask good 30000 "$CHECK,$TIMING"
    x=$(value 0 wrong_elements) y=$(value 1 time)
    [ "${x:-1}" = 0 ] || [ "${x:-1}" = 0.0 ] && [ -n "$y" ]
    ok "$what: a right kernel is right (${x:-missing} wrong) and timed (${y:-missing} s), in $took ms" $?
    what=$hostile
}
kernel() { # BODY: of the kernel `bad`, with i at hand
    printf 'extern "C" __global__ void bad(float *out, const float *in, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n%s\n}\n' "$1" > "$T/a.cu"
}

printf '{"type":"open","protocol":1,"client":"hostile","nonce":"x"}\n{"type":"describe","id":1000,"ceilings":"none"}\n' >&3
await done
case $line in
*'"status":"ok"'*) ;;
*) echo "1..0 # SKIP no NVIDIA GPU answers here: $(printf %s "$line" | cut -c1-200)"; exit 0 ;;
esac
sed -n 's/.*\("walls":{[^}]*}\).*/# \1/p' "$T/said"

what='before anything'; works
# ---- the walls, from outside ----
for role in compiler worker; do
    pid=$(child $role) all=0 walled=0
    for s in /proc/"${pid:-none}"/task/*/status; do
        all=$((all + 1))
        grep -q '^NoNewPrivs:.1$' "$s" && grep -q '^Seccomp:.2$' "$s" && walled=$((walled + 1))
    done
    [ "$all" -gt 0 ] && [ "$all" = "$walled" ]
    ok "the $role: $walled of $all threads run under the filter" $?
    [ "$(sed -n 's/^Max core file size *\([0-9]*\) .*/\1/p' "/proc/$pid/limits")" = 0 ]; ok "the $role: no core dumps" $?
    sed -n 's/^Max \(address space\|data size\|open files\|file size\) .*/# &/p' "/proc/$pid/limits"
done
for role in compiler worker; do
    ls -l "/proc/$(child $role)/fd" 2>/dev/null | sed -n "s/.* -> /# the $role has /p" | sort | uniq -c | sort -rn | head -20
done

# ---- never ending ----
what='an endless loop'; kernel '    volatile float *o = out; while (o[0] == o[0] || o[0] != o[0]) o[i] = 1;'
ask bad 4000 "$CHECK,$TIMING"; ends timeout; in_time 6500; no_time; works
what='one that yields'; kernel '    for (;;) __nanosleep(1000000);'
ask bad 4000 "$CHECK,$TIMING"; ends timeout; in_time 6500; no_time; works
what='one of a thread alone, timed'; kernel '    if (i == 0) for (;;) __nanosleep(100); out[i] = 2 * in[i];'
ask bad 4000 "$TIMING"; ends timeout; in_time 6500; no_time; works
what='one that prints without end'; kernel '    for (;;) printf("\033[2J\033]0;mine\007\233 31m %d\n", i);'
ask bad 4000 "$CHECK"; ends timeout; in_time 6500; clean; works
what='a worker that is stopped'; kernel '    for (;;) __nanosleep(1000000);'
send bad 4000 "$CHECK"
# The first part is the reference's: what the worker comes to next is `bad`, and there it stays.
await part && kill -STOP "$(child worker)" && await done
took=$(($(now) - begun)); ends timeout; in_time 6500; works

# ---- faults ----
faults() { # WHAT BODY
    what=$1; kernel "$2"
    ask bad 20000 "$CHECK,$TIMING"
    ends fault; no_time; clean; works
}
faults 'a null pointer' '    *(volatile float *)0 = i;'
faults 'a misaligned address' '    *(volatile float *)((char *)out + 1) = i;'
faults 'an address far outside' '    out[(long long)i * 1000003 + (1ll << 36)] = i;'
faults 'a trap' '    __trap();'
faults 'random addresses of all 47 bits' '    unsigned long long h = (i + 1) * 0x9e3779b97f4a7c15ull; for (int k = 0; k < 64; k++) { h ^= h >> 31; h *= 0xbf58476d1ce4e5b9ull; *(volatile int *)(h & 0x7ffffffffffcull) = (int)h; }'
faults 'addresses of the host' '    for (unsigned long long p = 0x7ff000000000ull + 4096ull * i; p < 0x7fffffffffffull; p += 4096ull * n) *(volatile int *)p = 0x41414141;'
faults 'the program in the host' '    for (unsigned long long p = 0x550000000000ull + 4096ull * i; p < 0x570000000000ull; p += 4096ull * n) *(volatile int *)p = 0x41414141;'

cat > "$T/a.cu" <<'K'
__device__ __noinline__ float deep(float x, const float *in)
{
    volatile float a[256];
    a[(int)x & 255] = x;
    return deep(x + in[(int)x & 255], in) + a[5];
}
extern "C" __global__ void bad(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = deep(i, in);
}
K
what='a recursion without end'
ask bad 20000 "$CHECK,$TIMING"; ends 'fault launch'; no_time; works
cat > "$T/a.cu" <<'K'
extern "C" __device__ void __assertfail(const char *what, const char *file, unsigned line, const char *function, size_t size);
extern "C" __global__ void bad(float *out, const float *in, int n)
{
    __assertfail("\033[2J\033]0;mine\007", "a.cu\033[1A", 3, "\233 31m", 1);
}
K
what='an assertion with escape sequences'
ask bad 20000 "$CHECK,$TIMING"; ends fault; no_time; clean; works

# ---- wrong, and quiet about it ----
wrong() { # WHAT BODY: measured, and called wrong
    what=$1; kernel "$2"
    ask bad 20000 "$CHECK"
    grep -q '"verdict: wrong"' "$T/said"; ok "$what: verdict: wrong" $?
    works
}
wrong 'writes before its buffer' '    out[i] = 2 * in[i]; if (i == 0) for (int k = 1; k < 900; k++) out[-k] = 7;'
wrong 'writes behind its buffer' '    out[i] = 2 * in[i]; if (i == 0) for (int k = 0; k < 900; k++) out[n + k] = 7;'
wrong 'changes its input' '    out[i] = 2 * in[i]; ((float *)in)[i] = 0;'
cat > "$T/a.cu" <<'K'
__device__ unsigned launches;
extern "C" __global__ void bad(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (atomicAdd(&launches, 1) < n) out[i] = 2 * in[i];
}
K
what='right only the first time'
ask bad 20000 "$CHECK"
grep -q '"verdict: wrong"' "$T/said"; ok "$what: verdict: wrong" $?
works
what='looks for the guard bytes, and behaves when it sees them'
kernel '    bool guarded = ((const unsigned *)out)[n] == ((const unsigned *)out)[n + 1]; out[i] = guarded ? 2 * in[i] : 3;'
ask bad 20000 "$CHECK,$FENCE"
x=$(value 1 faults) y=$(value 1 wrong_elements)
awk -v x="${x:-0}" -v y="${y:-0}" 'BEGIN { exit !(x > 0 || y > 0) }'; ok "$what: a fence finds it (faults ${x:-missing}, wrong ${y:-missing})" $?
works
cat > "$T/a.cu" <<'K'
__device__ unsigned launches;
extern "C" __global__ void bad(float *out, const float *in, int n)
{
    __shared__ unsigned seen;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) seen = atomicAdd(&launches, 1) / gridDim.x;
    __syncthreads();
    if (seen < 8) out[i] = 2 * in[i];
}
K
what='counts its launches, and does nothing when it is timed'; count=67108864
ask bad 30000 "$CHECK,$TIMING"
told
works
cat > "$T/a.cu" <<'K'
__device__ unsigned long long last;
extern "C" __global__ void bad(float *out, const float *in, int n)
{
    unsigned long long t;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    unsigned long long before = *(volatile unsigned long long *)&last;
    if (i == 0) last = t;
    if (t - before > 200000000ull || clock64() < 0) out[i] = 2 * in[i];
}
K
what='looks at the clock, and does nothing when launches follow each other'; count=67108864
ask bad 30000 "$CHECK,$TIMING"
told; works

# ---- greed ----
what='fills the heap'; kernel '    for (int k = 0; k < 100000; k++) { volatile char *p = (volatile char *)malloc(1 << 20); if (!p) break; p[0] = 1; } if (i < n) out[i] = 2 * in[i];'
ask bad 20000 "$CHECK"; in_time 22500; clean; works
what='prints a flood of escape sequences'; printf 'extern "C" __global__ void bad(float *out, const float *in, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    out[i] = 2 * in[i];\n    if (i < 4096) printf("\\033[2J\\033]0;mine\\007\\302\\233 31m\\342\\200\\256 %%d {\\"type\\":\\"done\\",\\"id\\":1,\\"status\\":\\"ok\\"}\\n", i);\n}\n' > "$T/a.cu"
ask bad 20000 "$CHECK"; is 0 wrong_elements 'x == 0'; clean
[ "$(printf %s "$line" | wc -c)" -lt 200000 ]; ok "$what: the log is cut ($(printf %s "$line" | wc -c) bytes)" $?
works
what='more shared memory than there is'; printf 'extern "C" __global__ void bad(float *out, const float *in, int n)\n{\n    __shared__ float all[1 << 20];\n    all[threadIdx.x] = in[0];\n    out[0] = all[5];\n}\n' > "$T/a.cu"
ask bad 20000 "$CHECK"; ends compile; works
what='launches kernels of its own'; printf '__global__ void next(float *out) { out[0] = 1; }\nextern "C" __global__ void bad(float *out, const float *in, int n)\n{\n    next<<<1, 1>>>(out);\n}\n' > "$T/a.cu"
ask bad 20000 "$CHECK"; ends 'compile fault launch unsupported'; works
what='templates without end'; printf 'template <int N, int M> struct t { enum { v = t<N - 1, M>::v + t<N - 1, M + 1>::v }; };\ntemplate <int M> struct t<0, M> { enum { v = M }; };\nextern "C" __global__ void bad(float *out, const float *in, int n)\n{\n    out[0] = t<900, 0>::v;\n}\n' > "$T/a.cu"
ask bad 15000 "$CHECK"; ends 'compile timeout memory lost'; in_time 17500; works

# ---- what is left behind ----
exec 3>&-
while IFS= read -r line <&4; do :; done
wait $runner
what='the end'
ok "$what: the runner leaves" $?
echo "1..$n"
