#!/bin/sh
# Every experiment on results, on real kernels that each have one fault: the experiment made for it finds it, and a plain
# check does not where it cannot. TAP; skips with a reason where there is no GPU. Needs BUILD; nothing else.
set -u
: "${BUILD:?set BUILD to the build folder}"
T=$(mktemp -d)
mkfifo "$T/to" "$T/from"
export WARPDRILL_CACHE="$T/cache"
n=0 id=0
ok() { # TEXT STATUS
    n=$((n + 1))
    if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$T/parts" | cut -c1-1500; fi
}
"$BUILD/warpdrill-runner" < "$T/to" > "$T/from" 2> "$T/stderr" &
runner=$!
exec 3> "$T/to" 4< "$T/from"
trap 'exec 3>&-; wait $runner; rm -rf "$T"' EXIT

# One message of a type; parts on the way are kept.
await() {
    while IFS= read -r line <&4; do
        case $line in *'"type":"part"'*) printf '%s\n' "$line" >> "$T/parts" ;; esac
        case $line in *"\"type\":\"$1\""*) return 0 ;; esac
    done
    line='the runner is gone'
    return 1
}
quoted() { awk '{ gsub(/"/, "\\\""); printf "%s\\n", $0 }' "$1"; } # no backslashes in them

# The request at hand: kernels in $T/a.cu, their reference in $T/r.cu; the launches of run a; the tolerance.
launches= tolerance= variants= buffers=
ask() { # ITEMS: sends it and waits for its done, whose line stays in $line
    id=$((id + 1))
    : > "$T/parts"
    shape="\"buffers\":[$buffers],\"runs\":{\"a\":[$launches],\"r\":[{\"source\":\"r\",\"kernel\":\"reference\",\"grid\":[4096],\"block\":[256],\"args\":[{\"buffer\":\"out\"},{\"buffer\":\"in\"},{\"i32\":1048576}]}]},\"work\":{\"bytes\":8388608,\"flops\":0}"
    v=
    for r in $variants; do v="$v${v:+,}{$shape,\"registers\":$r}"; done
    printf '{"type":"measure","id":%d,"deadline_ms":60000,"seed":3,"sources":{"a":{"name":"a.cu","text":"%s"},"r":{"name":"r.cu","text":"%s"}},%s,"tolerance":%s,"variants":[%s],"items":[%s]}\n' \
        $id "$(quoted "$T/a.cu")" "$(quoted "$T/r.cu")" "$shape" "$tolerance" "$v" "$1" >&3
    await done
    printf '%s\n' "$line" >> "$T/parts"
}
launch() { printf '{"source":"a","kernel":"%s","grid":[%s],"block":[%s],"shared":%s,"args":[{"buffer":"out"},{"buffer":"in"},{"i32":1048576}]}' "$1" "$2" "$3" "${4:-0}"; }
part() { grep "\"item\":$1[,}]" "$T/parts" | grep '"run":"a"' | grep '"type":"part"'; }
value() { part "$1" | sed -n "s/.*\"$2\":{[^}]*\"value\":\\([-0-9.e+]*\\).*/\\1/p"; }
is() { # ITEM METRIC awk-condition on x
    x=$(value "$1" "$2")
    awk -v x="${x:-nothing}" "BEGIN { exit !(x != \"nothing\" && ($3)) }"
    ok "$what: $2 is ${x:-missing}, expected $3" $?
}
notes() { part "$1" | grep -q "\"$2"; ok "$what: a note says $2" $?; } # a note that begins so
done_is() { case $line in *"\"status\":\"$1\""*) ok "$what: $1" 0 ;; *) ok "$what: $1, but got $line" 1 ;; esac; }

CHECK='{"probe":"check","runs":["a"],"against":"r"}'
POISON='{"probe":"poison","runs":["a"],"against":"r"}'
REPEAT='{"probe":"repeat","runs":["a"],"repeat":20}'
OFFSET4='{"probe":"check","runs":["a"],"against":"r","offset":4}'
OFFSET16='{"probe":"check","runs":["a"],"against":"r","offset":16}'
FENCE='{"probe":"check","runs":["a"],"against":"r","fence":true}'
tool() { printf '{"probe":"sanitize","runs":["a"],"tool":"%s"}' "$1"; }
FLOATS='{"name":"in","type":"f32","count":1048576,"fill":{"kind":"uniform","low":-1,"high":1}},{"name":"out","type":"f32","count":1048576,"role":"output"}'
exact() { buffers=$FLOATS tolerance='{"kind":"exact"}' variants=; launches=$(launch "$1" 4096 256); }

