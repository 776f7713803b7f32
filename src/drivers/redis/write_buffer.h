#pragma once
// Bytes on their way out: room that is filled without being cleared first.

#include <holdfast/redis/client_limits.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

namespace holdfast::redis {

class WriteBuffer {
public:
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::string_view view() const { return {bytes_.get(), size_}; }
    // Room for so many bytes behind the others, to be counted by wrote(). Throws std::bad_alloc and
    // has changed nothing then.
    char* room(std::size_t bytes) {
        if (capacity_ - size_ < bytes) {
            grow(bytes);
        }
        return bytes_.get() + size_;
    }
    void wrote(const char* end) { size_ = static_cast<std::size_t>(end - bytes_.get()); }
    void clear() {
        size_ = 0;
        if (capacity_ > out_bytes_kept) {
            bytes_.reset();
            capacity_ = 0;
        }
    }

private:
    void grow(std::size_t bytes) {
        const std::size_t capacity = std::max({2 * capacity_, size_ + bytes, read_bytes});
        auto larger = std::make_unique_for_overwrite<char[]>(capacity);
        std::copy_n(bytes_.get(), size_, larger.get());
        bytes_ = std::move(larger);
        capacity_ = capacity;
    }

    std::unique_ptr<char[]> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace holdfast::redis
