#pragma once
// Takes chunks out of a body, in place. Sizes, extensions and trailers are read as strictly as the
// header, and their bytes count against its limits.

#include <holdfast/http/message.h>

#include <cstddef>
#include <cstdint>

namespace holdfast {

class ChunkReader {
public:
    enum class Step { more, complete, refused };

    explicit ChunkReader(const HttpLimits& limits) : limits_(&limits) {}
    // For a body that follows a header with so many bytes and fields.
    void begin(std::size_t header_bytes, std::size_t header_fields);

    // Raw bytes stand at [raw, end) behind `body` decoded ones at [base, base + body). Decodes what
    // is there, moves `body` and `raw` forward. After `complete`, what is left belongs to the next
    // request.
    Step decode(char* base, std::size_t& body, std::size_t& raw, std::size_t end);

    HttpRefusal refusal() const { return refusal_; }

private:
    enum class State { size_line, data, data_end, trailer };
    Step refuse(int status, std::string_view what);
    Step take_size(std::string_view seen, bool whole, std::size_t body);
    Step take_trailer(std::string_view seen, bool whole);

    const HttpLimits* limits_;
    State state_ = State::size_line;
    std::uint64_t left_ = 0;        // of the chunk's data and the CR LF behind it
    std::size_t header_bytes_ = 0;  // header, extensions and trailers so far
    std::size_t header_fields_ = 0;
    std::size_t scanned_ = 0;  // of the current line, without finding its end
    HttpRefusal refusal_{0, {}};
};

}  // namespace holdfast
