#pragma once
// A connection that one caller holds.

#include <holdfast/redis/run.h>
#include <holdfast/redis/transaction.h>

#include <memory>

namespace holdfast::redis {

class NodeSide;
class NodeLink;

// Belongs to the loop it was taken on. Gives the connection back when it is destroyed: clean, or
// not at all. If the connection is lost, all further calls end `unreachable`: what was watched is
// not watched any more. Errors as of Client.
class Lease {
public:
    Lease(std::shared_ptr<NodeSide> side, std::shared_ptr<NodeLink> link);
    Lease(Lease&& other) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    template <class Reply>
    Run<Reply> run(Command<Reply>&& command, Deadline deadline) {
        before(command.any());
        return Run<Reply>(Route(*link_), std::move(command), deadline);
    }
    RunTransaction run(Transaction& transaction, Deadline deadline) {
        watched_ = false;  // EXEC forgets what was watched, however it ends
        may_have_done_ = true;
        return RunTransaction(Route(*link_), transaction, deadline);
    }

    // Something was run on it that may change what the server holds. Who got an error before that
    // has done nothing, whatever its effect says.
    bool may_have_done() const { return may_have_done_; }

private:
    // Notes what the command does to the connection.
    void before(const AnyCommand& command);

    std::shared_ptr<NodeSide> side_;
    std::shared_ptr<NodeLink> link_;
    bool watched_ = false;
    bool in_multi_ = false;
    bool may_have_done_ = false;
    bool spoiled_ = false;
};

}  // namespace holdfast::redis
