#!/bin/sh
# warpdrill new --good --bad: fix and suspect of two commits of the author's own repository.
set -u
. tests/lib/tap.sh
command -v git >/dev/null || skip "git is not there"
HOME=$T GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$T/gitconfig
export HOME GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL
printf '[user]\nname = a\nemail = a@b.c\n[init]\ndefaultBranch = main\n' >"$T/gitconfig"
R=$T/repo
in_repo() { git -C "$R" "$@" >/dev/null 2>&1; }
hold() { in_repo add -A && in_repo commit -qm "$1"; }
mkdir -p "$R/src"
git init -q "$R"
cat >"$R/src/drag.h" <<'END'
#ifndef DRAG_H
#define DRAG_H
#define DRAG 0.25f
#endif
END
cat >"$R/src/fall.cu" <<'END'
#include "drag.h"

__global__ void fall(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    v += 0.01f * (9.81f - DRAG * v * v);
    out[i] = v;
}
END
hold good && in_repo tag good
sed -i 's/0.25f/0.25/' "$R/src/drag.h" && sed -i 's/    v += 0.01f \* (9.81f/    v += 0.01 * (9.81/' "$R/src/fall.cu"
hold bad && in_repo tag bad
sed -i 's/float v = in/float now = in/; s/\bv\b/now/g' "$R/src/fall.cu" && hold later

A=$T/p/one/a
exits 0 "fix and suspect of two commits" new "$T/p/one" --from "$R/src/fall.cu" --cause inst.wrong-pipe --good good --bad bad --yes --no-compile
says "fix.cu: the kernel without the fault, from the commit" "says where the fix is from"
grep -q '0.01 \* (9.81 - DRAG \* v \* v)' "$A/suspect.cu" && grep -q 'DRAG 0.25$' "$A/suspect.cu"
ok "the suspect is that of --bad, with its header" $?
grep -q '0.01f \* (9.81f - DRAG \* v \* v)' "$A/sealed/fix.cu" && grep -q 'DRAG 0.25f$' "$A/sealed/fix.cu"
ok "the fix is that of --good, with its header" $?
! grep -q 'DRAG_H' "$A/suspect.cu" "$A/sealed/fix.cu"
ok "the header's guard is gone" $?
grep -q "text: 'v += 0.01 \* (9.81 - DRAG \* v \* v);'" "$A/sealed/answer.yaml"
ok "the line that is proposed is one that differs" $?
"$W" check "$T/p" --no-compile --no-evidence --json >"$T/json" 2>"$T/err"
grep '"rule"' "$T/json" | grep -v unfinished >"$T/out"
[ ! -s "$T/out" ]
ok "check finds what is the author's alone" $?
exits 0 "the suspect as the file is" new "$T/p/two" --from "$R/src/fall.cu" --good bad~1 --yes --no-compile
grep -q 'DRAG \* now \* now' "$T/p/two/a/suspect.cu" && grep -q '9.81f' "$T/p/two/a/sealed/fix.cu"
ok "is taken without --bad" $?
(cd "$R/src" && "$W" new "$T/p/three" --from fall.cu --good good --bad bad --yes --no-compile) >"$T/out" 2>"$T/err"
ok "from the folder of the file itself" $?
exits 1 "a commit that is none" new "$T/p/four" --from "$R/src/fall.cu" --good nowhere --yes
complains "fall.cu of commit nowhere: git could not do it: " "is said by git"
exits 1 "what is an option" new "$T/p/four" --from "$R/src/fall.cu" --good "--output=$T/ran" --yes
complains "is no commit; its name, a tag or a branch was expected" "is refused"
[ ! -e "$T/ran" ]
ok "and nothing was written" $?
exits 1 "two commits as one" new "$T/p/four" --from "$R/src/fall.cu" --good good..bad --yes
exits 2 "--bad alone" new "$T/p/four" --from "$R/src/fall.cu" --bad bad --yes
cp tests/new/one-arg.cu "$T" && exits 1 "a file outside of a repository" new "$T/p/four" --from "$T/one-arg.cu" --good 0123456 --yes
sed -i 's/const float \*in, int n/const float *in, float drag, int n/' "$R/src/fall.cu" && hold other
exits 1 "other parameters" new "$T/p/four" --from "$R/src/fall.cu" --good good --yes
complains "takes other parameters in the two commits" "are refused"
exits 1 "a kernel that was not there yet" new "$T/p/four" --from "$R/src/fall.cu" --good good --bad other --yes
in_repo mv src/fall.cu src/drop.cu && sed -i 's/fall(/drop(/' "$R/src/drop.cu" && cp "$R/src/drop.cu" "$R/src/fall.cu" && hold renamed
exits 1 "another name of the kernel" new "$T/p/four" --from "$R/src/fall.cu" --good good --yes
complains "has no kernel drop; it was expected in both commits" "is refused"
[ ! -e "$T/p/four" ]
ok "and nothing was made" $?
echo "1..$n"
