#pragma once
// What a RequestReader makes of bytes, as text: `GET /a?q "body"`, ` close` after the last request
// of a connection, `400` for a refusal, `...` for a request that is not whole.

#include "request_reader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace holdfast {

inline void append_request(std::string& text, const HttpRequest& request) {
    text.append(name_of(request.method)).append(" ").append(request.path);
    if (!request.query.empty()) {
        text.append("?").append(request.query);
    }
    if (request.has_body) {
        text.append(" \"").append(request.body).append("\"");
    }
}

class EventLog {
public:
    EventLog(const HttpLimits& limits, bool with_fields)
        : reader_(limits, "peer"), with_fields_(with_fields) {}

    void feed(std::string_view bytes) {
        while (!over_ && !bytes.empty()) {
            const std::span<char> room = reader_.space();
            const std::size_t count = std::min(room.size(), bytes.size());
            std::memcpy(room.data(), bytes.data(), count);
            reader_.received(count);
            bytes.remove_prefix(count);
            run();
        }
    }
    std::string text() const {
        const bool partial = !over_ && !reader_.idle();
        return text_ + (partial ? text_.empty() ? "..." : " | ..." : "");
    }
    const RequestReader& reader() const { return reader_; }

private:
    void run() {
        for (;;) {
            switch (reader_.next()) {
            case RequestReader::Event::more:
                return;
            case RequestReader::Event::head:
                break;
            case RequestReader::Event::complete:
                separate();
                append_request(text_, reader_.request());
                if (with_fields_) {
                    for (const HttpField& field : reader_.request().fields) {
                        text_.append(" ").append(field.name).append("=").append(field.value);
                    }
                }
                if (!reader_.keep_alive()) {
                    text_.append(" close");
                    over_ = true;
                    return;
                }
                reader_.finish();
                break;
            case RequestReader::Event::refused:
                separate();
                text_.append(std::to_string(reader_.refusal().status));
                over_ = true;
                return;
            }
        }
    }
    void separate() { text_.append(text_.empty() ? "" : " | "); }

    RequestReader reader_;
    bool with_fields_;
    bool over_ = false;
    std::string text_;
};

inline std::string events_of(std::string_view bytes, std::size_t piece, bool with_fields = false) {
    const HttpLimits limits;
    EventLog log(limits, with_fields);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        log.feed(bytes.substr(at, piece));
    }
    return log.text();
}

// Cut once, at `cut`.
inline std::string
events_of_two(std::string_view bytes, std::size_t cut, bool with_fields = false) {
    const HttpLimits limits;
    EventLog log(limits, with_fields);
    log.feed(bytes.substr(0, cut));
    log.feed(bytes.substr(cut));
    return log.text();
}

}  // namespace holdfast
