"""Two GPUs by the runner: all-reduce beside PyTorch's (at most 5 % slower), copies to the next GPU beside a loop of
cudaMemcpyPeerAsync in which each meets the other GPU as a step's does (2 %), results, timelines, and what happens when one GPU fails. Prints TAP. usage: ranks.py RUNNER"""

import ctypes
import importlib.util
import json
import multiprocessing
import os
import subprocess
import sys
import time

BUS, COPY = 0.05, 0.02  # how much slower the runner may be
SIZES = (16 << 20, 256 << 20)  # bytes
MANY = 16
KERNELS = r"""
extern "C" __global__ void touch(float *w) { w[threadIdx.x] = 1; }
extern "C" __global__ void copy(float *out, const float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = x[i];
}
extern "C" __global__ void add(float *out, const float *x, const float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = x[i] + y[i];
}
extern "C" __global__ void mix(float *out, const float *both, int n, int first)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = both[first * n + i] + 3 * both[(1 - first) * n + i];
}
extern "C" __global__ void twice(float *out, const float *half, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = half[i % (n / 2)];
}
extern "C" __global__ void fault(float *w, int rank)
{
    if (rank == 1)
        w[1ull << 40] = 1;
}
extern "C" __global__ void endless(volatile float *w, int rank)
{
    while (rank == 1 && w[0] != 12345)
        ;
}
"""
REFERENCE = r"""
extern "C" __global__ void sum(double *out, const float *x, const float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = (double)x[i] + (double)y[i];
}
extern "C" __global__ void gathered(double *out, const float *own, const float *peer, int n, int rank)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = rank == 0 ? own[i] + 3.0 * peer[i] : peer[i] + 3.0 * own[i];
}
extern "C" __global__ void scattered(double *out, const float *own, const float *peer, int n, int rank)
{
    int h = n / 2;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = (double)own[rank * h + i % h] + (double)peer[rank * h + i % h];
}
extern "C" __global__ void exchanged(double *out, const float *own, const float *peer, int n, int rank)
{
    int h = n / 2;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = (i / h == rank ? own : peer)[rank * h + i % h];
}
"""


def launch(kernel, *args, source="a", **more):
    kinds = [a if isinstance(a, dict) else {"i32": a} if isinstance(a, int) else {"buffer": a} for a in args]
    return dict(source=source, kernel=kernel, grid=[264], block=[256], args=kinds, **more)


def collective(kind, source, to, **more):
    return {"step": "collective", "kind": kind, "from": source, "to": to, **more}


def peer_copy(source, to, **more):
    return {"step": "peer_copy", "from": source, "to": to, **more}


