#pragma once
// Two ends of a TLS connection on virtual streams, with something between them that may cut or
// change bytes.

#include <holdfast/io/compose.h>
#include <holdfast/io/tls.h>
#include <holdfast/io/virtual_runtime.h>

#include <support/certificates.h>
#include <support/temporary_folder.h>

#include <array>
#include <limits>
#include <string>

namespace holdfast {

using TlsOutcome = Result<std::unique_ptr<Stream>>;
using TlsContextPointer = std::shared_ptr<const TlsContext>;

// Made once a program: keys cost more than all else here.
class TlsFiles {
public:
    static const TlsFiles& get() {
        static const TlsFiles files;
        return files;
    }

    testing::TemporaryFolder folder;
    testing::CertificateAuthority ca{folder.path(), "ca"};
    testing::CertificateAuthority other_ca{folder.path(), "other"};
    testing::CertificateFiles server = ca.issue("server", "DNS:localhost,IP:127.0.0.1");
    testing::CertificateFiles second_server = other_ca.issue("server", "DNS:localhost");
    testing::CertificateFiles expired = ca.issue("expired", "DNS:localhost", true);
    testing::CertificateFiles client = ca.issue("client", "DNS:client");
    testing::CertificateFiles stranger = other_ca.issue("stranger", "DNS:client");

    TlsServerOptions server_options() const {
        return TlsServerOptions().certificate(server.certificate).key(server.key);
    }
    TlsServerOptions asking_options() const { return server_options().client_ca(ca.file()); }
    TlsClientOptions client_options() const { return TlsClientOptions().ca(ca.file()); }
};

inline Task<std::string> reading_all(Stream* stream) {
    std::string all;
    std::array<std::byte, 3000> space;
    for (;;) {
        auto got = co_await stream->read_some(space);
        if (!got.ok()) {
            co_return std::move(got).error();
        }
        if (got.value() == 0) {
            co_return all;
        }
        all.append(reinterpret_cast<const char*>(space.data()), got.value());
    }
}
inline Task<> writing_all(Stream* stream, std::string text, Deadline deadline) {
    co_return co_await write_all(*stream, text, deadline);
}

// Hands on what comes; from the byte `at` on it does what it was told.
class TlsRelay {
public:
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
    enum class Act { cut, change };
    TlsRelay(Act what, std::size_t where) : act(what), at(where) {}

    Task<> run(Stream* from, Stream* to) {
        std::array<std::byte, 512> space;
        for (;;) {
            auto got = co_await from->read_some(space);
            if (!got.ok() || got.value() == 0) {
                break;
            }
            auto bytes = std::span(space).first(got.value());
            if (at < seen + bytes.size()) {
                acted = true;
                if (act == Act::cut) {
                    bytes = bytes.first(at - seen);
                } else {
                    bytes[at - seen] ^= std::byte{1};
                    at = never;
                }
            }
            seen += bytes.size();
            const Deadline far = Deadline::at(SteadyTime::max());
            auto sent = co_await write_all(*to, bytes, far);
            if (!sent.ok() || (acted && act == Act::cut)) {
                break;
            }
        }
        to->shutdown_write();
        co_return Done();
    }

    Act act;
    std::size_t at;
    std::size_t seen = 0;
    bool acted = false;
};

class TlsScene {
public:
    explicit TlsScene(std::uint64_t seed = 1, std::size_t window = 64 * 1024)
        : runtime(open_virtual_runtime(VirtualOptions().seed(seed).window_bytes(window))) {
        StreamPair streams = open_virtual_streams(*runtime);
        near = std::move(streams.near);
        far = std::move(streams.far);
    }
    ~TlsScene() {
        drop(server);
        drop(client);
        runtime->run(now() + Duration(60'000));  // goodbyes end
    }

    SteadyTime now() const { return runtime->now(); }
    Deadline in(int ms) const { return Deadline::in(Duration(ms), now()); }
    template <class T>
    Result<T> run(Task<T> task) {
        return wait(*runtime, runtime->loop(0), std::move(task));
    }
    // On the loop, as a stream must be.
    void drop(std::unique_ptr<Stream>& stream) {
        auto destroy = [](std::unique_ptr<Stream> last) -> Task<> {
            last.reset();
            co_return Done();
        };
        (void)run(destroy(std::move(stream)));
    }

    // Both handshakes; server and client are set where they succeed.
    void shake(
        const TlsServerOptions& server_options,
        const TlsClientOptions& client_options,
        const std::string& host = "localhost"
    ) {
        auto accepting =
            accept_tls(std::move(near), open_tls_server(server_options).value(), in(10'000));
        auto connecting =
            connect_tls(std::move(far), open_tls_client(client_options).value(), host, in(10'000));
        auto both = run(when_all(std::move(accepting), std::move(connecting)));
        take(std::get<0>(both.value()), server, server_error);
        take(std::get<1>(both.value()), client, client_error);
    }
    void shake() { shake(TlsFiles::get().server_options(), TlsFiles::get().client_options()); }

    std::unique_ptr<VirtualRuntime> runtime;
    std::unique_ptr<Stream> near;
    std::unique_ptr<Stream> far;
    std::unique_ptr<Stream> server;
    std::unique_ptr<Stream> client;
    std::optional<Error> server_error;
    std::optional<Error> client_error;

private:
    static void
    take(TlsOutcome& outcome, std::unique_ptr<Stream>& stream, std::optional<Error>& error) {
        if (outcome.ok()) {
            stream = std::move(outcome).value();
        } else {
            error.emplace(std::move(outcome).error());
        }
    }
};

}  // namespace holdfast
