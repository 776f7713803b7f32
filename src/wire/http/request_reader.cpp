#include "request_reader.h"

#include <holdfast/http/limits.h>

#include <algorithm>
#include <cstring>

namespace holdfast {

RequestReader::RequestReader(const HttpLimits& limits, std::string_view peer)
    : limits_(&limits), buffer_(std::make_unique_for_overwrite<char[]>(read_buffer_bytes)),
      capacity_(read_buffer_bytes), head_(limits), chunks_(limits) {
    request_.peer = peer;
}

std::span<char> RequestReader::space() {
    if (begin_ == end_ && stage_ == Stage::head) {
        begin_ = end_ = 0;
    }
    if (capacity_ - end_ < read_bytes_min) {
        if (begin_ >= capacity_ / 2) {
            relocate(nullptr, capacity_);
        } else {
            relocate(std::make_unique_for_overwrite<char[]>(capacity_ * 2), capacity_ * 2);
        }
    }
    return {buffer_.get() + end_, capacity_ - end_};
}

void RequestReader::append(std::span<const char> bytes) {
    while (!bytes.empty()) {
        const std::span<char> room = space();
        const std::size_t count = std::min(room.size(), bytes.size());
        std::memcpy(room.data(), bytes.data(), count);
        received(count);
        bytes = bytes.subspan(count);
    }
}

// Moves the request to the front of the new buffer, or of this one.
void RequestReader::relocate(std::unique_ptr<char[]> buffer, std::size_t capacity) {
    char* const to = buffer != nullptr ? buffer.get() : buffer_.get();
    const char* const from = buffer_.get() + begin_;
    std::memmove(to, from, end_ - begin_);
    head_.rebase(from, to);
    body_begin_ -= std::min(begin_, body_begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer != nullptr) {
        buffer_ = std::move(buffer);
        capacity_ = capacity;
    }
}

RequestReader::Event RequestReader::refuse(HttpRefusal refusal) {
    refusal_ = refusal;
    stage_ = Stage::refused;
    return Event::refused;
}

RequestReader::Event RequestReader::next() {
    switch (stage_) {
    case Stage::head:
        return take_head();
    case Stage::body_wanted:
        return begin_body();
    case Stage::body:
        return take_body();
    case Stage::complete:
        return Event::complete;
    case Stage::refused:
        break;
    }
    return Event::refused;
}

RequestReader::Event RequestReader::take_head() {
    // One empty line before a request is skipped (RFC 9112, 2.2): old clients send it after a body.
    if (!skipped_line_ && end_ != begin_ && buffer_[begin_] == '\r') {
        if (end_ - begin_ < 2) {
            return Event::more;
        }
        if (buffer_[begin_ + 1] == '\n') {
            begin_ += 2;
            skipped_line_ = true;
        }
    }
    switch (head_.parse(buffer_.get() + begin_, end_ - begin_)) {
    case HeadParser::Step::more:
        return Event::more;
    case HeadParser::Step::refused:
        return refuse(head_.refusal());
    case HeadParser::Step::complete:
        break;
    }
    request_.method = head_.method();
    request_.path = head_.path();
    request_.query = head_.query();
    request_.fields = head_.fields();
    request_.body = {};
    request_.content_length = head_.length();
    request_.has_body = head_.chunked() || head_.length() != 0;
    body_begin_ = begin_ + head_.head_bytes();
    stage_ = Stage::body_wanted;
    return Event::head;
}

bool RequestReader::waits_to_continue() const {
    return head_.expects_continue() && in_body() && request_.has_body && end_ == body_begin_;
}

RequestReader::Event RequestReader::begin_body() {
    if (head_.chunked()) {
        body_size_ = 0;
        chunks_.begin(head_.field_bytes(), head_.fields().size());
    } else if (head_.length() > limits_->body_bytes_max) {
        return refuse(HttpRefusal{413, "the body is too large"});
    }
    stage_ = Stage::body;
    return take_body();
}

RequestReader::Event RequestReader::take_body() {
    if (!head_.chunked()) {
        const auto length = static_cast<std::size_t>(head_.length());
        return end_ - body_begin_ < length ? Event::more : complete(length);
    }
    char* const base = buffer_.get() + body_begin_;
    std::size_t raw = body_size_;
    const auto step = chunks_.decode(base, body_size_, raw, end_ - body_begin_);
    // What is left, of this line or of the next request, follows what is decoded.
    const std::size_t left = end_ - body_begin_ - raw;
    std::memmove(base + body_size_, base + raw, left);
    end_ = body_begin_ + body_size_ + left;
    switch (step) {
    case ChunkReader::Step::more:
        return Event::more;
    case ChunkReader::Step::refused:
        return refuse(chunks_.refusal());
    case ChunkReader::Step::complete:
        break;
    }
    return complete(body_size_);
}

RequestReader::Event RequestReader::complete(std::size_t body_bytes) {
    body_size_ = body_bytes;
    request_.path = head_.path();
    request_.query = head_.query();
    request_.body = {buffer_.get() + body_begin_, body_bytes};
    stage_ = Stage::complete;
    return Event::complete;
}

void RequestReader::finish() {
    begin_ = body_begin_ + body_size_;
    body_begin_ = body_size_ = 0;
    skipped_line_ = false;
    head_.reset();
    stage_ = Stage::head;
}

void RequestReader::shrink() {
    if (capacity_ > read_buffer_bytes && idle()) {
        buffer_ = std::make_unique_for_overwrite<char[]>(read_buffer_bytes);
        capacity_ = read_buffer_bytes;
        begin_ = end_ = 0;
    }
}

}  // namespace holdfast
