"""Numbers with units as tables and cards write them: the few units that they use, read independently of the program."""
import csv
import re

UNITS = {"": 1.0, "1": 1.0, "B": 1.0, "s": 1.0, "flop": 1.0, "flop/s": 1.0, "B/s": 1.0, "flop/B": 1.0, "cycle": 1.0, "cycles": 1.0,
         "%": 0.01, "min": 60.0}
PREFIXES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "m": 1e-3, "u": 1e-6, "n": 1e-9,
            "Ki": 2.0 ** 10, "Mi": 2.0 ** 20, "Gi": 2.0 ** 30}


def unit_factor(unit):
    if unit in UNITS:
        return UNITS[unit]
    for prefix, factor in PREFIXES.items():
        if unit.startswith(prefix) and unit[len(prefix):] in UNITS and unit[len(prefix):] not in ("", "1", "%", "min"):
            return factor * UNITS[unit[len(prefix):]]
    raise ValueError("unknown unit " + unit)


def dimension(unit):
    for prefix in ["", *sorted(PREFIXES, key=len, reverse=True)]:
        rest = unit[len(prefix):]
        if unit.startswith(prefix) and rest in UNITS:
            return {"": "1", "%": "1", "min": "s", "cycles": "cycle"}.get(rest, rest)
    raise ValueError("unknown unit " + unit)


def read_quantity(text, unit):
    """The value in base units; a bare number has the unit asked for. Thousands may be separated: 131,072."""
    found = re.fullmatch(r"(-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9.]+)(?:e-?[0-9]+)?) ?(\S*)", text)
    if not found:
        raise ValueError("cannot read " + text)
    own = found[2] or unit
    if dimension(own) != dimension(unit):
        raise ValueError(f"{text} is not in {unit}")
    return float(found[1].replace(",", "")) * unit_factor(own)


def read_csv(path):
    """Rows as dictionaries; rows that begin with # are comments."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, strict=True) if row and not row[0].startswith("#")]
    for row in rows:
        if len(row) != len(rows[0]):
            raise ValueError(f"{path}: row {row[0]} has {len(row)} cells, the head {len(rows[0])}")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def read_table(path):
    """id -> column -> number where it is one, else text; "name [unit]" is called name."""
    table = {}
    for row in read_csv(path):
        cells = {}
        for head, cell in row.items():
            name, _, unit = head.partition(" [")
            try:
                cells[name] = read_quantity(cell, unit.rstrip("]"))
            except ValueError:
                cells[name] = cell
                if unit and cell:
                    raise
        if row["id"] in table:
            raise ValueError(f"{path}: {row['id']} twice")
        table[row["id"]] = cells
    return table
