#pragma once
// Walks all keys of a server or a cluster, or all members of one large value, page by page.
//
//   Scan<std::string> scan = scan_keys(ScanOptions().match("order:*").count(500));
//   while (!scan.done()) {
//       auto keys = co_await next_page(client, scan, deadline);
//       ..
//   }
//
// What is there from the beginning to the end is seen; what comes or goes meanwhile may be. An item
// may come twice, a page may be empty. After an error the same page can be asked for again.
//
// A cursor means something to the process that gave it alone. A walk over keys with a Client of a
// cluster or of sentinels goes node by node, and walks again what has another owner by then: slots
// that moved, a promoted replica, a server that was started again. A slot whose keys are on their
// way when the walk ends may lack some. Nothing of that is done for members of one value: after a
// failover, or when its slot has moved, begin again.

#include <holdfast/base/time.h>
#include <holdfast/io/task.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/hashes.h>
#include <holdfast/redis/commands/scan.h>
#include <holdfast/redis/commands/sorted_sets.h>

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {

class Client;
class KeyWalk;

// Where a walk is. The caller's; one thread at a time.
template <class Item>
class Scan {
public:
    using Page = Command<ScanPage<Item>> (*)(
        std::string_view key, std::uint64_t cursor, const ScanOptions& options
    );
    Scan(Page page, std::string key, ScanOptions options)
        : page_(page), key_(std::move(key)), options_(std::move(options)) {}
    Scan(Scan&&) noexcept = default;
    Scan& operator=(Scan&&) noexcept = default;
    ~Scan() = default;

    bool done() const { return done_; }
    // The next page; of a walk that is done the first.
    Command<ScanPage<Item>> next() const { return page_(key_, cursor_, options_); }
    std::vector<Item> got(ScanPage<Item> page) {
        cursor_ = page.cursor;
        done_ = cursor_ == 0;
        return std::move(page.items);
    }

private:
    friend class KeyWalk;
    Page page_;
    std::string key_;
    ScanOptions options_;
    std::uint64_t cursor_ = 0;
    bool done_ = false;
    std::shared_ptr<KeyWalk> walk_;  // over nodes; null: it is none, or has not begun
};

Scan<std::string> scan_keys(const ScanOptions& options = {});
Scan<FieldValue> scan_hash(std::string key, const ScanOptions& options = {});
Scan<std::string> scan_set(std::string key, const ScanOptions& options = {});
Scan<ScoredMember> scan_sorted_set(std::string key, const ScanOptions& options = {});

template <class Client, class Item>
Task<std::vector<Item>> next_page_as_task(Client* client, Scan<Item>* scan, Deadline deadline) {
    Result<ScanPage<Item>> page = co_await client->run(scan->next(), deadline);
    if (!page.ok()) {
        co_return std::move(page).error();
    }
    co_return scan->got(std::move(page).value());
}

template <class Client, class Item>
Result<std::vector<Item>> next_page_blocking(Client& client, Scan<Item>& scan, Deadline deadline) {
    Result<ScanPage<Item>> page = client.run(scan.next(), deadline);
    if (!page.ok()) {
        return std::move(page).error();
    }
    return scan.got(std::move(page).value());
}

// Over all nodes of the client.
Task<std::vector<std::string>>
next_page(Client& client, Scan<std::string>& scan, Deadline deadline);

// With a Client or a Lease: a Task; `scan` stays where it is until that ends. With a
// BlockingClient: the result.
template <class Client, class Item>
auto next_page(Client& client, Scan<Item>& scan, Deadline deadline) {
    using Run = decltype(client.run(scan.next(), deadline));
    if constexpr (std::same_as<Run, Result<ScanPage<Item>>>) {
        return next_page_blocking(client, scan, deadline);
    } else {
        return next_page_as_task(&client, &scan, deadline);
    }
}

}  // namespace holdfast::redis
