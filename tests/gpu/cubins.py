"""What the driver's loader does with machine code that was tampered with: the reason for which a pack holds none (SECURITY.md).

    cubins.py CUBIN KERNEL [SECONDS]     a report on stdout; CUBIN is whole, for this GPU, and has KERNEL
    cubins.py --ptx PTX KERNEL [SECONDS] the same of a PTX, which the driver assembles

One to four bytes become others, half of them in a section drawn first, so that small ones are met as often as the code; children
load what comes of it by cuModuleLoadData, and nothing is launched. Of each mutant is told whether `looks_whole` takes it: all that a reader could verify of such a file in front of the driver (header, bounds and kinds of
sections, symbols, relocations, attributes of kernels, no trap in the code). A child that dies of a signal died in the loader.
"""
import collections, ctypes, json, os, random, struct, subprocess, sys, time

KNOWN = (".shstrtab", ".strtab", ".symtab", ".debug_frame", ".debug_line", ".nv_debug_line_sass", ".nv_debug_ptx_txt",
         ".note.nv.tkinfo", ".note.nv.cuinfo", ".nv.info", ".nv.compat", ".nv.callgraph", ".nv.prototype", ".nv.rel.action",
         ".rela.", ".rel.", ".text.", ".nv.global", ".nv.shared.", ".nv.constant", ".nv.local.")
MAY_BE_UNDEFINED = ("", ".nv.reservedSmem.offset0")
BY_SYMBOL = {0x2f: 8, 0x11: 8, 0x12: 8, 0x23: 8}                        # registers, frame, stacks: a symbol and a number
SIZED = {0x37: 4, 0x17: 12, 0x10: 12, 0x0a: 8, 0x36: 4, 0x05: 12}        # attributes of a kernel with one length
LISTED = {0x1c, 0x28, 0x29, 0x46, 0x31, 0x25}                             # lists of offsets into the code, each of 4 bytes
PLAIN = {0x50, 0x1b, 0x4c, 0x5f, 0x19, 0x4a, 0x38, 0x3e, 0x41}            # numbers of two bytes


class Bad(Exception):
    pass


def need(good, what):
    if not good:
        raise Bad(what)


def sections_of(b):
    need(len(b) >= 64 and b[:4] == b"\x7fELF" and b[4:7] == b"\2\1\1" and b[7] == 65 and b[8] == 8, "head")
    kind, machine, version, entry, phoff, shoff, flags, ehsize, phsize, phnum, shsize, shnum, names = \
        struct.unpack_from("<HHIQQQIHHHHHH", b, 16)
    need((kind, machine, version, entry, ehsize, phsize, shsize) == (2, 190, 1, 0, 64, 56, 64), "head")
    need(flags & 0xff == 4 and flags >> 8 & 0xff == 90, "architecture")
    need(0 < shnum < 1024 and shoff % 8 == 0 and shoff + 64 * shnum <= len(b) and names < shnum, "section table")
    need(phnum < 64 and phoff % 8 == 0 and phoff + 56 * phnum <= len(b), "program table")
    table = [struct.unpack_from("<IIQQQQIIQQ", b, shoff + 64 * i) for i in range(shnum)]
    taken = [(0, 64), (shoff, shoff + 64 * shnum), (phoff, phoff + 56 * phnum)]
    for i, (name, kind, flags, addr, off, size, link, info, align, entry) in enumerate(table):
        need(kind == 8 or off + size <= len(b), "section bounds")
        need(addr == 0 and link < shnum and align <= 4096 and align & (align - 1) == 0, "section")
        need(kind != 8 or size <= 232448, "shared memory")
        need(kind in (0, 1, 2, 3, 4, 7, 8, 9, 0x70000000, 0x70000001, 0x70000086), "kind of section")
        need({2: 24, 4: 24, 9: 16}.get(kind, entry) == entry and (not entry or size % entry == 0), "entries")
        if kind not in (0, 8) and size:
            taken.append((off, off + size))
    taken.sort()
    need(all(a[1] <= c[0] for a, c in zip(taken, taken[1:])), "sections overlap")
    for kind, flags, off, vaddr, paddr, filesz, memsz, align in (struct.unpack_from("<IIQQQQQQ", b, phoff + 56 * i) for i in range(phnum)):
        need(kind in (1, 6) and off + filesz <= len(b) and filesz <= memsz <= 1 << 20 and not vaddr and not paddr, "segment")
        need(align == 8 and flags in (4, 5, 6), "segment")
    return table, names


