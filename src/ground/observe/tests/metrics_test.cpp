#include <holdfast/observe/metrics.h>
#include <holdfast/observe/process_metrics.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <thread>

namespace holdfast {
namespace {

constexpr MetricFamily requests{
    "holdfast_requests_total", "Requests by route and status.", {"route", "status"}
};
constexpr MetricFamily in_flight{"holdfast_in_flight", "Requests being served."};
constexpr MetricFamily duration{"holdfast_duration_seconds", "Time of a call.", {"operation"}};
constexpr double bounds[] = {0.001, 0.01, 0.1};

TEST(Metrics, the_text_is_exact_sorted_and_sums_cells_of_the_same_labels) {
    Metrics metrics;
    Counter& first_loop = metrics.counter(requests, {"/ids", "200"});
    Counter& second_loop = metrics.counter(requests, {"/ids", "200"});
    metrics.counter(requests, {"/ids", "100"}).add(7);
    metrics.shared_counter(requests, {"/a", "500"}).add();
    first_loop.add(40);
    second_loop.add(2);
    metrics.gauge(in_flight).set(2.5);
    metrics.gauge(in_flight).add(-1);
    Histogram& slow = metrics.histogram(duration, {"reserve"}, bounds);
    Histogram& fast = metrics.histogram(duration, {"reserve"}, bounds);
    slow.record(0.05);
    slow.record(5);
    fast.record(0.0005);
    EXPECT_EQ(metrics.text(), R"(# HELP holdfast_duration_seconds Time of a call.
# TYPE holdfast_duration_seconds histogram
holdfast_duration_seconds_count{operation="reserve"} 3
holdfast_duration_seconds_sum{operation="reserve"} 5.0505
holdfast_duration_seconds_bucket{operation="reserve",le="0.001"} 1
holdfast_duration_seconds_bucket{operation="reserve",le="0.01"} 1
holdfast_duration_seconds_bucket{operation="reserve",le="0.1"} 2
holdfast_duration_seconds_bucket{operation="reserve",le="+Inf"} 3
# HELP holdfast_in_flight Requests being served.
# TYPE holdfast_in_flight gauge
holdfast_in_flight 1.5
# HELP holdfast_requests_total Requests by route and status.
# TYPE holdfast_requests_total counter
holdfast_requests_total{route="/a",status="500"} 1
holdfast_requests_total{route="/ids",status="100"} 7
holdfast_requests_total{route="/ids",status="200"} 42
)");
}

TEST(Metrics, the_order_of_registration_does_not_show) {
    Metrics one;
    one.counter(requests, {"/a", "1"});
    one.gauge(in_flight);
    one.counter(requests, {"/b", "1"});
    Metrics other;
    other.counter(requests, {"/b", "1"});
    other.counter(requests, {"/a", "1"});
    other.gauge(in_flight);
    EXPECT_EQ(one.text(), other.text());
}

TEST(Metrics, label_values_cannot_break_a_line) {
    Metrics metrics;
    metrics.counter(requests, {"a\"b\\c\nd", "200"});
    EXPECT_THAT(
        metrics.text(),
        ::testing::HasSubstr(
            "\nholdfast_requests_total{route=\"a\\\"b\\\\c\\nd\",status=\"200\"} 0\n"
        )
    );
}

TEST(Metrics, callbacks_are_read_at_each_collection_and_summed) {
    Metrics metrics;
    double depth = 3;
    metrics.gauge_from(in_flight, {}, [&depth] { return depth; });
    metrics.gauge_from(in_flight, {}, [] { return 10.0; });
    metrics.counter_from({"taken_total", "Taken."}, {}, [] { return 5.0; });
    EXPECT_THAT(metrics.text(), ::testing::HasSubstr("holdfast_in_flight 13\n"));
    depth = 4;
    EXPECT_THAT(metrics.text(), ::testing::HasSubstr("holdfast_in_flight 14\n"));
    EXPECT_THAT(
        metrics.text(), ::testing::HasSubstr("# TYPE taken_total counter\ntaken_total 5\n")
    );
}

TEST(Metrics, a_value_on_a_bound_counts_as_within_it) {
    Metrics metrics;
    Histogram& cell = metrics.histogram(duration, {"x"}, bounds);
    cell.record(0.001);
    cell.record(std::nextafter(0.001, 1.0));
    cell.record(0.1);
    cell.record(std::nextafter(0.1, 1.0));
    EXPECT_EQ(cell.count(0), 1u);
    EXPECT_EQ(cell.count(1), 1u);
    EXPECT_EQ(cell.count(2), 1u);
    EXPECT_EQ(cell.count(3), 1u);
}

TEST(Metrics, negative_and_undefined_durations_count_as_zero) {
    Metrics metrics;
    Histogram& cell = metrics.histogram(duration, {"x"}, bounds);
    cell.record(-5);
    cell.record(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(cell.count(0), 2u);
    EXPECT_EQ(cell.sum(), 0);
}

TEST(Metrics, the_default_bounds_fit_and_grow) {
    Metrics metrics;
    Histogram& cell = metrics.histogram(duration, {"x"});
    EXPECT_EQ(cell.bounds().size(), latency_bounds.size());
    EXPECT_LE(latency_bounds.size(), histogram_bounds_max);
}

TEST(Metrics, a_cell_keeps_its_address_when_thousands_follow) {
    Metrics metrics;
    Counter& first = metrics.counter(requests, {"/a", "1"});
    for (int i = 0; i < 5000; ++i) {
        metrics.counter(requests, {"/a", "1"});
    }
    first.add(3);
    EXPECT_THAT(metrics.text(), ::testing::HasSubstr("status=\"1\"} 3\n"));
}

TEST(Metrics, nothing_is_lost_when_each_thread_has_a_cell_and_all_share_one) {
    Metrics metrics;
    SharedCounter& shared = metrics.shared_counter({"shared_total", "Shared."});
    std::vector<std::thread> threads;
    std::atomic<bool> done = false;
    std::thread collector([&] {
        while (!done) {
            (void)metrics.text();
        }
    });
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            Counter& own = metrics.counter({"own_total", "Own."});
            Histogram& times = metrics.histogram(duration, {"x"}, bounds);
            for (int i = 0; i < 20'000; ++i) {
                own.add();
                shared.add();
                times.record(0.005);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    done = true;
    collector.join();
    const std::string text = metrics.text();
    EXPECT_THAT(text, ::testing::HasSubstr("own_total 80000\n"));
    EXPECT_THAT(text, ::testing::HasSubstr("shared_total 80000\n"));
    EXPECT_THAT(text, ::testing::HasSubstr("seconds_count{operation=\"x\"} 80000\n"));
}

TEST(MetricsDeath, what_only_a_bug_can_do_aborts) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    Metrics metrics;
    metrics.counter(requests, {"/a", "1"});
    metrics.histogram(duration, {"x"}, bounds);
    EXPECT_DEATH(metrics.counter(requests, {"/a"}), "wrong number of label values");
    EXPECT_DEATH(metrics.gauge(requests, {"/a", "1"}), "declared twice");
    EXPECT_DEATH(
        metrics.counter({requests.name(), "Other.", {"route", "status"}}, {"", ""}),
        "declared twice"
    );
    EXPECT_DEATH(
        metrics.counter({requests.name(), requests.help(), {"status", "route"}}, {"", ""}),
        "declared twice"
    );
    EXPECT_DEATH(metrics.histogram(duration, {"y"}), "declared twice");
    EXPECT_DEATH(metrics.counter({"1st", "Help."}), "bad name");
    EXPECT_DEATH(metrics.counter({"a-b", "Help."}), "bad name");
    EXPECT_DEATH(metrics.counter({"", "Help."}), "bad name");
    EXPECT_DEATH(metrics.counter({"a", "Help.", {"b-c"}}, {""}), "bad label name");
    EXPECT_DEATH(metrics.counter({"a", "Help.", {"b", "b"}}, {"", ""}), "bad label name");
    EXPECT_DEATH(metrics.histogram({"a", "Help.", {"le"}}, {""}), "bad label name");
    constexpr double falling[] = {2, 1};
    EXPECT_DEATH(metrics.histogram({"a", "Help."}, {}, falling), "bounds must");
    EXPECT_DEATH(metrics.histogram({"a", "Help."}, {}, {}), "too few");
}

double value_of(const std::string& text, const std::string& name) {
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

TEST(ProcessMetrics, they_are_what_the_kernel_says) {
    Metrics metrics;
    register_process_metrics(metrics);
    const std::string before = metrics.text();
    EXPECT_GT(value_of(before, "process_resident_memory_bytes"), 1e6);
    EXPECT_GE(value_of(before, "process_cpu_seconds_total"), 0);
    EXPECT_GE(value_of(before, "process_threads"), 1);
    EXPECT_GT(value_of(before, "process_max_fds"), 3);
    EXPECT_GT(value_of(before, "process_start_time_seconds"), 1.6e9);
    const int extra = open("/dev/null", O_RDONLY | O_CLOEXEC);
    ASSERT_GE(extra, 0);
    EXPECT_EQ(
        value_of(metrics.text(), "process_open_fds"), value_of(before, "process_open_fds") + 1
    );
    close(extra);
}

}  // namespace
}  // namespace holdfast
