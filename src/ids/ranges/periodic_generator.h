#pragma once
// The strategy periodic: a range key for each period, so that numbers start again.

#include "ranges/period_table.h"
#include "ranges/range_generator.h"
#include "ranges/range_text.h"

namespace holdfast {

class PeriodicGenerator final : public RangeGenerator {
public:
    PeriodicGenerator(
        std::string name, std::shared_ptr<PeriodTable> table, RangeText text, const Clock& clock
    )
        : table_(std::move(table)), name_(std::move(name)), text_(std::move(text)), clock_(clock) {}
    ~PeriodicGenerator() override { table_->finish(); }

    const std::string& name() const override { return name_; }
    IdStrategy strategy() const override { return IdStrategy::periodic; }
    GeneratorInfo info() const override;

    // A number alone says nothing: it comes again in the next period.
    Result<std::int64_t> next() override;
    Result<std::size_t> next(std::span<std::int64_t> ids) override;
    Result<std::string> next_text() override;
    Result<PeriodicIds> next_of_period(std::span<std::int64_t> ids) override;

    Task<std::int64_t> next(Deadline deadline) override;
    Task<Done> fill(std::span<std::int64_t> ids, Deadline deadline) override;
    Task<Done> fill_text(std::span<std::string> texts, Deadline deadline) override;
    Task<PeriodicIds> fill_of_period(std::span<std::int64_t> ids, Deadline deadline) override;

    Result<std::int64_t> parse(std::string_view text) const override { return text_.parse(text); }
    Result<IdParts> parse_parts(std::string_view text) const override;

    Task<Done> open(Deadline deadline) override;
    Task<Done> close(Deadline deadline) override;
    std::vector<RangeInfo> ranges() const override;
    bool rollback_suspected() const override { return table_->rollback_suspected(); }

private:
    Error no_numbers() const;
    Result<std::shared_ptr<const PeriodChain>> period_for_call() const;

    const std::shared_ptr<PeriodTable> table_;
    const std::string name_;
    const RangeText text_;
    const Clock& clock_;
};

}  // namespace holdfast
