#pragma once
// SQLite behind the small face.

#include <holdfast/sql/connection.h>

#include <memory>
#include <string>

namespace holdfast {

class SqliteOptions {
public:
    // `clock`: what deadlines are measured by; it must outlive the connection.
    SqliteOptions(std::string path, const Clock& clock) : path_(std::move(path)), clock_(&clock) {}
    // Default true: a file that is not there is created, empty.
    SqliteOptions& create(bool yes) {
        create_ = yes;
        return *this;
    }

    const std::string& path() const { return path_; }
    const Clock& clock() const { return *clock_; }
    bool create() const { return create_; }

private:
    std::string path_;
    const Clock* clock_;
    bool create_ = true;
};

// Opens the file and reads its head. The deadline also bounds waits for locks outside transactions
// until the first begin(), whose deadline then takes its place. corrupt, none: not a database, left
// untouched. unreachable or denied, none: it cannot be opened or made.
Result<std::unique_ptr<SqlConnection>> open_sqlite(const SqliteOptions& options, Deadline deadline);

// Write-ahead log and synchronous=FULL, read back after setting: a commit is then durable when it
// is answered. unsupported, none: this file cannot have them (in memory, or no shared memory
// there). Outside a transaction; writes the file.
Result<Done> make_sqlite_durable(SqlConnection& connection, const Clock& clock, Deadline deadline);

}  // namespace holdfast
