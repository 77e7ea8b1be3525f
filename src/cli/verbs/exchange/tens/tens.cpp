// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/exchange/tens/tens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/input/file_list.hpp"
#include "zio/message/frame_json.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_tens{
    verb{"show", "Show frames: headers, label, tensors and parts", declare_tens_show},
    verb{"import", "Write frames to an archive, one message each", declare_tens_import},
    verb{"export", "Write messages of an archive as frames", declare_tens_export},
    verb{"keys", "Create a pair of keys for encrypted connections", declare_tens_keys},
};

}  // namespace

action declare_tens(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_tens, run, [](const verb&) { return true; });
}

void add_frame_files(CLI::App& app, std::vector<std::string>& into) {
  CLI::Option* const files =
      app.add_option("FRAME", into, "Files with one frame each; - is standard input")->required()->type_name("");
  add_file_lists(app, *files, into);
}

void check_frame_files(const std::vector<std::string>& files) {
  if (std::count(files.begin(), files.end(), "-") > 1)
    throw usage_error("standard input can be read only once; save it to a file first");
}

namespace {

/// Throws cli_error for an archive, or a file of another known kind.
void refuse_other_kind_of(std::span<const std::byte> bytes) {
  const file_format format = convert::find_file_format(bytes);
  if (format == file_format::archive)
    throw cli_error("is a Tensogram archive, not a frame of a ZIO message",
                    "`tgmap info` and `tgmap ls` show it; `tgmap tens export` makes frames of its messages");
  const file_kind* const kind = kind_of(format);
  if (kind != nullptr && format != file_format::zio_frame)
    throw cli_error(fmt::format("is not a frame of a ZIO message: {}", kind->name),
                    may_be_constant(format) ? "name a frame" : std::string(kind->next_step));
}

}  // namespace

frame_file::frame_file(const std::string& file, convert::file_bytes bytes_of_file) : file_(std::move(bytes_of_file)) {
  failure why;
  message_ = zio::decode(bytes(), {}, &format_, why);
  if (!why) return;
  refuse_other_kind_of(bytes());
  throw cli_error(zio::frame_fault_text(why), next_step_of_frame(why, file));
}

// The advice for these codes in archives names `tgmap validate`, which does not read frames.
std::string next_step_of_frame(const failure& why, std::string_view file) {
  const bool of_tensor =
      why.code == errc::shape_overflow || why.code == errc::too_many_dimensions || why.code == errc::object_limit;
  return next_step(of_tensor ? failure{.code = zio::errc::bad_tens} : why, file);
}

}  // namespace tgmap::cli
