// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/array_inputs.hpp"
#include "cli/options/metadata_options.hpp"
#include "edit/message_builder.hpp"

namespace tgmap::cli {

/// An array that cannot be written as requested.
class array_error : public cli_error {
 public:
  array_error(std::string array, const std::string& text, std::string next_step)
      : cli_error(text, std::move(next_step)), array_(std::move(array)) {}
  const std::string& array() const noexcept { return array_; }  ///< its label

 private:
  std::string array_;
};

/// An `array_builder` writes arrays into a sink, with the keys of --meta and -s.
class array_builder {
 public:
  /// Lifetime: the sink and the metadata must outlive the builder.
  array_builder(sink&, edit::message_plan, const pipeline&, const new_metadata&);

  /// Adds an array. Errors: array_error; tgmap::error from the sink.
  void add(array_input&&);

  /// Completes the last message. Errors: like add; cli_error for the metadata.
  void finish();

  const edit::message_builder& objects() const noexcept { return objects_; }

  /// The file of an array, and its member in an .npz.
  struct array_name {
    std::string file, member, label;
  };
  const std::vector<array_name>& names() const noexcept { return names_; }  ///< of the objects

 private:
  void check(const failure&) const;

  const pipeline pipeline_;
  const new_metadata& metadata_;
  edit::message_builder objects_;
  std::vector<array_name> names_{};
};

}  // namespace tgmap::cli
