#include "issue_log.h"

namespace holdfast::sim {
namespace {

// Calls `each` with the first and the last of every run of consecutive numbers.
template <class Each>
void runs(std::span<const std::int64_t> ids, Each each) {
    for (std::size_t begin = 0; begin < ids.size();) {
        std::size_t end = begin + 1;
        while (end < ids.size() && ids[end] == ids[end - 1] + 1) {
            ++end;
        }
        each(ids[begin], ids[end - 1]);
        begin = end;
    }
}

}  // namespace

std::string IssueLog::range_key() const {
    return session_.group_name() + "/" + generator_.name();
}

void IssueLog::numbers(std::span<const std::int64_t> ids, bool at_once) {
    runs(ids, [&](std::int64_t first, std::int64_t last) {
        if (generator_.strategy() == IdStrategy::segment) {
            if (at_once && generator_.segment().order() == SegmentOrder::process) {
                check_order(first, last);
            }
            scene_.ledger.range_ids(range_key(), span(first, last));
            scene_.totals.range_ids += static_cast<std::uint64_t>(last - first + 1);
        } else {
            time_number(first, last, at_once);
        }
    });
}

// The order that a segment promises to those who take one number after another.
void IssueLog::check_order(std::int64_t first, std::int64_t last) {
    if (first <= session_.highest_number) {
        scene_.ledger.wrong(
            generator_.name() + ": " + std::to_string(first) + " after " +
            std::to_string(session_.highest_number) + " in session " + std::to_string(session_.id)
        );
    }
    session_.highest_number = last;
}

void IssueLog::time_number(std::int64_t first, std::int64_t last, bool at_once) {
    scene_.ledger.time_ids(generator_.name(), span(first, last));
    scene_.totals.time_ids += static_cast<std::uint64_t>(last - first + 1);
    parts(
        decompose(generator_.layout(), first).value(),
        decompose(generator_.layout(), last).value(),
        at_once
    );
}

void IssueLog::text(const IdGenerator& from, const std::string& text, bool at_once) {
    if (generator_.strategy() != IdStrategy::string) {
        auto id = from.parse(text);
        if (!id.ok()) {
            scene_.ledger.wrong(generator_.name() + ": cannot read " + text);
            return;
        }
        numbers(std::span(&id.value(), 1), at_once);
        return;
    }
    auto read = from.parse_parts(text);
    if (!read.ok()) {
        scene_.ledger.wrong(generator_.name() + ": cannot read " + text);
        return;
    }
    const IdParts& id = read.value();
    // 44 bits of time, 4 of our few machines, 16 of sequence.
    const std::int64_t packed = id.time << 20 | id.machine << 16 | id.sequence;
    scene_.ledger.time_ids(generator_.name(), span(packed, packed));
    ++scene_.totals.time_ids;
    parts(id, id, at_once);
}

void IssueLog::parts(const IdParts& first, const IdParts& last, bool at_once) {
    if (!at_once) {
        return;
    }
    const IdLayout& layout = generator_.layout();
    const StoreTime begin(time_of(layout, first).time_since_epoch());
    const StoreTime end(time_of(layout, last).time_since_epoch() + layout.unit_length());
    const std::vector<LeaseInfo> leases = session_.ids->leases();
    if (leases.size() != 1 || leases[0].slot.value() != static_cast<std::uint32_t>(first.machine)) {
        scene_.ledger.wrong(generator_.name() + ": an id of another machine than the lease's");
        return;
    }
    const LeaseInfo& lease = leases[0];
    if (begin < lease.floor || end > lease.ceiling) {
        scene_.ledger.wrong(
            generator_.name() + ": issued outside the window of the lease at " +
            std::to_string(scene_.now_ms()) + " ms by session " + std::to_string(session_.id)
        );
    }
    scene_.ledger.window(
        session_.group_name(), Window{lease.slot, lease.fence, session_.id, begin, end}
    );
}

void IssueLog::period(const PeriodicIds& period, std::span<const std::int64_t> ids) {
    runs(ids, [&](std::int64_t first, std::int64_t last) {
        scene_.ledger.range_ids(range_key() + "@" + period.period, span(first, last));
        scene_.totals.range_ids += static_cast<std::uint64_t>(last - first + 1);
    });
}

}  // namespace holdfast::sim
