// However bytes are cut, the replies read from them are the same, and they are those that the naive
// parser reads.

#include "naive_parser.h"

#include <cstdint>
#include <cstdlib>

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holdfast;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string whole = NaiveParser(bytes).said();
    require(said_of(bytes, size + 1) == whole);
    for (const std::size_t piece : {1, 2, 3, 7, 64, 1000}) {
        if (size / piece < 600) {  // each call copies: a long one in small pieces is slow
            require(said_of(bytes, piece) == whole);
        }
    }
    const std::size_t step = size / 32 + 1;
    for (std::size_t cut = 0; cut < size; cut += step) {
        require(said_of_two(bytes, cut) == whole);
    }
    return 0;
}
