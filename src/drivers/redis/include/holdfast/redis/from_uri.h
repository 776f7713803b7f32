#pragma once
// A URI as options of a client, and secrets and certificates that may change while it runs.

#include <holdfast/redis/options.h>
#include <holdfast/redis/uri.h>

#include <mutex>

namespace holdfast::redis {

// Certificates in files, read when this is opened and at each reload(); connections that stand go
// on with what they have, new ones take what was read last. Any thread.
class TlsFiles {
public:
    // Errors as of open_tls_client().
    static Result<std::shared_ptr<TlsFiles>> open(TlsClientOptions options);
    // Blocks on the disk. An error: the old ones stay.
    Result<Done> reload();
    std::shared_ptr<const TlsContext> current() const;

private:
    explicit TlsFiles(TlsClientOptions options) : options_(std::move(options)) {}

    const TlsClientOptions options_;
    mutable std::mutex mutex_;
    std::shared_ptr<const TlsContext> context_;
};
RedisOptions::TlsSource tls_from(std::shared_ptr<TlsFiles> files);

// The first line of a file, read again at each dial: a password that is changed there is used by
// the next connection. For secrets on a local disk or in memory: the loop waits for it. Errors of a
// dial: `denied`, none: it cannot be read, or is empty, or longer than a password.
RedisOptions::CredentialsSource credentials_from_file(std::string user, std::string path);
// The value of an environment variable, looked up at each dial. `denied`, none: it is not set.
RedisOptions::CredentialsSource credentials_from_environment(std::string user, std::string name);

// What `tls` says of files is used by rediss:// and rediss-sentinel:// alone, for servers and
// sentinels alike; `verifyPeer` wins. `timeout` and `wait` are carried on for callers and stores;
// the client itself does not look at them.
//
// `invalid_argument`, none: another database than 0 of a cluster. Else the errors of
// TlsFiles::open().
Result<RedisOptions>
options_from(const RedisUri& uri, const TlsClientOptions& tls = TlsClientOptions());

}  // namespace holdfast::redis
