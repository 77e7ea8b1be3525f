// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/enum_names.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/tools/rewrite.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A mistake in a template for file names: `failure::expected` of `errc::bad_name_template`.
enum class template_error : std::uint8_t {
  unclosed_bracket,  ///< a bracket is not closed
  no_key,            ///< a bracket is empty
  several_keys,      ///< a bracket has more than one key
  unknown_property,  ///< a key begins with `@` and names no property
};

TGMAP_API std::string_view to_string_view(template_error) noexcept;  ///< "unclosed_bracket"
template <>
TGMAP_API std::optional<template_error> from_string<template_error>(std::string_view) noexcept;

/// An archive to copy from.
struct copy_source {
  archive from{};

  /// The path of the archive, for names of outputs in a folder. Default: empty.
  std::string name{};

  /// A descriptor of the file that the archive was opened from, which begins with the archive. Large parts are then
  /// copied by the system, which may share their blocks. Default: -1, none: all bytes are read through the archive.
  int descriptor = -1;
};

/// Options of copy(). Aggregate: `{.selection = tgmap::selection("mars.param=2t")}`.
struct copy_options {
  file_output_options output{};

  /// The messages, or objects, that are copied. Default: all.
  tgmap::selection selection{};

  /// Selects objects instead of messages. Consecutive objects of one message that go to one file become one message
  /// there, with its message-wide keys, provenance and layout, and unchanged frames of objects. A message of which all
  /// objects are selected in order is copied byte for byte. Default: false.
  bool objects = false;

  /// Treats frames whose hashes do not match in messages that are copied in part, since they get new hashes. With
  /// `refuse`, the first mismatch ends the copying with hash_mismatch. Default: refuse.
  on_mismatch damaged = on_mismatch::refuse;

  /// Decides whether a selected message, or object of it, is copied. May throw. Default: none, to copy all.
  std::function<bool(const message&, std::optional<std::size_t> object)> accept{};

  /// Receives each hash mismatch in a message that is copied in part, before `damaged` applies. May throw. Default:
  /// none.
  std::function<void(const message&, const failure&)> damage{};

  /// Receives each incomplete message that is left out, since following bytes would be read as part of it. May throw.
  /// Default: none.
  std::function<void(const message&)> left_out{};

  /// Receives the number of bytes of all archives that are done, for progress bars. May throw. Default: none.
  std::function<void(std::uint64_t done_bytes)> progress{};

  /// Ends the copying early. Then no output is written. Default: none.
  std::stop_token stop{};
};

/// One file that copy() has written.
struct copied_file {
  std::filesystem::path path{};
  std::uint64_t messages = 0, bytes = 0;
};

/// The result of copy().
struct copy_result {
  std::vector<copied_file> files{};            ///< in the order in which they were begun
  std::uint64_t messages = 0;                  ///< written to all files
  std::uint64_t selected = 0;                  ///< messages, or objects, that were copied
  std::uint64_t left_out = 0;                  ///< incomplete messages that were selected
  bool stopped = false;                        ///< ended by the stop_token; nothing was written
  std::filesystem::path failed_output{};       ///< the file that a failure concerns, if it is an output
  std::optional<std::size_t> failed_source{};  ///< the number of the archive that a failure concerns, if it is one
};

/// Copies the selected messages of archives, byte for byte and in order, to one file or to several.
///
/// `names` is the name of a file, or a template of names. A template has keys in brackets, such as
/// `out/[mars.param]_[mars.step].tgm`; each is replaced by its value in the message, or by `unknown` if there is none.
/// Brackets with `index` are replaced by the number of the message among those that are copied, with at least four
/// digits: `[index]`. A value never adds folders: `/`, leading dots and characters that terminals may obey become `_`,
/// and long values are cut and get a hash. A name that ends with `/`, or that of an existing folder, is a folder; the
/// files in it have the names of their archives. Missing folders are made for names with brackets or `/` at the end,
/// and for no others. If nothing is selected, nothing is written.
///
/// A file may be that of an archive, which is then replaced; the archive keeps the old bytes.
///
/// Errors: bad_name_template; output_conflict (messages of different values would get one name, or two names lead to
/// one file); those of archive::at, selection::matches and archive::read; with `objects` those of stored_message::load
/// and writer::write, hash_mismatch. Of the outputs: as rewrite(). The first error ends the copying, and nothing is
/// written, or some files if an error occurs while they get their names. The throwing form names an output at fault in
/// its text.
/// Complexity: O(bytes). Memory: up to 64 MiB of small messages, O(files), and with `objects` one message without its
/// payloads.
/// Lifetime: borrows the sources for the call.
TGMAP_API copy_result copy(std::span<const copy_source>, std::string_view names, const copy_options& = {});
TGMAP_API copy_result copy(std::span<const copy_source>, std::string_view names, const copy_options&, failure&);

/// Does the same with one archive.
inline copy_result copy(const archive& from, std::string_view names, const copy_options& how = {}) {
  const copy_source source{.from = from};
  return copy(std::span(&source, 1), names, how);
}
inline copy_result copy(const archive& from, std::string_view names, const copy_options& how, failure& why) {
  const copy_source source{.from = from};
  return copy(std::span(&source, 1), names, how, why);
}

}  // namespace v0
}  // namespace tgmap
