#include "process.h"

#include "issue_log.h"

#include <holdfast/io/compose.h>

#include <algorithm>
#include <array>

namespace holdfast::sim {
namespace {

constexpr std::int64_t numbers_max = 24;  // of one call
constexpr Duration issues_while_closing{100};

const std::string& name_of_group(const Scene& scene, std::size_t group) {
    return scene.plan().groups[group].name;
}

}  // namespace

Session::Session(Process& own, std::size_t group_number, SessionId number)
    : process(own), group(group_number), id(number),
      log(LogFormat::text, LogLevel::error, own.clock(), lines), store(own.network_, number) {}

const std::string& Session::group_name() const {
    return name_of_group(process.scene_, group);
}

void Session::lease_changed(LeaseState before, const LeaseInfo& now) {
    process.scene_.totals.leases_lost += now.state == LeaseState::lost ? 1 : 0;
    process.scene_.trace(
        "process %zu session %u: lease %s -> %s, slot %u fence %llu",
        process.number_,
        id,
        std::string(name_of(before)).c_str(),
        std::string(name_of(now.state)).c_str(),
        now.slot.value(),
        static_cast<unsigned long long>(now.fence.value())
    );
}

Process::Process(Scene& scene, Network& network, std::size_t number)
    : scene_(scene), network_(network), number_(number), loop_(scene.runtime().loop(1 + number)),
      clock_(loop_), groups_(scene.plan().groups.size()) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        groups_[i].issued_quietly.resize(scene.plan().groups[i].generators.size());
    }
}

Process::~Process() {
    if (alive_) {
        crash();
    }
}

void Process::start() {
    scene_.runtime().restart(1 + number_);
    const bool drifts = scene_.chance().hits(0.3) && scene_.plan().faults > 0;
    if (drifts) {
        scene_.runtime().drift(1 + number_, static_cast<int>(scene_.chance().number(-100, 100)));
    }
    clock_.skew = scene_.chance().ms(-200, 200);
    alive_ = true;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        spawn(loop_, live(i), [](const Result<Done>&) {});
    }
    scene_.trace("process %zu starts%s", number_, drifts ? ", its clock drifts" : "");
}

void Process::crash() {
    scene_.trace("process %zu crashes", number_);
    alive_ = false;
    scene_.runtime().kill(1 + number_);
    for (Group& group : groups_) {
        group.sessions.clear();
    }
}

void Process::bury() {
    for (Group& group : groups_) {
        std::erase_if(group.sessions, [](const auto& session) { return session->ended; });
    }
}

std::vector<std::string> Process::silent() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        for (std::size_t j = 0; j < groups_[i].issued_quietly.size(); ++j) {
            if (!groups_[i].issued_quietly[j]) {
                names.push_back(scene_.plan().groups[i].generators[j].name());
            }
        }
    }
    return names;
}

IdRuntimeOptions Process::options(std::size_t group) const {
    const GroupPlan& plan = scene_.plan().groups[group];
    const std::size_t owner = scene_.plan().shared_owner && number_ == 1 ? 0 : number_;
    const Namespace name = Namespace::parse(plan.name).value();
    IdRuntimeOptions options = IdRuntimeOptions(name).clock(clock_).machine(
        LeasedMachine(name, OwnerKey::parse("process-" + std::to_string(owner)).value())
            .ttl(lease_ttl)
            .tolerance(lease_tolerance)
            .limit(scene_.plan().slots)
            .call_timeout(scene_.plan().call_timeout)
    );
    for (const GeneratorOptions& generator : plan.generators) {
        options = std::move(options).add(generator);
    }
    return options;
}

