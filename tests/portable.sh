#!/bin/sh
# TAP: the portable build records a pack, and its trainer's commands run, where nothing is installed but libc; fake NVIDIA libraries stand in for the driver.
set -u
. tests/lib/tap.sh
P=$BUILD/portable
[ -x "$P/warpdrill" ] || skip "there is no portable build here: some library is not there as an archive"
! ldd "$P/warpdrill" | grep -q 'libasan' || skip "sanitizers bring libraries of their own"
for program in warpdrill warpdrill-runner; do
    ldd "$P/$program" >"$T/out"
    ! grep -v -e 'linux-vdso' -e 'libc\.so' -e 'libm\.so' -e 'libdl\.so' -e 'libpthread\.so' -e 'ld-linux' "$T/out" >"$T/err"
    ok "$program needs libc alone" $?
done

# ---- a machine with a shell, libc and a GPU (of fake libraries); one copy of two folders, one command ----
R=$T/root
mkdir -p "$R/bin" "$R/proc" "$R/dev" "$R/tmp" "$R/cuda" "$R/home"
libraries() { ldd "$@" | grep -o '/[^ :]*\.so[^ ]*' | sort -u; }
for file in $(libraries /bin/sh "$P/warpdrill" "$P/warpdrill-runner" "$FAKES"/libfake*.so | grep -v "$FAKES"); do
    mkdir -p "$R$(dirname "$file")"
    cp -L "$file" "$R$file"
done
cp -L /bin/sh "$R/bin/sh"
cp "$FAKES"/libfake*.so "$R/cuda/"
cp -r "$P" "$R/home/portable"
pack() { # the fake GPU is small: so are the sizes
    cp -r content/packs/first-principles "$1"
    find "$1" -path '*/evidence/*' -name '*.json' -delete
    sed -i 's/n - 1024/n - 512/' "$1/transposed-copy/scenario.yaml"
}
pack "$R/home/mine"
cat >"$R/record" <<'END'
cd /home
export WARPDRILL_CUDA=/cuda/libfakecuda.so WARPDRILL_NVRTC=/cuda/libfakenvrtc.so WARPDRILL_CUPTI=/cuda/libfakecupti.so WARPDRILL_NVML=/cuda/libfakenvml.so
export WARPDRILL_CACHE=/tmp/cache HOME=/home XDG_STATE_HOME=/tmp/state
exec "$@"
END
: >"$R/dev/null"
# In a namespace of its own, so that /proc can be put into the new root.
into() { # into "NAMESPACES" ARGUMENTS...
    namespaces=$1
    shift
    timeout 300 unshare $namespaces sh -c 'mount --bind /proc "$0/proc" && mount --bind /dev/null "$0/dev/null" &&
        exec chroot "$0" /bin/sh /record portable/warpdrill "$@"' "$R" "$@" >"$T/out" 2>"$T/err" </dev/null
}
mode=
for try in -m -rm; do [ -n "$mode" ] || ! into $try --version || mode=$try; done
if [ -z "$mode" ]; then
    echo "# no new root can be made here: $(head -n 1 "$T/err")"
    echo "1..$n"
    exit 0
fi
there() { into $mode "$@"; }
there record mine transposed-copy/a --trust
ok "one command records there" $?
grep -q 'transposed-copy/a/sealed/evidence/.*recorded' "$T/out"
ok "and says where" $?
[ -s "$R"/home/mine/transposed-copy/a/sealed/evidence/*.json ]
ok "the evidence stands in the pack" $?
there record mine transposed-copy/a --trust
grep -q 'up to date' "$T/out"
ok "a second time nothing is left to do" $?

# ---- brought back ----
pack "$T/here"
"$BUILD/warpdrill" record "$T/here" --from "$R/home/mine" >"$T/out" 2>"$T/err"
ok "what was brought back is taken over" $?
cmp -s "$T"/here/transposed-copy/a/sealed/evidence/*.json "$R"/home/mine/transposed-copy/a/sealed/evidence/*.json
ok "byte by byte" $?
echo "1..$n"
