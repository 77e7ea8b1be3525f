// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "cli/output/output_options.hpp"
#include "convert/conversion.hpp"
#include "convert/zip_writer.hpp"
#include "edit/output/file_template.hpp"
#include "edit/output/output_set.hpp"

namespace tgmap::cli {

/// The form in which an object is written.
enum class extract_form { npy, raw, stored, csv, text, json };

/// Returns true for forms that people can read.
constexpr bool is_text(extract_form form) noexcept { return form >= extract_form::csv; }

/// The meaning of -o, --format and --stored.
struct extract_destination {
  enum class kind {
    file,     ///< one object; "-" is standard output
    several,  ///< a file per object: a name with keys in brackets, or a folder with M_O.npy, M_O.csv …
    npz,      ///< one archive with NAME.npy or M_O.npy per object
  };
  std::string to;
  edit::file_template names;  ///< of files
  kind what = kind::file;
  extract_form form = extract_form::npy;

  /// `to` may be empty for text, which then goes to standard output. `format` is "npy", "raw", "csv", "text", "json",
  /// or empty for that of the extension. Errors: usage_error.
  static extract_destination parse(const std::string& to, const std::string& format, bool stored);

  bool takes_several() const noexcept { return what != kind::file; }
};

/// Writes the bytes of one file piece by piece. May be called twice, with the same result.
using extract_content = std::function<void(const convert::write_function&)>;

/// Writes objects to a destination. Each file is written completely or not at all.
class extract_writer {
 public:
  extract_writer(const extract_destination&, const output_options&, session&);

  /// Throws for a file that exists and must not be replaced. Errors: cli_error.
  void allow(std::span<const std::string> names);

  /// Writes one object and returns its size. Errors: like output_set::open_distinct, and those of `content`; no file
  /// remains.
  std::uint64_t write(const std::string& name, const extract_content&);

  /// Moves the files to their names, after everything was written.
  void finish();

 private:
  std::uint64_t write_member(const std::string& name, const extract_content&);

  const bool makes_folders_;
  edit::output_set outputs_;
  std::unique_ptr<convert::zip_writer> zip_{};
};

/// An object to be extracted.
struct extracted_object {
  message in;
  object of;
  std::string archive;        ///< path of its archive
  std::string message_label;  ///< "14", or "@1234" for a message named by its offset
  std::string address;        ///< "forecast.tgm:14:0"
};

/// Returns the name of the file, or of the member of an .npz, of each object. All names differ.
///
/// Members have the `name` of the object, with the number of its message if there are several messages. Objects without
/// a name of their own have the numbers of message and object.
/// Errors: usage_error if two names are equal; cli_error if the keys of a name cannot be read.
std::vector<std::string> extract_names(const extract_destination&, std::span<const extracted_object>);

}  // namespace tgmap::cli
