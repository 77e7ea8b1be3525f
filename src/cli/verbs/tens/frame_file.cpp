// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/tens/frame_file.hpp"

#include <algorithm>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"

namespace tgmap::cli {

void add_frame_files(CLI::App& app, std::vector<std::string>& into) {
  app.add_option("FRAME", into, "Files with one frame each; - is standard input")->required()->type_name("");
}

void check_frame_files(const std::vector<std::string>& files) {
  if (std::count(files.begin(), files.end(), "-") > 1)
    throw usage_error("standard input can be read once; save it to a file first");
}

frame_file::frame_file(const std::string& file, input_bytes bytes_of_file) : file_(std::move(bytes_of_file)) {
  failure why;
  message_ = zio::decode(bytes(), {}, &format_, why);
  if (why) throw cli_error(frame_fault(why), next_step_of_frame(why, file));
}

std::uint64_t frame_file::label_offset() const noexcept {
  const bool long_length = bytes().front() == std::byte{0xff};
  return (long_length ? 5 : 1) + zio::prefix_bytes;
}

std::string frame_fault(const failure& why) { return why.text() + (why.offset == 0 ? " (offset 0x0)" : ""); }

// The advice for these codes in archives names `tgmap validate`, which does not read frames.
std::string next_step_of_frame(const failure& why, std::string_view file) {
  const bool of_tensor =
      why.code == errc::shape_overflow || why.code == errc::too_many_dimensions || why.code == errc::object_limit;
  return next_step(of_tensor ? failure{.code = zio::errc::bad_tens} : why, file);
}

}  // namespace tgmap::cli
