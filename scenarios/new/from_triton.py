#!/usr/bin/env python3
"""From a Triton cache folder to the files of a variant whose image runs (content/FORMAT.md, "an image").

    from_triton.py CACHE/HASH kernel.py PACK/STORY/VARIANT [--and CACHE/HASH]... [--as fix] [--kernel NAME] [--made-by NAME]

CACHE/HASH is a folder in which Triton leaves NAME.json and NAME.ptx of one compiled kernel (~/.triton/cache, or
$TRITON_CACHE_DIR); --and names those of the text's other kernels, which become one image with it. Written are NAME.py,
NAME.ptx and NAME.image.yaml (NAME: suspect, or what --as says, then in sealed/), and on stdout the launch of each, as far
as its folder tells it. Runs with Python alone; Triton need not be there.

What the folder holds: triton.compiler.compile of triton-lang/triton, python/triton/compiler/compiler.py, puts each
stage as NAME.STAGE beside NAME.json, whose keys are those of the compiler's options (num_warps, num_stages, num_ctas)
and `name` and `shared`; 3.x adds `target`, `triton_version`, `global_scratch_size` and `profile_scratch_size`. Keys that
a version lacks are told. Parameters are those of the PTX itself: 3.x appends pointers for global and profile scratch
memory to them.
"""
import argparse, datetime, hashlib, json, pathlib, re, sys

WARP = 32


def fail(text):
    sys.exit("from_triton.py: " + text)


def pick(folder, kernel):
    """NAME.json of the kernel; a group's json only lists files."""
    names = [p for p in sorted(folder.glob("*.json")) if not p.name.startswith("__grp__")]
    names = [p for p in names if kernel in (None, p.stem)]
    if len(names) != 1:
        found = ", ".join(p.stem for p in names) or "none"
        fail(f"{folder} has {found}; one NAME.json was expected (--kernel NAME picks one)")
    return names[0]


def name_files(ptx, name):
    """The file of the kernel's lines is called as the pack calls the text, others by their own names; folders go."""
    own = re.search(r"^\s*\.loc\s+(\d+)", ptx, re.M)
    plain = re.compile(r'^(\s*\.file\s+)(\d+)(\s+)"([^"]*)"(\s*"([^"]*)")?(.*)$', re.M)

    def short(m):
        file = name if own and m[2] == own[1] else (m[6] or m[4]).rpartition("/")[2]
        return f'{m[1]}{m[2]}{m[3]}"{file}"{m[7]}'
    return plain.sub(short, ptx)


def without_debug(ptx):
    """Sections of debugging text name folders, and lines need .loc alone."""
    return re.sub(r"^\s*\.section\s+\.debug_\w+\s*\{.*?^\s*\}\s*$", "", ptx, flags=re.M | re.S)


def number_files(ptx, files):
    """Indices of files go on from those of the kernels before."""
    new = {}
    for index, file in re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', ptx, re.M):
        new[index] = files.setdefault(file, str(len(files) + 1))
    ptx = re.sub(r"^\s*\.file\s.*\n", "", ptx, flags=re.M)
    return re.sub(r"^(\s*\.loc\s+)(\d+)", lambda m: m[1] + new[m[2]], ptx, flags=re.M)


def join(texts):
    """Kernels of one text become one image: the head of the first, what stands outside of kernels once, and each kernel."""
    head = re.match(r".*?^\.address_size 64\n", texts[0], re.M | re.S)[0]
    files, seen, out = {}, set(), [head]
    for ptx in texts:
        for line in number_files(ptx.partition(".address_size 64\n")[2], files).splitlines(keepends=True):
            once = re.match(r"\.(extern \.shared|global) ", line)
            if not once or line not in seen:
                out.append(line)
            if once:
                seen.add(line)
    return "".join(out) + "".join(f'\t.file\t{index} "{file}"\n' for file, index in files.items())


def clean(texts, name):
    """What Triton made of one kernel or of several, as a pack has it."""
    texts = [without_debug(name_files(ptx, name)) for ptx in texts]
    return texts[0] if len(texts) == 1 else join(texts)


def parameters(ptx, name):
    entry = re.search(r"\.entry\s+" + re.escape(name) + r"\s*\((.*?)\)", ptx, re.S)
    if not entry:
        fail(f"the PTX has no kernel {name}")
    return re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)([^,]*)", entry[1])


