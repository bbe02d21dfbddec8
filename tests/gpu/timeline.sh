#!/bin/sh
# The timeline on this machine's GPU: ten kernels of known durations on two streams, each told by CUPTI's records and by events,
# beside the whole step's time by the timing probe before and after CUPTI was on. TAP; skips with a reason where there is no GPU.
set -u
: "${BUILD:?set BUILD to the build folder}"
R=${RUNNER:-$BUILD/warpdrill-runner}
command -v python3 > /dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export WARPDRILL_CACHE="$T/cache"
cat > "$T/steps.py" <<'PY'
import json, os, subprocess, sys
runner, US = sys.argv[1], 1e-6
# stream, microseconds, launches waited for
STEPS = [(0, 200, []), (1, 500, []), (0, 300, []), (0, 100, [1]), (1, 50, []), (1, 400, [3]), (0, 150, []), (0, 50, []), (0, 250, [5]), (1, 20, [8])]
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

def planned():
    ends, free = [], {}
    for stream, us, after in STEPS:
        start = max([free.get(stream, 0)] + [ends[k] for k in after])
        ends.append(start + us)
        free[stream] = start + us
    return [(e - s[1], e) for e, s in zip(ends, STEPS)]

def request(number, probe):
    launches = []
    for i, (stream, us, after) in enumerate(STEPS):
        l = {"source": "a", "kernel": "hold", "grid": [1], "block": [32], "args": [{"buffer": "out"}, {"i32": i}, {"i64": us * 1000}]}
        if stream: l["stream"] = stream
        if after: l["after"] = after
        launches.append(l)
    return {"type": "measure", "id": number, "deadline_ms": 20000, "sources": {"a": {"name": "a.cu", "text": SOURCE}},
            "buffers": [{"name": "out", "type": "f32", "count": 64, "role": "output"}], "runs": {"a": launches},
            "work": {"bytes": 40, "flops": 0}, "items": [{"probe": probe, "runs": ["a"]}]}

def talk(cupti):
    env = dict(os.environ)
    if cupti: env["WARPDRILL_CUPTI"] = cupti
    p = subprocess.Popen([runner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
    def ask(m, last):
        p.stdin.write(json.dumps(m) + "\n"); p.stdin.flush()
        part = None
        for line in p.stdout:
            r = json.loads(line)
            if r["type"] == "part": part = r
            if r["type"] == last: return part, r
    ask({"type": "open", "protocol": 1, "client": "test", "nonce": "n"}, "hello")
    out = [ask(request(i + 1, probe), "done") for i, probe in enumerate(["timing", "timeline", "timing"])]
    p.stdin.close(); p.wait()
    return out

count = 0
def ok(good, what):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", what)

def look(name, cupti, slack):
    (before, why), (line, _), (after, _) = talk(cupti)
    if before is None:
        if count == 0 and why.get("error", {}).get("code") == "no-gpu":
            print("1..0 # SKIP no NVIDIA GPU answers here:", why["error"]["text"]); sys.exit(0)
        print("# ", json.dumps(why)); ok(False, name + ": measured"); return
    s, m = line["series"], line["metrics"]
    print(f"# {name}: {', '.join(line['notes'])}")
    print("#  k stream  start us    end us  duration us (planned)")
    for i, (start, end) in enumerate(zip(s["start"], s["end"])):
        print(f"# {i:2} {s['stream'][i]:6.0f} {start/US:9.2f} {end/US:9.2f} {(end-start)/US:9.2f} ({STEPS[i][1]})")
    step = m["step_time"]["value"]
    print("# step %.2f us, busy %.2f, gaps %.2f, longest %d (%.1f %%)" % (step/US, m["busy_time"]["value"]/US, m["gap_time"]["value"]/US, m["longest_kernel"]["value"], 100*m["longest_share"]["value"]))
    t = [x["metrics"]["time"] for x in (before, after)]
    for x, when in zip(t, ("before", "after")):
        print("# timing %s: %.2f us (%.2f to %.2f, n %d)" % (when, x["value"]/US, x["low"]/US, x["high"]/US, x["n"]))
    plan = planned()
    ok(all(-1.1 <= (e - b)/US - STEPS[i][1] <= slack for i, (b, e) in enumerate(zip(s["start"], s["end"]))), f"{name}: each kernel takes what it was told to within a tick of the timer, and at most {slack} us more")
    ok(all(abs(b/US - plan[i][0]) <= 60 for i, b in enumerate(s["start"])), f"{name}: kernels begin where streams and dependencies put them")
    ok(all(s["start"][i] >= s["end"][k] - US for i, x in enumerate(STEPS) for k in x[2]), f"{name}: none begins before what it waits for has ended")
    ok(m["longest_kernel"]["value"] == 2, f"{name}: the longest is named")
    ok(abs(step - t[0]["value"]) <= 0.03 * step, f"{name}: the step is as long as the timing probe says, within 3 %")
    ok(abs(t[1]["value"] - t[0]["value"]) <= 0.01 * step, f"{name}: the timing probe says the same afterwards, within 1 %")
    return line

line = look("CUPTI", None, 8)
if line is not None: ok("by CUPTI" in line["notes"], "CUPTI is what told it")
line = look("events", "/nonexistent", 15)
if line is not None: ok(any(n.startswith("by events") for n in line["notes"]), "without CUPTI events tell it")
print(f"1..{count}")
PY
python3 "$T/steps.py" "$R"
