#include "tls_context.h"

#include "tls_error.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace holdfast {
namespace {

// Forward secrecy and authenticated encryption only; TLS 1.3 has nothing else.
constexpr const char* ciphers_of_1_2 = "ECDHE+AESGCM:ECDHE+CHACHA20";

Error no_memory() {
    return Error(Code::internal, Effect::none, "no memory for TLS");
}

Error bad_file(
    std::string_view option, std::string_view what, const std::string& file, const std::string& why
) {
    ErrorContext context;
    context.command = option;
    context.server_text = file + ": " + why;
    return Error(Code::invalid_argument, Effect::none, what).with(std::move(context));
}

// OpenSSL's own words for a file that is not there are not for people.
Result<Done> readable(std::string_view option, const std::string& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return bad_file(
            option, "the file cannot be read", file, std::generic_category().message(errno)
        );
    }
    ::close(descriptor);
    return Done();
}

// Without it OpenSSL asks at the terminal.
int no_password(char* /*into*/, int /*size*/, int /*writing*/, void* /*argument*/) {
    return -1;
}

std::string alpn_of(const std::string& protocol) {
    return protocol.empty() ? "" : std::string(1, static_cast<char>(protocol.size())) + protocol;
}

int choose_protocol(
    SSL* /*ssl*/,
    const unsigned char** chosen,
    unsigned char* length,
    const unsigned char* offered,
    unsigned int offered_bytes,
    void* argument
) {
    const std::string& own = static_cast<const TlsContext*>(argument)->protocol();
    unsigned char* found = nullptr;
    const int outcome = SSL_select_next_proto(
        &found,
        length,
        reinterpret_cast<const unsigned char*>(own.data()),
        static_cast<unsigned int>(own.size()),
        offered,
        offered_bytes
    );
    *chosen = found;
    return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Result<std::shared_ptr<TlsContext>> open_context(const SSL_METHOD* method, std::string protocol) {
    ERR_clear_error();
    if (protocol.size() > 255) {
        return Error(Code::invalid_argument, Effect::none, "the protocol's name is too long");
    }
    auto context = std::make_shared<TlsContext>(SSL_CTX_new(method), alpn_of(protocol));
    if (!context->whole()) {
        return no_memory();
    }
    SSL_CTX* const ssl = context->get();
    SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(ssl, ciphers_of_1_2);
    // No tickets and no session cache: our connections live long, and a session that is taken up
    // again would not show its certificate.
    SSL_CTX_set_options(
        ssl,
        SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET |
            SSL_OP_CIPHER_SERVER_PREFERENCE
    );
    SSL_CTX_set_num_tickets(ssl, 0);
    SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(
        ssl,
        SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
            SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    );
    SSL_CTX_set_default_passwd_cb(ssl, no_password);
    return context;
}

Result<Done>
load_identity(SSL_CTX* context, const std::string& certificate, const std::string& key) {
    if (auto found = readable("certificate", certificate); !found.ok()) {
        return found;
    }
    if (auto found = readable("key", key); !found.ok()) {
        return found;
    }
    if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1) {
        return bad_file("certificate", "the file has no certificate", certificate, tls_reason());
    }
    // Loading the key compares it with the certificate.
    if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
        const bool other = ERR_GET_LIB(ERR_peek_last_error()) == ERR_LIB_X509;
        return bad_file(
            "key",
            other ? "the key does not belong to the certificate"
                  : "the file has no key without a password",
            key,
            tls_reason()
        );
    }
    if (SSL_CTX_check_private_key(context) != 1) {
        return bad_file("key", "the key does not belong to the certificate", key, tls_reason());
    }
    return Done();
}

Result<Done> load_trust(SSL_CTX* context, std::string_view option, const std::string& file) {
    if (auto found = readable(option, file); !found.ok()) {
        return found;
    }
    if (SSL_CTX_load_verify_file(context, file.c_str()) != 1) {
        return bad_file(option, "the file has no certificate", file, tls_reason());
    }
    return Done();
}

}  // namespace

