#pragma once
// What must happen in a forked child before anything else runs there (rule L10 of the store
// contract): leases are lost, ranges dropped, connections dead, without a message to anyone.
//
// What this room does by itself in a child, for a Runtime of the parent, whose threads are not
// there:
// - wait(), start() and spawn() answer `closed`, none, at once; so does its pool. Tasks that ran
//   in the parent never go on. Its destructor joins nothing and frees nothing.
// - Descriptors of its streams and listeners are closed, without a shutdown: the parent keeps its
//   connections, and nobody waits for the end of one because a child holds it. Not known, and
//   therefore still open in the child: a connection that was just being opened or buried, and the
//   loops' own descriptors. All of them are closed by exec().
// - The signals that open_signals() took have their default again.
// A child that goes on opens a runtime of its own. One that was forked on a loop's thread may only
// call exec() or _exit(): it must not return into the loop.

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
    // memory, no call of the system beside close() and signal().
    // Another thread may have been making or destroying this object: then nobody uses it here, but
    // its members may not have begun or be gone. So write to own atomics (harmless at any time) and
    // follow no pointer that a constructor had still to set.
    virtual void forked() noexcept;

    ForkAware* next_ = nullptr;
    ForkAware* previous_ = nullptr;
};

}  // namespace holdfast
