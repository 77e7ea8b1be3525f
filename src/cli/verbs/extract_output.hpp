// SPDX-License-Identifier: Apache-2.0
// Which objects are to be extracted.
// Where `extract -o` puts objects.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

#include "cli/input/selection.hpp"
#include "cli/input/slice.hpp"
#include "cli/output/output_set.hpp"
#include "convert/conversion.hpp"
#include "convert/zip_writer.hpp"

namespace tgmap::cli {

/// The selected objects in the order of the targets, and pins of their archives.
struct extract_objects {
  struct origin {
    const sliced_target* from = nullptr;
    std::optional<std::size_t> message{};  ///< its number; empty if it was named by offset
  };

  std::vector<object> objects{};
  std::vector<origin> origins{};  ///< one per object
  std::vector<pin> pins{};

  /// Returns "14", or "@1234" for a message named by its offset.
  std::string message_label(std::size_t i) const;
  /// Returns the address, for example "forecast.tgm:14:0".
  std::string name(std::size_t i) const;
};

/// Returns the selected objects, at most `most`. `numbered`: scan if needed to get the numbers of messages. Reports and
/// skips what cannot be read. Errors: usage_error.
extract_objects find_objects(std::span<const sliced_target>, const selection_options&, bool numbered, std::size_t most,
                             session&);

/// The form in which an object is written.
enum class extract_form { npy, raw, stored };

/// The meaning of -o, --format and --stored.
struct extract_destination {
  enum class kind {
    file,     ///< one object; "-" is standard output
    pattern,  ///< a file per object, named by [@message] and [@object]
    folder,   ///< M_O.npy, M_O.raw or M_O.bin per object
    npz,      ///< one archive with M_O.npy per object
  };
  std::string to;
  kind what = kind::file;
  extract_form form = extract_form::npy;

  /// `format` is "npy", "raw", or empty for that of the extension. Errors: usage_error.
  static extract_destination parse(const std::string& to, const std::string& format, bool stored);

  /// Returns the file of an object, or its member of an .npz.
  std::string name_of(const extract_objects&, std::size_t i) const;

  bool takes_several() const noexcept { return what != kind::file; }
};

/// Writes the bytes of one file piece by piece. May be called twice, with the same result.
using extract_content = std::function<void(const convert::write_function&)>;

/// Writes objects to a destination. Each file is written completely or not at all.
class extract_writer {
 public:
  extract_writer(const extract_destination&, const output_options&, session&);

  /// Checks that none of the files exists and must not be replaced. Errors: cli_error.
  void allow(std::span<const std::string> names);

  /// Writes one object and returns its size. Errors: like output_set::distinct, and those of `content`; no file
  /// remains.
  std::uint64_t write(const std::string& name, const extract_content&);

  /// Moves the files to their names, after everything was written.
  void finish();

 private:
  std::uint64_t write_member(const std::string& name, const extract_content&);

  output_set outputs_;
  std::unique_ptr<convert::zip_writer> zip_{};
};

}  // namespace tgmap::cli
