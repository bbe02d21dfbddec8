"""`warpdrill check --live` on every variant of the shipped packs, a few at a time: what was found is kept in a table.

    live.py --build BUILD [--runner R] [--packs DIR] [--only PART]... [--seconds S] --table FILE

A variant whose row has its code's SHA-256 is not measured again, so that a run that was cut goes on, and a change of a kernel asks
for its variants alone. The first variant of each story comes first. Nothing is begun after S seconds. TAP on stdout; the rows that
were there stay, but those of other code. Where the first brings nothing, as without a GPU, all is skipped with its reason. Of
stories on several GPUs and without kernels there is nothing to be told.
"""
import argparse, hashlib, json, pathlib, re, subprocess, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = "id\teffect\tsizes\tspoilt\treadings\tfindings\tsanitizer\tseconds\tcode"
CODE = ("*.cu", "*.py", "*.ptx", "launches.yaml", "benchmark.yaml")


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=str(ROOT / "build"))
    p.add_argument("--runner")
    p.add_argument("--packs", default=str(ROOT / "content/packs"))
    p.add_argument("--only", action="append", default=[], help="part of an id")
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--table", required=True)
    a = p.parse_args()
    a.runner = a.runner or a.build + "/warpdrill-runner"
    a.packs = pathlib.Path(a.packs)
    return a


def variants(packs):
    found = []
    for story in packs.glob("*/*/scenario.yaml"):
        text = story.read_text()
        if not re.search(r"^kind: case|\bgpus: [2-9]", text, re.M):
            found += [str(p.relative_to(packs)) for p in story.parent.glob("?")]
    return sorted(found, key=lambda i: (i[-1], i))


def code_of(packs, id):
    """Of all that is run for it: its own code and its story's."""
    own = packs / id
    files = [f for folder in (own, own / "sealed", own.parent, own.parent / "sealed") for pattern in CODE for f in folder.glob(pattern)]
    return hashlib.sha256(b"".join(f.read_bytes() for f in sorted(files))).hexdigest()[:16]


def read_table(path):
    path = pathlib.Path(path)
    lines = path.read_text().splitlines() if path.is_file() else []
    rows = [line.split("\t") for line in lines if line and not line.startswith("#") and line != HEAD]
    return [line for line in lines if line.startswith("#")], {row[0]: row for row in rows}


def write_table(path, notes, rows):
    text = "\n".join([*notes, HEAD, *("\t".join(rows[id]) for id in sorted(rows))])
    beside = pathlib.Path(str(path) + ".new")
    beside.write_text(text + "\n")
    beside.rename(path)


def row_of(id, pack, seconds, code):
    """What a report of `check --json` says of the one variant that was measured; None: it was not."""
    if not pack["live"]:
        return None
    l, effect = pack["live"][0], pack["live"][0].get("effect")
    found = [f for f in pack["findings"] if f["rule"].startswith("live-")]
    without = [f for f in found if "compute-sanitizer is not there" in f["text"]]
    rules = sorted({f["rule"] for f in found if f not in without})
    untold = {size[0] for f in without if (size := re.findall(r" at (.*), under ", f["text"]))}     # sizes at which a tool looks too
    return [id, f"{effect['value']:.3f}" if effect else "-", f"{l['sizes_right']}/{l['sizes'] - len(untold)}", f"{l['refused']}/{l['spoilt']}",
            f"{l['held']}/{l['readings']}", ",".join(rules) or "-", "no" if without else "yes", f"{seconds:.0f}", code]


def look(a, id, code):
    began = time.monotonic()
    command = [a.build + "/warpdrill", "check", str(a.packs / id.split("/")[0]), id, "--live", "--no-compile", "--json", "--trust", "--runner", a.runner]
    try:
        out = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return row_of(id, json.loads(out.stdout)["packs"][0], time.monotonic() - began, code), out.stderr
    except OSError as why:
        return None, str(why)
    except (ValueError, LookupError):
        return None, out.stderr


def main():
    a, n, bad = arguments(), 0, 0
    until = time.monotonic() + a.seconds
    notes, rows = read_table(a.table)
    codes = {id: code_of(a.packs, id) for id in variants(a.packs)}
    rows = {id: row for id, row in rows.items() if row[-1] == codes.get(id)}
    todo = [id for id in codes if id not in rows and (not a.only or any(part in id for part in a.only))]
    for id in todo:
        if time.monotonic() > until:
            break
        row, said = look(a, id, codes[id])
        if not row and n == 0:
            print(f"1..0 # SKIP {said.strip().splitlines()[-1] if said.strip() else 'nothing was said of ' + id}")
            return False
        n += 1
        if row:
            rows[id] = row
            write_table(a.table, notes, rows)
        bad += not row or row[5] != "-"
        print(f"{'ok' if row and row[5] == '-' else 'not ok'} {n} - {' '.join(row or [id, said.strip()[-200:]])}", flush=True)
    print(f"1..{n}\n# {len(rows)} of {len(codes)} variants have a row")
    return bad > 0


if __name__ == "__main__":
    raise SystemExit(main())
