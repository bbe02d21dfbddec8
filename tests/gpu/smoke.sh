#!/bin/bash
# Sends tests/gpu/smoke.jsonl to a runner, one request at a time, and prints what comes back.
#   tests/gpu/smoke.sh build/warpdrill-runner [FILE.jsonl]
set -eu
runner=${1:?usage: smoke.sh RUNNER [FILE]}
file=${2:-$(dirname "$0")/smoke.jsonl}
coproc R { $runner; }
exec 3<"$file"
until_type() {
    while IFS= read -r line <&"${R[0]}"; do
        printf '%s\n' "$line"
        case $line in *"\"type\":\"$1\""*) return 0 ;; esac
    done
    return 1
}
IFS= read -r request <&3
printf '%s\n' "$request" >&"${R[1]}"
until_type hello
while IFS= read -r request <&3; do
    printf '%s\n' "$request" >&"${R[1]}"
    until_type done
done
eval "exec ${R[1]}>&-"
wait "$R_PID"
