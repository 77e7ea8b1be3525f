// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/errc.hpp>
#include <tgmap/error.hpp>
#include <tgmap/message.hpp>
#include <tgmap/options.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// Cost of one step, as the system counted it for the thread.
struct access_cost {
  std::uint64_t nanoseconds = 0;
  std::uint64_t reads = 0;         ///< system calls that read
  std::uint64_t bytes_read = 0;    ///< bytes that these calls read
  std::uint64_t minor_faults = 0;  ///< page faults of pages that were in memory
  std::uint64_t major_faults = 0;  ///< page faults that waited for the disk
};

/// A step on the way to an object.
enum class access_stage : std::uint8_t {
  open,        ///< open the archive
  find,        ///< find the begin and the end of the message
  layout,      ///< find its objects, by the route
  object,      ///< read the frame of the object
  descriptor,  ///< read the descriptor
  metadata,    ///< read the metadata of the object, or of the message if no object is asked for
  payload,     ///< check that the elements can be used in place, without reading them
};

/// Returns the name of the enumerator: "open".
TGMAP_API std::string_view to_string_view(access_stage) noexcept;

/// How the objects of a message are found. `open_options::lookup` and `message::index_location` decide it.
enum class access_route : std::uint8_t { header_index, footer_index, walk };

/// Returns "header index", "footer index" or "walk over frames".
TGMAP_API std::string_view to_string_view(access_route) noexcept;

/// Bytes [begin, end) of the archive.
struct archive_range {
  std::uint64_t begin = 0, end = 0;
};

/// An `access_step` is one step that was taken, with its cost.
struct access_step {
  access_stage stage = access_stage::open;
  access_cost cost{};

  /// Bytes that the step needed. Reads take in more of the same pages. An empty range stands for none.
  std::array<archive_range, 2> ranges{};
  std::uint64_t pages = 0;  ///< pages of the file that hold the ranges

  /// Number of these pages in the page cache after the message was found. Empty if it is not known.
  std::optional<std::uint64_t> cached{};
};

/// An `access_obstacle` is work on the stored bytes that their elements need before they can be used.
struct access_obstacle {
  errc code = errc::encoded;                 ///< encoded, filtered, compressed, masked, foreign_byte_order, misaligned,
                                             ///< unsupported_strides, payload_size_mismatch or not_mapped
  short_name codec{};                        ///< name of the codec, or of the method of a mask
  std::uint64_t bytes_in = 0;                ///< bytes before the work
  std::optional<std::uint64_t> bytes_out{};  ///< bytes after it; none if only decoding shows
};

/// An `access_report` says how one message or object is reached, and at what cost.
struct access_report {
  io_mode mode = io_mode::automatic;  ///< mode that was chosen
  const char* mode_reason = "";       ///< as `archive::mode_reason`
  bool has_read_counts = false;       ///< the system counts reads and bytes read for the thread
  bool is_damaged = false;            ///< gaps or an incomplete tail were met on the way

  tgmap::index_status index{};     ///< the index file of the archive
  bool is_message_listed = false;  ///< the index lists the message: it was found without a scan
  bool is_object_listed = false;   ///< the index lists the object: no frame index is needed to find it

  tgmap::message_position message{};
  tgmap::index_location index_location = tgmap::index_location::none;
  access_route route = access_route::walk;
  std::uint64_t objects = 0;  ///< number of objects in the message

  /// Number of the object. If no object is asked for, this and the fields up to `steps` are empty.
  std::optional<std::size_t> object{};
  std::optional<tgmap::descriptor> descriptor{};  ///< without `type` and `entries`, which borrow from the archive
  archive_range payload{};                        ///< stored bytes without masks
  std::optional<std::uint64_t> decoded_size{};    ///< bytes of the elements; none if they do not fit 64 bits
  failure why_not_in_place{};                     ///< why no view in place is possible; empty if one is
  std::vector<access_obstacle> obstacles{};       ///< all obstacles, in the order in which they are removed

  std::vector<access_step> steps{};  ///< steps in order; after a failure those that succeeded
};

/// The message or object to reach. Negative numbers count from the end.
struct access_target {
  std::int64_t message = 0;               ///< number of the message
  std::optional<std::uint64_t> offset{};  ///< offset of the message in the archive, instead of its number
  std::optional<std::int64_t> object{};   ///< number of the object; none for the message alone
};

/// Opens an archive, reaches a message or object step by step, and returns what each step cost. The system counts all
/// costs; none is estimated. No payload byte is read.
///
/// Time and faults include code that runs for the first time. If that matters, explain something else before. The page
/// cache is known for files that the user owns or may write (mincore), on systems that report it.
/// Errors: those of archive::open, archive::at, archive::nth_from_end, archive::at_offset, message::index_location,
/// message::at, object::descriptor and object::metadata, except no_metadata. Both forms throw std::bad_alloc.
/// Complexity: as the steps; with a mapping also one look into the page cache for each page of the message.
TGMAP_API access_report explain_access(const std::filesystem::path&, const access_target&, const open_options& = {});
TGMAP_API access_report explain_access(const std::filesystem::path&, const access_target&, const open_options&,
                                       failure&);

}  // namespace v0
}  // namespace tgmap
