#include <holdfast/io/fork.h>

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace holdfast {

// The one list of the program: pthread_atfork() knows no context. Never destroyed.
class ForkRegistry {
public:
    void add(ForkAware& member);
    void remove(ForkAware& member);

private:
    static void before() { registry().mutex_.lock(); }
    static void in_parent() { registry().mutex_.unlock(); }
    static void in_child();
    static ForkRegistry& registry();

    std::once_flag asked_;
    std::mutex mutex_;
    ForkAware* newest_ = nullptr;
};

namespace {

constinit ForkRegistry fork_registry;

}  // namespace

ForkRegistry& ForkRegistry::registry() {
    return fork_registry;
}

void ForkRegistry::add(ForkAware& member) {
    std::call_once(asked_, [] {
        if (pthread_atfork(before, in_parent, in_child) != 0) {
            std::fputs("no memory to be told of forks\n", stderr);
            std::abort();  // ids would be unique only as long as nobody forks
        }
    });
    std::lock_guard lock(mutex_);
    member.next_ = newest_;
    if (newest_ != nullptr) {
        newest_->previous_ = &member;
    }
    newest_ = &member;
}

void ForkRegistry::remove(ForkAware& member) {
    std::lock_guard lock(mutex_);
    (member.previous_ != nullptr ? member.previous_->next_ : newest_) = member.next_;
    if (member.next_ != nullptr) {
        member.next_->previous_ = member.previous_;
    }
}

// The forking thread took the lock, and it is the one that goes on here.
void ForkRegistry::in_child() {
    ForkRegistry& self = registry();
    for (ForkAware* member = self.newest_; member != nullptr; member = member->next_) {
        member->forked();
    }
    self.mutex_.unlock();
}

ForkAware::ForkAware() {
    fork_registry.add(*this);
}

ForkAware::~ForkAware() {
    fork_registry.remove(*this);
}

void ForkAware::forked() noexcept {}

}  // namespace holdfast
