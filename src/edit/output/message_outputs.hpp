// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tgmap/tools/copy.hpp>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"
#include "edit/output/range_copier.hpp"

namespace tgmap::edit {

/// A `message_outputs` object writes messages of archives to files: copies of whole messages, or new messages.
/// Errors of all functions: those of output_set and range_copier.
class message_outputs {
 public:
  /// Lifetime: the set must outlive this object.
  explicit message_outputs(output_set& to) : outputs_(&to) {}

  /// Returns the number of the file with that name and creates the file on first use, with output_set::open_distinct.
  std::size_t file_number(const std::string& name, bool make_folders);

  /// Appends a copy of a message, which must be complete: following bytes would be read as part of it. Lifetime: the
  /// source must live until `finish`.
  void add(const copy_source&, const message&, std::size_t file);

  /// Starts a new message at the end of a file. The caller writes it to `new_messages()`.
  void begin_message(std::size_t file);
  throwing_sink& new_messages() noexcept { return new_messages_; }  ///< its exceptions include tgmap::error

  /// Writes everything that is pending.
  void finish() { copier_.finish(); }

  std::uint64_t messages() const noexcept { return messages_; }

  /// Returns the files in the order in which they were begun.
  std::vector<copied_file> files() const;

 private:
  struct counted_file {
    output_set::output* file;
    std::uint64_t messages = 0;
  };

  /// Writes to the current file, behind the ranges that are copied to it.
  class new_message_sink final : public throwing_sink {
   public:
    explicit new_message_sink(range_copier& by) : copier_(&by) {}
    void select(output_set::output& file) noexcept { current_ = &file; }

   private:
    void write_pieces(std::span<const std::span<const std::byte>> pieces) override {
      for (const auto piece : pieces) copier_->write(piece, *current_);
    }
    range_copier* copier_;
    output_set::output* current_ = nullptr;
  };

  output_set* outputs_;
  range_copier copier_{};
  new_message_sink new_messages_{copier_};
  std::map<std::string, std::size_t, std::less<>> numbers_{};  ///< of files, by name
  std::vector<counted_file> files_{};
  std::uint64_t messages_ = 0;
};

/// The functions that object_outputs calls. They may throw.
struct object_output_hooks {
  /// Receives frames whose hash does not match in messages that are copied in part.
  std::function<void(const copy_source&, const message&, const failure&)> damage{};

  /// Receives each incomplete message once; its objects are skipped.
  std::function<void(const copy_source&, const message&)> left_out{};

  /// Runs work that concerns a source. Default: none, it is just run.
  std::function<void(const copy_source&, const std::function<void()>& work)> guard{};
};

/// An `object_outputs` object writes selected objects to files. Consecutive objects of one message that go to one file
/// become one message there, with its message-wide keys, provenance and layout, and unchanged object frames. If all
/// objects are selected in order, the message is copied byte for byte.
class object_outputs {
 public:
  /// Lifetime: the outputs must outlive this object.
  object_outputs(message_outputs& to, object_output_hooks hooks)
      : to_(&to), hooks_(std::move(hooks)), writers_(to.new_messages()) {}

  /// Appends one object of a message. Errors: as message_outputs::file_number; tgmap::error, write_error, outside of
  /// the guard.
  void add(const copy_source&, const message&, std::size_t object, const std::string& file, bool make_folders);

  /// Returns the name of the file for an object, or for a message without several objects.
  using file_name = std::function<const std::string&(key_lookup&)>;

  /// Appends each object of a message as a message of its own, and a message of fewer than two objects as it is. `keys`
  /// finds the keys of that message. Errors: as `add`, and what `name` throws.
  void add_each(const copy_source&, const message&, key_lookup& keys, const file_name& name, bool make_folders);

  std::uint64_t objects() const noexcept { return objects_; }  ///< number of calls of `add`

  /// Writes all pending objects. Call it before a source is destroyed or the outputs get a whole message.
  void flush();

 private:
  struct group {
    const copy_source* of = nullptr;
    message from{};
    std::vector<std::size_t> numbers{};
  };
  void write_guarded(std::size_t file, const group&);
  void write(std::size_t file, const group&);
  void load(const group&);

  message_outputs* to_;
  object_output_hooks hooks_;
  writer_cache writers_;
  std::vector<group> pending_{};  ///< by file
  group loaded_{};                ///< the message in `stored_`; without numbers
  stored_message stored_{};
  group skipped_{};  ///< the last incomplete message; without numbers
  std::uint64_t objects_ = 0;
};

}  // namespace tgmap::edit
