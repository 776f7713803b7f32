#pragma once
// Who calls, and what they may reach.

#include <holdfast/io/keyed_hash.h>
#include <holdfast/server/options.h>
#include <holdfast/store/names.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast {

// What one caller may do.
class Grant {
public:
    // `counted_as`: the same for the same caller in every table of the process.
    static Grant everything(std::string name, std::uint64_t counted_as);
    static Grant of(const ClientOptions& client, std::uint64_t counted_as);

    const std::string& name() const { return name_; }
    std::uint64_t counted_as() const { return counted_as_; }
    bool unrestricted() const { return unrestricted_; }
    bool allows(const Namespace& name) const { return allows_namespace(name.text()); }
    bool allows_namespace(std::string_view name) const;
    bool allows(const RangeKey& key) const;

private:
    std::string name_;
    std::uint64_t counted_as_ = 0;
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
    TokenTable(const AuthOptions& options, const KeyedHash& names);
    ~TokenTable();
    TokenTable(const TokenTable&) = delete;
    TokenTable& operator=(const TokenTable&) = delete;

    enum class Schemes : std::uint8_t {
        bearer,
        bearer_and_basic,  // the password is the token, the user's name may be any
    };
    // The value of an Authorization header, or nothing when there was none. The caller's number, or
    // nothing: nobody we know.
    std::optional<std::uint32_t>
    find(std::optional<std::string_view> authorization, Schemes schemes = Schemes::bearer);
    bool knows(std::uint32_t caller) const { return caller < grants_.size(); }
    const Grant& grant(std::uint32_t caller) const { return grants_[caller]; }

private:
    using Digest = std::array<unsigned char, 32>;
    struct Hasher;
    Digest digest_of(std::string_view token);
    std::optional<std::uint32_t> find_token(std::string_view token);

    std::unique_ptr<Hasher> hasher_;
    std::vector<Digest> digests_;
    std::vector<Grant> grants_;  // one a digest, then the anonymous one if that is allowed
};

}  // namespace holdfast
