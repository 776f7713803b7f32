#include <faults/client_side.h>

namespace holdfast::testing {

ClientSide::ClientSide(const std::vector<std::uint16_t>& ports) {
    for (const std::uint16_t port : ports) {
        proxies_.push_back(std::make_unique<FaultProxy>(host(), port, port));
        proxies_.back()->replace("127.0.0.1", host());
    }
}

void ClientSide::cut(std::size_t number) const {
    proxy(number).black_hole(Toward::server);
    proxy(number).black_hole(Toward::client);
}

void ClientSide::heal(std::size_t number) const {
    proxy(number).reset_all();
    proxy(number).heal();
}

}  // namespace holdfast::testing
