// Several stores on one file: in one process, and in processes of their own.
#include "held_file.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace holdfast {
namespace {

constexpr int rounds = 40;
constexpr int callers = 8;

// Appends "start end" of every acknowledged range.
void reserve_into(Store& store, Runtime& runtime, const std::string& list) {
    std::ofstream out(list);
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::future<Result<ReserveOutcome>>> outcomes;
        for (int i = 0; i < callers; ++i) {
            outcomes.push_back(start(
                runtime, reserve(store, "a", 1 + i, Deadline::in(Duration(60'000), runtime.clock()))
            ));
        }
        for (auto& outcome : outcomes) {
            auto answer = outcome.get();
            if (!answer.ok()) {
                out << "error " << answer.error().what() << "\n";
                return;
            }
            const Range range = std::get<Range>(answer.value());
            out << range.start << " " << range.end << "\n";
        }
    }
}

std::vector<Range> ranges_in(const std::vector<std::string>& lists) {
    std::vector<Range> ranges;
    for (const std::string& list : lists) {
        std::ifstream in(list);
        Range range{};
        while (in >> range.start >> range.end) {
            ranges.push_back(range);
        }
        EXPECT_TRUE(in.eof()) << "an error in " << list;
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
        return a.start < b.start;
    });
    return ranges;
}

// No number twice, and none left out: nobody crashed.
void expect_one_sequence(const std::vector<Range>& ranges) {
    std::int64_t next = 0;
    for (const Range& range : ranges) {
        ASSERT_EQ(range.start, next);
        next = range.end;
    }
}

TEST(TwoStores, in_one_process_never_give_a_number_twice) {
    HeldFile file;
    auto one = file.open(file.options());
    auto other = file.open(file.options());
    const std::string first = file.path() + ".1";
    const std::string second = file.path() + ".2";
    std::thread thread([&] { reserve_into(*one, file.runtime(), first); });
    reserve_into(*other, file.runtime(), second);
    thread.join();
    const auto ranges = ranges_in({first, second});
    EXPECT_EQ(ranges.size(), 2u * rounds * callers);
    expect_one_sequence(ranges);
}

// Opens the file, which does not exist yet for the first of them, in a process without threads.
void child(const std::string& path, const std::string& list) {
    int code = 1;
    {
        auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
        const Deadline deadline = Deadline::in(Duration(60'000), runtime->clock());
        auto store = open_sqlite_store(*runtime, SqliteStoreOptions(path), deadline);
        if (store.ok()) {
            reserve_into(*store.value(), *runtime, list);
            code = 0;
        }
    }
    std::_Exit(code);
}

TEST(TwoStores, in_processes_that_make_the_file_at_once_never_give_a_number_twice) {
    testing::TemporaryFolder folder;
    const std::string path = (folder / "store.db").string();
    std::vector<std::string> lists;
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i) {
        lists.push_back(path + "." + std::to_string(i));
        const pid_t pid = fork();
        ASSERT_GE(pid, 0);
        if (pid == 0) {
            child(path, lists.back());
        }
        children.push_back(pid);
    }
    for (const pid_t pid : children) {
        int status = 0;
        ASSERT_EQ(waitpid(pid, &status, 0), pid);
        EXPECT_EQ(status, 0) << "a child could not open the file";
    }
    const auto ranges = ranges_in(lists);
    EXPECT_EQ(ranges.size(), 3u * rounds * callers);
    expect_one_sequence(ranges);
}

TEST(TwoStores, take_slots_of_one_namespace_without_meeting) {
    HeldFile file;
    auto one = file.open(file.options());
    auto other = file.open(file.options());
    std::vector<std::uint32_t> slots;
    for (int i = 0; i < 20; ++i) {
        Store& store = i % 2 == 0 ? *one : *other;
        AcquireRequest request(
            Namespace::parse("n").value(),
            OwnerKey::parse("o" + std::to_string(i)).value(),
            Incarnation::parse("i").value()
        );
        auto outcome = wait(file.runtime(), store.slots().acquire(request, file.soon()));
        ASSERT_TRUE(outcome.ok());
        slots.push_back(std::get<Acquired>(outcome.value()).lease.slot.value());
    }
    std::sort(slots.begin(), slots.end());
    EXPECT_EQ(std::unique(slots.begin(), slots.end()), slots.end());
}

}  // namespace
}  // namespace holdfast
