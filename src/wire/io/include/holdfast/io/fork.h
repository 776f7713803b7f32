#pragma once
// What must happen in a forked child before anything else runs there (rule L10 of the store
// contract): leases are lost, ranges dropped, connections dead, without a message to anyone.

#include <holdfast/io/link.h>

namespace holdfast {

// Registered from its construction to its destruction, by any thread.
class ForkAware {
public:
    ForkAware(const ForkAware&) = delete;
    ForkAware& operator=(const ForkAware&) = delete;

protected:
    ForkAware();
    virtual ~ForkAware();

private:
    friend class ForkRegistry;
    // In the child, before fork() returns there, newest first. The child has this one thread; locks
    // that other threads held stay held for ever, so only atomics may be touched: no lock, no
    // memory, no call of the system beside close().
    virtual void forked() noexcept = 0;

    ForkAware* next_ = nullptr;
    ForkAware* previous_ = nullptr;
};

}  // namespace holdfast
