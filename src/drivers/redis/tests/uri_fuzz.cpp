// Any text is a URI or refused; what was taken is shown as something that can be taken.
#include <holdfast/redis/uri.h>

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using holdfast::redis::RedisUri;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto uri = RedisUri::parse(text);
    if (!uri.ok()) {
        return 0;
    }
    if (uri.value().endpoints.empty() || uri.value().shown().empty()) {
        std::abort();
    }
    return 0;
}
