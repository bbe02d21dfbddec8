#!/bin/sh
# TAP: the runner under a real one-node Slurm, with the fake driver under it: queues, is called off, is cancelled, meets a time limit.
set -u
. tests/lib/tap.sh
for program in slurmctld slurmd srun scancel sinfo scontrol munged; do
    command -v $program >/dev/null || [ -x /usr/sbin/$program ] || skip "$program is not installed (slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd starts jobs as root only"
PATH=$PATH:/usr/sbin:/sbin
stop_slurm() { # slurmd leaves stepd processes, which go when their job does
    for job in $(squeue -h -o %i 2>/dev/null); do scancel "$job" 2>/dev/null; done
    await_quiet none_queued || true
    for daemon in slurmd slurmctld munged; do
        [ -s "$T/$daemon.pid" ] || continue
        pid=$(cat "$T/$daemon.pid")
        kill "$pid" 2>/dev/null
        await_quiet gone "$pid" || kill -KILL "$pid" 2>/dev/null
    done
}
trap 'stop_slurm; rm -rf "$T"' EXIT
await_quiet() { await "$@" >/dev/null 2>&1; }
queue() { squeue -h -o '%i %t' 2>/dev/null; }
none_queued() { [ -z "$(queue)" ]; }

# ---- a cluster of one node with two GPUs, which are files that exist ----
mkdir "$T/state" "$T/spool" && chmod 755 "$T"
(umask 077 && head -c 32 /dev/urandom >"$T/munge.key")
printf 'Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n' >"$T/gres.conf"
HOST=$(hostname -s)
configure() {
    CONTROL=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 20000))
    cat >"$T/slurm.conf" <<END
ClusterName=ci
SlurmctldHost=$HOST(127.0.0.1)
SlurmctldPort=$CONTROL
SlurmdPort=$((CONTROL + 1))
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$T/munge.sock
StateSaveLocation=$T/state
SlurmdSpoolDir=$T/spool
SlurmctldPidFile=$T/slurmctld.pid
SlurmdPidFile=$T/slurmd.pid
SlurmctldLogFile=$T/slurmctld.log
SlurmdLogFile=$T/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=2
GresTypes=gpu
NodeName=$HOST NodeAddr=127.0.0.1 CPUs=$(getconf _NPROCESSORS_ONLN) RealMemory=1000 Gres=gpu:2 State=UNKNOWN
PartitionName=gpu Nodes=$HOST Default=YES MaxTime=INFINITE OverSubscribe=FORCE:8 State=UP
END
}
export SLURM_CONF="$T/slurm.conf"
up() { [ "$(sinfo -h -o %t)" = idle ]; }
munged --force --key-file="$T/munge.key" --socket="$T/munge.sock" --pid-file="$T/munged.pid" --log-file="$T/munged.log" \
    --seed-file="$T/munge.seed" 2>"$T/err" || skip "munged does not start here: $(tail -n 1 "$T/err")"
start_slurm() {
    for try in 1 2 3; do
        configure
        slurmctld -c -f "$SLURM_CONF" 2>"$T/err" && slurmd -f "$SLURM_CONF" 2>>"$T/err" && await up && return 0
        for daemon in slurmd slurmctld; do [ ! -s "$T/$daemon.pid" ] || kill "$(cat "$T/$daemon.pid")" 2>/dev/null; done
    done
    return 1
}
start_slurm || skip "Slurm does not start here: $(tail -n 1 "$T/slurmctld.log" "$T/err" 2>/dev/null | tr '\n' ' ')"

far() { # far PLAN: the runner's command on the node
    echo "env WARPDRILL_CUDA=$FAKES/libfakecuda.so WARPDRILL_NVRTC=$FAKES/libfakenvrtc.so WARPDRILL_CUPTI=$FAKES/libfakecupti.so" \
        "WARPDRILL_NVML=$FAKES/libfakenvml.so WARPDRILL_CACHE=$T/cache WARPDRILL_FAKE_PLAN=$T/$1 $BUILD/warpdrill-runner"
}
SRUN="srun --unbuffered"
ask() { # ask RUNNER NAME: a live probe, its output in NAME.out and NAME.err
    timeout 100 "$W" --pack content/packs --db "$T/p.db" probe first-principles/transposed-copy/a timing --tier live --trust --runner "$1" \
        >"$T/$2.out" 2>"$T/$2.err" </dev/null
}
show() { cp "$T/$1.out" "$T/out"; cp "$T/$1.err" "$T/err"; }
saw() { grep -q -e "$2" "$T/$1.err"; }
job_of() { queue | sed -n "s/^\([0-9]*\) $1\$/\1/p" | tail -n 1; }
: >"$T/plan"
printf 'hang_cuEventElapsedTime_v2 1\nhang_cuEventElapsedTime 1\n' >"$T/hang"

