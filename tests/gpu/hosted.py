"""Runs with steps of the host on this machine's GPU, beside the same steps written by hand (hosted.cu, by nvcc) and, where
PyTorch is, beside its graphs and .item(). Prints TAP. usage: hosted.py RUNNER PROGRAM CUBIN PTX"""
import json, statistics, subprocess, sys, time

runner, program = sys.argv[1:3]
modules = sys.argv[3:5]
CHAIN, BIG = 30, 64 << 20
SOURCE = '''extern "C" __global__ void hold(float *out, int at, long long ns)
{
    unsigned long long from, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(from));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - from < ns);
    if (threadIdx.x == 0)
        out[at] = at;
}
'''
SLACK_US = 4     # of two clocks' edges
def within(case):  # what is the host's own is at the mercy of its pages and caches
    return 1.35 if case in ("alloc", "pageable", "anew", "cubin", "ptx") else 1.15

def hold(at, ns):
    return {"source": "a", "kernel": "hold", "grid": [1], "block": [32],
            "args": [{"buffer": "out"}, {"i32": at}, {"i64": ns}]}

chain = [hold(i, 1000) for i in range(CHAIN)]
CASES = {
    "chain": chain + [{"step": "sync"}],
    "graph": [{"step": "capture"}] + chain + [{"step": "replay"}],
    "anew": [{"step": "capture", "anew": True}] + chain + [{"step": "replay"}],
    "cubin": [{"step": "load", "from": "cubin"}, hold(0, 20000)],
    "ptx": [{"step": "load", "from": "ptx"}, hold(0, 20000)],
    "read": [s for i in range(4) for s in (hold(i, 20000), {"step": "read", "buffer": "out"})],
    "alloc": [{"step": "alloc", "bytes": BIG}, hold(0, 20000), {"step": "free"}],
    "pageable": [hold(0, 20000), {"step": "copy", "buffer": "big", "to": "host", "memory": "pageable"}],
    "pinned": [hold(0, 20000), {"step": "copy", "buffer": "big", "to": "host", "memory": "pinned"}],
}

RUNS_MOST = 8    # of a request

def request(number, cases):
    items = [{"probe": probe, "runs": [c]} for probe in ("timing", "timeline") for c in cases]
    return {"type": "measure", "id": number, "deadline_ms": 60000, "sources": {"a": {"name": "a.cu", "text": SOURCE}},
            "buffers": [{"name": "out", "type": "f32", "count": 64, "role": "output"},
                        {"name": "big", "type": "f32", "count": BIG // 4, "role": "input"}],
            "runs": {c: CASES[c] for c in cases}, "work": {"bytes": 40, "flops": 0}, "items": items}

def talk():
    p = subprocess.Popen([runner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def ask(m, last):
        p.stdin.write(json.dumps(m) + "\n"); p.stdin.flush()
        for line in p.stdout:
            r = json.loads(line)
            if r["type"] == "part": parts[r["probe"], r["run"]] = r
            if r["type"] == last: return r
    parts, names = {}, list(CASES)
    ask({"type": "open", "protocol": 1, "client": "test", "nonce": "n"}, "hello")
    for first in range(0, len(names), RUNS_MOST):
        done = ask(request(1 + first, names[first:first + RUNS_MOST]), "done")
        if "error" in done: break
    p.stdin.close(); p.wait()
    return parts, done

count = 0
def ok(good, what):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", what)

def by_torch():
    try:
        import torch
        x = torch.zeros(64, device="cuda")
    except Exception as e:
        print("# PyTorch is not here:", str(e)[:80]); return
    def median(step):
        us = []
        for _ in range(60):
            torch.cuda.synchronize(); t = time.perf_counter(); step(); torch.cuda.synchronize()
            us.append((time.perf_counter() - t) * 1e6)
        return statistics.median(us)
    def chain():
        for _ in range(CHAIN): x.add_(1)
    chain(); graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph): chain()
    print("# PyTorch, %d adds: eager %.1f us, graph %.1f us; .item() after an add %.1f us"
          % (CHAIN, median(chain), median(graph.replay), median(lambda: x.add_(1)[0].item())))

def by_hand():
    lines = subprocess.run([program] + modules, capture_output=True, text=True).stdout.splitlines()
    return {name: float(us) for name, us in map(str.split, lines)}

before = by_hand()      # and after ours, since a host has no pace that stays
parts, done = talk()
if ("timing", "chain") not in parts:
    if done.get("error", {}).get("code") == "no-gpu":
        print("1..0 # SKIP no NVIDIA GPU answers here:", done["error"]["text"]); sys.exit(0)
    print("#", json.dumps(done)); ok(False, "measured"); print("1..1"); sys.exit(1)
after = by_hand()
for case in CASES:
    mine = parts["timing", case]["metrics"]["time"]["value"] * 1e6
    low, high = sorted((before[case], after[case]))
    ok(low / within(case) - SLACK_US <= mine <= high * within(case) + SLACK_US,
       "%s: %.1f us, by hand %.1f us before and %.1f us after" % (case, mine, before[case], after[case]))
    line = parts.get(("timeline", case))
    m = line["metrics"] if line else {}
    if "value" not in m.get("step_time", {}):
        ok(False, "%s: a timeline (%s)" % (case, json.dumps(m)[:300])); continue
    s = line["series"]
    inside = all(-2e-6 <= a and b <= m["step_time"]["value"] + 2e-6 for a, b in zip(s["start"], s["end"]))
    ok(inside, "%s: all kernels lie in the step: %.1f us, busy %.1f, calls %.1f, longest gap %.1f" % ((case,)
       + tuple(m[k]["value"] * 1e6 for k in ("step_time", "busy_time", "api_time", "longest_gap"))))
def making(case):  # the row of its capture: the graph is made there or before
    s = parts["timeline", case]["series"]
    return s["host_end"][0] - s["host_start"][0]
try:
    ok(making("anew") > 10 * making("graph"), "the row of the capture has the making: %.1f us, of one that is kept %.1f us"
       % (making("anew") * 1e6, making("graph") * 1e6))
except KeyError as e:
    ok(False, "a timeline of %s" % e)
t = {c: parts["timing", c]["metrics"]["time"]["value"] for c in CASES}
ok(t["graph"] < t["chain"], "a graph is replayed faster than its launches are made")
ok(t["graph"] < t["anew"], "and faster than it is made")
ok(t["cubin"] < t["ptx"], "machine code is loaded faster than PTX is compiled")
ok(t["pinned"] < t["pageable"], "pinned memory is copied faster")
by_torch()
print("1..%d" % count)
