#pragma once
// Who calls, and what they may reach.

#include <holdfast/server/options.h>
#include <holdfast/store/names.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast {

// What one caller may do.
class Grant {
public:
    static Grant everything(std::string name);
    static Grant of(const ClientOptions& client);

    const std::string& name() const { return name_; }
    bool unrestricted() const { return unrestricted_; }
    bool allows(const Namespace& name) const { return allows_namespace(name.text()); }
    bool allows(const RangeKey& key) const;

private:
    bool allows_namespace(std::string_view name) const;

    std::string name_;
    bool unrestricted_ = false;
    bool all_namespaces_ = false;
    std::vector<std::string> namespaces_;
    std::vector<std::string> key_prefixes_;
};

// Tokens are kept as SHA-256 under a key drawn at start. A presented token is hashed once and
// compared with every hash, without an early end, so that time tells nothing about which one
// matched or how far. One thread at a time.
class TokenTable {
public:
    explicit TokenTable(const AuthOptions& options);
    ~TokenTable();
    TokenTable(const TokenTable&) = delete;
    TokenTable& operator=(const TokenTable&) = delete;

    // The value of an Authorization header, or nothing when there was none. The caller's number, or
    // nothing: nobody we know.
    std::optional<std::uint32_t> find(std::optional<std::string_view> authorization);
    const Grant& grant(std::uint32_t caller) const { return grants_[caller]; }

private:
    using Digest = std::array<unsigned char, 32>;
    struct Hasher;
    Digest digest_of(std::string_view token);

    std::unique_ptr<Hasher> hasher_;
    std::vector<Digest> digests_;
    std::vector<Grant> grants_;  // one a digest, then the anonymous one if that is allowed
};

}  // namespace holdfast
