#!/bin/sh
# warpdrill pack: packs from folders and from repositories of git on this machine; what is refused, and that nothing of them is run.
set -u
. tests/lib/tap.sh
command -v git >/dev/null || skip "git is not there"
XDG_DATA_HOME=$T/data XDG_STATE_HOME=$T/state HOME=$T GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$T/gitconfig
export XDG_DATA_HOME XDG_STATE_HOME HOME GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL
printf '[user]\nname = a\nemail = a@b.c\n[init]\ndefaultBranch = main\n' >"$T/gitconfig"
SHELF=$XDG_DATA_HOME/warpdrill/packs
in_repo() { git -C "$T/repo" "$@" >/dev/null 2>&1; }
hold() { in_repo add -A && in_repo commit -qm "$1"; }
left() { ls -A "$SHELF" 2>/dev/null | grep -v '^example$'; } # what should not be there

cp -r tests/packs/good "$T/plain"
sed 's/^format: .*/format: 2\nversion: "1.3"\nneeds: warpdrill 0.1/' tests/packs/good/pack.yaml >"$T/plain/pack.yaml"
cp -r "$T/plain" "$T/repo"
git init -q "$T/repo" && hold first && in_repo tag v1
sed -i 's/"1.3"/"2.0"/' "$T/repo/pack.yaml" && hold second

# ---- a folder, a repository, a tag ----
exits 0 "no pack is there" pack list
complains "no pack was added here yet" "is said"
exits 0 "a plain folder" pack add "$T/plain"
says "^example: An example pack, version 1.3, " "says what it is"
says "^$SHELF/example\$" "and where it lies"
says "Nothing of it was run" "and that it was not run"
exits 0 "is listed" list
says "example" "as every pack"
exits 0 "the packs that were added" pack list
says "^example  *1.3  *$T/plain\$" "are listed with their version and where they are from"
exits 1 "the same again" pack add "$T/repo"
complains "example is there already; .warpdrill pack update example. brings what its source has now, .warpdrill pack remove example. takes it away" "is refused"
exits 0 "is taken away" pack remove example
[ ! -e "$SHELF/example" ]
ok "and gone" $?
exits 1 "what is not there" pack remove example
complains "there is no pack example" "cannot be taken away"
exits 0 "a repository" pack add "$T/repo"
says "version 2.0" "brings what it has now"
[ ! -e "$SHELF/example/.git" ]
ok "and nothing of git's" $?
exits 0 "as data" pack list --json
says "\"commit\": \"$(git -C "$T/repo" rev-parse HEAD)\"" "with its commit"
run pack remove example
exits 0 "a tag" pack add "$T/repo@v1"
says "version 1.3" "brings what it had then"
exits 0 "is listed" pack list
says "$T/repo@v1  $(git -C "$T/repo" rev-parse v1 | cut -c1-12)\$" "with the tag"
run pack remove example
exits 0 "a URL of a file" pack add "file://$T/repo@v1"
run pack remove example
exits 1 "a tag that is none" pack add "$T/repo@v9"
complains "git could not do it: .*v9" "is said by git"
exits 1 "a tag of a plain folder" pack add "$T/plain@v1"
complains "is a plain folder and has no tag v1" "is refused"

# ---- brought anew ----
trusted() { printf 'example %s\nother /elsewhere\n' "$(realpath "$SHELF/example")" >"$XDG_STATE_HOME/warpdrill/trusted-packs"; }
mkdir -p "$XDG_STATE_HOME/warpdrill"
run pack add "$T/repo" && trusted
exits 0 "an update of what did not change" pack update example
says "Its source has nothing else; nothing was done" "does nothing"
grep -q '^example ' "$XDG_STATE_HOME/warpdrill/trusted-packs"
ok "and the yes stays" $?
sed -i 's/"2.0"/"2.1"/' "$T/repo/pack.yaml" && hold third
exits 0 "an update" pack update example
says "^example: An example pack, version 2.1, " "brings what the source has now"
says "warpdrill asks anew" "and says that it asks"
[ "$(cat "$XDG_STATE_HOME/warpdrill/trusted-packs")" = "other /elsewhere" ]
ok "for the yes is gone" $?
exits 0 "an update to a tag" pack update example@v1
says "version 1.3" "brings that"
run pack list
says "$T/repo@v1  " "and stays there"
sed -i 's/^id: example/id: other/' "$T/repo/pack.yaml" && hold renamed
exits 1 "a source whose pack has another id" pack update example@main
complains "has the pack other now, and example was expected" "is refused"
[ -e "$SHELF/example/pack.yaml" ] && [ -z "$(left)" ]
ok "and the old one stays" $?
in_repo reset -q --hard HEAD~1
mv "$T/repo" "$T/gone"
exits 1 "a source that is gone" pack update example
complains "repo, where example is from, is not there any more" "is named"
mv "$T/gone" "$T/repo"
exits 1 "what is not there" pack update none
exits 2 "an update of nothing" pack update
run pack remove example

