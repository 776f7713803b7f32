#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/commands/sets.h>
#include <holdfast/redis/scan.h>

namespace holdfast::redis {

namespace {

// A walk over keys has none of its own.
Command<ScanPage<std::string>>
page_of_keys(std::string_view, std::uint64_t cursor, const ScanOptions& options) {
    return scan(cursor, options);
}

}  // namespace

Scan<std::string> scan_keys(const ScanOptions& options) {
    return {page_of_keys, std::string(), options};
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
