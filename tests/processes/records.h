#pragma once
// What a worker gave out, in its file, before anyone used it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace holdfast::testing {

// The numbers first..last of one kind: kinds are kept apart, numbers of one kind must not repeat.
struct Record {
    std::uint64_t kind;
    std::uint64_t first;
    std::uint64_t last;
    friend auto operator<=>(const Record&, const Record&) = default;
};

// Appends only; a record is whole or not there. Aborts when the disk is full.
class RecordFile {
public:
    explicit RecordFile(const std::string& path);
    ~RecordFile();
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;
    void append(std::span<const Record> records);

private:
    int descriptor_;
};

std::vector<Record> read_records(const std::string& path);

struct Verdict {
    std::uint64_t numbers = 0;
    std::uint64_t repeated = 0;  // records that meet the one before them
};
// Sorts them.
Verdict judge(std::vector<Record>& records);

}  // namespace holdfast::testing
