// SPDX-License-Identifier: Apache-2.0
// Where `extract -o` puts objects.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/extract_objects.hpp"
#include "cli/outputs/output_set.hpp"
#include "convert/conversion.hpp"
#include "convert/zip_writer.hpp"

namespace tgmap::cli {

/// What is written of an object.
enum class extract_form { npy, raw, stored };

/// What -o, --format and --stored say together.
struct extract_destination {
  enum class kind {
    file,     ///< of one object; "-": standard output
    pattern,  ///< a file for each, with [@message] and [@object] in its name
    folder,   ///< M_O.npy, M_O.raw or M_O.bin for each
    npz,      ///< one archive of M_O.npy
  };
  std::string to;
  kind what = kind::file;
  extract_form form = extract_form::npy;

  /// `format`: "npy", "raw", or nothing: then that of the extension. Throws usage_error.
  static extract_destination parse(const std::string& to, const std::string& format, bool stored);

  /// The file of an object, or the member of an .npz.
  std::string name_of(const extract_objects&, std::size_t i) const;

  bool takes_several() const noexcept { return what != kind::file; }
};

/// The bytes of one file, given to a sink piece by piece. May be called twice, and then gives the same twice.
using extract_content = std::function<void(const convert::write_function&)>;

/// Writes objects to a destination, each file whole or not at all; an .npz is one file.
class extract_writer {
 public:
  extract_writer(const extract_destination&, const output_options&, session&);

  /// Throws a complaint when one of those names has a file that must not be replaced.
  void allow(std::span<const std::string> names);

  /// Returns how many bytes the content has. Throws as output_set::distinct, and what the content throws; then there is
  /// no file.
  std::uint64_t write(const std::string& name, const extract_content&);

  /// All was written: the files are there.
  void finish();

 private:
  std::uint64_t write_member(const std::string& name, const extract_content&);

  output_set outputs_;
  std::unique_ptr<convert::zip_writer> zip_{};
};

}  // namespace tgmap::cli
