// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/outputs/message_outputs.hpp"
#include "cli/rewrite/layout_writers.hpp"

namespace tgmap::cli {

/// Objects that are picked out of messages, on their way into files. Those of one message that follow each other on the
/// way to one file become one message there: with its message-wide keys, its provenance and its layout, their frames as
/// they lie. Picked all, in their order, the message is copied byte for byte.
class picked_objects {
 public:
  /// Both must live longer.
  picked_objects(message_outputs& to, session& run) : to_(&to), run_(&run), writers_(to.made()) {}

  /// Takes one object of a message of a target that the outputs have opened. One of a message without its end is left
  /// out, and told of once. What cannot be read is reported. Throws as message_outputs::file.
  void add(const target&, const message&, std::size_t object, const std::string& file, bool make_folders);

  std::uint64_t objects() const noexcept { return objects_; }  ///< that were given

  /// Puts out what waits for more of its message: before the outputs open another archive, or are given a message.
  void settle();

 private:
  struct group {
    const target* of = nullptr;
    message from{};
    std::vector<std::size_t> numbers{};
  };
  void put(std::size_t file, const group&);
  void write(std::size_t file, const group&);

  message_outputs* to_;
  session* run_;
  layout_writers writers_;
  std::vector<group> waiting_{};  ///< by file
  group taken_{};                 ///< whose keys and layout `parts_` holds; without numbers
  message_parts parts_{};
  group left_out_{};  ///< the last one; without numbers
  std::uint64_t objects_ = 0;
};

}  // namespace tgmap::cli
