#pragma once
// Writes what a generator gave out into the ledger.

#include "process.h"

#include <span>

namespace holdfast::sim {

class IssueLog {
public:
    IssueLog(Scene& scene, Session& session, const GeneratorOptions& generator)
        : scene_(scene), session_(session), generator_(generator) {}

    // With `at_once` the lease that is known now is the one they were issued under.
    void numbers(std::span<const std::int64_t> ids, bool at_once);
    void text(const IdGenerator& from, const std::string& text, bool at_once);
    void period(const PeriodicIds& period, std::span<const std::int64_t> ids);

private:
    void check_order(std::int64_t first, std::int64_t last);
    void time_number(std::int64_t id, std::int64_t last, bool at_once);
    void parts(const IdParts& first, const IdParts& last, bool at_once);
    Span span(std::int64_t first, std::int64_t last) const {
        return Span{first, last, session_.id, scene_.now_ms()};
    }
    std::string range_key() const;

    Scene& scene_;
    Session& session_;
    const GeneratorOptions& generator_;
};

}  // namespace holdfast::sim
