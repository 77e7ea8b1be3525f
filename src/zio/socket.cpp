// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <new>
#include <tgmap/zio/socket.hpp>

#include "zio/socket_insides.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::array<std::string_view, 4> kind_names{"push", "pull", "dealer", "router"};

}  // namespace

std::string_view to_string_view(socket_kind kind) noexcept {
  const auto number = static_cast<std::size_t>(kind);
  return number < kind_names.size() ? kind_names[number] : "unknown";
}

socket::socket(const socket_options& options, failure& why) noexcept try {
  why = {};
  auto opened = std::make_unique<insides>(options);
  why = opened->open();
  if (!why) insides_ = std::move(opened);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

socket::socket(const socket_options& options) {
  failure why;
  *this = socket(options, why);
  detail::raise_if(why);
}

socket::~socket() = default;
socket::socket(socket&&) noexcept = default;
socket& socket::operator=(socket&&) noexcept = default;

void socket::send(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop,
                  failure& why) noexcept try {
  why = insides_ ? insides_->send(m, {timeout, stop}) : failure{.code = tgmap::errc::call_out_of_order};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

message socket::receive(std::chrono::milliseconds timeout, const std::stop_token& stop, failure& why) noexcept try {
  why = {};
  if (insides_) return insides_->receive({timeout, stop}, why);
  why = {.code = tgmap::errc::call_out_of_order};
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

void socket::drain(std::chrono::milliseconds timeout, const std::stop_token& stop, failure& why) noexcept {
  why = insides_ ? insides_->drain({timeout, stop}) : failure{};
}

void socket::send(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop) {
  failure why;
  send(m, timeout, stop, why);
  detail::raise_if(why);
}

message socket::receive(std::chrono::milliseconds timeout, const std::stop_token& stop) {
  failure why;
  message out = receive(timeout, stop, why);
  detail::raise_if(why);
  return out;
}

void socket::drain(std::chrono::milliseconds timeout, const std::stop_token& stop) {
  failure why;
  drain(timeout, stop, why);
  detail::raise_if(why);
}

const std::string& socket::peer() const noexcept {
  static const std::string nobody;
  return insides_ ? insides_->peer : nobody;
}

void socket::set_peer(std::string_view peer) {
  if (insides_) insides_->peer = peer;
}

const std::string& socket::endpoint() const noexcept {
  static const std::string nowhere;
  return insides_ ? insides_->options().endpoint : nowhere;
}

socket_kind socket::kind() const noexcept { return insides_ ? insides_->options().kind : socket_kind::push; }

socket_statistics socket::statistics() const noexcept {
  return insides_ ? insides_->statistics() : socket_statistics{};
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