def text_at(b, section, at):
    need(at < section[5] and 0 in b[section[4] + at:section[4] + section[5]], "a name")
    name = b[section[4] + at:b.index(0, section[4] + at)]
    need(all(32 < c < 127 for c in name), "a name")
    return name.decode()


def look_at_symbols(b, table, symtab, names):
    strings, found = table[symtab[6]], []
    for i in range(symtab[5] // 24):
        name, info, other, index, value, size = struct.unpack_from("<IBBHQQ", b, symtab[4] + 24 * i)
        word = text_at(b, strings, name) if name else ""
        need(info & 15 in (0, 1, 2, 3) and info >> 4 in (0, 1, 2), "kind of symbol")
        need(index < len(table), "a symbol's section")
        need(index or word in MAY_BE_UNDEFINED, "an external symbol")
        need(not index or value + size <= table[index][5], "a symbol's bounds")
        need(info & 15 != 2 or (index and names[index] == ".text." + word and value == 0), "a kernel's symbol")
        found.append((word, info & 15, index))
    return found


def look_at_attributes(b, section, symbols, code):
    d, at, params = b[section[4]:section[4] + section[5]], 0, []
    while at < len(d):
        need(at + 4 <= len(d), "attributes")
        form, what, value = d[at], d[at + 1], struct.unpack_from("<H", d, at + 2)[0]
        at += 4
        if form != 4:
            need(form in (1, 2, 3) and what in PLAIN, "an attribute")
            continue
        body = d[at:at + value]
        need(len(body) == value and what in BY_SYMBOL or what in SIZED or what in LISTED, "an attribute")
        need(value == BY_SYMBOL.get(what, SIZED.get(what, value)) and value % 4 == 0, "an attribute's length")
        if what in BY_SYMBOL:
            symbol, n = struct.unpack("<II", body)
            need(symbol < len(symbols) and symbols[symbol][1] == 2 and n <= (255 if what == 0x2f else 1 << 19), "resources")
        if what == 0x17:
            params.append(struct.unpack("<IHHI", body))
        if what in (0x1c, 0x28, 0x46):
            need(all(x < code for x in struct.unpack(f"<{value // 4}I", body)), "an offset")
        at += value
    return params


def looks_whole(b, kernel):
    """Raises Bad with what was found."""
    table, at = sections_of(b)
    names = [text_at(b, table[at], s[0]) if s[1] else "" for s in table]
    need(all(n == "" or n.startswith(KNOWN) for n in names) and names[0] == "", "a section of an unknown name")
    need(len(set(names)) == len(names), "two sections of one name")
    symtabs = [s for s in table if s[1] == 2]
    need(len(symtabs) == 1 and table[symtabs[0][6]][1] == 3, "symbol table")
    symbols = look_at_symbols(b, table, symtabs[0], names)
    need((kernel, 2) in [(w, k) for w, k, _ in symbols], "another kernel")
    code = names.index(".text." + kernel)
    params = []
    for name, s in zip(names, table):
        if name.startswith(".nv.info"):
            params += look_at_attributes(b, s, symbols, table[code][5])
        if s[1] == 4:
            need(s[7] < len(table) and name == ".rela" + names[s[7]], "a relocation's section")
            for i in range(s[5] // 24):
                off, kind, symbol, add = struct.unpack_from("<QIIq", b, s[4] + 24 * i)
                need(kind == 2 and symbol < len(symbols) and off + 8 <= table[s[7]][5] and not add, "a relocation")
        if name.startswith(".text."):
            words = b[s[4]:s[4] + s[5]]
            need(s[5] % 128 == 0 and all((words[i] | words[i + 1] << 8) & 0x1ff != 0x15c for i in range(0, len(words), 16)), "a trap")
    bound = 0
    for i, (index, ordinal, offset, bits) in enumerate(sorted(params, key=lambda p: p[1])):
        need(index == 0 and ordinal == i and offset >= bound and bits >> 18 in (4, 8), "parameters")
        bound = offset + (bits >> 18)


def spans_of(good):
    """Where its sections lie, its tables too; of a text, all of it."""
    if good[:4] != b"\x7fELF":
        return [(0, len(good))]
    table, _ = sections_of(good)
    phoff, shoff = struct.unpack_from("<QQ", good, 32)
    spans = [(s[4], s[5]) for s in table if s[1] not in (0, 8) and s[5]]
    return spans + [(0, 64), (phoff, 56 * struct.unpack_from("<H", good, 56)[0]), (shoff, 64 * len(table))]


def mutant(good, spans, seed):
    r = random.Random(seed)
    b = bytearray(good)
    at, size = r.choice(spans) if r.random() < 0.5 else (0, len(good))
    for _ in range(r.choice((1, 1, 2, 4))):
        b[at + r.randrange(size)] = r.choice((0, 1, 0x7f, 0x80, 0xff, r.randrange(256)))
    return bytes(b)


def child(path, kernel, first, step):
    cu = ctypes.CDLL("libcuda.so.1")
    device, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    cu.cuInit(0)
    cu.cuDeviceGet(ctypes.byref(device), 0)
    cu.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
    cu.cuCtxSetCurrent(context)
    good = open(path, "rb").read()
    spans = spans_of(good)
    for seed in range(first, first + (1 << 30), step):
        b = mutant(good, spans, seed)
        os.write(1, b"%d " % seed)
        rc = cu.cuModuleLoadData(ctypes.byref(module), b + bytes(64))
        if rc == 0:
            cu.cuModuleUnload(module)
        os.write(1, b"%d\n" % rc)


def run(path, kernel, lane, lanes, until):
    """{seed: what came of it}: a result of the driver, or a signal below 0."""
    found, at = {}, lane
    while time.time() < until:
        p = subprocess.Popen([sys.executable, __file__, "child", path, kernel, str(at), str(lanes)], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)
        try:
            out, _ = p.communicate(timeout=max(0.5, until - time.time()))
        except subprocess.TimeoutExpired:
            p.kill()
            out, _ = p.communicate()
        lines = out.split("\n")
        found.update((int(a), int(c)) for a, c in (line.split() for line in lines[:-1] if len(line.split()) == 2))
        last = lines[-1].split()
        if not last or p.returncode == -9:
            break
        found[int(last[0])] = p.returncode
        at = int(last[0]) + lanes
    return found


def main():
    ptx = sys.argv[1] == "--ptx"
    path, kernel, seconds = (sys.argv[1 + ptx:] + ["20"])[:3]
    good = open(path, "rb").read()
    spans = spans_of(good)
    if not ptx:
        looks_whole(good, kernel)
    until, lanes = time.time() + float(seconds), min(12, os.cpu_count() or 1)
    import concurrent.futures
    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        found = {}
        for part in pool.map(lambda lane: run(path, kernel, lane, lanes, until), range(lanes)):
            found.update(part)
    counts, passed_died, why = collections.Counter(), [], collections.Counter()
    for seed, rc in found.items():
        b = mutant(good, spans, seed)
        if b == good:
            continue
        kind = "taken"
        try:
            if not ptx:
                looks_whole(b, kernel)
        except (Bad, struct.error) as bad:
            kind = "refused"
            why[str(bad)] += 1
        counts[kind, "died" if rc < 0 else "loaded" if rc == 0 else "an error"] += 1
        if kind == "taken" and rc < 0:
            passed_died.append([seed, rc] + [[i, x, y] for i, (x, y) in enumerate(zip(good, b)) if x != y])
    print(json.dumps({"path": path, "mutants": sum(counts.values()), "counts": {" ".join(k): v for k, v in counts.items()}, "refused for": why,
                      "taken and died": sorted(passed_died)[:40]}, indent=1))


if sys.argv[1] == "child":
    child(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
else:
    main()
