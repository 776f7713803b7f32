#pragma once
// One connection's requests, without sockets: bytes in, events out. Owns the buffer that a
// request's views point into. However the bytes are cut, the events are the same.

#include "chunk_reader.h"
#include "head_parser.h"

#include <holdfast/http/message.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace holdfast {

class RequestReader {
public:
    // more: give it bytes. head: the request is known but for its body; ask again to go on.
    // complete: it is whole; ask again after finish(). refused: nothing more will be read.
    enum class Event { more, head, complete, refused };

    // `peer` and `limits` outlive the reader.
    RequestReader(const HttpLimits& limits, std::string_view peer);

    // Where the next bytes go; never empty. Views of the request are moved along if the buffer is.
    std::span<char> space();
    void received(std::size_t count) { end_ += count; }
    void append(std::span<const char> bytes);

    Event next();
    // After `head` its body is empty; after `complete` all of it is set.
    const HttpRequest& request() const { return request_; }
    HttpRefusal refusal() const { return refusal_; }
    bool keep_alive() const { return head_.keep_alive(); }
    // The client waits for 100-continue, and nothing of its body has come yet.
    bool waits_to_continue() const;
    std::size_t body_received() const { return end_ - body_begin_; }
    // Ends the request; the next one may be there already.
    void finish();

    // No byte of a next request is there.
    bool idle() const { return stage_ == Stage::head && begin_ == end_; }
    // The header is whole, the body is not.
    bool in_body() const { return stage_ == Stage::body || stage_ == Stage::body_wanted; }
    // Room for bytes that nobody will look at; ends the use of this reader.
    std::span<char> scratch() { return {buffer_.get(), capacity_}; }
    // Idle: gives a grown buffer back.
    void shrink();
    std::size_t buffer_bytes() const { return capacity_; }

private:
    enum class Stage { head, body_wanted, body, complete, refused };
    Event refuse(HttpRefusal refusal);
    Event take_head();
    Event begin_body();
    Event take_body();
    Event complete(std::size_t body_bytes);
    void relocate(std::unique_ptr<char[]> buffer, std::size_t capacity);

    const HttpLimits* limits_;
    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;  // of the request
    std::size_t end_ = 0;    // of the bytes
    std::size_t body_begin_ = 0;
    std::size_t body_size_ = 0;  // decoded so far; of a chunked body
    Stage stage_ = Stage::head;
    bool skipped_line_ = false;
    HeadParser head_;
    ChunkReader chunks_;
    HttpRequest request_;
    HttpRefusal refusal_{0, {}};
};

}  // namespace holdfast
