// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/selection.hpp"
#include "cli/outputs/copy_source.hpp"
#include "cli/outputs/file_sink.hpp"
#include "cli/outputs/output_set.hpp"
#include "cli/outputs/range_copier.hpp"

namespace tgmap::cli {

/// Messages on their way into files: whole and as they are, or made anew of others.
class message_outputs {
 public:
  message_outputs(const output_options&, session&);

  /// For for_each_selected: the archive of a target. `in_order`: one target is done when the next one is opened.
  archive open(const target&, bool in_order);

  /// Puts a message of a target opened before behind what that file has. Throws as output_set::distinct and
  /// range_copier. One without its end is told of and left out, and false returned: what comes behind it would be taken
  /// for its own.
  bool add(const target&, const message&, const std::string& file, bool make_folders);

  /// The number of that file, which is there as soon as anything is written. Throws as output_set::distinct.
  std::size_t file(const std::string& name, bool make_folders);

  /// As above.
  bool add(const target&, const message&, std::size_t file);

  /// Puts a message that is made anew behind what that file has: what is written to `made()` next.
  void begin(std::size_t file);
  file_sink& made() noexcept { return made_; }  ///< what goes wrong in it includes tgmap::error

  /// Tells of a message without its end, which is left out.
  void leave_out(const target&, const message&);

  std::uint64_t messages() const noexcept { return messages_; }
  bool more() const noexcept { return run_.report.status() != exit_status::failed; }  ///< can still be of use

  /// All have been added: the files appear, and what is in them is told, as text or as JSON, on standard output unless
  /// that is one of them. When anything failed before, or nothing was added, there is no file, and why is said.
  /// `name`: what people call the output; `wanted`: what was to be selected, "message" or "object".
  void finish(const std::string& name, bool as_json, std::string_view wanted = "message");

 private:
  struct filled {
    output_set::output* file;
    std::uint64_t messages = 0;
  };

  /// Into the file that was begun last, behind what is copied to it.
  class made_sink final : public file_sink {
   public:
    explicit made_sink(range_copier& by) : by_(&by) {}
    void go_to(output_set::output& file) noexcept { to_ = &file; }

   private:
    void put(std::span<const std::span<const std::byte>> pieces) override {
      for (const auto piece : pieces) by_->write(piece, *to_);
    }
    range_copier* by_;
    output_set::output* to_ = nullptr;
  };

  void tell(bool as_json) const;

  const output_options options_;
  session& run_;
  std::map<const target*, std::unique_ptr<copy_source>> sources_{};
  output_set outputs_;
  range_copier copier_{};
  made_sink made_{copier_};
  std::map<std::string, std::size_t, std::less<>> numbers_{};  ///< of files, by the names asked for
  std::vector<filled> files_{};
  std::uint64_t messages_ = 0;
};

}  // namespace tgmap::cli
