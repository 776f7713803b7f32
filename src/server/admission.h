#pragma once
// How many store calls the process has under way. One number for all loops.

#include <atomic>
#include <cstddef>

namespace holdfast {

class Admission {
public:
    explicit Admission(std::size_t calls_max) : calls_max_(calls_max) {}

    std::size_t in_flight() const { return in_flight_.load(std::memory_order_relaxed); }

    // A place among the calls under way, given back when it goes.
    class Place {
    public:
        explicit Place(Admission& admission) : admission_(&admission) {
            taken_ = admission_->in_flight_.fetch_add(1, std::memory_order_relaxed) <
                     admission_->calls_max_;
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() { admission_->in_flight_.fetch_sub(1, std::memory_order_relaxed); }
        bool taken() const { return taken_; }

    private:
        Admission* admission_;
        bool taken_;
    };

private:
    std::size_t calls_max_;
    std::atomic<std::size_t> in_flight_ = 0;
};

}  // namespace holdfast
