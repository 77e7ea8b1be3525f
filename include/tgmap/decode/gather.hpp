// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <tgmap/archive.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// An `object_location` says where an object is: in which archive, at which offset its message begins there, and which
/// object of the message it is. A hole has no object.
struct object_location {
  static constexpr std::uint32_t no_archive = UINT32_MAX;

  std::uint32_t archive = no_archive;  ///< number that the `archive_opener` takes; `no_archive`: a hole
  std::uint32_t object = 0;            ///< number in the message
  std::uint64_t message_offset = 0;    ///< archive offset of the message

  bool is_hole() const noexcept { return archive == no_archive; }
};

/// Stores the archive offset of message `numbers[i]` in `offsets[i]`, for locations. Scans up to the largest number.
/// Reads no message that is known, or that an index lists.
/// Errors: those of archive::at; invalid_option (another number of offsets than of numbers).
/// Complexity: O(1) for a message after the scan; with an index O(1) reads of the index.
TGMAP_API void find_message_offsets(const archive&, std::span<const std::size_t> numbers,
                                    std::span<std::uint64_t> offsets);
TGMAP_API void find_message_offsets(const archive&, std::span<const std::size_t> numbers,
                                    std::span<std::uint64_t> offsets, failure&) noexcept;

/// Returns the archive with a number. Each number is asked for once in a call, and from one thread at a time.
using archive_opener = std::function<archive(std::size_t number, failure&)>;

/// A `gather_output` says where elements are written. Strides are in bytes and may be negative, so that any part of an
/// array is an output.
struct gather_output {
  std::byte* data = nullptr;                ///< the first element of the first location
  std::int64_t location_stride = 0;         ///< from a location to the next one
  std::span<const std::int64_t> strides{};  ///< for each dimension of the objects, or one for a list of elements

  /// Written in place of the elements of holes: one element. Without it a hole is `invalid_option`.
  std::span<const std::byte> fill{};

  /// After a stop request no further object is begun. Default: none.
  std::stop_token stop{};
};

/// Result of gathering.
struct gather_result {
  std::size_t gathered = 0;                      ///< number of objects
  bool stopped = false;                          ///< by a failure or the stop token
  std::optional<std::size_t> failed_location{};  ///< the location that the failure belongs to
};

namespace detail {
struct gather_state;
}

/// An `object_gatherer` decodes many objects of one dtype and shape into one array: all elements of each, a box, or
/// single elements. The objects may be in many archives; nothing is scanned, and no index is needed.
///
/// Locations are read in the order of archives and offsets, whatever their order is. A message whose header lists its
/// objects takes two positioned reads, and one if its objects lie as in the message before: then header, payload and
/// descriptor come at once, and small messages that follow each other come several at once. Small objects are read
/// whole, of large ones only what a part needs. Payloads that are stored as they are wanted are read straight into the
/// output. Of an index in a message only the entries of objects that are read are compared with their frames. Bits
/// become one byte each, 0 or 1.
/// Complexity: opening reads the first object's descriptor.
/// Lifetime: archives are kept while they are read. The locations are borrowed for as long as this.
/// Thread safety: any number of threads may call const members.
class TGMAP_API object_gatherer {
 public:
  object_gatherer() noexcept;  ///< no objects: every call fails with no_archive

  /// Finds the first object that is no hole; its dtype and shape are those of all. If all are holes, there is none.
  /// `decode_options::byte_order` must be `native`, since the objects may have several. `executor` runs the work; null:
  /// shared_executor().
  /// Errors: those of the opener, archive::at_offset, message::operator[], object::descriptor; unsupported_strides;
  /// invalid_option. Throws std::bad_alloc.
  object_gatherer(std::span<const object_location>, archive_opener, const decode_options& = {});
  static object_gatherer open(std::span<const object_location>, archive_opener, const decode_options&,
                              failure&) noexcept;
  object_gatherer(object_gatherer&&) noexcept;
  object_gatherer& operator=(object_gatherer&&) noexcept;
  ~object_gatherer();

  /// Returns whether there is an object, so that dtype and shape are known.
  explicit operator bool() const noexcept;
  tgmap::dtype dtype() const noexcept;
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND;
  std::size_t first_location() const noexcept;  ///< of the object that dtype and shape are of

  /// Returns the number of bytes of an element in an output: 1 for bits.
  std::size_t element_size() const noexcept;

  /// Writes all elements of each object.
  /// Errors: those of opening and of object::decode; dtype_mismatch (expected, found = the two dtypes), and
  /// invalid_option, argument "shape" (expected, found = the two numbers of elements, or of dimensions, or the first
  /// extents that differ) for an object that differs from the first. The first failure in the order of archives and
  /// offsets is thrown, or stored in `failure&`, after all work has ended. The content of the output is unspecified
  /// then.
  gather_result all(const gather_output&) const;
  gather_result all(const gather_output&, failure&) const noexcept;

  /// Writes a box of each object. `strides` of the output has as many as the box has dimensions.
  /// Errors: as above; those of part_reader::slab.
  gather_result slab(const tgmap::slab&, const gather_output&) const;
  gather_result slab(const tgmap::slab&, const gather_output&, failure&) const noexcept;

  /// Writes single elements of each object, by their numbers in C order. Elements that are near each other are read at
  /// once. `of_each`: as many for each location follow each other in `elements`; else all locations share them.
  /// `strides` of the output has one.
  /// Errors: as above; out_of_range (found = the number of an element).
  gather_result elements(std::span<const std::uint64_t> elements, bool of_each, const gather_output&) const;
  gather_result elements(std::span<const std::uint64_t> elements, bool of_each, const gather_output&,
                         failure&) const noexcept;

 private:
  std::unique_ptr<const detail::gather_state> state_;
};

}  // namespace v0
}  // namespace tgmap
