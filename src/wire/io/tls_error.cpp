#include "tls_error.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

namespace holdfast {
namespace {

Error plain(Code code, std::string_view what) {
    return Error(code, Effect::none, what);
}

Error certificate_failure(long verified) {
    switch (verified) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return plain(Code::denied, "the peer's certificate is for another host");
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return plain(Code::denied, "the peer's certificate does not hold at this time");
    default:
        return plain(Code::denied, "the peer's certificate is not trusted");
    }
}

Error failure(int reason, long verified) {
    switch (reason) {
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
        return certificate_failure(verified);
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
        return plain(Code::denied, "the peer shows no certificate");
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        return plain(Code::denied, "the peer refuses our certificate, or asks for one");
    case SSL_R_NO_APPLICATION_PROTOCOL:
    case SSL_R_NO_SHARED_CIPHER:
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
    case SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY:
    case SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
    case SSL_R_UNSUPPORTED_PROTOCOL:
        return plain(Code::unsupported, "no common TLS version, cipher or protocol");
    default:
        return plain(Code::corrupt, "what came is not TLS, or was changed on its way");
    }
}

}  // namespace

std::string tls_reason() {
    const unsigned long oldest = ERR_peek_error();
    const char* const text = ERR_reason_error_string(oldest);
    return text != nullptr ? text : "no reason given";
}

Error tls_failure(const SSL* ssl) {
    const int reason = ERR_GET_REASON(ERR_peek_error());
    ErrorContext context;
    context.server_text = tls_reason();
    return failure(reason, SSL_get_verify_result(ssl)).with(std::move(context));
}

}  // namespace holdfast
