#!/usr/bin/env python3
"""The exhibits of content/packs/many-gpus/sixteen-ranks, from one stated model: what a step is made of, and one thing that differs in each variant.

    sixteen_ranks.py OUT            writes OUT/VARIANT/sealed/exhibits/*.json

tests/cases.sh writes them anew and compares byte for byte with what is shipped. Only random.Random(seed).random() is used: it is the same on every
machine. Times are in milliseconds.

The model. Sixteen H200, eight in each of two nodes, one NIC for each. Each rank computes `kernels` ms in `gaps` ms of pauses, then the gradients are reduced in three
parts: reduce-scatter inside the node, all-reduce with the GPU of the same place in the other node, all-gather inside the node.
    compute            6 x parameters x tokens / (MFU x peak), a third of it forward
    inside the node    (8 - 1) / 8 x gradients / (450 GB/s x 0.80), twice
    between the nodes  gradients / 8 a NIC, sent and received at once, / (50 GB/s x 0.92)
All ranks leave the reduction together: whoever arrives late waits less, by as much as it is late. Now and then a rank is late by some hundredths of a second, as
ranks of real jobs are, and it is another one each time. Power and clock are means over a step: a card that waits draws less than one that computes, and may clock higher.
"""
import json
import os
import random
import sys

RANKS, GPUS, STEPS = 16, 8, 12
PARAMETERS, TOKENS, PEAK, MFU = 8e9, 4096, 989e12, 0.51
NVLINK, NVLINK_SHARE, NIC, NIC_SHARE, DRAM = 450e9, 0.80, 50e9, 0.92, 4.3e12
OPTIMIZER, GAPS, DATA, JITTER, CLOCK, WAITING_CLOCK = 27.0, 3.0, 1.2, 4.0, 1755, 1890
HICCUP, HICCUP_SHARE = (9.0, 27.0), 0.012           # ms late, in this share of a rank's steps
COMPUTING, REDUCING, UPDATING = 684, 312, 455       # watts

COMPUTE = 6 * PARAMETERS * TOKENS / (MFU * PEAK) * 1e3
FORWARD = COMPUTE / 3

# What differs, and what only looks as if it did: a port with retries, a card that is warmer than most at full clock, lines of a log.
VARIANTS = {
    "a": {"recompute": 11, "retries": {2: 14}, "warm": {3: 7},                # this rank computes its forward pass again during backward
          "noise": ["node b  kernel  EDAC MC3: 1 CE memory read error on CPU_SrcID#1_Ha#0_Chan#2_DIMM#0", "node b  cron    logrotate finished in 2.1 s"]},
    "b": {"narrow": 5, "retries": {12: 31, 9: 3}, "warm": {14: 9},            # the port of this rank runs on one lane of four
          "noise": ["node a  kernel  perf: interrupt took too long (2512 > 2500), lowering kernel.perf_event_max_sample_rate to 79000",
                    "node b  systemd node-exporter.service: restarted, 3rd time this week"]},
    "c": {"hot": 6, "clock": 1316, "retries": {10: 6}, "warm": {12: 6, 1: 4},  # the clock of this rank's GPU
          "noise": ["node b  kernel  nvidia-peermem: loaded", "node a  chrony  system clock was stepped by 0.8 s"]},
    "d": {"gradient_bytes": 4, "retries": {7: 22, 8: 19}, "warm": {4: 10},    # gradients are reduced in 32 bits
          "noise": ["node a  kernel  EDAC MC1: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0", "node b  kernel  mlx5_core: port module event: module 7, cable plugged (at boot)"]},
}


class Model:
    def __init__(self, variant):
        v = VARIANTS[variant]
        self.noise = random.Random("sixteen-ranks " + variant)
        self.variant, self.narrow = v, v.get("narrow")
        self.width = v.get("gradient_bytes", 2)
        self.gradients = PARAMETERS * self.width
        self.slow = [CLOCK / v["clock"] if r == v.get("hot") else 1.0 for r in range(RANKS)]
        cast = (self.gradients + 2 * PARAMETERS) / DRAM * 1e3 if self.width == 4 else 0
        self.forward = [FORWARD * s for s in self.slow]
        again = [FORWARD if r == v.get("recompute") else 0 for r in range(RANKS)]
        self.backward = [(COMPUTE - FORWARD) * s + cast + a for s, a in zip(self.slow, again)]
        self.inside = 2 * (GPUS - 1) / GPUS * self.gradients / (NVLINK * NVLINK_SHARE) * 1e3
        self.rail = [self.gradients / GPUS / (NIC * NIC_SHARE * (0.25 if self.is_narrow(r) else 1)) * 1e3 for r in range(RANKS)]

    def is_narrow(self, rank):
        return self.narrow is not None and rank % GPUS == self.narrow % GPUS

    def jitter(self, most):
        return most * self.noise.random()

    def hiccup(self):
        low, high = HICCUP
        late = self.noise.random() < HICCUP_SHARE
        return low + (high - low) * self.noise.random() if late else 0

    def step(self):
        """One step: each rank's time before the reduction and in it."""
        arrive = [DATA + f + b + self.jitter(JITTER) + self.hiccup() for f, b in zip(self.forward, self.backward)]
        done = max(arrive) + (self.inside + max(self.rail)) * (1 + self.jitter(0.02))
        return arrive, [done - a for a in arrive], done


def table(rows, **figures):
    return {"rows": rows, "figures": figures}


def near(m, value, share, digits):
    return round(value * (1 + share * (2 * m.noise.random() - 1)), digits)


