#pragma once
// The encrypted side of a TLS connection: what came and was not read, what is made and was not
// sent.

#include <holdfast/io/limits.h>

#include <openssl/bio.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace holdfast {

class TlsWire {
public:
    // Room for a read of the connection below; only when all that came has been taken.
    std::span<std::byte> space() { return in_; }
    void received(std::size_t count) {
        taken_ = 0;
        arrived_ = count;
    }
    std::size_t take(std::span<std::byte> into);

    void put(std::span<const std::byte> bytes) {
        made_.insert(made_.end(), bytes.begin(), bytes.end());
    }
    std::size_t unsent_bytes() const { return made_.size() + sending_.size() - sent_; }
    // What goes next, oldest first. Stays where it is, whatever is put, until sent() or
    // drop_unsent().
    std::span<const std::byte> unsent();
    void sent(std::size_t count);
    void drop_unsent();

private:
    std::array<std::byte, tls_read_bytes> in_;
    std::size_t taken_ = 0;
    std::size_t arrived_ = 0;
    std::vector<std::byte> made_;
    std::vector<std::byte> sending_;
    std::size_t sent_ = 0;
};

struct BioMethodDelete {
    void operator()(BIO_METHOD* method) const { BIO_meth_free(method); }
};
using BioMethod = std::unique_ptr<BIO_METHOD, BioMethodDelete>;

// How OpenSSL reaches a wire: writes are always taken, reads say "later" when nothing is there.
// Null: no memory.
BioMethod make_wire_method();
// Owned by the caller. The wire and the method outlive it. Null: no memory.
BIO* open_wire_bio(const BIO_METHOD* method, TlsWire& wire);

}  // namespace holdfast
