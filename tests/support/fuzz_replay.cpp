// Runs a fuzz target over each file of its corpus, and over each file cut at every byte (the first
// 4 KiB of it).

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    constexpr std::size_t cut_max = 4096;
    std::size_t files = 0;
    std::size_t runs = 0;
    for (int i = 1; i < argc; ++i) {
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            std::ifstream in(entry.path(), std::ios::binary);
            const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
            ++files;
            for (std::size_t size = 0; size <= bytes.size() && size <= cut_max; ++size, ++runs) {
                const std::vector<std::uint8_t> cut(
                    bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)
                );
                LLVMFuzzerTestOneInput(cut.data(), cut.size());
            }
            const std::vector<std::uint8_t> whole(bytes.begin(), bytes.end());
            LLVMFuzzerTestOneInput(whole.data(), whole.size());
            ++runs;
        }
    }
    std::printf("%zu files, %zu runs\n", files, runs);
    return files == 0 ? 1 : 0;
}
