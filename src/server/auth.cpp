#include "auth.h"

#include <holdfast/base/check.h>
#include <holdfast/server/limits.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

namespace holdfast {
namespace {

bool same_letter(char a, char lower) {
    return a == lower || (a >= 'A' && a <= 'Z' && a + ('a' - 'A') == lower);
}

// The scheme without regard to case, one or more spaces, what it carries.
std::optional<std::string_view> carried_by(std::string_view header, std::string_view scheme) {
    if (header.size() <= scheme.size() || header[scheme.size()] != ' ') {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < scheme.size(); ++i) {
        if (!same_letter(header[i], scheme[i])) {
            return std::nullopt;
        }
    }
    header.remove_prefix(scheme.size());
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
}

std::optional<std::uint32_t> base64_value(char c) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t at = alphabet.find(c);
    return at == std::string_view::npos ? std::nullopt
                                        : std::optional(static_cast<std::uint32_t>(at));
}

// RFC 4648, with its padding and nothing else. Holds a secret: made at its full size at once, so
// that no copy is left behind.
std::optional<Secret> decoded(std::string_view base64) {
    std::size_t padding = 0;
    while (padding < 2 && padding < base64.size() && base64[base64.size() - 1 - padding] == '=') {
        ++padding;
    }
    if (base64.empty() || base64.size() % 4 != 0) {
        return std::nullopt;
    }
    std::string bytes;
    bytes.reserve(base64.size() / 4 * 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < base64.size(); ++i) {
        const bool pad = i >= base64.size() - padding;
        const auto value = pad ? std::optional<std::uint32_t>(0) : base64_value(base64[i]);
        if (!value.has_value()) {
            return std::nullopt;
        }
        bits = bits << 6 | *value;
        if (i % 4 == 3) {
            bytes.push_back(static_cast<char>(bits >> 16 & 0xff));
            bytes.push_back(static_cast<char>(bits >> 8 & 0xff));
            bytes.push_back(static_cast<char>(bits & 0xff));
        }
    }
    bytes.resize(bytes.size() - padding);
    return Secret(std::move(bytes));
}

// What a text with a mark of its kind is counted as: a token never as a client of that name.
std::uint64_t counted(const KeyedHash& names, char kind, std::string_view text) {
    return names.of(std::string(1, kind).append(text));
}

}  // namespace

Grant Grant::everything(std::string name, std::uint64_t counted_as) {
    Grant grant;
    grant.counted_as_ = counted_as;
    grant.name_ = std::move(name);
    grant.unrestricted_ = true;
    grant.all_namespaces_ = true;
    return grant;
}

Grant Grant::of(const ClientOptions& client, std::uint64_t counted_as) {
    Grant grant;
    grant.counted_as_ = counted_as;
    grant.name_ = client.name;
    grant.namespaces_ = client.namespaces;
    grant.key_prefixes_ = client.key_prefixes;
    for (const std::string& name : client.namespaces) {
        grant.all_namespaces_ = grant.all_namespaces_ || name == "*";
    }
    return grant;
}

bool Grant::allows_namespace(std::string_view name) const {
    bool allowed = all_namespaces_;
    for (const std::string& mine : namespaces_) {
        allowed = allowed || mine == name;
    }
    return allowed;
}

bool Grant::allows(const RangeKey& key) const {
    bool allowed = allows_namespace(first_segment(key));
    for (const std::string& prefix : key_prefixes_) {
        allowed = allowed || std::string_view(key.text()).starts_with(prefix);
    }
    return allowed;
}

struct TokenTable::Hasher {
    Hasher()
        : sha256(EVP_MD_fetch(nullptr, "SHA256", nullptr)), context(EVP_MD_CTX_new()),
          keyed(EVP_MD_CTX_new()) {
        std::array<unsigned char, 64> key{};
        check(sha256 != nullptr && context != nullptr && keyed != nullptr, "no SHA-256");
        check(RAND_bytes(key.data(), key.size()) == 1, "no random bytes");
        check(
            EVP_DigestInit_ex2(keyed, sha256, nullptr) == 1 &&
                EVP_DigestUpdate(keyed, key.data(), key.size()) == 1,
            "SHA-256"
        );
        OPENSSL_cleanse(key.data(), key.size());
    }
    ~Hasher() {
        EVP_MD_CTX_free(keyed);
        EVP_MD_CTX_free(context);
        EVP_MD_free(sha256);
    }
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    EVP_MD* sha256;
    EVP_MD_CTX* context;
    EVP_MD_CTX* keyed;  // has taken in the key, one whole block, already
};

TokenTable::TokenTable(const AuthOptions& options, const KeyedHash& names)
    : hasher_(std::make_unique<Hasher>()) {
    for (const Secret& token : options.tokens) {
        digests_.push_back(digest_of(token.reveal()));
        grants_.push_back(Grant::everything("token", counted(names, 't', token.reveal())));
    }
    for (const ClientOptions& client : options.clients) {
        digests_.push_back(digest_of(client.token.reveal()));
        grants_.push_back(Grant::of(client, counted(names, 'c', client.name)));
    }
    if (options.allow_anonymous) {
        grants_.push_back(Grant::everything("anonymous", counted(names, 'a', "")));
    }
}

TokenTable::~TokenTable() = default;

TokenTable::Digest TokenTable::digest_of(std::string_view token) {
    Digest digest{};
    const bool done = EVP_MD_CTX_copy_ex(hasher_->context, hasher_->keyed) == 1 &&
                      EVP_DigestUpdate(hasher_->context, token.data(), token.size()) == 1 &&
                      EVP_DigestFinal_ex(hasher_->context, digest.data(), nullptr) == 1;
    check(done, "SHA-256");
    return digest;
}

std::optional<std::uint32_t>
TokenTable::find(std::optional<std::string_view> authorization, Schemes schemes) {
    if (!authorization.has_value()) {
        const bool anonymous = grants_.size() > digests_.size();
        return anonymous ? std::optional(static_cast<std::uint32_t>(digests_.size()))
                         : std::nullopt;
    }
    if (const auto token = carried_by(*authorization, "bearer")) {
        return find_token(*token);
    }
    const auto credentials =
        schemes == Schemes::bearer_and_basic ? carried_by(*authorization, "basic") : std::nullopt;
    if (!credentials.has_value() || credentials->size() > limits::basic_bytes_max) {
        return std::nullopt;
    }
    const auto user_and_password = decoded(*credentials);
    if (!user_and_password.has_value()) {
        return std::nullopt;
    }
    const std::size_t colon = user_and_password->reveal().find(':');
    return colon == std::string_view::npos
               ? std::nullopt
               : find_token(user_and_password->reveal().substr(colon + 1));
}

std::optional<std::uint32_t> TokenTable::find_token(std::string_view token) {
    if (token.empty() || token.size() > limits::token_bytes_max) {
        return std::nullopt;
    }
    const Digest digest = digest_of(token);
    std::uint32_t found =
        0;  // 1 + number of the caller; every digest is looked at, whatever matched
    for (std::uint32_t i = 0; i < digests_.size(); ++i) {
        const std::uint32_t same =
            CRYPTO_memcmp(digests_[i].data(), digest.data(), digest.size()) == 0 ? 1 : 0;
        found |= (0 - same) & (i + 1);
    }
    return found == 0 ? std::nullopt : std::optional(found - 1);
}

}  // namespace holdfast
