"""Images of packs made again from their texts, by the options of their provenance, and their hashes compared.

    rebuild.py FOLDER...           TAP on stdout: is the PTX the very one that Triton makes of the text here?
    rebuild.py --write FOLDER...   writes PTX and hashes in the place of those that are there (an author's way to make them)

Needs a machine with Triton (and PyTorch); a GPU need not be there, since the target is named. `options` of an image made by
Triton reads "KERNEL: NAME=VALUE ... num_warps=4 num_stages=3 signature=*fp16:16,i32:16,fp32; KERNEL: ...": constants in capitals,
then the compiler's options, then the type of each argument, with :16 where it is a multiple of sixteen. "KERNEL: " may be left
out where the text has one. Another version of Triton makes other PTX: such images are told apart and not compared.
"""
import hashlib, importlib.util, pathlib, re, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scenarios" / "new"))
import from_triton

count, failed = 0, 0


def ok(what, good, more=""):
    global count, failed
    count += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}" + (f"\n# {more}" if more else ""), flush=True)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def load(text):
    """The text as a module; Triton reads kernels from a file, whose name stands in the PTX's comments."""
    path = pathlib.Path(tempfile.mkdtemp()) / "kernel.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("kernel", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kernel_of(module, name):
    import triton
    fn = getattr(module, name)
    while not isinstance(fn, triton.JITFunction):  # behind an autotuner
        fn = fn.fn
    return fn


def kernels_in(text):
    return re.findall(r"^@triton\.jit[^\n]*\n(?:@[^\n]*\n)*def (\w+)", text, re.M)


def read_options(options, text):
    """[(kernel, constants, options, signature)] of a line of provenance."""
    for one in options.split(";"):
        name, given = re.fullmatch(r"\s*(?:(\w+):\s)?(.*)", one).groups()
        pairs = dict(pair.split("=", 1) for pair in given.split())
        signature = pairs.pop("signature").split(",")
        constants = {k: int(v) for k, v in pairs.items() if k.isupper()}
        compiler = {k: int(v) for k, v in pairs.items() if not k.isupper() and k != "shared"}
        yield name or kernels_in(text)[0], constants, compiler, signature


def compile_one(fn, constants, options, signature, target):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    types, values, attributes = {}, {}, {}
    left = iter(signature)
    for i, name in enumerate(fn.arg_names):
        if name in constants:
            types[name], values[(i,)] = "constexpr", constants[name]
            continue
        kind, _, multiple = next(left).partition(":")
        types[name] = kind
        if multiple:
            attributes[(i,)] = [["tt.divisibility", int(multiple)]]
    arch = int(re.match(r"sm_(\d+)", target)[1])
    return triton.compile(ASTSource(fn, types, values, attributes), target=GPUTarget("cuda", arch, 32), options=options)


def rebuild(text, options, target, name):
    """The PTX as from_triton.py leaves it, and the shared bytes of each kernel."""
    module = load(text)
    made = [(kernel, compile_one(kernel_of(module, kernel), constants, compiler, signature, target))
            for kernel, constants, compiler, signature in read_options(options, text)]
    shared = {kernel: c.metadata.shared for kernel, c in made}
    return from_triton.clean([c.asm["ptx"] for _, c in made], name), shared


def difference(old, new):
    a, b = old.splitlines(), new.splitlines()
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    line = lambda t: t[at] if at < len(t) else "(ends)"
    return f"line {at + 1} of {len(a)} and {len(b)}: {line(a)!r} was, {line(b)!r} is"


def unnamed(ptx):
    return re.sub(r'^(\s*\.file\s+\d+\s+)"[^"]*"', r"\1", ptx, flags=re.M)


def look(about, write):
    import triton
    fields = {key: value.strip('"') for key, value in re.findall(r"^([\w-]+): *(.*)$", about.read_text(), re.M)}
    stem = str(about)[:-len(".image.yaml")]
    path, ptx = pathlib.Path(stem + ".py"), pathlib.Path(stem + ".ptx")
    if not path.is_file() or "signature=" not in fields.get("options", ""):
        ok(f"{about} # SKIP not made by Triton, or without a signature", True)
        return
    here = "Triton " + triton.__version__
    if fields["compiler"] != here and not write:
        ok(f"{about} # SKIP made by {fields['compiler']}; this is {here}", True)
        return
    new, shared = rebuild(path.read_text(), fields["options"], fields["target"], path.name)
    print(f"# {path}: shared {shared}", flush=True)
    if write:
        ptx.write_text(new)
        lines = re.sub(r"^ptx: .*$", "ptx: " + sha(new), about.read_text(), flags=re.M)
        lines = re.sub(r"^text: .*$", "text: " + sha(path.read_text()), lines, flags=re.M)
        about.write_text(re.sub(r"^compiler: .*$", "compiler: " + here, lines, flags=re.M))
        return
    old = ptx.read_text()
    ok(f"{ptx} has the hash that is said", sha(old) == fields["ptx"])
    if new != old and unnamed(new) == unnamed(old):
        ok(f"{path} gives its image again, but for what other files are called", True,
           "an older from_triton.py called every file as the text: " + difference(old, new))
    else:
        ok(f"{path} gives its image again, with the same hash", new == old, "" if new == old else difference(old, new))


def main():
    write = sys.argv[1:2] == ["--write"]
    for folder in sys.argv[1 + write:]:
        for about in sorted(pathlib.Path(folder).rglob("*.image.yaml")):
            look(about, write)
    if not write:
        print(f"1..{count}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
