// SPDX-License-Identifier: Apache-2.0
#include "zio/waker.hpp"

#include <sys/eventfd.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>

#include "zio/zmq_context.hpp"
#include "zio/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

waker::waker(failure& why) noexcept : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0) why = {.code = {errno, std::system_category()}};
}

waker::~waker() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void waker::wake() const noexcept {
  const std::uint64_t one = 1;
  // It fails only when it is full, and then whoever waits wakes up anyway.
  [[maybe_unused]] const auto put = ::write(descriptor_, &one, sizeof one);
}

void waker::clear() const noexcept {
  std::uint64_t all = 0;
  [[maybe_unused]] const auto got = ::read(descriptor_, &all, sizeof all);
}

failure patience::over() const noexcept {
  if (stop_.stop_requested()) return {.code = errc::stopped};
  if (timeout_.count() < 0) return {};
  const auto gone = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begin_);
  if (gone < timeout_) return {};
  return {.code = errc::timed_out, .found = static_cast<std::uint64_t>(gone.count())};
}

long patience::left() const noexcept {
  if (timeout_.count() < 0) return -1;
  // Rounded up: else the last fraction of a millisecond would be waited for by asking again and again.
  const auto gone = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begin_);
  const auto most = static_cast<std::chrono::milliseconds::rep>(std::numeric_limits<int>::max());
  return static_cast<long>(std::clamp((timeout_ - gone).count(), std::chrono::milliseconds::rep{0}, most));
}

failure wait_for(void* socket, short events, const waker& wakes, const patience& how_long, long most) noexcept {
  if (failure why = how_long.over()) return why;
  const std::stop_callback on_stop(how_long.stop(), [&]() noexcept { wakes.wake(); });
  // Sockets are never at fault, but with an event to poll for ZeroMQ does their housekeeping meanwhile: pipes of
  // connections that ended are taken down by the thread that uses the socket, and only then memory is given back.
  const short wanted = events != 0 ? events : short{ZMQ_POLLERR};
  std::array<zmq_pollitem_t, 2> items{{{socket, 0, wanted, 0}, {nullptr, wakes.descriptor(), ZMQ_POLLIN, 0}}};
  long milliseconds = how_long.left();
  if (most >= 0) milliseconds = milliseconds < 0 ? most : std::min(milliseconds, most);
  const int ready = zmq().zmq_poll(items.data(), static_cast<int>(items.size()), milliseconds);
  if (ready < 0 && zmq().zmq_errno() != EINTR) return zmq_failure(zmq().zmq_errno());
  if (items[1].revents != 0) wakes.clear();
  return how_long.stop().stop_requested() ? failure{.code = errc::stopped} : failure{};
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
