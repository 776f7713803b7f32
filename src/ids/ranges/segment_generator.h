#pragma once
// The strategy segment: one range key, one chain.

#include "ranges/range_chain.h"
#include "ranges/range_generator.h"
#include "ranges/range_text.h"

#include <holdfast/ids/segment_handle.h>

namespace holdfast {

class SegmentGenerator final : public RangeGenerator, public SegmentSource {
public:
    SegmentGenerator(std::string name, std::shared_ptr<RangeChain> chain, RangeText text)
        : chain_(std::move(chain)), name_(std::move(name)), text_(std::move(text)) {}
    ~SegmentGenerator() override { chain_->finish(); }

    const std::string& name() const override { return name_; }
    IdStrategy strategy() const override { return IdStrategy::segment; }
    GeneratorInfo info() const override;

    Result<std::int64_t> next() override { return chain_->next(); }
    Result<std::size_t> next(std::span<std::int64_t> ids) override;
    Result<std::string> next_text() override;
    Result<PeriodicIds> next_of_period(std::span<std::int64_t> ids) override;

    Task<std::int64_t> next(Deadline deadline) override;
    Task<Done> fill(std::span<std::int64_t> ids, Deadline deadline) override;
    Task<Done> fill_text(std::span<std::string> texts, Deadline deadline) override;
    Task<PeriodicIds> fill_of_period(std::span<std::int64_t> ids, Deadline deadline) override;

    Result<std::int64_t> parse(std::string_view text) const override { return text_.parse(text); }
    Result<IdParts> parse_parts(std::string_view text) const override;

    RangeWindow* window() override { return chain_->window(); }
    Result<std::int64_t> next_slowly(RangeWindow::Taken taken, std::uint64_t number) override {
        return chain_->next_slowly(taken, number);
    }

    Task<Done> open(Deadline deadline) override;
    Task<Done> close(Deadline deadline) override;
    std::vector<RangeInfo> ranges() const override;
    bool rollback_suspected() const override { return chain_->rollback_suspected(); }

private:
    const std::shared_ptr<RangeChain> chain_;
    const std::string name_;
    const RangeText text_;
};

}  // namespace holdfast
