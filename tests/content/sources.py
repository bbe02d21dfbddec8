"""What tables, cards and drills name as their source, held against content/SOURCES.md in both directions."""
import csv
import glob
import os
import re

ID = r"(?:[WMUR]\d+[a-z]?|[DXN]\d\d)"
KINDS = {"errata": r"[WMUR]\d+[a-z]?", "drill": r"[DXN]\d\d", "drills": r"[DXN]\d\d"}


def named_by_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [(row["id"], row["source"] or "") for row in csv.DictReader(file) if not row["id"].startswith("#")]


def named_by_drills(path):
    found, item = [], None
    for line in open(path, encoding="utf-8"):
        item = (re.match(r"  ([a-z0-9-]+):\s*$", line) or [None, item])[1]
        source = re.match(r"    source: (.*)", line)
        if source:
            found.append((item, source[1].strip()))
    return found


def named(content):
    """Every (file, item, source) of the content."""
    found = []
    for pattern, read in (("tables/*.csv", named_by_rows), ("cards/*.csv", named_by_rows), ("drills/*.yaml", named_by_drills)):
        for path in sorted(glob.glob(os.path.join(content, pattern))):
            found += [(os.path.relpath(path, content), item, source) for item, source in read(path)]
    return found


def ids_in(source):
    return re.findall(rf"\b{ID}\b", source) if re.search(r"\b(errata|drills?)\b", source) else []


def listed(path):
    """Ids and names in the first cells of the lists, in their order; names only where there are no ids."""
    ids, names, section = [], [], ""
    for line in open(path, encoding="utf-8"):
        section = line[3:].strip() if line.startswith("## ") else section
        cell = re.match(r"\| ([^|]+?) \|", line)
        if cell and re.fullmatch(ID, cell[1]):
            ids.append(cell[1])
        elif cell and section == "Practice and measurement" and cell[1] not in ("name", "---"):
            names.append(cell[1])
    return ids, names


def order(identity):
    return "DXNWM".find(identity[0]), int(re.search(r"\d+", identity)[0]), identity


def problems_of_items(sources, ids):
    wrong = []
    for file, item, source in sources:
        for word, rest in re.findall(r"\b(errata|drills?)\b([^();]*)", source):
            if not re.fullmatch(KINDS[word], rest.split(",")[0].strip()):
                wrong.append(f"{file} {item}: no id after {word!r} in {source!r}")
        wrong += [f"{file} {item}: {i} is not in SOURCES.md" for i in ids_in(source) if i not in ids]
    return wrong


def problems_of_list(sources, ids, names):
    used = {i for _, _, source in sources for i in ids_in(source)}
    wrong = [f"SOURCES.md {i}: nothing names it" for i in ids if i not in used]
    wrong += [f"SOURCES.md {n}: nothing names it" for n in names if not any(n in source for _, _, source in sources)]
    wrong += [f"SOURCES.md {i}: twice" for i in sorted(set(ids)) if ids.count(i) > 1]
    wrong += [f"SOURCES.md {b}: stands after {a}" for a, b in zip(ids, ids[1:]) if order(a) > order(b)]
    return wrong if ids and names else wrong + ["SOURCES.md: no ids or no names were found"]


def problems(content):
    sources = named(content)
    ids, names = listed(os.path.join(content, "SOURCES.md"))
    return problems_of_items(sources, ids) + problems_of_list(sources, ids, names)