printf '{"type":"open","protocol":1,"client":"experiments","nonce":"x"}\n{"type":"describe","id":1000,"ceilings":"none"}\n' >&3
await done
case $line in
*'"status":"ok"'*) ;;
*) echo "1..0 # SKIP no NVIDIA GPU answers here: $(printf %s "$line" | cut -c1-200)"; exit 0 ;;
esac
sanitizer=
for f in $(printf %s "$PATH" | tr : ' ') "${CUDA_HOME:-/none}/bin" /usr/local/cuda/bin; do [ -x "$f/compute-sanitizer" ] && sanitizer=yes; done

# ---- each block of 256 reversed, through shared memory ----
cat > "$T/r.cu" <<'K'
extern "C" __global__ void reference(double *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i / 256 * 256 + 255 - i % 256];
}
K
cat > "$T/a.cu" <<'K'
extern "C" __global__ void right(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[255 - threadIdx.x];
}
// Reads 32 words that it has not written yet; every block leaves zeros there.
extern "C" __global__ void garbage(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 32];
    int i = blockIdx.x * 256 + threadIdx.x;
    volatile float *tail = tile + 256;
    float old = tail[threadIdx.x % 32];
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[255 - threadIdx.x] + old;
    if (threadIdx.x < 32) tail[threadIdx.x] = 0;
}
extern "C" __global__ void race(float *out, const float *in, int n)
{
    __shared__ volatile float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    out[i] = tile[255 - threadIdx.x];
}
extern "C" __global__ void adds(float *out, const float *in, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] += in[i / 256 * 256 + 255 - i % 256];
}
extern "C" __global__ void half_barrier(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    if (threadIdx.x < 40) __syncthreads();
    out[i] = in[i / 256 * 256 + 255 - i % 256] + 0 * tile[threadIdx.x];
}
extern "C" __global__ __launch_bounds__(256) void bounded(float *out, const float *in, int n)
{
    float v[48];
#pragma unroll
    for (int k = 0; k < 48; k++) v[k] = in[(blockIdx.x * 256 + threadIdx.x * 7 + k * 31) % n];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 48; k++) out[(blockIdx.x * 256 + threadIdx.x * 5 + k * 37) % n] = v[47 - k];
}
extern "C" __global__ void unbounded(float *out, const float *in, int n)
{
    float v[48];
#pragma unroll
    for (int k = 0; k < 48; k++) v[k] = in[(blockIdx.x * 256 + threadIdx.x * 7 + k * 31) % n];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 48; k++) out[(blockIdx.x * 256 + threadIdx.x * 5 + k * 37) % n] = v[47 - k];
}
K

what='a right kernel'; exact right
ask "$CHECK,$POISON,$REPEAT,$OFFSET4,$FENCE"
done_is ok
is 0 wrong_elements 'x == 0'; is 1 poisoned_wrong 'x == 0'; is 1 buffer_differences 'x == 0'; is 1 shared_differences 'x == 0'
is 2 identical_repeats 'x == 20'; notes 2 'verdict: identical'
is 3 faults 'x == 0'; is 3 wrong_elements 'x == 0'; is 4 faults 'x == 0'; is 4 wrong_elements 'x == 0'

what='reads shared memory that it never wrote'; exact garbage
ask "$CHECK,$POISON,$REPEAT"
# What the launch before left is mostly still there, and right: 0.7 % were wrong on an H200.
is 0 wrong_elements 'x < 104858'
is 1 shared_differences 'x > 0'; is 1 buffer_differences 'x == 0'; is 1 poisoned_wrong 'x > 0'; notes 1 'verdict: wrong'
part 2 | sed 's/^/# repeat of it: /' | cut -c1-600

what='a race'; exact race
ask "$CHECK,$REPEAT"
part 0 | sed 's/^/# check of it: /' | cut -c1-400
is 1 identical_repeats 'x < 20'; notes 1 'verdict: differing beyond the tolerance'

what='adds to what it finds'; exact adds
ask "$CHECK,$POISON"
is 0 wrong_elements 'x == 0'; is 1 buffer_differences 'x > 1000000'; is 1 shared_differences 'x == 0'

what='a cap on registers'; exact unbounded; variants='32'
ask '{"probe":"timing","runs":["a"]},{"probe":"timing","runs":["a"],"variant":0},{"probe":"resources","runs":["a"]}'
is 1 registers 'x <= 32'; is 1 local_bytes 'x > 0'; is 2 registers 'x > 32'
what='a cap beside __launch_bounds__'; exact bounded; variants='32'
ask '{"probe":"timing","runs":["a"]},{"probe":"timing","runs":["a"],"variant":0}'
part 1 | grep -q 'cap ignored'; ok "$what: ignored, and said so" $?

