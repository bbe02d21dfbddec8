"""Proofs of the drills over the links of two GPUs, from the figures that were measured of them: v.ceiling."""
from drill_proof import proof


@proof("links/staged", None, "10%")
def _(v):
    down, up, direct = v.n / v.ceiling.to_host, v.n / v.ceiling.to_device, v.n / v.ceiling.peer_copy
    answer = down + up
    wrong = [down, direct]
    return locals()


@proof("links/all-reduce", None, "10%")
def _(v):
    wire = v.n / v.ceiling.all_reduce_beta
    answer = v.ceiling.all_reduce_alpha + wire
    wrong = [wire, v.ceiling.all_reduce_alpha, answer + wire]
    return locals()


@proof("links/half-way", None, "10%")
def _(v):
    alpha, beta = v.ceiling.all_reduce_alpha, v.ceiling.all_reduce_beta
    answer = alpha * beta
    reached = answer / (alpha + answer / beta)
    assert abs(reached / beta - 0.5) < 1e-9
    wrong = [2 * answer, answer / 2]
    return locals()


@proof("links/many-messages", None, "10%")
def _(v):
    each = v.ceiling.all_reduce_alpha + v.n / v.k / v.ceiling.all_reduce_beta
    answer = v.k * each
    waits, wire = v.k * v.ceiling.all_reduce_alpha, v.n / v.ceiling.all_reduce_beta
    wrong = [v.ceiling.all_reduce_alpha + wire, v.k * (v.ceiling.all_reduce_alpha + wire), waits]
    return locals()


@proof("links/decode-step", None, "10%")
def _(v):
    size = v.batch * v.hidden * 2
    one = v.ceiling.all_reduce_alpha + size / v.ceiling.all_reduce_beta
    sums = 2 * v.layers
    answer = sums * one
    wrong = [answer / 2, sums * size / v.ceiling.all_reduce_beta]
    return locals()
