#include "blocking_link.h"

#include <holdfast/redis/blocking_client.h>

namespace holdfast::redis {

class BlockingClient::BatchCall final : public BlockingCall {
public:
    BatchCall(Batch& batch, Deadline deadline) : batch_(&batch) {
        carry("batch", batch.bytes_, batch.count(), batch.repeat_, deadline.time());
    }
    std::optional<Error> error;

private:
    void replied(RespView reply, bool last) override {
        batch_->answered(batch_->replies_.answered(), effect_before());
        batch_->replies_.add(reply);
        if (last) {
            ended();
        }
    }
    void failed(Error why) override {
        error.emplace(std::move(why));
        ended();
    }
    void refused(Error why) override { error.emplace(std::move(why)); }

    Batch* batch_;
};

BlockingClient::BlockingClient(RedisOptions options)
    : link_(std::make_unique<BlockingLink>(std::move(options))) {}

BlockingClient::~BlockingClient() = default;

void BlockingClient::perform(BlockingCall& call) {
    link_->perform(call);
}

Result<Done> BlockingClient::run(Batch& batch, Deadline deadline) {
    batch.forget_answers();
    if (batch.lane_ != Lane::shared) {
        return wrong_lane();
    }
    if (batch.empty()) {
        return Done();
    }
    BatchCall call(batch, deadline);
    perform(call);
    if (call.error.has_value()) {
        return std::move(*call.error);
    }
    return Done();
}

void BlockingClient::close() {
    link_->close();
}

Result<std::unique_ptr<BlockingClient>> open_blocking_redis(RedisOptions options) {
    if (options.shape() != Shape::single) {
        return Error(
            Code::unsupported, Effect::none, "a client of threads is not for clusters or sentinels"
        );
    }
    if (options.in_flight_max() == 0 || options.port() == 0 ||
        (options.host().empty() && options.unix_path().empty())) {
        return Error(Code::invalid_argument, Effect::none, "options of a server that cannot be");
    }
    return std::make_unique<BlockingClient>(std::move(options));
}

}  // namespace holdfast::redis
