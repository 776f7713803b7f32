#pragma once
// Certificates made for one test, as files. Programs that include it link OpenSSL.

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace holdfast::testing {

struct CertificateFiles {
    std::string certificate;
    std::string key;
};

class CertificateAuthority {
public:
    CertificateAuthority(std::filesystem::path folder, std::string name)
        : folder_(std::move(folder)), name_(std::move(name)), key_(EVP_EC_gen("P-256")) {
        certificate_ = make(name_, key_.get(), "", "critical,CA:TRUE", 0);
        write_certificate(file());
    }

    std::string file() const { return (folder_ / (name_ + ".crt")).string(); }

    // `names`: such as DNS:localhost,IP:127.0.0.1. `expired`: it held until yesterday.
    CertificateFiles
    issue(const std::string& name, const std::string& names, bool expired = false) const {
        const Key key(EVP_EC_gen("P-256"));
        const Certificate made = make(name, key.get(), names, "CA:FALSE", expired ? -2 : 0);
        const std::string base = (folder_ / (name_ + "-" + name)).string();
        CertificateFiles files{base + ".crt", base + ".key"};
        save(files.certificate, [&](std::FILE* to) { PEM_write_X509(to, made.get()); });
        save(files.key, [&](std::FILE* to) {
            PEM_write_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
        return files;
    }

private:
    struct KeyFree {
        void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    };
    struct CertificateFree {
        void operator()(X509* certificate) const { X509_free(certificate); }
    };
    using Key = std::unique_ptr<EVP_PKEY, KeyFree>;
    using Certificate = std::unique_ptr<X509, CertificateFree>;

    static constexpr long day = 24 * 60 * 60;

    template <class Write>
    static void save(const std::string& path, Write write) {
        std::FILE* const to = std::fopen(path.c_str(), "w");
        write(to);
        std::fclose(to);
    }
    void write_certificate(const std::string& path) const {
        save(path, [&](std::FILE* to) { PEM_write_X509(to, certificate_.get()); });
    }

    // Signed by this authority, or by itself while there is none.
    Certificate make(
        const std::string& name,
        EVP_PKEY* key,
        const std::string& names,
        const char* constraints,
        long first_day
    ) const {
        Certificate made(X509_new());
        X509* const issuer = certificate_ != nullptr ? certificate_.get() : made.get();
        X509_set_version(made.get(), X509_VERSION_3);
        ASN1_INTEGER_set(
            X509_get_serialNumber(made.get()),
            static_cast<long>(std::hash<std::string>()(name) >> 33U)
        );
        X509_gmtime_adj(X509_getm_notBefore(made.get()), (first_day - 1) * day);
        X509_gmtime_adj(X509_getm_notAfter(made.get()), (first_day + 1) * day);
        X509_NAME_add_entry_by_txt(
            X509_get_subject_name(made.get()),
            "CN",
            MBSTRING_ASC,
            reinterpret_cast<const unsigned char*>(name.c_str()),
            -1,
            -1,
            0
        );
        X509_set_issuer_name(made.get(), X509_get_subject_name(issuer));
        X509_set_pubkey(made.get(), key);
        extend(made.get(), issuer, NID_basic_constraints, constraints);
        if (!names.empty()) {
            extend(made.get(), issuer, NID_subject_alt_name, names.c_str());
        }
        X509_sign(made.get(), key_.get(), EVP_sha256());
        return made;
    }
    static void extend(X509* made, X509* issuer, int what, const char* value) {
        X509V3_CTX context;
        X509V3_set_ctx_nodb(&context);
        X509V3_set_ctx(&context, issuer, made, nullptr, nullptr, 0);
        X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, what, value);
        X509_add_ext(made, extension, -1);
        X509_EXTENSION_free(extension);
    }

    std::filesystem::path folder_;
    std::string name_;
    Key key_;
    Certificate certificate_;
};

}  // namespace holdfast::testing