Ssl TlsContext::open(TlsWire& wire) const {
    ERR_clear_error();
    Ssl ssl(SSL_new(context_.get()));
    BIO* const bio = open_wire_bio(method_.get(), wire);
    if (ssl == nullptr || bio == nullptr) {
        BIO_free(bio);
        return nullptr;
    }
    SSL_set_bio(ssl.get(), bio, bio);
    return ssl;
}

Result<Done> TlsContext::prepare_connect(SSL& ssl, const std::string& host) const {
    ERR_clear_error();
    SSL_set_connect_state(&ssl);
    if (!checks_name_) {
        ASN1_OCTET_STRING* const address = a2i_IPADDRESS(host.c_str());
        if (address == nullptr && !host.empty()) {  // addresses are not announced
            (void)SSL_set_tlsext_host_name(&ssl, host.c_str());
        }
        ASN1_OCTET_STRING_free(address);
        ERR_clear_error();
        return Done();
    }
    X509_VERIFY_PARAM* const rules = SSL_get0_param(&ssl);
    if (X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1) {
        return Done();
    }
    SSL_set_hostflags(&ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // An empty name would switch the check off.
    if (host.empty() || SSL_set1_host(&ssl, host.c_str()) != 1 ||
        SSL_set_tlsext_host_name(&ssl, host.c_str()) != 1) {
        return Error(Code::invalid_argument, Effect::none, "no host name that TLS can check");
    }
    return Done();
}

Result<std::shared_ptr<const TlsContext>> open_tls_server(const TlsServerOptions& options) {
    auto opened = open_context(TLS_server_method(), options.protocol());
    if (!opened.ok()) {
        return std::move(opened).error();
    }
    TlsContext& context = *opened.value();
    if (auto loaded = load_identity(context.get(), options.certificate(), options.key());
        !loaded.ok()) {
        return std::move(loaded).error();
    }
    if (!options.client_ca().empty()) {
        auto loaded = load_trust(context.get(), "client-ca", options.client_ca());
        if (!loaded.ok()) {
            return std::move(loaded).error();
        }
        SSL_CTX_set_client_CA_list(
            context.get(), SSL_load_client_CA_file(options.client_ca().c_str())
        );
        SSL_CTX_set_verify(
            context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr
        );
    }
    if (!context.protocol().empty()) {
        SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, &context);
    }
    return std::shared_ptr<const TlsContext>(std::move(opened).value());
}

Result<std::shared_ptr<const TlsContext>> open_tls_client(const TlsClientOptions& options) {
    auto opened = open_context(TLS_client_method(), options.protocol());
    if (!opened.ok()) {
        return std::move(opened).error();
    }
    TlsContext& context = *opened.value();
    if (options.ca().empty()) {
        SSL_CTX_set_default_verify_paths(context.get());
    } else if (auto loaded = load_trust(context.get(), "ca", options.ca()); !loaded.ok()) {
        return std::move(loaded).error();
    }
    const bool anybody = options.verify() == TlsVerify::none;
    SSL_CTX_set_verify(context.get(), anybody ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
    if (options.verify() != TlsVerify::full) {
        context.skip_name();
    }
    if (!options.certificate().empty() || !options.key().empty()) {
        auto loaded = load_identity(context.get(), options.certificate(), options.key());
        if (!loaded.ok()) {
            return std::move(loaded).error();
        }
    }
    const std::string& protocol = context.protocol();
    if (!protocol.empty()) {
        SSL_CTX_set_alpn_protos(
            context.get(),
            reinterpret_cast<const unsigned char*>(protocol.data()),
            static_cast<unsigned int>(protocol.size())
        );
    }
    return std::shared_ptr<const TlsContext>(std::move(opened).value());
}

}  // namespace holdfast