Task<Done> Process::live(std::size_t group) {
    Chance& chance = scene_.chance();
    while (!ended(group)) {
        ++scene_.totals.sessions;
        groups_[group].sessions.push_back(
            std::make_unique<Session>(*this, group, static_cast<SessionId>(scene_.totals.sessions))
        );
        Session& session = *groups_[group].sessions.back();
        IdStores stores;
        stores.push_back(IdStore{"simulated", &session.store});
        const Deadline soon = Deadline::in(chance.ms(500, 4'000), loop_.now());
        auto opened = co_await open_id_runtime(
            options(group), std::move(stores), *this, session.metrics, session.log, soon
        );
        if (!opened.ok()) {
            ++scene_.totals.not_opened;
            scene_.trace(
                "process %zu session %u: not opened: %s",
                number_,
                session.id,
                std::string(opened.error().what()).c_str()
            );
            session.ended = true;
            (void)co_await sleep(loop_.now() + chance.ms(20, 300));
            continue;
        }
        session.ids = std::move(opened).value();
        session.ids->listen(session);
        scene_.trace(
            "process %zu session %u: %s is open", number_, session.id, session.group_name().c_str()
        );
        const SteadyTime until = loop_.now() + chance.ms(500, 20'000);
        const SteadyTime longer = until + issues_while_closing;
        (void)co_await when_all(
            issuing(session, longer), waiting(session, longer), closing(session, until)
        );
        if (session.ids->rollback_suspected()) {
            scene_.ledger.alarm("a lost write is suspected, and none was lost");
        }
        scene_.trace("process %zu session %u: closed", number_, session.id);
        session.ended = true;
        (void)co_await sleep(loop_.now() + chance.ms(0, 400));
    }
    co_return Done();
}

// Others go on asking meanwhile. Some sessions go without a goodbye.
Task<Done> Process::closing(Session& session, SteadyTime at) {
    while (loop_.now() < at && !ended(session.group)) {
        (void)co_await sleep(std::min(at, loop_.now() + Duration(200)));
    }
    if (scene_.chance().hits(0.9)) {
        (void)co_await session.ids->close(Deadline::in(Duration(1'000), loop_.now()));
    }
    co_return Done();
}

Task<Done> Process::issuing(Session& session, SteadyTime until) {
    Chance& chance = scene_.chance();
    while (loop_.now() < until && !ended(session.group)) {
        for (std::size_t i = 0; i < groups_[session.group].issued_quietly.size(); ++i) {
            issue(session, i);
        }
        (void)co_await sleep(loop_.now() + chance.ms(5, 80));
    }
    co_return Done();
}

// One call that does not wait.
void Process::issue(Session& session, std::size_t number) {
    Chance& chance = scene_.chance();
    const GeneratorOptions& plan = scene_.plan().groups[session.group].generators[number];
    IdGenerator& generator = *session.ids->find(plan.name());
    IssueLog issued(scene_, session, plan);
    std::array<std::int64_t, numbers_max> ids{};
    const auto wanted =
        std::span(ids).first(static_cast<std::size_t>(chance.number(1, numbers_max)));
    bool got = false;
    if (plan.strategy() == IdStrategy::periodic) {
        auto taken = generator.next_of_period(wanted);
        got = taken.ok();
        if (got) {
            issued.period(taken.value(), wanted.first(taken.value().count));
        }
    } else if (plan.strategy() == IdStrategy::string || chance.hits(0.2)) {
        auto text = generator.next_text();
        got = text.ok();
        if (got) {
            issued.text(generator, text.value(), true);
        }
    } else if (chance.hits(0.5)) {
        auto count = generator.next(wanted);
        got = count.ok();
        if (got) {
            issued.numbers(wanted.first(count.value()), true);
        }
    } else {
        auto id = generator.next();
        got = id.ok();
        if (got) {
            issued.numbers(std::span(&id.value(), 1), true);
        }
    }
    note(session.group, number, got);
}

void Process::note(std::size_t group, std::size_t generator, bool got) {
    scene_.totals.refused += got ? 0 : 1;
    if (got && scene_.quiet()) {
        groups_[group].issued_quietly[generator] = true;
    }
}

// In the quiet time one that is still silent, else any.
std::size_t Process::choose(std::size_t group) const {
    const std::vector<bool>& issued = groups_[group].issued_quietly;
    const auto silent = std::find(issued.begin(), issued.end(), false);
    if (scene_.quiet() && silent != issued.end()) {
        return static_cast<std::size_t>(silent - issued.begin());
    }
    return static_cast<std::size_t>(
        scene_.chance().number(0, static_cast<std::int64_t>(issued.size()) - 1)
    );
}

// Calls that wait for the clock, the lease or the next range.
Task<Done> Process::waiting(Session& session, SteadyTime until) {
    Chance& chance = scene_.chance();
    const auto& plans = scene_.plan().groups[session.group].generators;
    std::vector<std::int64_t> ids(200);
    std::vector<std::string> texts(5);
    while (loop_.now() < until && !ended(session.group)) {
        const std::size_t number = choose(session.group);
        const GeneratorOptions& plan = plans[number];
        IdGenerator& generator = *session.ids->find(plan.name());
        IssueLog issued(scene_, session, plan);
        const Deadline soon = Deadline::in(chance.ms(1, 600), loop_.now());
        const auto wanted = std::span(ids).first(static_cast<std::size_t>(chance.number(1, 200)));
        bool got = false;
        if (plan.strategy() == IdStrategy::periodic) {
            auto taken = co_await generator.fill_of_period(wanted, soon);
            got = taken.ok();
            if (got) {
                issued.period(taken.value(), wanted.first(taken.value().count));
            }
        } else if (plan.strategy() == IdStrategy::string) {
            auto filled = co_await generator.fill_text(texts, soon);
            got = filled.ok();
            for (std::size_t i = 0; got && i < texts.size(); ++i) {
                issued.text(generator, texts[i], false);
            }
        } else {
            auto filled = co_await generator.fill(wanted, soon);
            got = filled.ok();
            if (got) {
                issued.numbers(wanted, false);
            }
        }
        note(session.group, number, got);
        (void)co_await sleep(loop_.now() + chance.ms(20, 400));
    }
    co_return Done();
}

}  // namespace holdfast::sim