what='ballast'; exact right
ask '{"probe":"timing","runs":["a"],"cache":"warm"},{"probe":"timing","runs":["a"],"cache":"warm","ballast":32768},{"probe":"timing","runs":["a"],"ballast":1000000}'
done_is partial
is 0 time 'x > 0'; is 1 time 'x > 0'
part 2 | grep -q 'would pass the'; ok "$what: what does not fit is missing with its reason" $?

# ---- sums in an order that nobody fixes ----
cat > "$T/r.cu" <<'K'
extern "C" __global__ void reference(double *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    for (int k = i % 64; i < 64 && k < n; k += 64) s += in[k];
    out[i] = s;
}
K
cat > "$T/a.cu" <<'K'
extern "C" __global__ void clear(float *out, const float *in, int n) { out[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
extern "C" __global__ void add(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[i % 64], in[i]);
}
K
what='float atomics'; buffers=$FLOATS tolerance='{"kind":"relative","rel":0.001,"abs":0.01}' variants=
launches="$(launch clear 4096 256),$(launch add 4096 256)"
ask "$CHECK,$POISON,$REPEAT"
is 0 wrong_elements 'x == 0'
is 1 buffer_differences 'x == 0'; is 1 shared_differences 'x == 0'; notes 1 'differs from run to run by itself'
is 2 identical_repeats 'x < 20'; is 2 ulp_spread 'x > 0'; notes 2 'verdict: differing within the tolerance'

# ---- copies: wide loads, and one word too many ----
cat > "$T/r.cu" <<'K'
extern "C" __global__ void reference(double *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
K
cat > "$T/a.cu" <<'K'
extern "C" __global__ void wide(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) ((float4 *)out)[i] = ((const float4 *)in)[i];
}
extern "C" __global__ void beyond(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1] > 1e30f ? 0 : in[i];
}
extern "C" __global__ void outside(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    if (i == n - 1) out[n] = 0;
}
K
what='float4 on a moved base'; exact wide
ask "$OFFSET4,$CHECK,$OFFSET16,$FENCE,$OFFSET4"
done_is ok
is 0 faults 'x == 1'; notes 0 'fault: misaligned address'; is 1 wrong_elements 'x == 0'; is 2 faults 'x == 0'
is 2 wrong_elements 'x == 0'; is 3 faults 'x == 0'; is 3 wrong_elements 'x == 0'; is 4 faults 'x == 1'

what='reads one past the end'; exact beyond
ask "$CHECK,$FENCE,$REPEAT"
done_is ok
is 0 wrong_elements 'x == 0'; is 1 faults 'x == 1'; notes 1 'fault: illegal address'; is 2 identical_repeats 'x == 20'
what='writes one past the end'; exact outside
ask "$CHECK,$FENCE"
is 0 canaries_broken 'x > 0'; notes 0 'verdict: wrong'; is 1 faults 'x == 1'

# ---- indices ----
cat > "$T/r.cu" <<'K'
extern "C" __global__ void reference(double *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1;
}
K
cat > "$T/a.cu" <<'K'
extern "C" __global__ void scatter(int *out, const int *in, int n) { out[in[blockIdx.x * blockDim.x + threadIdx.x]] = 1; }
extern "C" __global__ void within(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] >= 0 && in[i] < 1000;
}
K
for f in 'scatter {"kind":"permutation"}' 'within {"kind":"hot","below":1000,"share":0.5}' 'within {"kind":"zipf","below":1000,"exponent":1.1}'; do
    exact "${f%% *}"
    what="filled with ${f#* }"
    buffers='{"name":"in","type":"i32","count":1048576,"fill":'${f#* }'},{"name":"out","type":"i32","count":1048576,"role":"output"}'
    ask "$CHECK"
    is 0 wrong_elements 'x == 0'
done

# ---- compute-sanitizer ----
if [ -z "$sanitizer" ]; then
    for t in memcheck racecheck initcheck synccheck; do n=$((n + 1)); echo "ok $n # SKIP $t: compute-sanitizer is not installed"; done
else
    what='memcheck of one read past the end'; exact beyond
    cat > "$T/r.cu" <<'K'
extern "C" __global__ void reference(double *out, const float *in, int n) {}
K
    cat > "$T/a.cu" <<'K'
extern "C" __global__ void beyond(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1] > 1e30f ? 0 : in[i];
}
extern "C" __global__ void race(float *out, const float *in, int n)
{
    __shared__ volatile float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    out[i] = tile[255 - threadIdx.x];
}
extern "C" __global__ void adds(float *out, const float *in, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] += in[i];
}
extern "C" __global__ void half_barrier(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    if (threadIdx.x < 40) __syncthreads();
    out[i] = tile[threadIdx.x ^ 1];
}
extern "C" __global__ void clean(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[255 - threadIdx.x];
}
K
    see() { # KERNEL TOOL METRIC CONDITION
        what="$2 of $1"; exact "$1"
        ask "$(tool "$2")"
        is 0 "$3" "$4"
        part 0 | sed -n 's/.*"lines":\(\[[^]]*\]\).*/# \1/p' | cut -c1-400
    }
    see beyond memcheck memory_errors 'x > 0'
    see race racecheck race_hazards 'x > 0'
    see adds initcheck uninitialised_reads 'x > 0'
    see half_barrier synccheck barrier_errors 'x > 0'
    what='all four tools of a clean kernel'; exact clean
    ask "$(tool memcheck),$(tool racecheck),$(tool initcheck),$(tool synccheck)"
    done_is ok
    is 0 memory_errors 'x == 0'; is 1 race_hazards 'x == 0'; is 2 uninitialised_reads 'x == 0'; is 3 barrier_errors 'x == 0'
