// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/file_sink.hpp"

#include <new>
#include <tgmap/error.hpp>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

template <class Work>
failure file_sink::guarded(Work&& work) noexcept {
  try {
    work();
    return {};
  } catch (const file_error& why) {
    problem_ = std::current_exception();
    return {.code = why.code()};
  } catch (const error& why) {  // of an archive from which ranges that come before are copied
    problem_ = std::current_exception();
    return why.details();
  } catch (const std::bad_alloc&) {
    problem_ = std::current_exception();
    return {.code = errc::out_of_memory};
  } catch (const cli_error&) {  // has no code: it is thrown again
    problem_ = std::current_exception();
    return {.code = std::make_error_code(std::errc::io_error)};
  }
}

failure file_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  return guarded([&] { put(pieces); });
}

failure file_sink::overwrite(std::uint64_t at, std::span<const std::byte> data) noexcept {
  return can_overwrite() ? guarded([&] { put_at(at, data); }) : sink::overwrite(at, data);
}

}  // namespace tgmap::cli
