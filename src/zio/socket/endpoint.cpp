// SPDX-License-Identifier: Apache-2.0
#include "zio/socket/endpoint.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::string_view tcp_prefix = "tcp://";

/// Returns the host of a tcp endpoint without brackets.
std::string_view host_of(std::string_view endpoint) noexcept {
  endpoint.remove_prefix(tcp_prefix.size());
  endpoint = endpoint.substr(0, endpoint.rfind(':'));
  if (endpoint.starts_with('[') && endpoint.ends_with(']')) endpoint = endpoint.substr(1, endpoint.size() - 2);
  return endpoint;
}

/// Returns a text with a NUL for inet_pton(); an empty one if it is too long for an address.
std::array<char, INET6_ADDRSTRLEN> terminated(std::string_view text) noexcept {
  std::array<char, INET6_ADDRSTRLEN> out{};
  if (text.size() < out.size()) std::copy(text.begin(), text.end(), out.begin());
  return out;
}

}  // namespace

transport transport_of(std::string_view endpoint) noexcept {
  if (endpoint.starts_with(tcp_prefix)) return transport::tcp;
  if (endpoint.starts_with("ipc://")) return transport::ipc;
  if (endpoint.starts_with("inproc://")) return transport::inproc;
  return transport::none;
}

bool is_endpoint(std::string_view text) noexcept {
  const transport by = transport_of(text);
  if (by == transport::none) return false;
  const std::string_view place = text.substr(text.find("//") + 2);
  if (by != transport::tcp) return !place.empty() && place.find('\0') == std::string_view::npos;
  const auto colon = place.rfind(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const std::string_view port = place.substr(colon + 1);
  if (port == "*") return true;
  unsigned number = 0;
  const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), number);
  return fault == std::errc() && end == port.data() + port.size() && number <= 65535;
}

bool is_private(std::string_view endpoint) noexcept {
  const transport by = transport_of(endpoint);
  if (by == transport::ipc) return !endpoint.starts_with("ipc://@");  // not a file with permissions
  if (by != transport::tcp) return by != transport::none;
  const std::string_view host = host_of(endpoint);
  if (host == "localhost") return true;
  const auto text = terminated(host);
  std::array<unsigned char, sizeof(in6_addr)> address{};
  if (::inet_pton(AF_INET, text.data(), address.data()) == 1) return address[0] == 127;
  in6_addr six{};
  return ::inet_pton(AF_INET6, text.data(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool is_ipv6(std::string_view endpoint) noexcept {
  return transport_of(endpoint) == transport::tcp && endpoint.substr(tcp_prefix.size()).starts_with('[');
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