def exhibits(variant):
    m = Model(variant)
    ranks = list(range(RANKS))
    steps = [m.step() for _ in range(STEPS)]
    mean = lambda k, r: sum(s[k][r] for s in steps) / STEPS
    out = {}
    out["steps"] = {"rows": ranks, "columns": list(range(1, 1 + STEPS)),
                    "figures": {"step": [[round(s[2] + OPTIMIZER + m.jitter(0.4), 1) for s in steps] for _ in ranks]}}
    out["phases"] = table(ranks, loader=[near(m, DATA, 0.1, 2) for _ in ranks], forward=[near(m, m.forward[r], 0.012, 1) for r in ranks],
                          backward=[round(mean(0, r) - DATA - m.forward[r] + mean(1, r) + m.jitter(0.4), 1) for r in ranks],
                          optimizer=[near(m, OPTIMIZER, 0.01, 1) for _ in ranks])
    out["phases"]["notes"] = ["backward as the framework times it: until the gradients are there"]
    out["reduction"] = {"rows": ranks, "columns": list(range(1, 1 + STEPS)),
                        "figures": {"reduction": [[round(s[1][r], 1) for s in steps] for r in ranks]},
                        "notes": ["from when a rank calls the reduction to when it returns"]}
    out["kernels"] = table(ranks, kernels=[near(m, m.forward[r] + m.backward[r] - GAPS, 0.009, 1) for r in ranks],
                           gaps=[near(m, GAPS, 0.4, 2) for _ in ranks])
    out["kernels"]["notes"] = ["traced for one step on every rank; kernels of the reduction are left out"]
    out["clocks"] = clocks(m, [mean(0, r) for r in ranks], [mean(1, r) for r in ranks])
    out["clocks"]["notes"] = ["means over one minute of the job, computing and waiting together"]
    out["ports"] = table(ranks, sent=[near(m, m.gradients / GPUS / 1e9, 0.001, 3) for _ in ranks],
                         retries=[m.variant["retries"].get(r, 0) for r in ranks])
    out["ports"]["notes"] = ["of one minute, divided by its steps; how fast a port could send they do not count"]
    out["rates"] = table(ranks, rate=[near(m, NIC * NIC_SHARE / 1e9 * (0.25 if r == m.narrow else 1), 0.004, 1) for r in ranks])
    out["rates"]["notes"] = ["ib_write_bw, 8 MB messages, the best against three ports of the other node; the job was stopped"]
    out["recorder"] = {"lines": recorder(m, steps[-1])}
    out["logs"] = {"lines": logs(m)}
    return out


def clocks(m, computes, waits):
    """Of a card by time: what it draws and how it clocks while it computes, is in the reduction, and updates."""
    clock, power, heat = [], [], []
    for r in range(RANKS):
        slow, whole = m.slow[r], computes[r] + waits[r] + OPTIMIZER
        full = CLOCK / slow
        watts = (computes[r] * COMPUTING * slow ** -1.6 + waits[r] * REDUCING * slow ** -0.5 + OPTIMIZER * UPDATING) / whole
        clock.append(near(m, (full * (computes[r] + OPTIMIZER) + waits[r] * (WAITING_CLOCK if slow == 1 else full)) / whole, 0.004, 0))
        power.append(near(m, watts, 0.02, 0))
        heat.append(near(m, 87 if slow != 1 else 42 + watts / 28 + m.variant["warm"].get(r, 0), 0.03, 0))
    return table(list(range(RANKS)), clock=clock, power=power, temperature=heat)


def recorder(m, step):
    dtype = "bfloat16" if m.width == 2 else "float32"
    arrive, spent, _ = step
    first = min(arrive)
    lines = ["sequence 4812, reduce, times in ms", "rank started  ended type     elem."]
    for r in range(RANKS):
        lines.append("%-4d %7.1f %6.1f %-8s %.0fe9" % (r, arrive[r] - first, arrive[r] - first + spent[r], dtype, PARAMETERS / 1e9))
    return lines


def logs(m):
    return ["rank 0  config  parameters 8.0e9  tokens_per_rank 4096  precision bfloat16",
            "rank 0  config  reduce_dtype %s  overlap_reduction no  recompute none" % ("bfloat16" if m.width == 2 else "float32"),
            "rank 0  init    nRanks 16 nNodes 2 localRanks 8, 8 NICs a node in use, transport NET/IB with GPU Direct RDMA",
            "node a  kernel  NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.159.04",
            "node a  kernel  EXT4-fs (nvme1n1p1): mounted filesystem, quota mode: none",
            "node b  kernel  NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.159.04"] + m.variant["noise"] + [
            "no Xid and no NVLink error on either node since boot, 23 days ago"]


def write(path, exhibit):
    """A row of a table a line, so that people and diffs can read it."""
    def value(v, indent):
        if isinstance(v, list) and v and isinstance(v[0], (list, str)):
            return "[\n" + ",\n".join(" " * (indent + 2) + json.dumps(x) for x in v) + "\n" + " " * indent + "]"
        if isinstance(v, dict):
            return "{\n" + ",\n".join('%s"%s": %s' % (" " * (indent + 2), k, value(x, indent + 2)) for k, x in v.items()) + "\n" + " " * indent + "}"
        return json.dumps(v)
    head = {"format": 1, "tier": "generated", "made": "2026-11-21", "by": "sixteen_ranks.py, a model of two nodes of eight H200"}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.write(value({**head, **exhibit}, 0) + "\n")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: sixteen_ranks.py OUT")
    for variant in VARIANTS:
        for name, exhibit in exhibits(variant).items():
            write(os.path.join(sys.argv[1], variant, "sealed", "exhibits", name + ".json"), exhibit)


if __name__ == "__main__":
    main()
