"""An image and its text on a GPU: results, times, counters, lines, machine code, and what is refused.

    images.py RUNNER FOLDER      TAP on stdout; FOLDER is the story of tests/packs/images

The image in FOLDER/b is what nvcc made of the text beside it, so that both ways of the same kernel are timed as one pair. That
in FOLDER/a is in the manner of Triton. What is refused ends one request, and the next works.
"""
import hashlib, json, os, subprocess, sys

N = 1 << 24
REFERENCE = open(os.path.join(sys.argv[2], "sealed", "reference.cu")).read()
HEAD = ".version 7.8\n.target sm_80\n.address_size 64\n"
PARAMS = ".param .u64 a, .param .u64 b, .param .u32 c"
GOOD = f".visible .entry twice({PARAMS}) {{ ret; }}"
BAD = [ # what, PTX, code
    ("cut", HEAD + ".visible .entry twice() { ret;", "bad-request"),
    ("a trap", HEAD + ".visible .entry twice() { trap; }", "bad-request"),
    ("an external symbol", HEAD + ".extern .func vprintf;\n.visible .entry twice() { ret; }", "bad-request"),
    ("a kernel with fewer parameters", HEAD + ".visible .entry twice(.param .u64 a) { ret; }", "bad-request"),
    ("another kernel", HEAD + ".visible .entry thrice() { ret; }", "bad-request"),
    ("an architecture that is not there", HEAD.replace("sm_80", "sm_999") + GOOD, "unsupported"),
    ("PTX that the driver does not know", HEAD.replace("7.8", "99.0") + GOOD, "unsupported"),
    ("more shared memory than there is", HEAD + f".visible .entry twice({PARAMS}) " "{ .shared .b8 s[1000000]; .reg .b32 %r; "
     "mov.u32 %r, s; st.shared.u32 [%r], %r; ret; }", "bad-request"),
]
count = 0


def ok(what, good, more=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {what}" + (f"\n# {more}" if more else ""), flush=True)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def load(name):
    return open(os.path.join(sys.argv[2], name)).read()


def image(name, text, ptx):
    return {"name": name, "text": text, "image": {"ptx": ptx, "sha256": sha(ptx), "of": sha(text)}}


class Runner:
    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.id = 0
        self.send({"type": "open", "protocol": 1, "client": "images.py", "nonce": "n"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, sources, launches, items, **more):
        """Parts of one request, and its done."""
        self.id += 1
        buffers = [{"name": "in", "type": "f32", "count": N, "fill": {"kind": "uniform", "low": -1, "high": 1}},
                   {"name": "out", "type": "f32", "count": N, "role": "output"}]
        reference = {"source": "r", "kernel": "reference", "grid": [N // 256], "block": [256],
                     "args": [{"buffer": "out"}, {"buffer": "in"}, {"i32": N}]}
        self.send({"type": "measure", "id": self.id, "deadline_ms": 60000, "buffers": buffers, "items": items,
                   "sources": dict(sources, r={"name": "reference.cu", "text": REFERENCE}),
                   "runs": dict(launches, r=[reference]), "work": {"bytes": 8 * N, "flops": N},
                   "tolerance": {"kind": "relative", "rel": 1e-6, "abs": 0}, **more})
        parts = []
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("type") == "part":
                parts.append(message)
            if message.get("type") == "done":
                return parts, message
        sys.exit("the runner is gone")


def launch(source, grid, block, scratch=0):
    args = [{"buffer": "out"}, {"buffer": "in"}, {"i32": N}] + [{"i64": 0}] * scratch
    return [{"source": source, "kernel": "twice", "grid": [grid], "block": [block], "args": args}]


def value(part, metric):
    return part["metrics"].get(metric, {}).get("value")


def compare(runner):
    text, ptx = load("b/suspect.cu"), load("b/suspect.ptx")
    sources = {"a": image("suspect.cu", text, ptx), "b": {"name": "suspect.cu", "text": text}}
    runs = {"a": launch("a", 1024, 256), "b": launch("b", 1024, 256)}
    items = [{"probe": "check", "runs": ["a"], "against": "r"}, {"probe": "timing", "runs": ["a", "b"]}]
    items += [{"probe": p, "runs": [r]} for p in ("memory", "lines", "sass", "resources") for r in ("a", "b")]
    parts, done = runner.ask(sources, runs, items)
    of = lambda probe, run: next((p for p in parts if p["probe"] == probe and p["run"] == run), {"metrics": {}})
    ok("an image computes what its text does", value(of("check", "a"), "wrong_elements") == 0, json.dumps(done))
    ratio = value(of("timing", "a/b"), "ratio")
    ok("in the same time, within 2 %", ratio is not None and abs(ratio - 1) <= 0.02, f"ratio {ratio}")
    for metric in ("load_requests", "load_sectors_per_request", "store_sectors_per_request"):
        a, b = value(of("memory", "a"), metric), value(of("memory", "b"), metric)
        ok(f"{metric} agrees", a is not None and a == b, f"{a} {b}")
    notes = of("sass", "a").get("notes", [])
    lines = of("sass", "a").get("series", {}).get("line", [])
    ok("its machine code is listed with lines", "listing: SASS" in notes and any(lines), "; ".join(notes))
    ok("samples fall on its lines", bool(value(of("lines", "a"), "top_line")), json.dumps(of("lines", "a"))[:600])


def in_triton_s_manner(runner):
    for folder in ("a/suspect", "a/sealed/fix"):
        source = image(os.path.basename(folder) + ".py", load(folder + ".py"), load(folder + ".ptx"))
        items = [{"probe": "check", "runs": ["a"], "against": "r"}, {"probe": "memory", "runs": ["a"]}]
        parts, done = runner.ask({"a": source}, {"a": launch("a", N // 1024, 128, 2)}, items)
        wrong = [value(p, "wrong_elements") for p in parts if p["probe"] == "check"]
        ok(f"{folder}.py computes what the reference does", wrong and not any(wrong), str(wrong))
        sectors = [value(p, "load_sectors_per_request") for p in parts if p["probe"] == "memory"]
        expected = 32 if "suspect" in folder else 4
        ok(f"its loads touch {expected} sectors", sectors == [expected], str(sectors))


def refuse(runner):
    good = image("suspect.cu", load("b/suspect.cu"), load("b/suspect.ptx"))
    timing = [{"probe": "timing", "runs": ["a"]}]
    for what, ptx, code in BAD:
        _, done = runner.ask({"a": image("suspect.cu", load("b/suspect.cu"), ptx)}, {"a": launch("a", 1024, 256)}, timing)
        error = done.get("error", {})
        ok(f"{what} is refused", done["status"] == "failed" and code in (None, error.get("code")), json.dumps(error)[:400])
        _, done = runner.ask({"a": good}, {"a": launch("a", 1024, 256)}, timing)
        ok("and the runner goes on", done["status"] == "ok", json.dumps(done)[:400])


def main():
    runner = Runner(sys.argv[1])
    runner.send({"type": "describe", "id": 1, "ceilings": "none"})
    runner.id = 1
    for line in runner.process.stdout:
        message = json.loads(line)
        if message.get("type") == "done":
            if message["status"] != "ok":
                print("1..0 # SKIP " + message["error"]["text"].split("\n")[0])
                return
            break
    compare(runner)
    in_triton_s_manner(runner)
    refuse(runner)
    print(f"1..{count}")
    runner.process.stdin.close()
    runner.process.wait()


main()