class Runner:
    def __init__(self, program, **environment):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(os.environ, **environment))
        self.id = 0
        self.send({"type": "open", "protocol": 1, "client": "test", "nonce": "n"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, n, runs, items, ranks=2, deadline=30000):
        self.id += 1
        buffers = [dict(name="x", type="f32", count=n, fill={"kind": "uniform", "low": -1, "high": 1}),
                   dict(name="t", type="f32", count=n, role="workspace"),
                   dict(name="big", type="f32", count=2 * n, role="workspace"),
                   dict(name="out", type="f32", count=n, role="output")]
        self.send(dict(type="measure", id=self.id, deadline_ms=deadline, ranks=ranks, buffers=buffers, runs=runs,
                       sources={"a": {"name": "a.cu", "text": KERNELS}, "r": {"name": "r.cu", "text": REFERENCE}},
                       work={"bytes": 0, "flops": 0}, items=items,
                       tolerance={"kind": "relative", "rel": 1e-5, "abs": 1e-5}))
        parts = []
        for line in self.process.stdout:
            message = json.loads(line)
            if message["type"] == "part":
                parts.append(message)
            if message["type"] == "done":
                return parts, message
        raise SystemExit("the runner is gone")

    def time(self, n, run):
        parts, done = self.ask(n, {"a": run}, [{"probe": "timing", "runs": ["a"]}])
        if not parts:
            raise SystemExit(done)
        return parts[0]["metrics"]["time"]["value"]

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def torch_all_reduce(rank, sizes, found):
    import torch
    import torch.distributed as dist
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29512", NCCL_NVLS_ENABLE="0")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=2)
    for size in sizes:
        x = torch.zeros(size // 4, device="cuda")
        dist.all_reduce(x)
        best = float("inf")
        for _ in range(8):
            torch.cuda.synchronize()
            dist.barrier()
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for _ in range(MANY):
                dist.all_reduce(x)
            torch.cuda.synchronize()
            best = min(best, (time.perf_counter() - begin) / MANY)
        if rank == 0:
            found.put((size, best))
    found.close()
    found.join_thread()
    os._exit(0)


def torch_times():
    context = multiprocessing.get_context("spawn")
    found = context.Queue()
    ranks = [context.Process(target=torch_all_reduce, args=(r, SIZES, found)) for r in range(2)]
    for p in ranks:
        p.start()
    times = dict(found.get(timeout=120) for _ in SIZES)
    for p in ranks:
        p.join(30)
    return times


def cuda_runtime():
    for name in ("libcudart.so.13", "libcudart.so.12", "/usr/local/cuda/lib64/libcudart.so", "libcudart.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def plain_copies(size, meet):
    """Both ways at once, as the runner's ranks do: seconds of one of MANY cudaMemcpyPeerAsync; None: no library. With `meet` none
    begins before the other GPU is ready for it, and nothing goes on before its own has come, which is what a step promises."""
    cuda = cuda_runtime()
    if not cuda:
        return None
    pointer = ctypes.c_void_p
    source, to, stream, ready, done = ([pointer(), pointer()] for _ in range(5))
    for d in range(2):
        cuda.cudaSetDevice(d)
        cuda.cudaDeviceEnablePeerAccess(1 - d, 0)
        cuda.cudaMalloc(ctypes.byref(source[d]), ctypes.c_size_t(size))
        cuda.cudaMalloc(ctypes.byref(to[d]), ctypes.c_size_t(size))
        cuda.cudaStreamCreateWithFlags(ctypes.byref(stream[d]), 1)
        cuda.cudaEventCreateWithFlags(ctypes.byref(ready[d]), 2)
        cuda.cudaEventCreateWithFlags(ctypes.byref(done[d]), 2)
    best = float("inf")
    for _ in range(8):
        begin = time.perf_counter()
        for _ in range(MANY):
            for d in range(2):
                cuda.cudaSetDevice(d)
                cuda.cudaEventRecord(ready[d], stream[d])
            for d in range(2):
                cuda.cudaSetDevice(d)
                if meet:
                    cuda.cudaStreamWaitEvent(stream[d], ready[1 - d], 0)
                cuda.cudaMemcpyPeerAsync(to[1 - d], 1 - d, source[d], d, ctypes.c_size_t(size), stream[d])
                cuda.cudaEventRecord(done[d], stream[d])
            for d in range(2):
                cuda.cudaSetDevice(d)
                if meet:
                    cuda.cudaStreamWaitEvent(stream[d], done[1 - d], 0)
        for d in range(2):
            cuda.cudaSetDevice(d)
            cuda.cudaStreamSynchronize(stream[d])
        best = min(best, (time.perf_counter() - begin) / MANY)
    for d in range(2):
        cuda.cudaSetDevice(d)
        cuda.cudaFree(source[d])
        cuda.cudaFree(to[d])
    return best


FAILED = []


COUNT = [0]


def judge(good, what):
    COUNT[0] += 1
    print(f"{'ok' if good else 'not ok'} {COUNT[0]} - {what}", flush=True)
    if not good:
        FAILED.append(what)


def compare(what, ours, theirs, within, size):
    if not theirs:
        judge(True, f"{what} # SKIP nothing to compare with: {size / ours / 1e9:.1f} GB/s")
        return
    judge(ours < theirs * (1 + within),
          f"{what} of {size >> 20} MiB: {size / ours / 1e9:.1f} GB/s beside {size / theirs / 1e9:.1f} GB/s")


def bandwidths(runner):
    theirs = torch_times() if importlib.util.find_spec("torch") else {}
    for size in SIZES:
        run = [dict(launch("touch", "t"), grid=[1], block=[32])]
        run += [collective("all_reduce", "out", "out")] * MANY
        compare("all_reduce", runner.time(size // 4, run) / MANY, theirs.get(size), BUS, size)
    size = SIZES[-1]
    run = [dict(launch("touch", "t"), grid=[1], block=[32])] + [peer_copy("x", "t")] * MANY
    compare("copies to the next GPU", runner.time(size // 4, run) / MANY, plain_copies(size, True), COPY, size)
    alone = plain_copies(size, False)
    if alone:
        print(f"# {size / alone / 1e9:.1f} GB/s where none meets the other GPU")


def results(runner):
    n = 1 << 22
    both = [launch("copy", "out", "x", n)]
    runs = {"a": both + [collective("all_reduce", "out", "out")],
            "b": [peer_copy("x", "t"), launch("add", "out", "x", "t", n)],
            "c": [peer_copy("x", "t", through="host"), launch("add", "out", "x", "t", n)],
            "d": [collective("send_receive", "x", "t"), launch("add", "out", "x", "t", n)],
            "w": both, "r": [launch("sum", "out", "x", {"peer": "x"}, n, source="r")]}
    parts, _ = runner.ask(n, runs, [{"probe": "check", "runs": ["a", "b", "c", "d"], "against": "r"},
                                    {"probe": "check", "runs": ["w"], "against": "r"}])
    for part in parts:
        if part["run"] != "r":
            right = "verdict: right" in part["notes"]
            judge(right == (part["run"] != "w"), f"run {part['run']} is {'right' if right else 'wrong'}")
    parts, _ = runner.ask(n, runs, [{"probe": "timeline", "runs": ["a", "c"]}])
    for part in parts:
        values = {k: v.get("value", -1) for k, v in part["metrics"].items()}
        judge(0 < values["exposed_time"] <= values["comm_time"] < values["step_time"],
              f"timeline of {part['run']}: {values['comm_time'] * 1e6:.0f} us of {values['step_time'] * 1e6:.0f}")


def in_parts(runner):
    """What is gathered, scattered and exchanged, and that the order of the parts is seen."""
    n = 1 << 22
    own = {"rank": True}
    ours = {"g": [collective("all_gather", "x", "big"), launch("mix", "out", "big", n, 0)],
            "h": [collective("all_gather", "x", "big"), launch("mix", "out", "big", n, 1)],
            "s": [collective("reduce_scatter", "x", "t"), launch("twice", "out", "t", n)],
            "o": [launch("twice", "out", "x", n)],
            "e": [collective("all_to_all", "x", "t"), launch("copy", "out", "t", n)],
            "k": [launch("copy", "out", "x", n)]}
    for kind, right, wrong, truth in (("all_gather", "g", "h", "gathered"), ("reduce_scatter", "s", "o", "scattered"),
                                      ("all_to_all", "e", "k", "exchanged")):
        runs = {right: ours[right], wrong: ours[wrong], "r": [launch(truth, "out", "x", {"peer": "x"}, n, own, source="r")]}
        parts, done = runner.ask(n, runs, [{"probe": "check", "runs": [right, wrong], "against": "r"}])
        found = {part["run"]: "verdict: right" in part["notes"] for part in parts}
        judge(found.get(right) is True, f"{kind} brings what it should {done.get('error', '')}")
        judge(found.get(wrong) is False, f"{kind} in another order, or not at all, is seen")


def faults(program, runner):
    n = 1 << 20
    add = [collective("all_reduce", "out", "out")]
    fine = {"a": [launch("copy", "out", "x", n)] + add}
    timing = [{"probe": "timing", "runs": ["a"]}]
    _, done = runner.ask(n, {"a": [launch("fault", "t", {"rank": True})] + add}, timing)
    judge(done.get("error", {}).get("text", "").split(":")[0] in ("GPU 1", "GPU 1 or GPU 0", "GPU 0 or GPU 1"), f"a fault names its GPU: {done.get('error', {}).get('text')}")
    judge(not runner.ask(n, fine, timing)[1].get("error"), "the next request works")
    begin = time.monotonic()
    _, done = runner.ask(n, {"a": [launch("endless", "t", {"rank": True})] + add}, timing, deadline=3000)
    took = time.monotonic() - begin
    judge(done.get("error", {}).get("code") == "timeout" and took < 4, f"a rank that hangs is left after {took:.1f} s")
    judge(not runner.ask(n, fine, timing)[1].get("error"), "the next request works")
    judge(runner.close() == 0, "the runner leaves")
    for name, value, words in (("WARPDRILL_NCCL", "/nowhere", "NCCL"), ("CUDA_VISIBLE_DEVICES", "0", "needs 2 GPUs")):
        other = Runner(program, **{name: value})
        _, done = other.ask(n, fine, timing)
        judge(words in done.get("error", {}).get("text", ""), f"{name}={value}: {done.get('error', {}).get('text')}")
        other.close()


def gpus_listed():
    try:
        said = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout
    except OSError:
        said = ""
    return len(said.strip().splitlines())


def main():
    if gpus_listed() < 2:
        print("1..0 # SKIP two GPUs are needed, there are", gpus_listed())
        return
    runner = Runner(sys.argv[1])
    results(runner)
    in_parts(runner)
    bandwidths(runner)
    faults(sys.argv[1], runner)
    print(f"1..{COUNT[0]}")
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    main()
