#include "ranges/segment_generator.h"

#include <algorithm>

namespace holdfast {
namespace {

Error no_periods() {
    return Error(Code::unsupported, Effect::none, "the generator has no periods");
}

}  // namespace

std::optional<SegmentHandle> SegmentHandle::of(IdGenerator& generator) {
    auto* source = dynamic_cast<SegmentSource*>(&generator);
    RangeWindow* window = source == nullptr ? nullptr : source->window();
    if (window == nullptr) {
        return std::nullopt;
    }
    return SegmentHandle(*window, *source);
}

GeneratorInfo SegmentGenerator::info() const {
    const ChainFigures figures = chain_->figures();
    GeneratorInfo info;
    info.name = name_;
    info.strategy = IdStrategy::segment;
    info.state = figures.state;
    info.last = figures.last;
    info.range_key = chain_->key().text();
    info.prefetched = figures.prefetched;
    info.issued = figures.issued;
    info.burnt = figures.burnt;
    return info;
}

std::vector<RangeInfo> SegmentGenerator::ranges() const {
    const ChainFigures figures = chain_->figures();
    RangeInfo range;
    range.key = chain_->key().text();
    range.issued = figures.issued;
    range.prefetched = figures.prefetched;
    return {range};
}

Result<std::size_t> SegmentGenerator::next(std::span<std::int64_t> ids) {
    return chain_->next(ids);
}

Result<std::string> SegmentGenerator::next_text() {
    auto id = next();
    if (!id.ok()) {
        return std::move(id).error();
    }
    return text_.text(id.value(), {});
}

Result<PeriodicIds> SegmentGenerator::next_of_period(std::span<std::int64_t>) {
    return no_periods();
}

Task<std::int64_t> SegmentGenerator::next(Deadline deadline) {
    std::int64_t id = 0;
    auto filled = co_await chain_->fill(std::span(&id, 1), deadline);
    if (!filled.ok()) {
        co_return std::move(filled).error();
    }
    co_return id;
}

Task<Done> SegmentGenerator::fill(std::span<std::int64_t> ids, Deadline deadline) {
    return chain_->fill(ids, deadline);
}

Task<Done> SegmentGenerator::fill_text(std::span<std::string> texts, Deadline deadline) {
    std::vector<std::int64_t> ids(texts.size());
    if (auto filled = co_await chain_->fill(ids, deadline); !filled.ok()) {
        co_return filled;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto text = text_.text(ids[i], {});
        if (!text.ok()) {
            chain_->burn(ids.size());
            co_return std::move(text).error();
        }
        texts[i] = std::move(text).value();
    }
    co_return Done();
}

Task<PeriodicIds> SegmentGenerator::fill_of_period(std::span<std::int64_t>, Deadline) {
    co_return no_periods();
}

Result<IdParts> SegmentGenerator::parse_parts(std::string_view) const {
    return Error(Code::unsupported, Effect::none, "the ids of a segment have no parts");
}

Task<Done> SegmentGenerator::open(Deadline deadline) {
    chain_->start();
    return chain_->first_answer(deadline);
}

Task<Done> SegmentGenerator::close(Deadline deadline) {
    chain_->halt();
    co_return co_await chain_->ended(deadline);
}

}  // namespace holdfast
