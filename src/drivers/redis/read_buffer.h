#pragma once
// What came and was not parsed, in one piece; and room for what comes next.

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>

#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>

namespace holdfast::redis {

class ReadBuffer {
public:
    // At least read_bytes of room, unless there is no memory: then nothing. Moves what is unread.
    std::span<std::byte> space() {
        if (begin_ == end_) {
            begin_ = end_ = 0;
            if (size_ > read_bytes_kept) {
                bytes_.reset();
                size_ = 0;
            }
        }
        if (size_ - end_ < read_bytes && begin_ != 0) {
            std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
        }
        if (size_ - end_ < read_bytes) {
            grow();
        }
        if (size_ == end_) {
            return {};
        }
        const std::size_t room = fault("redis.F8") ? 4'096 : size_ - end_;
        return std::as_writable_bytes(std::span(bytes_.get() + end_, room));
    }
    void received(std::size_t count) { end_ += count; }
    std::string_view unread() const { return {bytes_.get() + begin_, end_ - begin_}; }
    void parsed(std::size_t count) { begin_ += count; }

private:
    // By doubling: memory is bounded by what came.
    void grow() {
        const std::size_t size = std::max(2 * size_, 2 * read_bytes);
        std::unique_ptr<char[]> larger(new (std::nothrow) char[size]);
        if (larger == nullptr) {
            return;
        }
        if (end_ != 0) {
            std::memcpy(larger.get(), bytes_.get(), end_);
        }
        bytes_ = std::move(larger);
        size_ = size;
    }

    std::unique_ptr<char[]> bytes_;
    std::size_t size_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace holdfast::redis
