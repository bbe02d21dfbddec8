#!/usr/bin/env python3
"""Times the same kernels with warpdrill-runner, Triton's do_bench and ncu, and prints one table.

  agreement.py --runner build/warpdrill-runner [--runs 10] [--short] [--rows NAMES] [--tools do_bench,ncu]

The runner is asked over its protocol, each run in a process of its own. The other tools launch what NVRTC makes of
the same text with the same options, through the driver, from processes of their own (--child). A tool that is not
there leaves its column empty and says why. Needs python3 alone; do_bench needs PyTorch and Triton.
"""
import argparse, csv, ctypes, glob, json, os, shutil, statistics, subprocess, sys, tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "agreement")
LONG_S = 0.3e-3    # rows of at least this long must agree
AGREE = 0.02
STEADY = 0.005
NCU_LAUNCHES = 12


class Row:
    """One kernel at one size: n x n floats in, n x n out; every kernel takes (out, in, n), gemm its second factor too."""

    def __init__(self, kernel, n):
        self.kernel, self.n = kernel, n
        self.grid, self.block = {
            "copy": lambda: ([n * n // 4 // 256], [256]),
            "naive": lambda: ([n // 32, n // 32], [32, 8]),
            "tiled": lambda: ([n // 32, n // 32], [32, 8]),
            "softmax": lambda: ([n * n // 2048], [256]),
            "gemm": lambda: ([n // 64, n // 64], [16, 16]),
        }[kernel]()
        self.second = kernel == "gemm"
        self.bytes = (3 if self.second else 2) * 4 * n * n
        self.flops = 2 * n**3 if self.second else 0
        self.name = f"{kernel} {n}"


GUARD = 4096
LONG = [Row("copy", 16384), Row("copy", 32768), Row("naive", 8192), Row("naive", 16384), Row("tiled", 16384), Row("softmax", 16384),
        Row("gemm", 2048), Row("gemm", 4096)]
SHORT = [Row("copy", 2048), Row("naive", 1024), Row("tiled", 2048), Row("softmax", 2048), Row("gemm", 256)]


def text_of(kernel):
    with open(os.path.join(HERE, kernel + ".cu"), encoding="utf-8") as f:
        return f.read()


# ---- warpdrill-runner, over its protocol ----

class Refused(Exception):
    def __init__(self, text, code=""):
        super().__init__(text)
        self.code = code


class Runner:
    def __init__(self, program, cache):
        env = dict(os.environ, WARPDRILL_CACHE=cache)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.last_id = 0
        self.send({"type": "open", "protocol": 1, "client": "agreement", "nonce": "a9"})
        self.wait("hello")

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def wait(self, kind, parts=None):
        for line in self.process.stdout:
            message = json.loads(line)
            if message["type"] == kind:
                return message
            if message["type"] == "done":
                raise Refused(message.get("error", {}).get("text", "refused"))
            if parts is not None and message["type"] in ("part", "device"):
                parts.append(message)
        raise Refused("the runner ended")

    def ask(self, message):
        self.last_id += 1
        parts = []
        self.send(dict(message, id=self.last_id))
        done = self.wait("done", parts)
        if done["status"] not in ("ok", "partial") or not parts:
            error = done.get("error", {})
            raise Refused(error.get("text", done["status"]), error.get("code", ""))
        return parts

    def describe(self, ceilings):
        return self.ask({"type": "describe", "ceilings": ceilings})[0]

    def time(self, row):
        """The part that tells the time of a row."""
        count, uniform = row.n * row.n, {"kind": "uniform", "low": -1, "high": 1}
        names = ["in", "second"] if row.second else ["in"]
        buffers = [{"name": b, "type": "f32", "count": count, "fill": uniform} for b in names]
        buffers.append({"name": "out", "type": "f32", "count": count, "role": "output"})
        args = [{"buffer": "out"}, {"buffer": "in"}, {"i32": row.n}] + ([{"buffer": "second"}] if row.second else [])
        launch = {"source": "a", "kernel": row.kernel, "grid": row.grid, "block": row.block, "args": args}
        return self.ask({
            "type": "measure", "deadline_ms": 60000, "seed": 1, "buffers": buffers, "runs": {"a": [launch]},
            "sources": {"a": {"name": row.kernel + ".cu", "text": text_of(row.kernel)}},
            "work": {"bytes": row.bytes, "flops": row.flops},
            "items": [{"probe": "timing", "runs": ["a"], "cache": "cold"}]})[0]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def run_once(program, cache, rows):
    """The parts by row; a row that this GPU has no room for is left out."""
    runner, parts = Runner(program, cache), {}
    for row in rows:
        try:
            parts[row.name] = runner.time(row)
        except Refused as why:
            if why.code != "too-large":
                raise
            print(f"{row.name}: left out: {why}")
    runner.close()
    return parts


# ---- the driver and NVRTC by ctypes, for the other tools ----

def first_library(names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise OSError("none of these can be loaded: " + ", ".join(names))


def compile_cubin(kernel, arch):
    """What the runner's compiler makes of the text: same name, same options."""
    lib = first_library([os.environ.get("WARPDRILL_NVRTC", "libnvrtc.so.13"), "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                         "/usr/local/cuda/lib64/libnvrtc.so"])
    options = [f"--gpu-architecture=sm_{arch}", "-lineinfo", "--std=c++17", "-default-device", "--ptxas-options=-v"]
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    given = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    for result in (lib.nvrtcCreateProgram(ctypes.byref(program), text_of(kernel).encode(), (kernel + ".cu").encode(), 0, None, None),
                   lib.nvrtcCompileProgram(program, len(options), given),
                   lib.nvrtcGetCUBINSize(program, ctypes.byref(size))):
        if result:
            raise RuntimeError(f"NVRTC refuses {kernel}.cu: result {result}")
    cubin = ctypes.create_string_buffer(size.value)
    if lib.nvrtcGetCUBIN(program, cubin):
        raise RuntimeError("NVRTC gives no cubin")
    return cubin.raw


class Driver:
    """Modules, memory and launches in the primary context, which PyTorch uses too."""

    def __init__(self, arch):
        self.cu, self.arch, self.functions, self.memory = first_library([os.environ.get("WARPDRILL_CUDA", "libcuda.so.1")]), arch, {}, []
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *args):
        result = getattr(self.cu, name)(*args)
        if result:
            raise RuntimeError(f"{name}: error {result}")

    def function(self, kernel):
        if kernel not in self.functions:
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            self.call("cuModuleLoadDataEx", ctypes.byref(module), compile_cubin(kernel, self.arch), 0, None, None)
            self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
            self.functions[kernel] = function
        return self.functions[kernel]

    def launcher(self, kernel, grid, block, values):
        """A function that launches on the stream given to it."""
        pointers = (ctypes.c_void_p * max(1, len(values)))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        shape = [ctypes.c_uint(x) for x in (list(grid) + [1, 1])[:3] + (list(block) + [1, 1])[:3]]
        function = self.function(kernel)

        def launch(stream=0, keep=values):
            self.call("cuLaunchKernel", function, *shape, ctypes.c_uint(0), ctypes.c_void_p(stream), pointers, None)
        return launch

    def filled(self, n):
        """Memory as the runner lays it out, 4 KiB of guard around: where two arrays lie to each other moves their times by per cents."""
        pointer, inside = ctypes.c_uint64(), ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(4 * n * n + 2 * GUARD))
        self.memory.append(pointer)
        inside.value = pointer.value + GUARD
        self.launcher("fill", [2048], [256], [inside, ctypes.c_int(n)])()
        self.call("cuCtxSynchronize")
        return inside

    def prepare(self, row):
        values = [self.filled(row.n), self.filled(row.n), ctypes.c_int(row.n)]
        if row.second:
            values.append(self.filled(row.n))
        return self.launcher(row.kernel, row.grid, row.block, values)

    def release(self):
        self.call("cuCtxSynchronize")
        for pointer in self.memory:
            self.call("cuMemFree_v2", pointer)
        self.memory = []


# ---- children: each prints one JSON object on its last line ----

def child_do_bench(arch, rows):
    import torch
    from triton.testing import do_bench
    torch.zeros(1, device="cuda")
    driver, stream = Driver(arch), torch.cuda.current_stream().cuda_stream
    l2_twice = torch.ones(64 * 1024 * 1024, dtype=torch.int32, device="cuda")

    def median(call):
        return do_bench(call, warmup=25, rep=100, quantiles=[0.5]) / 1e3

    def median_after_reading(call, n=30):
        """do_bench's order, but its 256 MB are read, so that no dirty line waits in L2."""
        events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(n)]
        for before, after in events:
            l2_twice.max()
            before.record()
            call()
            after.record()
        torch.cuda.synchronize()
        return statistics.median(before.elapsed_time(after) for before, after in events) / 1e3

    empty = driver.launcher("empty", [1], [1], [])
    out = {"event": median(lambda: None), "empty": median(lambda: empty(stream)), "rows": {}, "read": {}}
    for row in rows:
        launch = driver.prepare(row)
        out["rows"][row.name] = median(lambda: launch(stream))
        out["read"][row.name] = median_after_reading(lambda: launch(stream))
        driver.release()
    print(json.dumps(out))


def child_launch(arch, rows):
    driver = Driver(arch)
    for _ in range(NCU_LAUNCHES):
        driver.launcher("empty", [1], [1], [])()
    for row in rows:
        launch = driver.prepare(row)
        for _ in range(NCU_LAUNCHES):
            launch()
        driver.release()


def child_command(kind, arch, rows):
    names = ",".join(row.name for row in rows)
    return [sys.executable, os.path.abspath(__file__), "--child", kind, "--arch", str(arch), "--rows", names]


def by_do_bench(arch, rows):
    done = subprocess.run(child_command("do_bench", arch, rows), capture_output=True, text=True)
    if done.returncode:
        raise Refused((done.stderr.strip().splitlines() or ["it failed"])[-1])
    return json.loads(done.stdout.strip().splitlines()[-1])


UNITS = {"ns": 1e-9, "nsecond": 1e-9, "us": 1e-6, "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3, "s": 1, "second": 1}


def read_ncu(text, rows):
    """Medians from ncu's CSV, which begins at the line with "ID"; its second line holds the units. Launches are in our order."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        reason = [line for line in lines if "ERR" in line or "==ERROR==" in line]
        raise Refused(reason[0] if reason else "ncu printed no table")
    table = list(csv.DictReader(lines[start:]))
    metric = "gpu__time_duration.sum"
    unit, launches = UNITS[table[0][metric]], table[1:]
    wanted = ["empty"] + [row.kernel for row in rows]
    names = [kernel for kernel in wanted for _ in range(NCU_LAUNCHES)]
    if [launch["Kernel Name"].split("(")[0] for launch in launches] != names:
        raise Refused(f"ncu saw {len(launches)} launches, not the {len(names)} that were made in their order")
    seconds = [float(launch[metric].replace(",", "")) * unit for launch in launches]
    medians = [statistics.median(seconds[i:i + NCU_LAUNCHES]) for i in range(0, len(seconds), NCU_LAUNCHES)]
    return {"empty": medians[0], "rows": {row.name: m for row, m in zip(rows, medians[1:])}}


def by_ncu(arch, rows):
    ncu = shutil.which("ncu") or (glob.glob("/usr/local/cuda/bin/ncu") + [None])[0]
    if not ncu:
        raise Refused("ncu is not on the PATH")
    names = "|".join(sorted({row.kernel for row in rows} | {"empty"}))
    with tempfile.TemporaryDirectory() as own: # another user's lock file would block
        done = subprocess.run([ncu, "--csv", "--page", "raw", "--print-units", "base", "--metrics", "gpu__time_duration.sum",
                               "--cache-control", "all", "--clock-control", "none", "--kernel-name", f"regex:^({names})$"]
                              + child_command("launch", arch, rows),
                              capture_output=True, text=True, env=dict(os.environ, TMPDIR=own))
    return read_ncu(done.stdout + done.stderr, rows)


def same_cubins(cache, arch, rows):
    """How many of the kernels that the other tools ran lie byte for byte in the runner's cache."""
    stored = []
    for name in glob.glob(os.path.join(cache, "kernels", "*")):
        with open(name, "rb") as f:
            stored.append(f.read())
    kernels = sorted({row.kernel for row in rows})
    return sum(any(compile_cubin(k, arch) in s for s in stored) for k in kernels), len(kernels)


# ---- the table ----

def microseconds(seconds):
    return "-" if seconds is None else f"{seconds * 1e6:.2f}"


def ratio(theirs, ours):
    return "-" if theirs is None or not ours else f"{theirs / ours:.4f}"


def medians_of(runs, row):
    values = [run[row.name]["metrics"]["time"] for run in runs]
    return [v["value"] for v in values if "value" in v]


def remarks(part):
    return ", ".join(n for n in part.get("notes", []) if n != "cold" and not n.startswith("power"))


def print_table(rows, runs, tools):
    head = ["kernel, n", "ours us", "low", "high", "do_bench us", "ncu us", "do_bench/ours", "read flush/ours", "ncu/ours", "spread %",
            "remarks"]
    lines = [head]
    for row in rows:
        ours, first = medians_of(runs, row), runs[0][row.name]
        time = first["metrics"]["time"]
        if not ours:
            lines.append([row.name] + ["-"] * (len(head) - 2) + [time.get("say", "missing")])
            continue
        mid = statistics.median(ours)
        bench, read = (tools["do_bench"].get(k, {}).get(row.name) for k in ("rows", "read"))
        ncu = tools["ncu"].get("rows", {}).get(row.name)
        lines.append([row.name, microseconds(mid), microseconds(time.get("low")), microseconds(time.get("high")), microseconds(bench),
                      microseconds(ncu), ratio(bench, mid), ratio(read, mid), ratio(ncu, mid),
                      f"{100 * (max(ours) - min(ours)) / mid:.3f}", remarks(first)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    for line in lines:
        print("  ".join(c.ljust(w) if i in (0, len(head) - 1) else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip())


def print_floors(device, tools):
    ours = {k: v["value"] for k, v in device["ceilings"].items()}
    bench, ncu = tools["do_bench"], tools["ncu"]
    print(f"floors, us: two events with nothing between: ours {microseconds(ours.get('event'))}, do_bench {microseconds(bench.get('event'))}; "
          f"an empty kernel: ours {microseconds(ours.get('launch'))}, do_bench {microseconds(bench.get('empty'))}, ncu {microseconds(ncu.get('empty'))}")


def print_verdict(rows, runs, tools):
    for tool, key in (("do_bench", "rows"), ("do_bench, flush reading", "read"), ("ncu", "rows")):
        theirs = tools[tool.split(",")[0]].get(key, {})
        mids = {row.name: statistics.median(medians_of(runs, row)) for row in rows if medians_of(runs, row)}
        long = [name for name, mid in mids.items() if mid >= LONG_S and name in theirs]
        off = [name for name in long if abs(theirs[name] / mids[name] - 1) > AGREE]
        if long:
            print(f"{tool}: {len(long) - len(off)} of {len(long)} rows of {LONG_S * 1e3} ms or more within {AGREE:.0%}"
                  + (f"; not {', '.join(off)}" if off else ""))
    loose = [row.name for row in rows if (m := medians_of(runs, row)) and max(m) - min(m) > STEADY * statistics.median(m)]
    print(f"spread of our median over {len(runs)} runs: under {STEADY:.1%} in {len(rows) - len(loose)} of {len(rows)} rows"
          + (f"; not {', '.join(loose)}" if loose else ""))


NOTES = """ours: median of the runs' medians, low and high of the first run's 95 % interval; spread: largest less smallest over the median.
cold: ours reads a buffer of at least twice L2 and waits; do_bench zeroes 256 MB and does not, so dirty lines are written back while
the kernel runs ("read flush" repeats its order with those 256 MB read instead); ncu flushes and invalidates by itself.
ours and do_bench time between two events, which holds the launch; ncu the kernel alone."""


def print_device(device, cache, arch, rows, tools):
    print(f"{device['gpu']['name']}, driver {device['software']['driver']}, NVRTC {device['software']['nvrtc']}")
    print("ceilings: " + ", ".join(f"{k} {v['value']:.4g} {v['unit']}" for k, v in device["ceilings"].items()))
    if any(tools.values()):
        same, of = same_cubins(cache, arch, rows)
        print(f"cubins that all tools ran byte for byte: {same} of {of}")


def attempt(tool, work, asked):
    """What a tool measured, or {} with the reason printed."""
    try:
        if tool not in asked:
            raise Refused("not asked for")
        return work()
    except (Refused, OSError, RuntimeError, ValueError, KeyError) as why:
        print(f"{tool}: left out: {why}")
        return {}


def compare(options, rows, cache):
    runner = Runner(options.runner, cache)
    device = runner.describe("measure")
    runner.close()
    arch = round(10 * device["gpu"]["attributes"]["compute"])
    asked, half = options.tools.split(","), (options.runs + 1) // 2
    runs = [run_once(options.runner, cache, rows)]
    rows = [row for row in rows if row.name in runs[0]]
    runs += [run_once(options.runner, cache, rows) for _ in range(half - 1)]
    tools = {"do_bench": attempt("do_bench", lambda: by_do_bench(arch, rows), asked),
             "ncu": attempt("ncu", lambda: by_ncu(arch, rows), asked)}
    runs += [run_once(options.runner, cache, rows) for _ in range(options.runs - half)]
    print_device(device, cache, arch, rows, tools)
    print_table(rows, runs, tools)
    print_floors(device, tools)
    print_verdict(rows, runs, tools)
    print(NOTES)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", default="build/warpdrill-runner")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--short", action="store_true", help="only the rows of a few microseconds")
    parser.add_argument("--rows", help="only these: names of the table's first column, with commas between")
    parser.add_argument("--tools", default="do_bench,ncu")
    parser.add_argument("--child", choices=["do_bench", "launch"], help=argparse.SUPPRESS)
    parser.add_argument("--arch", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    rows = SHORT if options.short else LONG + SHORT
    if options.rows:
        rows = [row for row in LONG + SHORT if row.name in options.rows.split(",")]
    if options.child:
        return {"do_bench": child_do_bench, "launch": child_launch}[options.child](options.arch, rows)
    with tempfile.TemporaryDirectory() as cache:
        try:
            return compare(options, rows, cache)
        except (Refused, OSError) as why:
            print(f"gpu-bench: skipped: {why}")
            return None


if __name__ == "__main__":
    sys.exit(main())
