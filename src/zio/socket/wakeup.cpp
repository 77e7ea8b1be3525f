// SPDX-License-Identifier: Apache-2.0
#include "zio/socket/wakeup.hpp"

#include <sys/eventfd.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>

#include "zio/socket/zmq_context.hpp"
#include "zio/socket/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

wakeup::wakeup(failure& why) noexcept : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0) why = {.code = {errno, std::system_category()}};
}

wakeup::~wakeup() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void wakeup::signal() const noexcept {
  const std::uint64_t one = 1;
  // Fails only if the counter is full; the descriptor is then readable anyway.
  [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
}

void wakeup::clear() const noexcept {
  std::uint64_t all = 0;
  [[maybe_unused]] const auto size = ::read(descriptor_, &all, sizeof all);
}

failure deadline::check() const noexcept {
  if (stop_.stop_requested()) return {.code = errc::stopped};
  if (timeout_.count() < 0) return {};
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begin_);
  if (elapsed < timeout_) return {};
  return {.code = errc::timed_out, .found = static_cast<std::uint64_t>(elapsed.count())};
}

long deadline::left() const noexcept {
  if (timeout_.count() < 0) return -1;
  // Rounded up; otherwise the last fraction of a millisecond would be a busy loop.
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begin_);
  const auto most = static_cast<std::chrono::milliseconds::rep>(std::numeric_limits<int>::max());
  return static_cast<long>(std::clamp((timeout_ - elapsed).count(), std::chrono::milliseconds::rep{0}, most));
}

failure wait_for(void* socket, short events, const wakeup& on_event, const deadline& until,
                 long max_milliseconds) noexcept {
  if (failure why = until.check()) return why;
  const std::stop_callback on_stop(until.stop(), [&]() noexcept { on_event.signal(); });
  // Sockets never report ZMQ_POLLERR, but polling makes ZeroMQ process its commands. Only then does it close the pipes
  // of ended connections and release their memory.
  const short polled = events != 0 ? events : short{ZMQ_POLLERR};
  std::array<zmq_pollitem_t, 2> items{{{socket, 0, polled, 0}, {nullptr, on_event.descriptor(), ZMQ_POLLIN, 0}}};
  long milliseconds = until.left();
  if (max_milliseconds >= 0)
    milliseconds = milliseconds < 0 ? max_milliseconds : std::min(milliseconds, max_milliseconds);
  const int ready = zmq().zmq_poll(items.data(), static_cast<int>(items.size()), milliseconds);
  if (ready < 0 && zmq().zmq_errno() != EINTR) return zmq_failure(zmq().zmq_errno());
  if (items[1].revents != 0) on_event.clear();
  return until.stop().stop_requested() ? failure{.code = errc::stopped} : failure{};
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
