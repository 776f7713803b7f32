#include "schema.h"

#include "meta_rows.h"
#include "sql_run.h"

#include <array>

namespace holdfast {
namespace {

// Texts are compared byte by byte (SQLite's default), numbers are exact to 2^63-1. Free slots have
// an empty owner_key. The second index leaves them out: their old times would be in the way of the
// question which leases are over.
constexpr std::array tables = {
    std::string_view("CREATE TABLE cosid_meta("
                     "name varchar(200) NOT NULL PRIMARY KEY, value bigint NOT NULL) "
                     "WITHOUT ROWID"),
    std::string_view("CREATE TABLE cosid_range("
                     "name varchar(200) NOT NULL PRIMARY KEY, next_value bigint, "
                     "sealed boolean NOT NULL DEFAULT 0) WITHOUT ROWID"),
    std::string_view("CREATE TABLE cosid_namespace("
                     "namespace varchar(100) NOT NULL PRIMARY KEY, slot_limit int NOT NULL, "
                     "tolerance_ms bigint NOT NULL) WITHOUT ROWID"),
    std::string_view("CREATE TABLE cosid_slot("
                     "namespace varchar(100) NOT NULL, slot int NOT NULL, "
                     "owner_key varchar(100) NOT NULL, incarnation varchar(64) NOT NULL, "
                     "last_owner_key varchar(100) NOT NULL, fence bigint NOT NULL, "
                     "expires_at bigint NOT NULL, floor bigint NOT NULL, "
                     "ceiling bigint NOT NULL, next_floor bigint NOT NULL, "
                     "PRIMARY KEY(namespace, slot)) WITHOUT ROWID"),
    std::string_view("CREATE INDEX cosid_slot_owner ON cosid_slot(namespace, owner_key)"),
    std::string_view("CREATE INDEX cosid_slot_expiry ON cosid_slot(namespace, expires_at) "
                     "WHERE owner_key <> ''"),
    std::string_view("CREATE TABLE cosid_owner("
                     "namespace varchar(100) NOT NULL, owner_key varchar(100) NOT NULL, "
                     "slot int NOT NULL, PRIMARY KEY(namespace, owner_key)) WITHOUT ROWID"),
};

Result<Done> create(SqlConnection& connection) {
    for (const std::string_view table : tables) {
        auto made = connection.execute(table);
        if (!made.ok()) {
            return made;
        }
    }
    return write_meta(connection, meta_schema, schema_version);
}

}  // namespace

Result<bool> schema_present(SqlConnection& connection) {
    auto any = with_statement(
        connection,
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'cosid_meta'",
        [](SqlRun& run) { return run.step(); }
    );
    if (!any.ok() || !any.value()) {
        return any;
    }
    auto version = read_meta(connection, meta_schema);
    if (!version.ok()) {
        return std::move(version).error();
    }
    const std::int64_t stored = version.value().value_or(0);
    if (stored > schema_version) {
        return Error(Code::unsupported, Effect::none, "a newer version of holdfast made this file");
    }
    if (stored != schema_version) {
        return Error(Code::corrupt, Effect::none, "the schema version of the file is unknown");
    }
    return true;
}

Result<Done> make_schema(SqlConnection& connection, Deadline deadline) {
    auto begun = connection.begin(deadline);
    if (!begun.ok()) {
        return begun;
    }
    auto present = schema_present(connection);  // another process may have been first
    if (!present.ok()) {
        connection.rollback();
        return std::move(present).error();
    }
    if (!present.value()) {
        auto made = create(connection);
        if (!made.ok()) {
            connection.rollback();
            return made;
        }
    }
    return connection.commit();
}

}  // namespace holdfast
