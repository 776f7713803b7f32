#include <holdfast/redis/commands/stream_options.h>

namespace holdfast::redis {

void StreamTrim::put_into(AnyCommand& command) const {
    command.add(by_);
    if (nearly_) {
        command.add("~");
    }
    command.add(threshold_);
    if (limit_) {
        command.add("LIMIT").add(*limit_);
    }
}

void XaddOptions::put_into(AnyCommand& command) const {
    if (!make_stream_) {
        command.add("NOMKSTREAM");
    }
    if (trim_) {
        trim_->put_into(command);
    }
    command.add(id_);
}

void XreadOptions::put_into(AnyCommand& command) const {
    if (count_) {
        command.add("COUNT").add(*count_);
    }
    if (block_) {
        command.add("BLOCK").add(block_->count()).set_lane(Lane::blocking);
    }
    if (no_ack_) {
        command.add("NOACK");
    }
}

void XclaimOptions::put_into(AnyCommand& command) const {
    if (idle_) {
        command.add("IDLE").add(idle_->count());
    }
    if (delivered_) {
        command.add("TIME").add(delivered_->time_since_epoch().count());
    }
    if (deliveries_) {
        command.add("RETRYCOUNT").add(*deliveries_);
    }
    if (force_) {
        command.add("FORCE");
    }
}

void XpendingRange::put_into(AnyCommand& command) const {
    if (idle_min_) {
        command.add("IDLE").add(idle_min_->count());
    }
    command.add(low_.word()).add(high_.word()).add(count_);
    if (consumer_) {
        command.add(*consumer_);
    }
}

}  // namespace holdfast::redis
