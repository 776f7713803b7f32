#pragma once
// Walks all keys of a server, or all members of one large value, page by page.
//
//   Scan<std::string> scan = scan_keys(ScanOptions().match("order:*").count(500));
//   while (!scan.done()) {
//       auto keys = co_await next_page(client, scan, deadline);
//       ..
//   }
//
// What is there from the beginning to the end is seen; what comes or goes meanwhile may be. An item
// may come twice, a page may be empty. After an error the same page can be asked for again.

#include <holdfast/base/time.h>
#include <holdfast/io/task.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/hashes.h>
#include <holdfast/redis/commands/scan.h>
#include <holdfast/redis/commands/sorted_sets.h>

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {

// Where a walk is. The caller's; one thread at a time.
template <class Item>
class Scan {
public:
    using Page = Command<ScanPage<Item>> (*)(
        std::string_view key, std::uint64_t cursor, const ScanOptions& options
    );
    Scan(Page page, std::string key, ScanOptions options)
        : page_(page), key_(std::move(key)), options_(std::move(options)) {}

    bool done() const { return begun_ && cursor_ == 0; }
    // The next page; of a walk that is done the first.
    Command<ScanPage<Item>> next() const { return page_(key_, cursor_, options_); }
    std::vector<Item> got(ScanPage<Item> page) {
        cursor_ = page.cursor;
        begun_ = true;
        return std::move(page.items);
    }

private:
    Page page_;
    std::string key_;
    ScanOptions options_;
    std::uint64_t cursor_ = 0;
    bool begun_ = false;
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
