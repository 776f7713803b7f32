#pragma once
// What the SCAN family shares.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {

// A page may be empty before the end; an item may come twice. What is there all the time is seen.
template <class Item>
struct ScanPage {
    std::uint64_t cursor = 0;  // of the next page; 0: this was the last
    std::vector<Item> items;

    friend bool operator==(const ScanPage&, const ScanPage&) = default;
};

class ScanOptions {
public:
    // Glob pattern: * ? [a-z] and \ before one of them.
    ScanOptions& match(std::string pattern) {
        match_ = std::move(pattern);
        return *this;
    }
    // How much the server looks at for one page; its default is 10.
    ScanOptions& count(std::uint32_t count) {
        count_ = count;
        return *this;
    }
    // SCAN alone: only keys of this type ("string", "hash", ..).
    ScanOptions& type(std::string type) {
        type_ = std::move(type);
        return *this;
    }

    const std::optional<std::string>& match() const { return match_; }
    std::optional<std::uint32_t> count() const { return count_; }
    const std::optional<std::string>& type() const { return type_; }

private:
    std::optional<std::string> match_;
    std::optional<std::uint32_t> count_;
    std::optional<std::string> type_;
};

}  // namespace holdfast::redis
