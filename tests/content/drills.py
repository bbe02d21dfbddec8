#!/usr/bin/env python3
"""Proves the drills by working every template out a second time, in TAP.

    drills.py WARPDRILL [RUNNER]     seeds 0 (canonical) to LAST of every template; with RUNNER also those over a GPU

Against the program: what was drawn is legal, the answer, the alternatives, the value behind every mistake and every number of question and solution
are right, the answer is graded as right and each mistake with its own words. Against the subject: every source and every unit is covered."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import drill_proof  # noqa: E402
import drill_proof_device  # noqa: E402,F401
import drill_proof_links  # noqa: E402,F401
import drill_proof_measured  # noqa: E402,F401
import drill_proof_serving  # noqa: E402,F401
import drill_proof_training  # noqa: E402,F401
from drill_proof import PROOFS, Drawn, isclose  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
LAST = 200
ON_A_MACHINE = ("machine/", "measured/", "links/")  # what a machine gives is fixed there: some mistakes say nothing
SOURCES = [f"D{i:02}" for i in range(1, 16)] + [f"X{i:02}" for i in range(1, 28)] + [f"N{i:02}" for i in range(1, 36)]
PREFIX = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "m": 1e-3, "\u00b5": 1e-6, "u": 1e-6, "n": 1e-9, "Ki": 1024, "Mi": 1024 ** 2,
          "Gi": 1024 ** 3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
UNIT = r"(?:(?:Ki|Mi|Gi|[kMGTPm\u00b5un])?(?:B/s|B|s|flop/s|flop/B|flop|FLOPS|Hz)|tok/s|min|h|%|million|billion|trillion)"
DIGITS = r"-?[\d,]*\.?\d+(?:e[+-]?\d+)?"
ONE_OF_MANY = re.compile(r"(?<![\w.,^/*+=-])(?<![/x*+=-] )1 (?:are|were|have|do|blocks|bytes|chunks|devices|experts|GPUs|groups|heads|layers|microbatches|nodes|"
                         r"requests|rounds|rows|sectors|sequences|slots|SMs|stages|steps|threads|tiles|times|tokens|units|users|warps|waves|words)\b")
NUMBER = re.compile(rf"^({DIGITS})(?: ({UNIT}))?$")
failed = tests = 0


def report(name, problems):
    global failed, tests
    tests += 1
    print(("not ok" if problems else "ok"), tests, "-", name)
    failed += bool(problems)
    for p in problems[:int(os.environ.get('SHOW', 15))]:
        print("#   " + p)
    if len(problems) > 15:
        print(f"#   and {len(problems) - 15} more")


def holds(tolerance, value, right):
    off = abs(value - right)
    if tolerance == "exact":
        return off <= 1e-9 * abs(right)
    if tolerance.startswith("x"):
        return value * right > 0 and max(value / right, right / value) <= float(tolerance[1:]) * (1 + 1e-9)
    if tolerance.endswith("points"):
        return off <= float(tolerance.split()[0]) / 100 * (1 + 1e-9)
    return off <= float(tolerance.rstrip("%")) / 100 * abs(right) * (1 + 1e-9)


def same(a, b):
    return isclose(a, b, rel_tol=1e-9, abs_tol=1e-15)


def numbers_in(x):
    if isinstance(x, bool) or x is None:
        return
    if isinstance(x, (int, float)):
        yield float(x)
    elif isinstance(x, dict):
        for y in x.values():
            yield from numbers_in(y)
    elif isinstance(x, (list, tuple)):
        for y in x:
            yield from numbers_in(y)


def read_number(text):
    """Value and half a unit of the last digit shown, both in SI units; None when it is no number."""
    m = NUMBER.match(text)
    if not m:
        return None
    digits, unit = m.group(1).replace(",", ""), m.group(2) or ""
    mantissa, _, exponent = digits.partition("e")
    step = 10.0 ** -len(mantissa.partition(".")[2]) * 10.0 ** int(exponent or 0)
    if "." not in mantissa and abs(float(mantissa)) >= 1000:
        step = max(step, 10.0 ** (len(mantissa) - 4)) if unit else step
    if unit in ("tok/s", ""):
        scale = 1.0
    elif unit in ("min", "h", "%"):
        scale = {"min": 60.0, "h": 3600.0, "%": 0.01}[unit]
    elif unit in PREFIX and len(unit) > 2:
        scale = PREFIX[unit]
    else:
        scale = PREFIX[re.match(r"^(.*?)(?:B/s|B|s|flop/s|flop/B|flop|FLOPS|Hz)$", unit).group(1)]
    return float(digits) * scale, 0.5000001 * step * scale


def fillings(template, text, drawn):
    """What stands in place of each brace of the template; names of rows are known."""
    parts = re.split(r"\{([^}]*)\}", template)
    rows = {k: x["name"] for k, x in drawn.items() if isinstance(x, dict) and "name" in x}
    pattern = "".join(re.escape(p) if i % 2 == 0 else "(" + re.escape(rows[p]) + ")" if p in rows else rf"({DIGITS}(?: {UNIT})?)" for i, p in enumerate(parts))
    m = re.fullmatch(pattern, text, re.S)
    return list(zip(parts[1::2], m.groups())) if m else None


def check_numbers(where, template, text, known, drawn, wrong):
    found = fillings(template, text, drawn)
    if found is None:
        wrong.append(f"{where}: the text does not fit its template: {text}")
        return
    for formula, shown in found:
        number = read_number(shown)
        if number is None:
            if not isinstance(drawn.get(formula), dict):
                wrong.append(f"{where}: {{{formula}}} shows '{shown}', which is no number")
        elif not any(abs(number[0] - k) <= number[1] + 1e-9 * abs(k) for k in known):
            wrong.append(f"{where}: {{{formula}}} shows '{shown}', which nothing here is worth")


def drawn_of(o, device):
    v = Drawn({k: Drawn(x) if isinstance(x, dict) else x for k, x in o["drawn"].items()})
    if o["needs_gpu"]:
        v["gpu"], v["ceiling"] = device
    return v


def survivors(wrong, answer, accept, tolerance):
    """Mistakes, by their place in the list, that say something else than the answers and than those above them."""
    kept = []
    for k, w in enumerate(wrong):
        if not any(holds(tolerance, w, right) for right in [answer, *accept]) and not any(holds(tolerance, w, wrong[j]) for j in kept):
            kept.append(k)
    return kept


def check_instance(o, device, problems, alive):
    f, canonical, tolerance = PROOFS[o["id"]]
    where = f"{o['id']} --seed {o['seed']}"
    drawn = drawn_of(o, device)
    own = f(drawn)
    answer, accept = own["answer"], own.get("accept", [])
    if any(own.get("bad", [])):
        problems["draws"].append(f"{where}: an excluded instance was drawn: {o['ask']}")
    if not same(o["answer"], answer) or len(o["accepts"]) != len(accept) or not all(same(a["value"], b) for a, b in zip(o["accepts"], accept)):
        problems["answers"].append(f"{where}: {o['answer']:.10g} {[a['value'] for a in o['accepts']]}, worked out {answer:.10g} {accept}")
    places = survivors(own["wrong"], answer, accept, tolerance)
    kept = [own["wrong"][k] for k in places]
    given = [m["value"] for m in o["mistakes"]]
    if len(own["wrong"]) != o["written_mistakes"] or len(kept) != len(given) or not all(same(a, b) for a, b in zip(kept, given)):
        problems["mistakes"].append(f"{where}: {given}, worked out {kept} of {len(own['wrong'])}")
    alive.setdefault(o["id"], set()).update(places)
    for a in [o["graded"], *o["accepts"]]:
        if a["how"] != "right":
            problems["grading"].append(f"{where}: the right answer {a['value']:.6g} counts as {a['how']}: {a['say']}")
    for m in o["mistakes"]:
        if m["graded"]["how"] != "slip" or m["graded"]["slip"] != m["says"]:
            problems["grading"].append(f"{where}: {m['value']:.6g} counts as {m['graded']['how']}, '{m['graded']['slip']}', not '{m['says']}'")
    known = list(numbers_in({k: x for k, x in own.items() if k != "bad"})) + list(numbers_in(drawn))
    known += [8 * x for x in drawn.values() if isinstance(x, float)]  # bits
    check_numbers(where + " ask", o["templates"]["ask"], o["ask"], known, drawn, problems["numbers"])
    check_numbers(where + " solution", o["templates"]["solution"], o["solution"], known, drawn, problems["numbers"])
    for text in [o["ask"], o["hint"], o["solution"], *[m["says"] for m in o["mistakes"]], *o.get("choices", [])]:
        if "n/a" in text or "nan" in text.split() or "{" in text or "  " in text:
            problems["numbers"].append(f"{where}: odd text: {text}")
        if ONE_OF_MANY.search(text):
            problems["one"].append(f"{where}: {text}")
    if o["seed"] == 0 and canonical is not None:
        if not holds("1%" if tolerance != "exact" else "exact", o["answer"], canonical) or o["canonical"] != "right":
            problems["canonical"].append(f"{where}: {o['answer']:.6g}, the source has {canonical:.6g} ({o['canonical']})")


def run(program, runner):
    command = [program, "drill", "--seeds", f"0..{LAST}"] + (["--runner", runner] if runner else [])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report("every template brings instances", [f"exit {done.returncode}: {done.stderr.strip()}"] if done.returncode or "warpdrill:" in done.stderr else [])
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    device = next((o["device"] for o in lines if "device" in o), {})
    gpu = Drawn(device.get("gpu", {}).get("attributes", {}))
    ceilings = {k: x["value"] for k, x in device.get("ceilings", {}).items()}
    return [o for o in lines if "id" in o], (gpu, Drawn(ceilings | link_figures(device.get("links"))))


def link_figures(links):
    """The worst of all pairs and GPUs, under the names that formulas have."""
    if not links:
        return {}
    direct, staged = ([pair[way] for pair in links["pairs"]] for way in ("direct", "staged"))
    host, fit = links["host"], links["all_reduce"]
    return {"peer_copy": min(w["one_way"] for w in direct), "peer_latency": max(w["latency"] for w in direct),
            "staged_copy": min(w["one_way"] for w in staged), "to_device": min(h["to_device"] for h in host),
            "to_host": min(h["to_host"] for h in host), "all_reduce_alpha": fit["alpha"], "all_reduce_beta": fit["beta"]}


def check_variety(instances, alive, with_gpu):
    wrong = []
    by_id = {}
    for o in instances:
        by_id.setdefault(o["id"], []).append(o)
    for name, all_of in by_id.items():
        answers = {o["answer"] for o in all_of}
        if "choices" in all_of[0]:
            if len(answers) != len(all_of[0]["choices"]) and not name.startswith(ON_A_MACHINE):
                wrong.append(f"{name}: of {len(all_of[0]['choices'])} choices only {sorted(answers)} are ever right")
        elif len({o["ask"] for o in all_of}) < 5 and not name.startswith(ON_A_MACHINE):
            wrong.append(f"{name}: {len(answers)} different answers in {len(all_of)} seeds")
        dead = set(range(all_of[0]["written_mistakes"])) - alive.get(name, set())
        if dead and not name.startswith(ON_A_MACHINE):
            wrong.append(f"{name}: mistakes {sorted(d + 1 for d in dead)} never say anything")
    for name in PROOFS:
        if name not in by_id and (with_gpu or not name.startswith(ON_A_MACHINE)):
            wrong.append(f"{name}: proven here, but there is no such template")
    report("answers vary and every mistake speaks somewhere", wrong)


def check_cover(instances):
    sources, teaches, units, wrong = set(), set(), {}, []
    for o in instances:
        sources |= set(re.findall(r"\b[DXN]\d\d\b", o["source"].partition(";")[0]))
        teaches |= set(o["teaches"])
    for line in open(os.path.join(HERE, "inventory.tsv"), encoding="utf-8"):
        if not line.startswith("#") and line.strip():
            unit, _, by = line.rstrip("\n").split("\t")[:3]
            units[unit] = by.split()
    wrong += [f"drills {s}: no template names it" for s in SOURCES if s not in sources]
    wrong += [f"'{t}' is taught, but no unit of the inventory" for t in sorted(teaches) if t not in units]
    wrong += [f"{u}: the inventory says drills, no template teaches it" for u, by in units.items() if "drills" in by and u not in teaches]
    report("every source and every unit marked for drills is covered", wrong)


def main():
    runner = sys.argv[2] if len(sys.argv) > 2 else None
    instances, device = run(sys.argv[1], runner)
    problems = {k: [] for k in ("draws", "answers", "mistakes", "grading", "numbers", "canonical", "one", "unproven")}
    alive = {}
    for o in instances:
        if o["id"] not in PROOFS:
            problems["unproven"] += [o["id"]] if o["seed"] == 0 else []
        else:
            check_instance(o, device, problems, alive)
    names = {"draws": "no excluded instance is drawn", "answers": "every answer worked out again", "mistakes": "the value behind every mistake worked out again",
             "grading": "right answers are right, each mistake triggers its own words", "numbers": "every number of questions and solutions worked out again",
             "canonical": "canonical answers are the source's", "one": "one of a thing is no plural",
             "unproven": "every template has a proof"}
    for key, found in problems.items():
        report(names[key], found)
    check_variety(instances, alive, runner is not None)
    check_cover(instances)
    print(f"# {len({o['id'] for o in instances})} templates, {len(instances)} instances")
    print(f"1..{tests}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
