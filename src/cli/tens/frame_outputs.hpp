// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tgmap/zio/from_archive.hpp>
#include <vector>

#include "cli/input/selection.hpp"
#include "cli/outputs/file_template.hpp"
#include "cli/outputs/output_set.hpp"

namespace tgmap::cli {

/// What frames of messages are to be like. What is not given is as it was recorded, or as from_archive() has it.
struct frame_options {
  zio::from_archive_options how{};
  std::optional<zio::level> level{};
  std::optional<std::string> form{};
  std::optional<std::uint64_t> origin{}, granule{};
  std::optional<std::uint64_t> seqno{};  ///< of the first frame
};

/// Messages of archives on their way into files, a frame each.
class frame_outputs {
 public:
  /// `to`: the name that was given. All must live longer.
  frame_outputs(const file_template& names, const std::string& to, const frame_options&, const output_options&,
                session&);

  archive open(const target&);

  /// For for_each_selected. Throws usage_error: another message, where there is only one file.
  bool take(const target&, const message&, key_lookup&);

  /// All have been taken: the files appear, and what is in them is told; not where anything failed before.
  void finish(bool as_json);

 private:
  struct taken {
    const target* of;
    tgmap::message message;
  };
  struct written {
    const target* of;
    std::optional<std::size_t> message;
    std::string name;
    std::uint64_t bytes, bytes_copied;
  };

  void write(const taken&, const std::string& name);
  zio::from_archive_result frame_of(const taken&) const;
  void tell(bool as_json) const;

  const file_template& names_;
  const std::string& to_;
  const frame_options& frames_;
  const output_options options_;
  session& run_;
  output_set outputs_;
  std::map<const target*, archive> archives_{};
  std::optional<taken> only_{};  ///< written when no other one comes: standard output takes nothing back
  std::set<const output_set::output*> used_{};
  std::vector<written> written_{};
};

}  // namespace tgmap::cli
