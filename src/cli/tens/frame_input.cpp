// SPDX-License-Identifier: Apache-2.0
#include "cli/tens/frame_input.hpp"

#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"

namespace tgmap::cli {

frame_input::frame_input(const std::string& file, input_bytes bytes_of_file) : file_(std::move(bytes_of_file)) {
  failure why;
  message_ = zio::decode(bytes(), {}, &spelling_, why);
  if (why) throw cli_error(frame_fault(why), next_step_of_frame(why, file));
}

std::uint64_t frame_input::label_at() const noexcept {
  const bool long_length = bytes().front() == std::byte{0xff};
  return (long_length ? 5 : 1) + zio::prefix_bytes;
}

std::string frame_fault(const failure& why) { return why.text() + (why.offset == 0 ? " (offset 0x0)" : ""); }

/// Those of archives would be checked with `tgmap validate`.
std::string next_step_of_frame(const failure& why, std::string_view file) {
  const bool of_tensor =
      why.code == errc::shape_overflow || why.code == errc::too_many_dimensions || why.code == errc::object_limit;
  return next_step(of_tensor ? failure{.code = zio::errc::bad_tens} : why, file);
}

}  // namespace tgmap::cli
