"""Faults that other Redis clients have or had in talking to a server, put back into ours by switches: the test named after each must
fail. The list is tests/faults/README.md; switches that are words are faults of our own drafts."""

import concurrent.futures
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD_SECONDS_MAX = 1200
TEST_SECONDS_MAX = 90
AT_ONCE = 4

UNIT, LIVE, TOPOLOGY = "redis_test", "redis_live_test", "redis_topology_live_test"

# The switch, the program, the tests.
FAULTS = (
    ("redis.F1", LIVE, "RedisFaults.F1_*"),
    ("redis.F4", LIVE, "RedisFaults.F4_*"),
    ("redis.F8", UNIT, "RedisFaults.F8_*"),
    ("redis.F9", LIVE, "RedisFaults.F9_*"),
    ("redis.01", UNIT, "Mux.fault_01_*"),
    ("redis.01", LIVE, "RedisFaults.fault_01_*"),
    ("redis.02", UNIT, "Mux.fault_02_*"),
    ("redis.02", LIVE, "RedisFaults.fault_02_*"),
    ("redis.05", UNIT, "MuxOrder.fault_05_*"),
    ("redis.05", LIVE, "RedisFaults.fault_05_*"),
    ("redis.08", UNIT, "Mux.fault_08_*"),
    ("redis.09", UNIT, "Mux.fault_09_*"),
    ("redis.12", UNIT, "RedisFaults.fault_12_*"),
    ("redis.13", LIVE, "RedisFaults.fault_13_*"),
    ("redis.14", LIVE, "RedisFaults.fault_14_*"),
    ("redis.16", UNIT, "RedisClient.fault_16_*"),
    ("redis.17", UNIT, "Mux.fault_17_late_*"),
    ("redis.18", UNIT, "Mux.fault_18_*"),
    ("redis.19", UNIT, "RedisClient.fault_19_*"),
    ("redis.20", UNIT, "RedisFaults.fault_20_*"),
    ("redis.21", LIVE, "RedisFaults.fault_21_*"),
    ("redis.22", UNIT, "RedisClient.fault_22_*"),
    ("redis.23", UNIT, "RedisClient.fault_23_*"),
    ("redis.24", LIVE, "RedisFaults.fault_24_*"),
    ("redis.24", UNIT, "ClusterFaults.fault_26_*"),
    ("redis.25", UNIT, "ClusterClient.fault_25_*"),
    ("redis.27", UNIT, "RedisClient.fault_27_*"),
    ("redis.28", UNIT, "ClusterWatch.fault_28_*"),
    ("redis.29", UNIT, "ClusterClient.fault_28_*"),
    ("redis.29", UNIT, "ClusterFaults.fault_29_*"),
    ("redis.30", UNIT, "RefreshPace.fault_30_*"),
    ("redis.30", UNIT, "ClusterWatch.fault_30_*"),
    ("redis.31", UNIT, "ClusterFaults.fault_31_*"),
    ("redis.33", UNIT, "ClusterClient.fault_33_*"),
    ("redis.34", UNIT, "ClusterMap.fault_34_*"),
    ("redis.35", UNIT, "ClusterMap.fault_35_*"),
    ("redis.35", UNIT, "Redirect.fault_35_*"),
    ("redis.35", TOPOLOGY, "ClusterLive.fault_35_*"),
    ("redis.36", UNIT, "ClusterClient.fault_36_*"),
    ("redis.37", UNIT, "ClusterClient.fault_37_*"),
    ("redis.37", TOPOLOGY, "ClusterLive.fault_37_*"),
    ("redis.38", UNIT, "ClusterMapMalformed.fault_38_malformed_answers_*"),
    ("redis.38", UNIT, "Redirect.fault_38_*"),
    ("redis.38", UNIT, "SentinelView.fault_38_*"),
    ("redis.44", UNIT, "ClusterWatch.fault_44_*"),
    ("redis.45", LIVE, "RedisFaults.fault_45_*"),
    ("redis.48", UNIT, "Mux.fault_48_*"),
    ("redis.49", UNIT, "RedisFaults.fault_49_*"),
    ("redis.49", UNIT, "ClusterFaults.fault_49_*"),
    ("redis.50", LIVE, "RedisFaults.fault_50_a_blocking_*"),
    ("redis.sentinel_epoch", UNIT, "SentinelWatch.a_sentinel_with_an_old_epoch_*"),
    ("redis.sentinel_push", UNIT, "SentinelWatch.a_switch_that_a_sentinel_announces_*"),
    ("redis.cache_bytes", UNIT, "TrackedCache.its_bytes_*"),
    ("redis.cache_flush", UNIT, "TrackedReads.all_is_forgotten_at_once_*"),
    ("redis.cache_flush", LIVE, "TrackedLive.a_killed_connection_*"),
    ("redis.cache_race", UNIT, "TrackedCache.a_read_that_was_sent_*"),
    ("redis.cache_race", UNIT, "TrackedReads.a_value_that_was_changed_*"),
    ("redis.fork", LIVE, "BlockingClient.a_forked_child_*"),
    ("redis.late", UNIT, "DurableLane.a_write_whose_deadline_has_passed_*"),
    ("redis.recall", UNIT, "DurableLane.a_write_that_was_too_late_*"),
    ("redis.room", UNIT, "Mux.a_call_that_was_too_late_*"),
    ("redis.wait_one", UNIT, "RequiredCopies.the_trace_*"),
    ("redis.wait_one", UNIT, "RequiredCopies.whichever_*"),
    ("redis.wait_lowered", UNIT, "RequiredCopies.it_is_never_*"),
    ("redis.wait_lowered", UNIT, "RequiredCopies.whichever_*"),
    ("redis.wait_offset0", UNIT, "RequiredCopies.a_replica_that_loads_*"),
    ("redis.wait_offset0", UNIT, "RequiredCopies.whichever_*"),
    ("redis.wait_port0", UNIT, "RequiredCopies.a_follower_*"),
    ("redis.copies_forgotten", UNIT, "CopiesByShard.a_replica_that_is_promoted_*"),
    ("redis.copies_forgotten", UNIT, "CopiesByShard.a_failover_*"),
    ("redis.copies_forgotten", UNIT, "CopiesByShard.a_shard_whose_nodes_*"),
    ("redis.durable_resend", UNIT, "DurableTopology.a_write_that_may_have_been_done_*"),
    ("redis.subscription_stays", UNIT, "SubscriptionTopology.a_node_that_lost_*"),
    ("redis.subscription_stays", UNIT, "SubscriptionTopology.with_sentinels_*"),
    ("redis.sunsubscribe", UNIT, "SubscriptionTopology.a_slot_that_leaves_*"),
    ("redis.wait_down", UNIT, "RequiredCopies.replicas_that_sentinel_*"),
    ("redis.wait_grown", UNIT, "RequiredCopies.more_replicas_*"),
    ("redis.wait_grown", UNIT, "DurableCopies.replicas_that_are_found_*"),
    ("redis.wait_role", UNIT, "RequiredCopies.an_answer_of_*"),
    ("redis.wait_refused", UNIT, "RequiredCopies.a_write_that_cannot_*"),
    ("redis.wait_refused", UNIT, "DurableCopies.writes_are_refused_*"),
    ("redis.wait_alone", UNIT, "RequiredCopies.a_primary_of_a_cluster_*"),
    ("redis.wait_elsewhere", UNIT, "DurableCopies.a_second_wait_*"),
    ("redis.waitaof", UNIT, "ScriptedWaitaof.a_server_without_it_*"),
    ("redis.name", UNIT, "BlockingResolver.a_slow_look_up_*"),
    ("redis.alert", LIVE, "BlockingTls.a_server_that_closed_*"),
    ("redis.01", LIVE, "RedisSoak.*"),
    ("redis.F4", LIVE, "RedisSoak.*"),
    ("redis.F4", TOPOLOGY, "Failover.*"),
)


class RedisFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        build = os.environ.get("HOLDFAST_FAULTS_BUILD")  # a folder that is kept
        if build is None:
            folder = tempfile.TemporaryDirectory(prefix="holdfast-faults-")
            cls.addClassCleanup(folder.cleanup)
            build = folder.name
        cls.build = pathlib.Path(build)
        for command in (["cmake", "--preset", "release", "-B", build, "-DHOLDFAST_TESTS=ON", "-DHOLDFAST_SIM=OFF",
                         "-DCMAKE_CXX_FLAGS=-O0 -DHOLDFAST_FAULTS", "-DHOLDFAST_ONLY_ROOMS=base;observe;codec;io;resp;redis"],
                        ["cmake", "--build", build, "--target", UNIT, LIVE, TOPOLOGY]):
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=BUILD_SECONDS_MAX, check=False)
            assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]

    def run_tests(self, program, names, fault=""):
        """(exit status, output); a program that does not come to an end is stopped and has failed."""
        environment = {**os.environ, "HOLDFAST_FAULT": fault, "HOLDFAST_SOAK_SEED": "7",
                       "HOLDFAST_FAILOVER_ROUNDS": "12"}
        try:
            done = subprocess.run([self.build / "bin" / program, f"--gtest_filter={names}"], capture_output=True, text=True,
                                  errors="replace", timeout=TEST_SECONDS_MAX, check=False, env=environment)
        except subprocess.TimeoutExpired as expired:
            return "did not end", (expired.stdout or b"").decode(errors="replace")
        return done.returncode, done.stdout + done.stderr

    def test_without_a_fault_the_tests_pass(self):
        for program in (UNIT, LIVE, TOPOLOGY):
            names = sorted({names for _, where, names in FAULTS if where == program})
            status, output = self.run_tests(program, ":".join(names))
            self.assertEqual(status, 0, output[-4000:])
            for name in names:
                self.assertIn(name.rstrip("*"), output)

    def test_each_fault_is_noticed_by_the_test_of_its_name(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:  # most of them wait
            outcomes = list(pool.map(lambda row: self.run_tests(row[1], row[2], row[0]), FAULTS))
        for (fault, _, names), (status, output) in zip(FAULTS, outcomes):
            with self.subTest(fault=fault, names=names):
                self.assertIn("[ RUN      ]", output)
                self.assertNotEqual(status, 0, f"{names} did not notice: {fault}")


if __name__ == "__main__":
    unittest.main()