def argument(kind, rest, scratch):
    if scratch:
        return "{i64: 0}"
    pointer = ".ptr" in rest or kind in ("u64", "b64")
    return "BUFFER" if pointer else "{%s: VALUE}" % {"f32": "f32", "f64": "f64", "s64": "i64"}.get(kind, "i32")


def cannot(meta):
    """What a pack's launch cannot express."""
    out = []
    if meta.get("num_ctas", 1) != 1:
        out.append(f"num_ctas {meta['num_ctas']}: write it as `cluster`, and multiply the grid by it")
    for key in ("global_scratch_size", "profile_scratch_size"):
        if meta.get(key):
            out.append(f"{key} {meta[key]}: name a workspace of that size for each program in its place")
    if meta.get("tmem_size"):
        out.append("tensor memory is used: it runs where the PTX's target is alone")
    for key in ("num_warps", "shared", "name"):
        if key not in meta:
            out.append(f"the folder does not tell {key}")
    return out


def read(folder, kernel):
    """What the folder tells of one kernel, its PTX, and when it was made."""
    path = pick(folder, kernel)
    meta = json.loads(path.read_text())
    if not path.with_suffix(".ptx").is_file():
        fail(f"{path.with_suffix('.ptx')} is not there; it was expected beside {path.name}")
    meta.setdefault("kernel", meta.get("name", path.stem))
    return meta, path.with_suffix(".ptx").read_text(), path.stat().st_mtime


def target_of(texts):
    targets = sorted({t for ptx in texts for t in re.findall(r"^\.target\s+(sm_\w+)", ptx, re.M) or ["none"]})
    if len(targets) > 1 or targets == ["none"]:
        fail("one .target was expected, of all kernels; " + ", ".join(targets) + " was found")
    return targets[0]


def options_of(meta):
    constants = [f"{k}={v}" for k, v in sorted(meta.get("constants", {}).items())]
    return " ".join(constants + [f"{k}={meta[k]}" for k in ("num_warps", "num_stages", "num_ctas", "shared") if k in meta])


def show_launch(meta, ptx):
    params = parameters(ptx, meta["kernel"])
    scratch = sum(k in meta for k in ("global_scratch_size", "profile_scratch_size"))
    args = [argument(k, rest, i >= len(params) - scratch) for i, (k, rest) in enumerate(params)]
    threads = WARP * meta.get("num_warps", 4)
    print(f'  - {{kernel: {meta["kernel"]}, grid: [PROGRAMS], block: [{threads}], shared: {meta.get("shared", 0)}, '
          f'args: [{", ".join(args)}]}}')
    for line in cannot(meta):
        print("cannot: " + line, file=sys.stderr)


def main():
    a = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    a.add_argument("folder", type=pathlib.Path)
    a.add_argument("text", type=pathlib.Path)
    a.add_argument("variant", type=pathlib.Path)
    a.add_argument("--and", dest="others", type=pathlib.Path, action="append", default=[])
    a.add_argument("--as", dest="role", default="suspect", choices=["suspect", "fix", "best", "half", "rest"])
    a.add_argument("--kernel")
    a.add_argument("--made-by", default="the author of the pack")
    a = a.parse_args()
    parts = [read(a.folder, a.kernel)] + [read(folder, None) for folder in a.others]
    target = target_of([ptx for _, ptx, _ in parts])
    ptx = clean([ptx for _, ptx, _ in parts], f"{a.role}.py")
    text = a.text.read_text()
    folder = a.variant if a.role == "suspect" else a.variant / "sealed"
    folder.mkdir(parents=True, exist_ok=True)
    options = [options_of(meta) for meta, _, _ in parts]
    if len(parts) > 1:
        options = [f"{meta['kernel']}: {one}" for (meta, _, _), one in zip(parts, options)]
    sha = lambda s: hashlib.sha256(s.encode()).hexdigest()
    about = {"format": 2, "text": sha(text), "ptx": sha(ptx), "compiler": f"Triton {parts[0][0].get('triton_version', 3)}",
             "options": '"' + "; ".join(options) + '"', "target": target, "made-by": a.made_by,
             "made": datetime.date.fromtimestamp(max(when for _, _, when in parts)).isoformat()}
    for ending, content in ((".py", text), (".ptx", ptx),
                            (".image.yaml", "".join(f"{k}: {v}\n" for k, v in about.items()))):
        there = folder / (a.role + ending)
        if there.exists():
            fail(f"{there} is there already; take it away first")
        there.write_text(content)
    for meta, _, _ in parts:
        show_launch(meta, ptx)


if __name__ == "__main__":
    main()
