#!/bin/sh
# TAP: a name becomes a path in kernels/wire/path.c and nowhere else. What is left are names that stand in the code, and keys of texts
# that are in memory already.
set -u
cd "$(dirname "$0")/.." || exit 1
echo "1..2"
made() { grep -rnE '(format|snprintf)\([^;]*"[^"]*%(\.\*)?s/%' --include=*.c kernels scenarios drills tui; }
in_code='lock_name|store_name|sealed_name|toolkit_folders|beside\[n\]|e->d_name\) >= |"%s/\.%ld"|path = text_format\("%\.\*s/%s", \(int\)len, folder, name\)|base, path\)'
in_memory='arena_format|text_format\("[^"]*", [a-z]+(->[a-z]+)*->(id|uid)\b|text_format\("%s/%s", set, cell|what, uid|%s/s"|folder, file\)'
rest=$(made | grep -v -e 'err_set(' -e '_fail(' -e 'findings_' -e 'printf(stderr' -e 'printf("' -e '^kernels/wire/path.c:' -e 'char \*name = text_format("%s/%s", fs->root' \
    -e 'drills/library/library.c:[0-9]*:    char \*path = text_format("%s/%s", root, folder)' | grep -vE "$in_code|$in_memory")
[ -z "$rest" ] && echo "ok 1 - no other file makes a path of a name" || { echo "$rest" | sed 's/^/# /'; echo "not ok 1 - no other file makes a path of a name"; }
# Programs that a person names files to open them by path_open: what remains is listed here with what it opens.
opened=$(grep -rnE '\bfopen\(' --include=*.c scenarios drills tui | grep -v -e 'scenarios/library/sealing.c:')   # a passphrase may come through a pipe
[ -z "$opened" ] && echo "ok 2 - files are opened by path_open" || { echo "$opened" | sed 's/^/# /'; echo "not ok 2 - files are opened by path_open"; }