fi

# ---- attributes of a launch: each kernel is right only where it was launched with its own ----
cat > "$T/a.cu" <<'K'
__device__ unsigned arrived;
__device__ unsigned long long first_ended;
__device__ float between[1 << 20];
extern "C" __global__ void clustered(float *out, const float *in, int n)
{
    unsigned blocks;
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = blocks == 4 ? in[i / 256 * 256 + 255 - i % 256] : 0;
}
// All blocks wait for all others between the two halves: it ends only where all are resident.
extern "C" __global__ void cooperative(float *out, const float *in, int n)
{
    int step = gridDim.x * 256, mine = blockIdx.x * 256 + threadIdx.x;
    for (int i = mine; i < n; i += step) between[i] = in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned last = (atomicAdd(&arrived, 1) / gridDim.x + 1) * gridDim.x;
        while (atomicAdd(&arrived, 0) < last) {}
        __threadfence();
    }
    __syncthreads();
    for (int i = mine; i < n; i += step)
        out[i] = *(volatile float *)&between[i / 256 * 256 + 255 - i % 256];
}
__device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
extern "C" __global__ void first(float *out, const float *in, int n)
{
    asm volatile("griddepcontrol.launch_dependents;");
    for (int i = threadIdx.x; i < n; i += 256) between[i] = in[i];
    for (unsigned long long t = nanoseconds(); nanoseconds() < t + 50000;) {}
    if (threadIdx.x == 0) first_ended = nanoseconds();
}
extern "C" __global__ void second(float *out, const float *in, int n)
{
    unsigned long long begun = nanoseconds();
    asm volatile("griddepcontrol.wait;");
    for (int i = threadIdx.x; i < n; i += 256)
        out[i] = begun < *(volatile unsigned long long *)&first_ended
                     ? *(volatile float *)&between[i / 256 * 256 + 255 - i % 256] : 0;
}
K
with() { # LAUNCH ATTRIBUTES
    printf '%s' "${1%?}$2}"
}
printf '{"type":"describe","id":1001,"ceilings":"none"}\n' >&3
await device
compute=$(printf %s "$line" | sed -n 's/.*"compute":\([0-9]*\).*/\1/p')
await done
if [ "${compute:-0}" -lt 9 ]; then
    echo "# attributes of a launch are not tried: compute capability ${compute:-unknown}"
else
    exact right
    what='a cluster of four'; launches=$(with "$(launch clustered 4096 256)" ',"cluster":[4]'); ask "$CHECK"; is 0 wrong_elements 'x == 0'
    what='no cluster'; launches=$(launch clustered 4096 256); ask "$CHECK"; is 0 wrong_elements 'x > 0'
    what='a grid that is resident'; launches=$(with "$(launch cooperative 128 256)" ',"cooperative":true'); ask "$CHECK"; is 0 wrong_elements 'x == 0'
    what='a grid that is not'; launches=$(with "$(launch cooperative 65536 256)" ',"cooperative":true'); ask "$CHECK"; done_is error
    notes_words='more blocks than fit on the GPU at once'
    case $line in *"$notes_words"*) ok "$what: in plain words" 0 ;; *) ok "$what: in plain words, but got $line" 1 ;; esac
    what='a dependent launch that begins early'; launches="$(launch first 1 256),$(with "$(launch second 1 256)" ',"programmatic":true')"; ask "$CHECK"; is 0 wrong_elements 'x == 0'
    what='one that does not'; launches="$(launch first 1 256),$(launch second 1 256)"; ask "$CHECK"; is 0 wrong_elements 'x > 0'
fi
echo "1..$n"
