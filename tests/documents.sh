#!/bin/sh
# The documents against the program: commands, options and variables that they name are there, and
# so are the files that they point at. TAP.
set -u
. tests/lib/tap.sh
DOCUMENTS="README.md SECURITY.md CHANGELOG.md content/*.md"
PAGE=warpdrill.1
plain() { tr -d '\\' <"$PAGE"; }

"$W" --help >"$T/help"

# ---- commands ----
sed -n 's/^  warpdrill \([a-z][a-z]*\).*/\1/p' "$T/help" | sort -u >"$T/commands"
[ "$(wc -l <"$T/commands")" -ge 20 ]
ok "--help has the commands" $?
missing=$(while read -r command; do
    plain | grep -q "^\.B warpdrill $command" || echo "$command"
done <"$T/commands")
[ -z "$missing" ]
ok "the manual's synopsis has each command $missing" $?
missing=$(while read -r command; do
    plain | sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/p' | grep -qx "\.B $command" || echo "$command"
done <"$T/commands")
[ -z "$missing" ]
ok "the manual describes each command $missing" $?

# What stands behind "warpdrill" in code: `warpdrill check PACK`, and indented lines.
grep -hoE '(^    |`|^\$ )warpdrill [a-z]+' $DOCUMENTS | sed 's/.*warpdrill //' | sort -u >"$T/named"
plain | sed -n '/^\.SH EXAMPLES/,$s/^warpdrill \([a-z]*\).*/\1/p' >>"$T/named"
missing=$(sort -u "$T/named" | grep -vxF -f "$T/commands" -)
[ -z "$missing" ]
ok "each command that documents name is there $missing" $?

# ---- options ----
grep -o -e '--[a-z-]*[a-z]' "$T/help" | sort -u >"$T/options"
missing=$(plain | grep -o -e ' --[a-z-]*[a-z]' | tr -d ' ' | sort -u | while read -r option; do
    case $option in --unbuffered | --gres) continue ;; esac # srun's
    grep -qxF -e "$option" "$T/options" || echo "$option"
done)
[ -z "$missing" ]
ok "each option of the manual is there $missing" $?

# ---- the environment ----
read_by_program() {
    grep -rhoE '"(WARPDRILL|XDG)_[A-Z_]+"' tui scenarios drills kernels db --include='*.[ch]' |
        tr -d '"' | grep -v -e _MS$ | sort -u # what ends so is for tests
}
missing=$(read_by_program | while read -r name; do
    plain | sed -n '/^\.SH ENVIRONMENT/,/^\.SH FILES/p' | grep -qw "$name" || echo "$name"
done)
[ -z "$missing" ]
ok "the manual names each variable that is read $missing" $?

# ---- places ----
missing=$(for document in $DOCUMENTS; do
    grep -oE '\]\([A-Za-z/_.-]+\)' "$document" | tr -d '])(' | while read -r target; do
        [ -e "$(dirname "$document")/$target" ] || echo "$document: $target"
    done
done)
[ -z "$missing" ]
ok "each link leads to a file $missing" $?
missing=$(grep -hoE '`(tests|tui|scenarios|kernels|db|content)/[A-Za-z0-9/_.-]+`' $DOCUMENTS |
    tr -d '`' | sort -u | while read -r target; do
        [ -e "$target" ] || echo "$target"
    done)
[ -z "$missing" ]
ok "each path into this tree is there $missing" $?

# ---- what the Makefile says of itself ----
env -u MAKEFLAGS -u MAKELEVEL make -n BUILD="$T/build" >"$T/out" 2>"$T/err" </dev/null
grep -q -e "$T/build/warpdrill-runner" "$T/out" && grep -q -e "$T/build/warpdrill " "$T/out"
ok "make alone builds both programs" $?

# ---- the page of the manual ----
if command -v groff >/dev/null; then
    groff -man -ww -Tutf8 "$PAGE" 2>"$T/err" >/dev/null && [ ! -s "$T/err" ]
    ok "groff reads the manual without a warning" $?
else
    ok "groff reads the manual without a warning # SKIP groff is not there" 0
fi
echo "1..$n"
