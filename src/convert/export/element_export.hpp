// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tgmap/decode/executor.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/grid.hpp>

#include "convert/export/export_writer.hpp"
#include "convert/export/exported_object.hpp"
#include "edit/hash_check.hpp"

namespace tgmap::convert {

/// Options of an export. An executor that is null: the calling thread alone.
struct export_options {
  element_format format = element_format::npy;
  stride_policy strides = stride_policy::apply;
  edit::hash_check* hashes = nullptr;  ///< verifies the hash of each object; null: none is verified

  std::span<const grid_provider* const> grids{};  ///< find the coordinates of values as text

  executor* workers = nullptr;   ///< threads that decode whole objects
  executor* decoders = nullptr;  ///< threads that decode parts of objects; each holds a part at a time
  std::uint64_t max_bytes = 0;   ///< decoded bytes that wait to be written; one object is always allowed
};

/// An `export_visitor` receives what happens to each object of an export. Objects are named by their positions.
class export_visitor {
 public:
  virtual ~export_visitor() = default;

  /// Calls `write`, which writes one object, and handles what it throws: tgmap::error if the object cannot be decoded,
  /// also out_of_range of its part; those of the outputs. Returns false to end the export.
  virtual bool attempt(std::size_t object, const std::function<void()>& write) = 0;

  /// An object has indices in place of degrees. Returns the reason in words for its JSON; empty if no grid is
  /// described.
  virtual std::string no_degrees(std::size_t object, const grid_obstacle&) = 0;

  /// An object was written.
  virtual void written(std::size_t object, std::uint64_t bytes) = 0;
};

/// Writes the elements of objects in order, each under its name. Decodes several at a time in bounded memory. Elements
/// as text have their coordinates. Lifetime: borrows everything for the call.
/// Errors: those that the visitor passes on.
void export_elements(std::span<const exported_object>, std::span<const std::string> names, export_writer&,
                     const export_options&, export_visitor&);

}  // namespace tgmap::convert
