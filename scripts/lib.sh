# Shared by build, run, test and tests/nightly/run: packages, steps with their times, and a clean end.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=$(nproc)
logs=build/logs
step_child=""   # process group of the step that runs
step_names=() step_times=() step_budgets=() step_states=()
mkdir -p "$logs"

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo --preserve-env=DEBIAN_FRONTEND "$@"
    fi
}

# stop_step: ends whatever the step has started. Every step leads a process group of its own.
stop_step() {
    if [ -n "$step_child" ]; then
        kill -TERM -- "-$step_child" 2>/dev/null || true
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            kill -0 -- "-$step_child" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL -- "-$step_child" 2>/dev/null || true
        step_child=""
    fi
}
trap stop_step EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# (set -e does not reach into a step's function: its commands are joined by && or checked.)
# step NAME BUDGET_SECONDS COMMAND...: runs the command with its output in build/logs/NAME.log and prints its time.
# Shows the end of the log if it fails, and returns the command's status.
step() {
    local name=$1 budget=$2 began=$SECONDS status=0
    shift 2
    printf '==> %-22s budget %4ss  ' "$name" "$budget"
    set -m
    ("$@") >"$logs/$name.log" 2>&1 </dev/null &
    step_child=$!
    set +m
    wait "$step_child" || status=$?
    stop_step
    local took=$((SECONDS - began)) state=ok
    [ "$status" -eq 0 ] || state="FAILED ($status)"
    printf '%4ss  %s\n' "$took" "$state"
    if [ "$status" -ne 0 ]; then
        echo "    the end of $logs/$name.log:"
        tail -n "${HOLDFAST_LOG_LINES:-40}" "$logs/$name.log" | sed 's/^/    /'
    fi
    step_names+=("$name") step_times+=("$took") step_budgets+=("$budget") step_states+=("$state")
    return "$status"
}

# step_table: one line a step, then the sum.
step_table() {
    local i used=0 budget=0
    echo
    printf '%-24s %8s %8s  %s\n' step used budget result
    for i in "${!step_names[@]}"; do
        printf '%-24s %7ss %7ss  %s\n' "${step_names[$i]}" "${step_times[$i]}" "${step_budgets[$i]}" "${step_states[$i]}"
        used=$((used + step_times[i]))
        budget=$((budget + step_budgets[i]))
    done
    printf '%-24s %7ss %7ss\n' total "$used" "$budget"
}

# packages GROUP...: the names that scripts/packages.txt lists for these groups.
packages() {
    awk -v wanted=" $* " '
        /^\[/ { group = substr($0, 2, length($0) - 2); next }
        /^[a-z]/ && index(wanted, " " group " ") { print $1 }' scripts/packages.txt
}

# Services must not start because a test needs their program: a policy says no while we install, unless one exists.
apt_install() {
    local policy=/usr/sbin/policy-rc.d
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -q || return
    if [ ! -e "$policy" ]; then
        trap "as_root rm -f $policy" EXIT  # of this step's own shell, also when it is stopped
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
        as_root chmod 755 "$policy"
    fi
    as_root apt-get install -q -y --no-install-recommends "$@"
}

# install_packages GROUP...: installs what is missing, and says so.
install_packages() {
    local wanted=() missing=() name state
    mapfile -t wanted < <(packages "$@")
    for name in "${wanted[@]}"; do
        state=$(dpkg-query -W -f='${db:Status-Status}\n' "$name" 2>/dev/null | head -n 1) || true
        [ "$state" = installed ] || missing+=("$name")
    done
    echo "packages ($*): ${#wanted[@]} wanted, ${#missing[@]} missing"
    if [ "${#missing[@]}" -gt 0 ]; then
        echo "    installing ${missing[*]}"
        [ "$(id -u)" -eq 0 ] || sudo -v  # asks here: a step has no terminal
        step "install-$1" 240 apt_install "${missing[@]}"
    fi
}

configure_and_build() {  # PRESET "CMAKE OPTIONS" TARGET...
    local preset=$1 options=$2
    shift 2
    # shellcheck disable=SC2086  # the options are words
    cmake --preset "$preset" $options &&
        cmake --build "build/$preset" -j "$jobs" --target "$@"
}
