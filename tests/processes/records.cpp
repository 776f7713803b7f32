#include "records.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace holdfast::testing {
namespace {

[[noreturn]] void give_up(const char* what) {
    std::perror(what);
    std::abort();
}

}  // namespace

RecordFile::RecordFile(const std::string& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    if (descriptor_ < 0) {
        give_up(path.c_str());
    }
}

RecordFile::~RecordFile() {
    ::close(descriptor_);
}

void RecordFile::append(std::span<const Record> records) {
    const auto bytes = static_cast<ssize_t>(records.size_bytes());
    if (bytes != 0 && ::write(descriptor_, records.data(), records.size_bytes()) != bytes) {
        give_up("the file of records");
    }
}

std::vector<Record> read_records(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
        give_up(path.c_str());
    }
    std::vector<Record> records(static_cast<std::size_t>(status.st_size) / sizeof(Record));
    auto* at = reinterpret_cast<char*>(records.data());
    std::size_t left = records.size() * sizeof(Record);
    while (left != 0) {
        const ssize_t got = ::read(descriptor, at, left);
        if (got <= 0) {
            give_up(path.c_str());
        }
        at += got;
        left -= static_cast<std::size_t>(got);
    }
    ::close(descriptor);
    return records;
}

Verdict judge(std::vector<Record>& records) {
    std::ranges::sort(records);
    Verdict verdict;
    const Record* widest = nullptr;  // of its kind, so far
    for (const Record& record : records) {
        verdict.numbers += record.last - record.first + 1;
        const bool same_kind = widest != nullptr && widest->kind == record.kind;
        if (same_kind && record.first <= widest->last) {
            ++verdict.repeated;
        }
        if (!same_kind || record.last > widest->last) {
            widest = &record;
        }
    }
    return verdict;
}

}  // namespace holdfast::testing
