// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/assignments.hpp"
#include "cli/transform/archive_rewrite.hpp"
#include "cli/transform/editable_key.hpp"

namespace tgmap::cli {

/// The edits as they are given on the command line.
struct edit_options {
  std::vector<std::string> assignments, deletions, renamings;
  damaged_objects damaged = damaged_objects::refuse;
};

/// A `metadata_edits` object changes the metadata of messages: it renames keys, then deletes keys, then sets keys.
class metadata_edits {
 public:
  /// Errors: throws usage_error; cli_error if a key must not be changed.
  explicit metadata_edits(const edit_options&);

  /// Changes the selected objects of a loaded message. Returns true if anything changed. Errors: throws cli_error if a
  /// key names an object that does not exist or is damaged; usage_error if a value does not fit the type of its key;
  /// tgmap::error.
  bool apply(const message&, const selected_objects&, new_message&);

  /// Returns the keys to be renamed or deleted that no message had.
  std::vector<std::string> not_found() const;

 private:
  struct edit {
    enum class action : std::uint8_t { rename, erase, set } what;
    editable_key at;
    std::string new_path{};                             ///< for `rename`
    assignment to{};                                    ///< for `set`
    std::array<std::optional<cbor_value>, 7> values{};  ///< the value of `to`, by type
    bool found = false;
  };

  bool apply(edit&, const message&, const selected_objects&, new_message&);
  static bool apply(edit&, cbor_value& keys);
  static void refuse_overwriting(const edit&, const cbor_value& keys);
  bool apply_to_descriptor(edit&, const message&, new_message&);

  std::vector<edit> edits_{};
  damaged_objects damaged_;
};

}  // namespace tgmap::cli
