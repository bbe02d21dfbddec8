#!/usr/bin/env python3
"""Elements of FP8 on this machine's GPU: how the runner fills, compares and rounds them, beside the hardware's conversions. TAP.

  fp8.py build/warpdrill-runner
"""
import os, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from agreement import Refused, Runner

COUNT = 1 << 20
TYPES = {"e4m3": (4, 3, 200), "e5m2": (5, 2, 30000)}    # bits of exponent and fraction; a deviation that goes beyond the range

# Two numbers at a time, to the nearest, what is too large to the largest.
NARROW = """extern "C" __global__ void narrow(unsigned short *out, const float2 *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned short both;
    asm("cvt.rn.satfinite.%sx2.f32 %%0, %%1, %%2;" : "=h"(both) : "f"(in[i].y), "f"(in[i].x));
    out[i] = both ^ FLIP;
}
"""
SAME = """extern "C" __global__ void same(double *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
"""
WIDEN = """extern "C" __global__ void widen(float2 *out, const unsigned short *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned both;
    float low, high;
    asm("cvt.rn.f16x2.%sx2 %%0, %%1;" : "=r"(both) : "h"(in[i]));
    asm("{\\n.reg .b16 l, h;\\nmov.b32 {l, h}, %%2;\\ncvt.f32.f16 %%0, l;\\ncvt.f32.f16 %%1, h;\\n}" : "=f"(low), "=f"(high) : "r"(both));
    out[i] = make_float2(low, high);
}
"""
BY_HAND = """extern "C" __global__ void by_hand(double *out, const unsigned char *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, bits = in[i], exponent = (bits & 127) >> F;
    double fraction = bits & ((1 << F) - 1);
    double size = exponent ? ldexp(1 + ldexp(fraction, -F), exponent - BIAS) : ldexp(fraction, 1 - BIAS - F);
    out[i] = bits >> 7 ? -size : size;
}
"""


def wrong(runner, of_in, of_out, sources, kernels, per, fill, define):
    """How many elements the first kernel, `per` a thread, computes other than the second, exactly."""
    runs = {r: [{"source": r, "kernel": k, "grid": [COUNT // 256 // n], "block": [256], "args": [{"buffer": "out"}, {"buffer": "in"}]}]
            for r, k, n in zip("ar", kernels, (per, 1))}
    parts = runner.ask({
        "type": "measure", "deadline_ms": 60000, "seed": 1, "define": define, "runs": runs,
        "sources": {r: {"name": f"{k}.cu", "text": t} for r, k, t in zip("ar", kernels, sources)},
        "buffers": [{"name": "in", "type": of_in, "count": COUNT, "fill": fill}, {"name": "out", "type": of_out, "count": COUNT, "role": "output"}],
        "work": {"bytes": 5 * COUNT, "flops": 0}, "tolerance": {"kind": "exact"}, "items": [{"probe": "check", "runs": ["a"], "against": "r"}]})
    part, = (p for p in parts if p["run"] == "a")
    return part["metrics"]["wrong_elements"]["value"]


def ok(number, holds, what):
    print(f"{'ok' if holds else 'not ok'} {number} - {what}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        try:
            runner = Runner(sys.argv[1], folder)
            if runner.describe("cached")["gpu"]["attributes"]["compute"] < 8.9:
                raise Refused("conversions of FP8 need compute capability 8.9")
        except (Refused, OSError) as why:
            print(f"1..0 # SKIP {why}")
            return
        n = 0
        for name, (exponent, fraction, deviation) in TYPES.items():
            normal, narrow = {"kind": "normal", "mean": 0, "sd": deviation}, (NARROW % name, SAME)
            define = {"F": str(fraction), "BIAS": str((1 << (exponent - 1)) - 1), "FLIP": "0"}
            ok(n + 1, wrong(runner, "f32", name, narrow, ("narrow", "same"), 2, normal, define) == 0,
               f"{name}: the truth is rounded as the hardware rounds")
            flipped = wrong(runner, "f32", name, narrow, ("narrow", "same"), 2, normal, dict(define, FLIP="1"))
            ok(n + 2, flipped == COUNT // 2, f"{name}: a last bit that is another is found")
            ok(n + 3, wrong(runner, name, "f32", (WIDEN % name, BY_HAND), ("widen", "by_hand"), 2, normal, define) == 0,
               f"{name}: what buffers are filled with are numbers")
            n += 3
        print(f"1..{n}")


if __name__ == "__main__":
    main()
