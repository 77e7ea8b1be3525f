// SPDX-License-Identifier: Apache-2.0
// The objects of an export, and the formats and names that they get.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "edit/output/file_template.hpp"
#include "grid/slice_syntax.hpp"

namespace tgmap::convert {

/// The format in which elements are written.
enum class element_format : std::uint8_t {
  npy,
  raw,     ///< elements in C order
  stored,  ///< the payload, byte for byte
  csv,
  text,  ///< columns with spaces between them
  json,
};

/// Returns true for formats that people can read.
constexpr bool is_text(element_format format) noexcept { return format >= element_format::csv; }

/// Returns the extension of its files, ".npy".
std::string_view extension(element_format) noexcept;

/// Returns the format with that name: "npy", "raw", "csv", "text" or "json".
std::optional<element_format> format_named(std::string_view name) noexcept;

/// Returns the format whose files have that extension. A stored payload is never meant.
std::optional<element_format> format_of_extension(std::string_view extension) noexcept;

/// An object that is written, or a part of it.
struct exported_object {
  message in;
  object of;
  std::string archive;                      ///< path of its archive
  std::optional<grids::slice_spec> part{};  ///< empty: all elements

  /// Returns the address, "forecast.tgm:14:0".
  std::string address() const;

  /// Returns the name of its file. `index` replaces [index]. Errors: throws tgmap::error if keys cannot be read.
  std::string file_name(const edit::file_template&, std::uint64_t index) const;
};

/// Returns the name of each object as a member of an .npz: the `name` in its metadata if no other member could have it.
/// Otherwise the number of its message and the name, if there are several messages, or MESSAGE_OBJECT. Names can still
/// be equal, if an object is there twice.
std::vector<std::string> member_names(std::span<const exported_object>);

}  // namespace tgmap::convert
