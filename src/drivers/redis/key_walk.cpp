#include "key_walk.h"

#include "cluster_answer.h"

#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/durability.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/read.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

// A user that may not ask for it is not told of restarts.
Task<std::string> process_of(const OneNode* node, Deadline deadline) {
    AnyCommand any("INFO", Repeat::read);
    any.add("server");
    auto said = co_await node->run(Command<std::string>(std::move(any), read_text), deadline);
    if (!said.ok()) {
        if (said.error().code() == Code::denied) {
            co_return std::string();
        }
        co_return std::move(said).error();
    }
    auto fields = info_fields(said.value());
    co_return std::move(fields["run_id"]);
}

// It has no part any more: its slots are walked where they are.
bool has_left(const Error& error) {
    return error.code() == Code::moved || error.code() == Code::closed;
}

}  // namespace

Command<ScanPage<std::string>>
page_of_keys(std::string_view, std::uint64_t cursor, const ScanOptions& options) {
    return scan(cursor, options);
}

bool KeyWalk::over_nodes(const Client& client, const Scan<std::string>& scan) {
    return scan.page_ == page_of_keys && client.options().shape() != Shape::single;
}

Task<KeyWalk::Self> KeyWalk::ask(OneNode node, bool cluster, Deadline deadline) {
    Self self;
    auto process = co_await process_of(&node, deadline);
    if (!process.ok()) {
        co_return std::move(process).error();
    }
    self.name = node.endpoint().text() + " " + process.value();
    if (!cluster) {
        self.slots.set();
        co_return std::move(self);
    }
    Command<OwnedReply> question(AnyCommand("CLUSTER|SLOTS", Repeat::read), read_reply);
    auto said = co_await node.run(std::move(question), deadline);
    if (!said.ok()) {
        co_return std::move(said).error();
    }
    auto answer = read_cluster_answer(said.value().view(), {}, node.endpoint());
    if (!answer.ok()) {
        co_return std::move(answer).error();
    }
    for (const AnsweredRange& range : answer.value().ranges) {
        if (answer.value().shards[range.shard].primary == node.endpoint()) {
            for (std::size_t slot = range.first; slot <= range.last; ++slot) {
                self.slots.set(slot);
            }
        }
    }
    co_return std::move(self);
}

Task<std::vector<KeyWalk::Self>>
KeyWalk::ask_all(std::vector<OneNode> nodes, bool cluster, Deadline deadline) {
    std::vector<Task<Self>> questions;
    for (const OneNode& node : nodes) {
        questions.push_back(ask(node, cluster, deadline));
    }
    auto ended = co_await when_all(std::move(questions));
    if (!ended.ok()) {
        co_return std::move(ended).error();
    }
    std::vector<Self> all;
    for (auto& one : ended.value()) {
        if (!one.ok()) {
            co_return std::move(one).error();
        }
        all.push_back(std::move(one).value());
    }
    co_return std::move(all);
}

std::uint32_t KeyWalk::number_of(const std::string& name) {
    const auto at = std::ranges::find(names_, name);
    if (at == names_.end()) {
        names_.push_back(name);
        return static_cast<std::uint32_t>(names_.size());
    }
    return static_cast<std::uint32_t>(at - names_.begin()) + 1;
}

// Nodes that serve slots which were not walked where they are served now.
Task<> KeyWalk::look(KeyWalk* walk, Client* client, Deadline deadline) {
    auto nodes = co_await primaries_of(client, deadline);
    if (!nodes.ok()) {
        co_return std::move(nodes).error();
    }
    const bool cluster = client->options().shape() == Shape::cluster;
    auto selves = co_await ask_all(nodes.value(), cluster, deadline);
    if (!selves.ok()) {
        co_return std::move(selves).error();
    }
    std::bitset<cluster_slots_count> served;
    for (std::size_t i = 0; i < selves.value().size(); ++i) {
        const Self& self = selves.value()[i];
        served |= self.slots;
        const std::uint32_t number = walk->number_of(self.name);
        bool due = false;
        for (std::size_t slot = 0; slot < cluster_slots_count; ++slot) {
            due = due || (self.slots[slot] && walk->done_by_[slot] != number);
        }
        if (due) {
            walk->due_.push_back(nodes.value()[i]);
        }
    }
    if (walk->due_.empty() && !served.all()) {
        co_return Error(Code::unreachable, Effect::none, "nobody serves some of the slots now");
    }
    co_return Done();
}

Task<bool> KeyWalk::find_next(KeyWalk* walk, Client* client, Deadline deadline) {
    if (walk->due_.empty()) {
        auto looked = co_await look(walk, client, deadline);
        if (!looked.ok()) {
            co_return std::move(looked).error();
        }
        if (walk->due_.empty()) {
            co_return false;
        }
    }
    const bool cluster = client->options().shape() == Shape::cluster;
    auto self = co_await ask(walk->due_.back(), cluster, deadline);
    if (!self.ok()) {
        if (has_left(self.error())) {
            walk->due_.pop_back();
        }
        co_return std::move(self).error();
    }
    walk->node_.emplace(std::move(walk->due_.back()));
    walk->due_.pop_back();
    walk->begun_ = std::move(self).value();
    co_return true;
}

Task<std::vector<std::string>>
KeyWalk::next(Client* client, Scan<std::string>* scan, Deadline deadline) {
    if (scan->walk_ == nullptr || scan->done_) {
        scan->walk_ = std::make_shared<KeyWalk>();
        scan->done_ = false;
    }
    KeyWalk* walk = scan->walk_.get();
    if (!walk->node_.has_value()) {
        auto more = co_await find_next(walk, client, deadline);
        if (!more.ok()) {
            co_return std::move(more).error();
        }
        scan->cursor_ = 0;
        scan->done_ = !more.value();
        if (scan->done_) {
            co_return std::vector<std::string>();
        }
    }
    auto page = co_await walk->node_->run(scan->next(), deadline);
    if (!page.ok()) {
        if (has_left(page.error())) {
            walk->node_.reset();
        }
        co_return std::move(page).error();
    }
    if (page.value().cursor == 0) {
        // Its last page counts only if it is still what it was.
        const bool cluster = client->options().shape() == Shape::cluster;
        auto self = co_await ask(*walk->node_, cluster, deadline);
        if (!self.ok()) {
            co_return std::move(self).error();
        }
        const std::uint32_t number = walk->number_of(self.value().name);
        const bool same = self.value().name == walk->begun_.name;
        const auto all_the_time = self.value().slots & walk->begun_.slots;
        for (std::size_t slot = 0; same && slot < cluster_slots_count; ++slot) {
            if (all_the_time[slot]) {
                walk->done_by_[slot] = number;
            }
        }
        walk->node_.reset();
    }
    scan->cursor_ = page.value().cursor;
    co_return std::move(page).value().items;
}

}  // namespace holdfast::redis