mkdir -p "$SHELF/.adding-abc/pack"
exits 0 "after one that was broken off" pack add "$T/plain"
[ ! -e "$SHELF/.adding-abc" ]
ok "what it left is gone" $?
run pack remove example

# ---- a yes is for what it was said to ----
run pack add "$T/plain"
mkdir -p "$XDG_STATE_HOME/warpdrill"
printf 'example %s\nother /elsewhere\n' "$(realpath "$SHELF/example")" >"$XDG_STATE_HOME/warpdrill/trusted-packs"
run pack remove example
[ "$(cat "$XDG_STATE_HOME/warpdrill/trusted-packs")" = "other /elsewhere" ]
ok "a yes goes with the pack" $?

# ---- what is refused ----
for from in "http://example.org/x" "git://example.org/x" "ext::sh -c 'touch $T/ran'" "--upload-pack=touch $T/ran" "$T/none" "-" "" "ssh://-oProxyCommand=x/y" "fd::3"; do
    exits 1 "from '$from'" pack add -- "$from"
done
complains "https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH or file:///PATH was expected" "brings what may be"
[ ! -e "$T/ran" ]
ok "and nothing ran" $?
exits 1 "a tag that is an option" pack add "$T/repo@--upload-pack=x"
mkdir "$T/empty" && exits 1 "a folder that is no pack" pack add "$T/empty"
complains "pack.yaml: there is none" "says so"
! grep -q "[.]adding-" "$T/err"; ok "of the folder that was named" $?
sed -i 's/needs: warpdrill 0.1/needs: warpdrill 99.1/' "$T/repo/pack.yaml" && hold newer
exits 1 "a pack for a newer program" pack add "$T/repo"
complains "this pack needs warpdrill 99.1 or newer; this is warpdrill 0.1" "says which"
sed -i 's/needs: warpdrill 99.1/needs: warpdrill 0.1/' "$T/repo/pack.yaml" && hold older
exits 2 "something else than add, list, remove" pack get "$T/repo"
exits 2 "an add of nothing" pack add
exits 2 "a remove of nothing" pack remove
exits 1 "a remove of what lies elsewhere" pack remove ../packs/example
mkdir -p "$SHELF/own" && cp -r tests/packs/good/. "$SHELF/own"
exits 1 "a pack of one's own" pack remove own
complains "was not put there by .warpdrill pack add." "is not deleted"
[ -e "$SHELF/own/pack.yaml" ] && rm -r "$SHELF/own"
ok "and stays" $?

# ---- what a repository could do ----
printf '#!/bin/sh\ntouch %s/ran\n' "$T" >"$T/repo/.git/hooks/post-checkout" && chmod +x "$T/repo/.git/hooks/post-checkout"
mkdir -p "$T/template/hooks" && cp "$T/repo/.git/hooks/post-checkout" "$T/template/hooks/"
printf '[init]\ntemplateDir = %s/template\n[filter "run"]\nsmudge = cat\n' "$T" >>"$T/gitconfig"
git init -q "$T/sub" && git -C "$T/sub" commit -q --allow-empty -m x
in_repo -c protocol.file.allow=always submodule add "$T/sub" part && hold submodule
rm -f "$T/ran"    # what git above ran of them is its own matter
exits 0 "hooks, a template with hooks, and a submodule" pack add "$T/repo"
[ ! -e "$T/ran" ] && [ -z "$(ls -A "$SHELF/example/part" 2>/dev/null)" ]
ok "are not run and not fetched" $?
run pack remove example
ln -s /etc/passwd "$T/repo/row-sums/notes.md" && hold link
exits 0 "a symbolic link" pack add "$T/repo"
[ ! -L "$SHELF/example/row-sums/notes.md" ]
ok "becomes no link" $?
run pack remove example
ln -s /etc/passwd "$T/plain/row-sums/notes.md"
exits 1 "a link in a plain folder" pack add "$T/plain"
complains "is no plain file" "is refused"
GIT_DIR=$T/none exits 0 "a repository of the caller's environment" pack add "$T/repo@v1"
run pack remove example
mkdir "$T/bin" && printf '#!/bin/sh\nprintf "fatal: \\033]0;x\\007 \\033[2J gone\\n" >&2\nexit 3\n' >"$T/bin/git" && chmod +x "$T/bin/git"
PATH=$T/bin:$PATH exits 1 "what git says" pack add "https://example.org/x"
complains "git could not do it: fatal: .*gone" "is told"
! grep -q "$(printf '\033')" "$T/err"
ok "without what moves a terminal" $?
(PATH=$T/none; exec "$W" pack add https://example.org/x) >"$T/out" 2>"$T/err"
[ $? -eq 1 ]
ok "without git" $?
complains "the program git was not found" "it says so"
[ -z "$(left)" ]
ok "and nothing half is left" $?
echo "1..$n"
