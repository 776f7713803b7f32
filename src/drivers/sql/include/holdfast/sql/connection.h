#pragma once
// One connection to a relational database: prepared statements and transactions whose errors say
// what may have changed. All calls block: they belong on the blocking pool. Used by one thread at a
// time; which one may change between calls.
//
// Effects. Inside a transaction every error has effect none: what was written goes with the
// rollback. commit() says `unknown` unless the library proves that the transaction is gone. A
// statement outside a transaction is a transaction of its own.
//
// Codes: timed_out (a lock was not free in time), denied (read-only, permissions), corrupt,
// unreachable (cannot be opened), overloaded (no memory), internal (the rest; what() says "the disk
// is full" where it is). The library's own words are in the context: they may carry user data.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>

#include <cstdint>
#include <string_view>

namespace holdfast {

// Kept by its connection, and gone with it.
class SqlStatement {
public:
    virtual ~SqlStatement() = default;

    // Parameters count from 1 as ?1, ?2, .. A text must live until reset().
    virtual void bind(int parameter, std::int64_t value) = 0;
    virtual void bind(int parameter, std::string_view value) = 0;
    virtual void bind_null(int parameter) = 0;

    // True: a row is there. False: done.
    virtual Result<bool> step() = 0;
    // Ends the run, also one that has rows left, and forgets all parameters.
    virtual void reset() = 0;

    // Columns of the row, counted from 0. A value is read as the kind it is: the others answer 0
    // and "". A text lives until the next step() or reset().
    virtual bool is_null(int column) const = 0;
    virtual bool is_integer(int column) const = 0;
    virtual bool is_text(int column) const = 0;
    virtual std::int64_t integer(int column) const = 0;
    virtual std::string_view text(int column) const = 0;
};

class SqlConnection {
public:
    // Rolls back what is open.
    virtual ~SqlConnection() = default;

    // Compiles a text once and keeps it; the same text gives the same statement.
    virtual Result<SqlStatement*> prepare(std::string_view text) = 0;
    // Runs a text that has no parameters and no rows of interest.
    virtual Result<Done> execute(std::string_view text) = 0;

    // Takes the right to write at once, so that no later statement can find the row changed.
    // timed_out, none: another transaction held it until the deadline.
    virtual Result<Done> begin(Deadline deadline) = 0;
    // Ends the transaction whatever the answer is. Done: the writes are durable.
    virtual Result<Done> commit() = 0;
    virtual void rollback() = 0;
    // False after begin() when an error made the library roll back by itself.
    virtual bool in_transaction() const = 0;

    // Rows changed by the last statement that ran to its end.
    virtual std::int64_t changes() const = 0;
};

// One run of a statement: binds in order, and resets at the end of its life.
class SqlRun {
public:
    explicit SqlRun(SqlStatement& statement) : statement_(&statement) {}
    SqlRun(const SqlRun&) = delete;
    SqlRun& operator=(const SqlRun&) = delete;
    ~SqlRun() { statement_->reset(); }

    SqlRun& with(std::int64_t value) {
        statement_->bind(++bound_, value);
        return *this;
    }
    // The text must live as long as this run.
    SqlRun& with(std::string_view value) {
        statement_->bind(++bound_, value);
        return *this;
    }
    Result<bool> step() { return statement_->step(); }
    const SqlStatement& row() const { return *statement_; }

private:
    SqlStatement* statement_;
    int bound_ = 0;
};

}  // namespace holdfast
