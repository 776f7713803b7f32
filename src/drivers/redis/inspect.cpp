#include <holdfast/redis/commands/server.h>
#include <holdfast/redis/inspect.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {
namespace {

using Setting = std::vector<std::pair<std::string, std::string>>;

// It only reads: nothing can have changed.
Error without_effect(const Error& error) {
    Error none(error.code(), Effect::none, error.what());
    if (error.context() == nullptr) {
        return none;
    }
    return std::move(none).with(ErrorContext(*error.context()));
}

template <class Asked>
Task<DurabilityFacts> ask(Asked* asked, std::uint32_t replicas_waited_for, Deadline deadline) {
    Batch batch;
    const auto info_slot = batch.add(info().as(read_text));
    std::vector<Slot<Setting>> slots;  // one each: servers before 7.0 take one name a command
    for (const std::string_view name : durability_settings()) {
        slots.push_back(batch.add(config_get(name)));
    }
    auto ran = co_await asked->run(batch, deadline);
    if (!ran.ok()) {
        co_return without_effect(ran.error());
    }
    auto said = batch.get(info_slot);
    if (!said.ok()) {
        co_return without_effect(said.error());
    }
    DurabilityFacts facts;
    facts.replicas_waited_for = replicas_waited_for;
    facts.info = info_fields(said.value());
    std::map<std::string, std::string> config;
    bool told = true;
    for (const auto& slot : slots) {
        auto setting = batch.get(slot);
        if (setting.ok()) {
            config.insert(setting.value().begin(), setting.value().end());
        } else {
            told = false;  // refused, or no such command
        }
    }
    if (told) {
        facts.config = std::move(config);
    }
    co_return facts;
}

}  // namespace

Task<DurabilityFacts>
ask_durability(Client& client, std::uint32_t replicas_waited_for, Deadline deadline) {
    return ask(&client, replicas_waited_for, deadline);
}

Task<DurabilityFacts>
ask_durability(OneNode node, std::uint32_t replicas_waited_for, Deadline deadline) {
    co_return co_await ask(&node, replicas_waited_for, deadline);
}

Task<std::vector<DurabilityFinding>>
inspect_durability(Client& client, std::uint32_t replicas_waited_for, Deadline deadline) {
    auto facts = co_await ask_durability(client, replicas_waited_for, deadline);
    if (!facts.ok()) {
        co_return std::move(facts).error();
    }
    co_return judge_durability(facts.value());
}

}  // namespace holdfast::redis
