// However bytes are cut, the requests and refusals read from them are the same, and what is
// accepted keeps the rules that the rest of the service relies on.

#include "request_events.h"

#include <cstdint>
#include <cstdlib>

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void check_paths(std::string_view bytes) {
    using namespace holdfast;
    const HttpLimits limits;
    RequestReader reader(limits, "peer");
    reader.append({bytes.data(), bytes.size()});
    for (;;) {
        const auto event = reader.next();
        if (event == RequestReader::Event::more || event == RequestReader::Event::refused) {
            return;
        }
        if (event == RequestReader::Event::complete) {
            const HttpRequest& request = reader.request();
            const std::string_view path = request.path;
            require(path.empty() || path == "*" || path[0] == '/');
            require(path.find("//") == std::string_view::npos);
            require(path.find("/../") == std::string_view::npos && !path.ends_with("/.."));
            require(
                path.find_first_of(std::string_view("%;\\\0\r\n", 6)) == std::string_view::npos
            );
            require(request.body.size() <= limits.body_bytes_max);
            require(request.fields.size() <= limits.header_fields_max);
            for (const HttpField& field : request.fields) {
                require(!field.name.empty());
                require(
                    field.value.find_first_of(std::string_view("\0\r\n", 3)) ==
                    std::string_view::npos
                );
            }
            if (!reader.keep_alive()) {
                return;
            }
            reader.finish();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string whole = holdfast::events_of(bytes, size + 1, true);
    for (const std::size_t piece : {1, 2, 3, 7, 64, 1000}) {
        require(holdfast::events_of(bytes, piece, true) == whole);
    }
    const std::size_t step = size / 64 + 1;
    for (std::size_t cut = 0; cut < size; cut += step) {
        require(holdfast::events_of_two(bytes, cut, true) == whole);
    }
    check_paths(bytes);
    return 0;
}
