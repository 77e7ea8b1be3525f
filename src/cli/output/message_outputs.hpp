// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/copy_input.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/selection.hpp"
#include "cli/output/output_options.hpp"
#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"
#include "edit/output/range_copier.hpp"

namespace tgmap::cli {

/// A `message_outputs` object writes messages of archives to files: copies of whole messages, or new messages.
class message_outputs {
 public:
  message_outputs(const output_options&, session&, object_lookup = object_lookup::index);

  /// Opens the archive of a target, for for_each_selected. `in_order`: a target is complete when the next one is
  /// opened.
  archive open(const target&, bool in_order);

  /// Returns the number of the file with that name and creates the file on first use. Errors: as
  /// output_set::open_distinct.
  std::size_t file_number(const std::string& name, bool make_folders);

  /// Appends a copy of a message. The target must have been opened before. Returns false for an incomplete message,
  /// which is reported and skipped, because following bytes would be read as part of it. Errors: as
  /// output_set::open_distinct and range_copier.
  bool add(const target&, const message&, const std::string& file, bool make_folders);
  bool add(const target&, const message&, std::size_t file);

  /// Starts a new message at the end of a file. The caller writes it to `new_messages()`.
  void begin_message(std::size_t file);
  edit::throwing_sink& new_messages() noexcept { return new_messages_; }  ///< its exceptions include tgmap::error

  /// Reports an incomplete message, which is skipped.
  void skip_incomplete(const target&, const message&);

  std::uint64_t messages() const noexcept { return messages_; }
  bool can_continue() const noexcept { return !refused_ && run_.report.status() != exit_status::failed; }

  /// Stops the outputs because of a reported problem: nothing will be written.
  void refuse() noexcept { refused_ = true; }

  /// Publishes the files and reports them, as text or as JSON, on standard output unless that is one of them. After a
  /// failure, or without any message, no file is written and the reason is reported. `name` is the output in messages;
  /// `wanted` is "message" or "object".
  void finish(const std::string& name, bool as_json, std::string_view wanted = "message");

 private:
  struct counted_file {
    edit::output_set::output* file;
    std::uint64_t messages = 0;
  };

  /// Writes to the current file, behind the ranges that are copied to it.
  class new_message_sink final : public edit::throwing_sink {
   public:
    explicit new_message_sink(edit::range_copier& by) : copier_(&by) {}
    void select(edit::output_set::output& file) noexcept { current_ = &file; }

   private:
    void write_pieces(std::span<const std::span<const std::byte>> pieces) override {
      for (const auto piece : pieces) copier_->write(piece, *current_);
    }
    edit::range_copier* copier_;
    edit::output_set::output* current_ = nullptr;
  };

  void report(bool as_json) const;

  const output_options options_;
  session& run_;
  const object_lookup lookup_;
  std::map<const target*, std::unique_ptr<copy_input>> sources_{};
  edit::output_set outputs_;
  edit::range_copier copier_{};
  new_message_sink new_messages_{copier_};
  std::map<std::string, std::size_t, std::less<>> numbers_{};  ///< of files, by name
  std::vector<counted_file> files_{};
  std::uint64_t messages_ = 0;
  bool refused_ = false;
};

/// An `object_outputs` object writes selected objects to files. Consecutive objects of one message that go to one file
/// become one message there, with its message-wide keys, provenance and layout, and unchanged object frames. If all
/// objects are selected in order, the message is copied byte for byte.
class object_outputs {
 public:
  /// Lifetime: both arguments must outlive this object.
  object_outputs(message_outputs& to, on_mismatch damaged, session& run)
      : to_(&to), run_(&run), writers_(to.new_messages()), damage_(damaged, run) {}

  /// Appends one object of a message. The target must have been opened by the outputs. Objects of an incomplete message
  /// are skipped and reported once; read errors are reported. Errors: as message_outputs::file_number.
  void add(const target&, const message&, std::size_t object, const std::string& file, bool make_folders);

  std::uint64_t objects() const noexcept { return objects_; }  ///< number of calls of `add`

  /// Reports accepted damage that had no line of its own.
  void finish(const std::string& file) { damage_.finish(file); }

  /// Writes all pending objects. Call it before the outputs open another archive or get a whole message.
  void flush();

 private:
  struct group {
    const target* of = nullptr;
    message from{};
    std::vector<std::size_t> numbers{};
  };
  void write_guarded(std::size_t file, const group&);
  void write(std::size_t file, const group&);

  message_outputs* to_;
  session* run_;
  edit::writer_cache writers_;
  damage_check damage_;           ///< of metadata, which gets a new hash
  std::vector<group> pending_{};  ///< by file
  group loaded_{};                ///< the message in `stored_`; without numbers
  stored_message stored_{};
  group skipped_{};  ///< the last incomplete message; without numbers
  std::uint64_t objects_ = 0;
};

}  // namespace tgmap::cli
