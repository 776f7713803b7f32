// The memory store, and with it the rules, against answers of a model that shares no code with them
// (data/README.md).
#include "answer_text.h"

#include <gtest/gtest.h>
#include <support/memory_under_test.h>

#include <fstream>
#include <sstream>

namespace holdfast {
namespace {

// One request: its words, read in the order of data/README.md.
class Words {
public:
    explicit Words(const std::string& line) : in_(line) { in_ >> call_ >> now_; }

    const std::string& call() const { return call_; }
    StoreTime now() const { return StoreTime(Duration(now_)); }
    std::string text() {
        std::string word;
        in_ >> word;
        return word;
    }
    std::int64_t number() { return std::stoll(text()); }
    template <class T>
    T name() {
        return T::parse(text()).value();
    }
    Slot slot() { return Slot(static_cast<std::uint32_t>(number())); }

private:
    std::istringstream in_;
    std::string call_;
    std::int64_t now_ = 0;
};

class Replay {
public:
    Replay() : runtime_(open_runtime(RuntimeOptions().loops(1)).value()), place_(*runtime_) {}

    void begin() {
        store_ = place_.open().value();
        space_ = Namespace::parse(place_.fresh_name()).value();
    }
    std::string answer(const std::string& request) {
        Words words(request);
        place_.set_clock(words.now());
        if (words.call() == "acquire") {
            return acquire(words);
        }
        return words.call() == "renew" ? renew(words) : release(words);
    }

private:
    Deadline soon() { return Deadline::in(std::chrono::seconds(10), runtime_->loop(0).now()); }

    std::string acquire(Words& words) {
        const auto owner = words.name<OwnerKey>();
        const auto token = words.name<Incarnation>();
        const auto limit = static_cast<std::uint32_t>(words.number());
        const Duration tolerance(words.number());
        const Duration ttl(words.number());
        const std::string preferred = words.text();
        std::optional<Slot> slot;
        if (preferred != "-") {
            slot = Slot(static_cast<std::uint32_t>(std::stoul(preferred)));
        }
        auto request = AcquireRequest(*space_, owner, token)
                           .limit(limit)
                           .ttl(ttl)
                           .tolerance(tolerance)
                           .preferred(slot);
        return text_of(wait(*runtime_, store_->slots().acquire(request, soon())));
    }
    LeaseKey key(Words& words) {
        const Slot slot = words.slot();
        const auto owner = words.name<OwnerKey>();
        const auto token = words.name<Incarnation>();
        const Fence fence(static_cast<std::uint64_t>(words.number()));
        return LeaseKey(*space_, slot, owner, token, fence);
    }
    std::string renew(Words& words) {
        const LeaseKey lease = key(words);
        const Duration ttl(words.number());
        const Duration tolerance(words.number());
        return text_of(wait(*runtime_, store_->slots().renew(lease, ttl, tolerance, soon())));
    }
    std::string release(Words& words) {
        const LeaseKey lease = key(words);
        const StoreTime last(Duration(words.number()));
        const auto answer = wait(*runtime_, store_->slots().release(lease, last, soon()));
        if (!answer.ok() && answer.error().code() == Code::invalid_argument) {
            return answer.error().effect() == Effect::none ? "invalid" : "invalid, effect unknown";
        }
        return text_of(answer);
    }

    std::unique_ptr<Runtime> runtime_;
    testing::MemoryUnderTest place_;
    std::unique_ptr<Store> store_;
    std::optional<Namespace> space_;
};

TEST(GoldenSequences, are_answered_as_the_independent_model_answers) {
    std::ifstream in(STORE_KIT_DATA "/slot_sequences.txt");
    ASSERT_TRUE(in.good());
    constexpr std::string_view arrow = " => ";
    Replay replay;
    std::string line;
    std::string sequence;
    int compared = 0;
    while (std::getline(in, line)) {
        const std::size_t at = line.find(arrow);
        if (at == std::string::npos) {
            sequence = line;
            replay.begin();
            continue;
        }
        const std::string request = line.substr(0, at);
        ASSERT_EQ(replay.answer(request), line.substr(at + arrow.size()))
            << sequence << ": " << request;
        ++compared;
    }
    EXPECT_EQ(compared, 300 * 40);
}

}  // namespace
}  // namespace holdfast