# ---- it works, and says so when Slurm refuses ----
ask "$SRUN --gres=gpu:1 $(far plan)" first
ok "a live probe under srun" $?
show first
grep -q 'live  Fake GPU' "$T/out"
ok "names its tier and GPU" $?
"$FAKES/fake_player" content/packs/first-principles transposed-copy/a "$T/m.db"
mkdir "$T/mine"
{ echo "// fake: move 1e-5 0"; cat content/packs/first-principles/transposed-copy/a/suspect.cu; } >"$T/mine/mine.cu"
XDG_STATE_HOME=$T/own XDG_DATA_HOME=$T/own timeout 200 "$W" mend transposed-copy/a --pack content/packs/first-principles --db "$T/m.db" --trust --once --json \
    --folder "$T/mine" --runner "$SRUN --gres=gpu:1 $(far plan)" >"$T/out" 2>"$T/err" </dev/null
[ $? -eq 0 ] && grep -q '"verdict":"right"' "$T/out"
ok "a text of one's own is judged there" $?
ask "$SRUN --gres=gpu:9 $(far plan)" many
[ $? -eq 1 ]
ok "more GPUs than there are fail" $?
show many
complains "Slurm refused the request" "Slurm's refusal is told"
ask "$SRUN --gres=gpu:1 no-such-runner" none
show none
complains "was not found\|could not start the runner" "a missing runner is told"

# ---- one GPU: a request that hangs until its job's time is up; looked at last, for Slurm looks twice a minute ----
await none_queued
ask "$SRUN --gres=gpu:1 $(far hang)" limit &
limited=$!
await saw limit 'has the request'
ok "a request is under way" $?
runs() { limit_job=$(job_of R); [ -n "$limit_job" ]; }   # a controller under load answers late
await runs
# A time that is past when the controller reads it is refused: a second later, and asked again.
began_limit() { scontrol update JobId="$limit_job" EndTime=now+1second; }

# ---- the other GPU: cancelled by somebody in the middle of a request ----
ask "$SRUN --gres=gpu:1 $(far hang)" cancelled &
asking=$!
await saw cancelled 'has the request'
ok "another one beside it" $?
runs_too() { other_job=$(queue | sed -n 's/ R$//p' | grep -vx "$limit_job" | tail -n 1); [ -n "$other_job" ]; }
await runs_too
scancel "$other_job"
wait $asking
[ $? -eq 1 ]
ok "scancel fails the request" $?
show cancelled
complains "the Slurm job was cancelled" "and is told"

# ---- both taken: queues, then runs ----
waiting() { [ -n "$(job_of PD)" ]; }
left() { [ "$(queue | wc -l)" -eq "$1" ]; }
await left 1
srun --gres=gpu:1 sleep 100 2>/dev/null &
holder=$!
await left 2
await test "$(queue | grep -c ' R$')" -eq 2
holder_job=$(queue | sed -n 's/ R$//p' | grep -vx "$limit_job")
ask "$SRUN --gres=gpu:1 $(far plan)" queued &
asking=$!
await waiting
ok "with no GPU free a request waits" $?
await saw queued "queued and waiting for resources"
ok "Slurm's words are passed on" $?

# ---- another one, called off while it waits: nothing may stay in the queue ----
"$W" --pack content/packs --db "$T/p.db" probe first-principles/transposed-copy/a timing --tier live --trust \
    --runner "$SRUN --gres=gpu:1 $(far plan)" >"$T/off.out" 2>"$T/off.err" </dev/null &
off=$!
await saw off "queued and waiting for resources"
kill -KILL $off 2>/dev/null
wait $off 2>/dev/null
await left 3
ok "killing warpdrill takes its job out of the queue" $?

scancel "$holder_job"
wait $holder 2>/dev/null
wait $asking
ok "the one that waited runs when a GPU is free" $?
show queued
grep -q 'live  Fake GPU' "$T/out"
ok "and measures" $?

# ---- the time limit ----
await began_limit
ok "the job's time is up" $?
wait $limited
[ $? -eq 1 ]
ok "a time limit fails the request" $?
show limit
complains "time limit ended the job" "and is told"
complains "more with --time" "with what to do"
await none_queued
ok "no job is left" $?
echo "1..$n"
