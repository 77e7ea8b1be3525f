// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/array_inputs.hpp"
#include "edit/message_builder.hpp"
#include "edit/metadata/new_metadata.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

/// An `array_builder` writes arrays into a sink, with the keys of --meta and -s.
class array_builder {
 public:
  /// `to` is the sink that writes to a file, if it is one. Lifetime: the sinks and the metadata must outlive the
  /// builder.
  array_builder(sink&, edit::message_plan, const pipeline&, const edit::new_metadata&,
                const edit::throwing_sink* to = nullptr);

  /// Adds the arrays of files, and completes the last message. Reports the first array or file that cannot be written,
  /// and returns false for it. `progress` receives the bytes of the elements that are done. Errors: tgmap::error and
  /// write_error from the sink; cli_error for the metadata.
  bool add_all(
      const std::vector<std::string>& files, const array_options&, session&,
      const std::function<void(std::uint64_t done)>& progress = [](std::uint64_t) {});

  const edit::message_builder& objects() const noexcept { return objects_; }

  /// The file of an array, and its member in an .npz.
  struct array_name {
    std::string file, member, label;
  };
  const std::vector<array_name>& names() const noexcept { return names_; }  ///< of the objects

  /// Returns a hint about arrays that were converted because they are packed; empty if there are none.
  std::string widened_text() const;

 private:
  bool add(array_input&&, session&);
  bool finish(session&);
  bool check(const failure&, session&) const;

  const pipeline pipeline_;
  const edit::new_metadata& metadata_;
  edit::message_builder objects_;
  const edit::throwing_sink* to_;
  std::vector<array_name> names_{};
};

}  // namespace tgmap::cli
