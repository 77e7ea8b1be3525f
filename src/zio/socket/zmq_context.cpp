// SPDX-License-Identifier: Apache-2.0
#include "zio/socket/zmq_context.hpp"

#include <cerrno>
#include <mutex>

#include "zio/socket/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

zmq_context::~zmq_context() {
  while (zmq().zmq_ctx_term(handle_) != 0 && zmq().zmq_errno() == EINTR) {
  }
}

std::shared_ptr<zmq_context> zmq_context::make(bool is_shared, failure& why) {
  if (zmq_library::get() == nullptr) {
    why = {.code = errc::zmq_absent};
    return nullptr;
  }
  static std::mutex mutex;
  static std::weak_ptr<zmq_context> common;
  const std::lock_guard lock(mutex);
  if (is_shared)
    if (auto existing = common.lock()) return existing;
  void* handle = zmq().zmq_ctx_new();
  if (handle == nullptr) {
    why = zmq_failure(zmq().zmq_errno());
    return nullptr;
  }
  auto out = std::make_shared<zmq_context>(handle);
  if (is_shared) common = out;
  return out;
}

failure zmq_failure(int number) noexcept {
  switch (number) {
    case EINVAL:
    case ENODEV:
    case EPROTONOSUPPORT:
    case ENOCOMPATPROTO: return {.code = errc::bad_endpoint};
    case ENOMEM: return {.code = tgmap::errc::out_of_memory};
    default: break;
  }
  if (number < ZMQ_HAUSNUMERO) return {.code = {number, std::system_category()}};
  return {.code = errc::zmq_failed, .found = static_cast<std::uint64_t>(number)};
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
