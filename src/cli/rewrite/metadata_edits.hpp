// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/assignments.hpp"
#include "cli/rewrite/archive_rewrite.hpp"
#include "cli/rewrite/key_place.hpp"

namespace tgmap::cli {

/// What is to be changed, as the command line says it.
struct edit_options {
  std::vector<std::string> assignments, deletions, renamings;
  damaged_objects damaged = damaged_objects::refuse;
};

/// Changes of metadata, made in one message after another: keys renamed, then deleted, then set.
class metadata_edits {
 public:
  /// Throws usage_error; cli_error when something may not be changed.
  explicit metadata_edits(const edit_options&);

  /// Changes the objects that are selected, of a message that was taken apart; returns whether anything is another now.
  /// Throws cli_error: an object that a key names is not there, or is damaged; usage_error: a value that is nothing of
  /// the type which its key has; tgmap::error.
  bool apply(const message&, const selected_objects&, new_message&);

  /// The keys to be renamed or deleted that were nowhere.
  std::vector<std::string> not_found() const;

 private:
  struct edit {
    enum class action : std::uint8_t { rename, erase, set } what;
    key_place at;
    std::string new_path{};                             ///< of rename
    assignment to{};                                    ///< of set
    std::array<std::optional<cbor_value>, 7> values{};  ///< of that, by the type it was given
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
