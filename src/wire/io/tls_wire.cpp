#include "tls_wire.h"

#include <algorithm>

namespace holdfast {
namespace {

TlsWire& wire_of(BIO* bio) {
    return *static_cast<TlsWire*>(BIO_get_data(bio));
}

int write_wire(BIO* bio, const char* bytes, std::size_t count, std::size_t* moved) {
    BIO_clear_retry_flags(bio);
    wire_of(bio).put(std::as_bytes(std::span(bytes, count)));
    *moved = count;
    return 1;
}

int read_wire(BIO* bio, char* into, std::size_t count, std::size_t* moved) {
    BIO_clear_retry_flags(bio);
    *moved = wire_of(bio).take(std::as_writable_bytes(std::span(into, count)));
    if (*moved == 0 && count != 0) {
        BIO_set_retry_read(bio);
        return 0;
    }
    return 1;
}

long control_wire(BIO* /*bio*/, int command, long /*number*/, void* /*argument*/) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

}  // namespace

std::size_t TlsWire::take(std::span<std::byte> into) {
    const std::size_t count = std::min(into.size(), arrived_ - taken_);
    std::copy_n(in_.begin() + static_cast<std::ptrdiff_t>(taken_), count, into.begin());
    taken_ += count;
    return count;
}

std::span<const std::byte> TlsWire::unsent() {
    if (sending_.empty()) {
        sending_.swap(made_);
    }
    return std::span(sending_).subspan(sent_);
}

void TlsWire::sent(std::size_t count) {
    sent_ += count;
    if (sent_ != sending_.size()) {
        return;
    }
    sent_ = 0;
    sending_.clear();
    if (sending_.capacity() > tls_out_bytes_kept) {
        std::vector<std::byte>().swap(sending_);
    }
}

void TlsWire::drop_unsent() {
    made_.clear();
    sending_.clear();
    sent_ = 0;
}

BioMethod make_wire_method() {
    BioMethod method(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "holdfast stream"));
    if (method != nullptr) {
        BIO_meth_set_write_ex(method.get(), write_wire);
        BIO_meth_set_read_ex(method.get(), read_wire);
        BIO_meth_set_ctrl(method.get(), control_wire);
    }
    return method;
}

BIO* open_wire_bio(const BIO_METHOD* method, TlsWire& wire) {
    BIO* const bio = BIO_new(method);
    if (bio != nullptr) {
        BIO_set_data(bio, &wire);
        BIO_set_init(bio, 1);
    }
    return bio;
}

}  // namespace holdfast
