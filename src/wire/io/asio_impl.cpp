// Boost.Asio's own code, compiled once for all rooms.
#include <boost/asio/impl/src.hpp>
