#include "ledger.h"

#include <algorithm>
#include <sstream>

namespace holdfast::sim {
namespace {

constexpr std::size_t wrongs_max = 20;  // of one seed: more say nothing new

std::string text_of(const Span& span) {
    std::ostringstream text;
    text << span.first << ".." << span.last << " of session " << span.session << " at "
         << span.at_ms << " ms";
    return text.str();
}

std::int64_t ms(StoreTime time) {
    return time.time_since_epoch().count();
}

}  // namespace

void Ledger::wrong(std::string what) {
    if (wrongs_.size() < wrongs_max) {
        wrongs_.push_back(std::move(what));
    }
}

void Ledger::alarm(std::string what) {
    if (alarms_.size() < wrongs_max) {
        alarms_.push_back(std::move(what));
    }
}

void Ledger::add(std::vector<Span>& spans, const Span& span) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(span.first)) * 1099511628211U;
    hash_ = (hash_ ^ static_cast<std::uint64_t>(span.last)) * 1099511628211U;
    if (!spans.empty() && spans.back().session == span.session &&
        spans.back().last + 1 == span.first) {
        spans.back().last = span.last;
    } else {
        spans.push_back(span);
    }
}

void Ledger::window(const std::string& name, const Window& window) {
    auto& windows = windows_[name];
    if (!windows.empty()) {
        Window& last = windows.back();
        if (last.slot == window.slot && last.fence == window.fence &&
            last.session == window.session) {
            last.begin = std::min(last.begin, window.begin);
            last.end = std::max(last.end, window.end);
            return;
        }
    }
    windows.push_back(window);
}

void Ledger::granted(const std::string& name, const SlotLease& lease) {
    auto [grant, fresh] = grants_.try_emplace(
        std::tuple(name, lease.slot, lease.fence), Grant{lease.floor, lease.ceiling}
    );
    if (!fresh) {
        grant->second.ceiling = std::max(grant->second.ceiling, lease.ceiling);
    }
}

void Ledger::check_grant(const std::string& name, const Window& window) {
    const auto grant = grants_.find(std::tuple(name, window.slot, window.fence));
    if (grant == grants_.end() || window.begin < grant->second.floor ||
        window.end > grant->second.ceiling) {
        std::ostringstream text;
        text << name << ": slot " << window.slot.value() << " fence " << window.fence.value()
             << " session " << window.session << " issued [" << ms(window.begin) << ", "
             << ms(window.end) << "), outside what the store has reserved for it";
        wrong(text.str());
    }
}

void Ledger::check_unique(const std::string& kind, std::vector<Span>& spans, const char* what) {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.first < b.first;
    });
    const Span* highest = nullptr;
    for (const Span& span : spans) {
        if (highest != nullptr && span.first <= highest->last) {
            wrong(kind + ": " + what + " twice: " + text_of(*highest) + " and " + text_of(span));
        }
        if (highest == nullptr || span.last > highest->last) {
            highest = &span;
        }
    }
}

void Ledger::check_inside(const std::string& key, RangeKeyLog& log) {
    auto before = [](const Span& a, const Span& b) {
        return a.session != b.session ? a.session < b.session : a.first < b.first;
    };
    std::sort(log.reserved.begin(), log.reserved.end(), before);
    for (const Span& span : log.issued) {
        Span rest = span;
        while (rest.first <= rest.last) {
            auto after = std::upper_bound(log.reserved.begin(), log.reserved.end(), rest, before);
            if (after == log.reserved.begin() || std::prev(after)->session != span.session ||
                std::prev(after)->last < rest.first) {
                wrong(key + ": issued outside the ranges reserved for it: " + text_of(rest));
                break;
            }
            rest.first = std::prev(after)->last + 1;
        }
    }
}

void Ledger::check_windows(const std::string& name, std::vector<Window>& windows) {
    std::sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) {
        return std::tuple(a.slot, a.fence, a.session) < std::tuple(b.slot, b.fence, b.session);
    });
    std::vector<Window> merged;
    for (const Window& window : windows) {
        if (!merged.empty() && merged.back().slot == window.slot &&
            merged.back().fence == window.fence && merged.back().session == window.session) {
            merged.back().begin = std::min(merged.back().begin, window.begin);
            merged.back().end = std::max(merged.back().end, window.end);
        } else {
            merged.push_back(window);
        }
    }
    for (const Window& window : merged) {
        check_grant(name, window);
    }
    for (std::size_t i = 1; i < merged.size(); ++i) {
        const Window& a = merged[i - 1];
        const Window& b = merged[i];
        if (a.slot != b.slot) {
            continue;
        }
        if (a.fence == b.fence || b.begin < a.end) {
            std::ostringstream text;
            text << name << ": slot " << a.slot.value() << ": "
                 << (a.fence == b.fence ? "one fence in two sessions: " : "windows overlap: ")
                 << "fence " << a.fence.value() << " session " << a.session << " [" << ms(a.begin)
                 << ", " << ms(a.end) << ") and fence " << b.fence.value() << " session "
                 << b.session << " [" << ms(b.begin) << ", " << ms(b.end) << ")";
            wrong(text.str());
        }
    }
}

std::vector<std::string> Ledger::check() {
    for (auto& [kind, spans] : time_kinds_) {
        check_unique(kind, spans, "an id");
    }
    for (auto& [key, log] : keys_) {
        check_unique(key, log.issued, "a number");
        check_inside(key, log);
    }
    for (auto& [name, windows] : windows_) {
        check_windows(name, windows);
    }
    return wrongs_;
}

}  // namespace holdfast::sim
