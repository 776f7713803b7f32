#include "key_walk.h"

#include <holdfast/redis/commands/sets.h>
#include <holdfast/redis/scan.h>

namespace holdfast::redis {

Scan<std::string> scan_keys(const ScanOptions& options) {
    return {page_of_keys, std::string(), options};
}

Task<std::vector<std::string>>
next_page(Client& client, Scan<std::string>& scan, Deadline deadline) {
    if (KeyWalk::over_nodes(client, scan)) {
        return KeyWalk::next(&client, &scan, deadline);
    }
    return next_page_as_task(&client, &scan, deadline);
}

Scan<FieldValue> scan_hash(std::string key, const ScanOptions& options) {
    return {hscan, std::move(key), options};
}

Scan<std::string> scan_set(std::string key, const ScanOptions& options) {
    return {sscan, std::move(key), options};
}

Scan<ScoredMember> scan_sorted_set(std::string key, const ScanOptions& options) {
    return {zscan, std::move(key), options};
}

}  // namespace holdfast::redis
