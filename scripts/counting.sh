# Shared by scripts/test and tests/nightly/run: the steps that are counted, and the last line.
# shellcheck shell=bash

passed=0 failed=0
export HOLDFAST_BIN=$PWD/build/release/bin/holdfast
export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
export PYTHONDONTWRITEBYTECODE=1

# tests KIND NAME BUDGET COMMAND...: a step whose log is counted (see tools/count_results). A step that fails without a
# failed case in its log is one failure itself.
tests() {
    local kind=$1 name=$2 status=0 good=0 bad=0
    shift
    step "$@" || status=$?
    read -r good bad < <(tools/count_results "$kind" "$logs/$name.log")
    [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    echo "    $good passed, $bad failed"
    passed=$((passed + good))
    failed=$((failed + bad))
}

# build NAME BUDGET COMMAND...: a step that counts only when it fails.
build() {
    step "$@" || failed=$((failed + 1))
}

# Programs with processes, ports and clocks of their own run alone; the others side by side.
run_ctest() {  # PRESET [CTEST OPTION...]
    local preset=$1 status=0
    shift
    ctest --test-dir "build/$preset" -V -j "$jobs" -LE live "$@" || status=1
    ctest --test-dir "build/$preset" -V -j 1 -L live "$@" || status=1
    return "$status"
}

run_python() {  # FOLDER of tests/
    python3 -m unittest discover -v -t "tests/$1" -s "tests/$1" -p '*_test.py'
}

# The two stores side by side: most of the time is pauses.
run_processes() {
    local store status=0 children=()
    for store in OnSqlite OnMemoryBehindTheService; do
        python3 tests/processes/uniqueness_test.py -v "$store" >"$logs/processes-$store.log" 2>&1 &
        children+=("$!")
    done
    for store in "${children[@]}"; do
        wait "$store" || status=1
    done
    cat "$logs"/processes-On*.log
    return "$status"
}

run_fuzz() {  # fuzz_seconds for each target
    local program status=0
    for program in build/asan/bin/*_fuzz; do
        [ -x "$program" ] || continue
        tools/fuzz "$program" "$fuzz_seconds" || status=1
    done
    return "$status"
}

# Many callers of Redis among faults; the log says what happened to each. A small quarantine: its memory is looked at.
run_soak() {  # PRESET SECONDS
    local options="$ASAN_OPTIONS:quarantine_size_mb=4"
    if ASAN_OPTIONS=$options HOLDFAST_SOAK_SECONDS=$2 "build/$1/bin/redis_live_test" --gtest_filter='RedisSoak.*'; then
        echo "ok soak of $2 s"
    else
        echo "FAILED soak of $2 s"
        return 1
    fi
}

# Primaries of a Sentinel's group and of a cluster that are killed and paused under load.
run_failovers() {  # PRESET ROUNDS
    if HOLDFAST_FAILOVER_ROUNDS=$2 "build/$1/bin/redis_topology_live_test" --gtest_filter='Failover.*'; then
        echo "ok $2 failovers"
    else
        echo "FAILED $2 failovers"
        return 1
    fi
}

run_lint() {
    tools/lint_coroutines && echo "ok lint_coroutines" || { echo "FAILED lint_coroutines"; return 1; }
}

run_tidy() {
    tools/tidy && echo "ok tidy" || { echo "FAILED tidy"; return 1; }
}

# finish: the table, the sum, and the exit status.
finish() {
    step_table
    echo
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
