#!/bin/sh
# No layer reaches up: neither by an include nor by a symbol that a higher archive defines.
set -u
: "${BUILD:?set BUILD to the build folder}"
order="db kernels/wire kernels/runner scenarios drills tui"
allowed() { # what FOLDER may include, beside itself
    case $1 in
    db | kernels/wire) ;;
    kernels/runner) echo kernels/wire ;;
    scenarios) echo "db kernels/wire" ;;
    drills) echo "scenarios db kernels/wire" ;;
    tui) echo "drills scenarios db kernels/wire" ;;
    esac
}
archive() { echo "$BUILD/lib/$(basename "$1").a"; }
n=0
set -- $order
echo "1..$(($# * 2))"
for folder in "$@"; do
    n=$((n + 1))
    may="$folder $(allowed "$folder")"
    bad=$(grep -Hn '^#include "' "$folder"/*.c "$folder"/*.h | while IFS= read -r line; do
        path=$(echo "$line" | sed 's/.*#include "\([^"]*\)".*/\1/')
        dir=$(dirname "$path")
        case " $may " in *" $dir "*) ;; *) echo "$line" ;; esac
    done)
    [ -z "$bad" ] && echo "ok $n - $folder includes only what lies below" || { echo "$bad" | sed 's/^/# /'; echo "not ok $n - $folder includes only what lies below"; }
    n=$((n + 1))
    up=
    for other in $order; do
        case " $may " in *" $other "*) continue ;; esac
        # The runner is a program of its own, linked with nothing above the wire: equal names are no calls.
        [ "$other" = kernels/runner ] && [ "$folder" != kernels/wire ] && [ "$folder" != db ] && continue
        [ "$folder" = kernels/runner ] && [ "$other" != db ] && continue
        [ -f "$(archive "$folder")" ] && [ -f "$(archive "$other")" ] || continue
        nm -A --undefined-only "$(archive "$folder")" | awk '{print $NF}' | sort -u > "$BUILD/undefined.txt"
        nm -A --defined-only --extern-only "$(archive "$other")" | awk '{print $NF}' | sort -u > "$BUILD/defined.txt"
        up="$up$(comm -12 "$BUILD/undefined.txt" "$BUILD/defined.txt" | grep -v -e '^__' -e '^_GLOBAL' | sed "s|\$| of $other|")"
    done
    [ -z "$up" ] && echo "ok $n - $folder calls only what lies below" || { echo "$up" | sed 's/^/# /'; echo "not ok $n - $folder calls only what lies below"; }
done
