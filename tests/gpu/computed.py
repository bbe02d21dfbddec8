#!/usr/bin/env python3
"""Compares computed counters with the profiler's on this machine's GPU, kernel by kernel, and prints one table.

  computed.py --runner build/warpdrill-runner [--kernels NAMES]

Each kernel of computed.cu is asked of two runners over the protocol: one with CUPTI, one that is told that there is
none. TAP; skips with a reason where there is no GPU or no permission. Needs python3 alone.
"""
import argparse, json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COUNT = 1 << 20
AGREE = 0.01
TWO = {"transpose_naive", "transpose_tile", "transpose_padded"}
BLOCKS = {"divergent": 100}
SMALL = {"shared_bytes", "matrix_load"}
NAMES = ("copy_scalar copy_vector transpose_naive transpose_tile transpose_padded strided divergent atomics wide_contiguous wide_one "
         "wide_pairs wide_quads wide_halves_alike wide_far_twins wide_stride wide_conflict wide_two_banks quad_contiguous quad_one "
         "quad_pairs quad_quarters_alike quad_conflict shared_bytes async_copy matrix_load generic").split()


class Runner:
    def __init__(self, program, cache, **more):
        env = dict(os.environ, WARPDRILL_CACHE=cache, **more)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self.send({"type": "open", "protocol": 1, "client": "computed", "nonce": "c0"})
        self.wait("hello")

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def wait(self, kind, parts=None):
        for line in self.process.stdout:
            message = json.loads(line)
            if message["type"] == "part" and parts is not None:
                parts.append(message)
            if message["type"] == kind:
                return message
        raise SystemExit("Bail out! the runner is gone")

    def measure(self, number, kernel):
        with open(os.path.join(HERE, "computed.cu"), encoding="utf-8") as f:
            text = f.read()
        block = [32, 8] if kernel in TWO else [BLOCKS.get(kernel, 256)]
        lanes = 1024 if kernel in TWO else block[0] * (4 if kernel == "copy_vector" or kernel == "async_copy" else 1)
        grid = [32, 32] if kernel in TWO else [COUNT // lanes] if not kernel.startswith(("wide", "quad")) and kernel not in SMALL else [64]
        self.send({"type": "measure", "id": number, "deadline_ms": 20000, "seed": 7,
                   "sources": {"a": {"name": "computed.cu", "text": text}},
                   "buffers": [{"name": "in", "type": "f32", "count": COUNT, "fill": {"kind": "uniform", "low": -1, "high": 1}},
                               {"name": "out", "type": "f32", "count": COUNT, "role": "output"}],
                   "runs": {"a": [{"source": "a", "kernel": kernel, "grid": grid, "block": block,
                                   "args": [{"buffer": "out"}, {"buffer": "in"}, {"i32": COUNT}]}]},
                   "work": {"bytes": 8 * COUNT, "flops": 0},
                   "items": [{"probe": "memory", "runs": ["a"]}, {"probe": "shared", "runs": ["a"]}]})
        parts = []
        done = self.wait("done", parts)
        return {name: value for part in parts for name, value in part["metrics"].items()}, parts, done

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def agree(name, measured, computed):
    """The profiler's wavefronts and conflicts hold some arbitration with other traffic: a little more than computed is the same."""
    if abs(measured - computed) <= AGREE * max(abs(measured), abs(computed)):
        return True
    return name.endswith("wavefronts") and 0 < measured - computed < 0.1


def compare(kernel, measured, computed, changed):
    """Figures of a part whose note says that the machine code has other accesses are shown, not judged."""
    wrong = []
    for name, value in computed.items():
        have = measured.get(name, {})
        if "value" not in value or "value" not in have:
            if ("value" in value) != ("value" in have):
                print(f"# {kernel:20} {name:26} measured {have.get('value', have.get('missing'))}  computed {value.get('value', value.get('missing'))}")
            continue
        m, c = have["value"], value["value"]
        ok = agree(name, m, c)
        told = name == "bank_conflicts" or name == "active_lanes"  # shown, not judged: the hardware's counts more than this
        print(f"# {kernel:20} {name:26} {m:14.4f} {c:14.4f}  {c / m if m else float('nan'):8.4f}{'' if ok else '  differs'}")
        if not ok and not told and name not in changed:
            wrong.append(name)
    return wrong


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--runner", required=True)
    options.add_argument("--kernels")
    options = options.parse_args()
    names = options.kernels.split(",") if options.kernels else NAMES
    with tempfile.TemporaryDirectory() as cache:
        live, blind = Runner(options.runner, cache), Runner(options.runner, cache, WARPDRILL_CUPTI="/nonexistent")
        first, parts, done = live.measure(1, names[0])
        if not any("value" in v for v in first.values()) or any(p["tier"] != "live" for p in parts):
            print("1..0 # SKIP", json.dumps(done.get("error", {})))
            return 0
        print(f"1..{len(names)}")
        print(f"# {'kernel':20} {'metric':26} {'measured':>14} {'computed':>14}  {'ratio':>8}")
        failed = 0
        for at, name in enumerate(names):
            measured, _, done_live = live.measure(2 + at, name)
            computed, parts, done_blind = blind.measure(2 + at, name)
            changed = {m for p in parts if any("machine code" in note or "lanes diverge" in note or "generic addresses" in note for note in p["notes"]) for m in p["metrics"]}
            wrong = compare(name, measured, computed, changed)
            fell = len(parts) == 2 and all(p["tier"] == "computed" for p in parts)
            if not fell:
                print("#", json.dumps(done_blind.get("error", {})), json.dumps([p["notes"] for p in parts]))
            failed += not fell or bool(wrong)
            print(f"{'ok' if fell and not wrong else 'not ok'} {at + 1} - {name}{': ' if wrong else ''}{', '.join(wrong)}")
        for p in parts:
            print("# notes:", json.dumps(p["notes"]))
        live.close()
        blind.close()
    return 1 if failed else 0


sys.exit(main())
