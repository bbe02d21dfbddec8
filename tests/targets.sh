#!/bin/sh
# What cards and tables say of instructions of newer GPUs, asked of ptxas: it assembles each for the targets that are named
# and for none of the others. Nothing is run, so no GPU is needed. TAP; skips where there is no ptxas that knows them.
set -u
PATH="$PATH:/usr/local/cuda/bin"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
n=0
assembles() { # TARGET BODY
    printf '.version 9.0\n.target %s\n.address_size 64\n.visible .entry k() {\n.shared .align 16 .b8 s[1024];\n' "$1" > "$T/k.ptx"
    printf '.reg .b16 h; .reg .b32 r<9>; .reg .b64 d; .reg .f32 f; .reg .pred q;\n%s\n' \
        'mov.b16 h, 3; mov.u32 r1, s; mov.b32 r2, 0; mov.b64 d, 0; mov.f32 f, 0f00000000; setp.eq.u32 q, r2, 0;' >> "$T/k.ptx"
    printf '%s\nret; }\n' "$2" >> "$T/k.ptx"
    ptxas -arch="$1" -o "$T/k.cubin" "$T/k.ptx" > "$T/said" 2>&1
}
assembles sm_120a '' || { echo "1..0 # SKIP ptxas that knows sm_120a is not there"; exit 0; }

only() { # WHAT, TARGETS, BODY
    n=$((n + 1)) wrong=
    for target in sm_90 sm_90a sm_100 sm_100a sm_100f sm_103a sm_103f sm_110a sm_110f sm_120 sm_120a sm_120f sm_121a; do
        case " $2 " in
        *" $target "*) assembles $target "$3" || wrong="$wrong $target refuses it: $(head -n 1 "$T/said")." ;;
        *) assembles $target "$3" && wrong="$wrong $target takes it." ;;
        esac
    done
    if [ -z "$wrong" ]; then echo "ok $n - $1"; else echo "not ok $n - $1:$wrong"; fi
}
B200='sm_100a sm_100f sm_103a sm_103f sm_110a sm_110f'
RTX='sm_120a sm_120f sm_121a'
MMA='tcgen05.mma.cta_group::1.kind::f16'
COPY='cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes'

only "wgmma is of Hopper alone" "sm_90a" 'wgmma.fence.sync.aligned;'
only "tcgen05.mma takes A from shared memory" "$B200" "$MMA [r2], d, d, r2, q;"
only "or from tensor memory" "$B200" "$MMA [r2], [r2], d, r2, q;"
only "but never B" "" "$MMA [r2], d, [r2], r2, q;"
only "there is no tcgen05.mma.async" "" 'tcgen05.mma.async.cta_group::1.kind::f16 [r2], d, d, r2, q;'
only "tcgen05.commit signals an mbarrier" "$B200" 'tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [r1];'
alloc() { echo "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], $1;"; }
only "32 columns of tensor memory may be asked for" "$B200" "$(alloc 32)"
only "512, too" "$B200" "$(alloc 512)"
only "not 16" "" "$(alloc 16)"
only "not 48, which is no power of two" "" "$(alloc 48)"
only "not 1024" "" "$(alloc 1024)"
only "TMA is there from Hopper on" "sm_90 sm_90a sm_100 $B200 sm_120 $RTX" "$COPY [r1], [d, {r2, r2}], [r1];"
only "with multicast" "sm_90 sm_90a sm_100 $B200 sm_120 $RTX" "$COPY.multicast::cluster [r1], [d, {r2, r2}], [r1], h;"
only "mma.sync with block scales is of sm_120 with a or f, and of sm_121a" "$RTX" 'mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {f, f, f, f}, {r2, r2, r2, r2}, {r2, r2}, {f, f, f, f}, {r2}, {h, h}, {r2}, {h, h};'
echo "1..$n"
