// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <tgmap/descriptor.hpp>
#include <tgmap/errc.hpp>
#include <tgmap/error.hpp>
#include <tgmap/message.hpp>
#include <tgmap/options.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// What the system counted for the thread while it took a step.
struct access_cost {
  std::uint64_t nanoseconds = 0;
  std::uint64_t reads = 0;         ///< system calls that read
  std::uint64_t bytes_read = 0;    ///< by them
  std::uint64_t minor_faults = 0;  ///< pages mapped that were in memory
  std::uint64_t major_faults = 0;  ///< pages that had to be waited for
};

enum class access_stage : std::uint8_t {
  open,        ///< the archive
  find,        ///< where the message begins and ends
  layout,      ///< where its objects are, by the route
  object,      ///< the object's frame
  descriptor,  ///< what its bytes are
  metadata,    ///< of the object, or of the message when no object was asked for
  payload,     ///< whether its elements can be used where they lie: asked, not read
};

TGMAP_API std::string_view to_string_view(access_stage) noexcept;

/// How the objects of the message are found (`open_options::lookup` and `message::layout` decide).
enum class access_route : std::uint8_t { header_index, footer_index, walk };

TGMAP_API std::string_view to_string_view(
    access_route) noexcept;  ///< "header index", "footer index", "walk over frames"

/// Bytes [begin, end) of the archive.
struct archive_range {
  std::uint64_t begin = 0, end = 0;
};

struct access_step {
  access_stage stage = access_stage::open;
  access_cost cost{};

  /// Where the bytes lie that the step was after; reads take in more of the same pages. Empty ranges stand for none.
  std::array<archive_range, 2> ranges{};
  std::uint64_t pages = 0;                ///< of the file that these ranges lie on
  std::optional<std::uint64_t> cached{};  ///< of them in the page cache once the message was found; nothing: not known
};

/// Something that has to be done to the stored bytes before their elements can be used.
struct access_obstacle {
  errc code = errc::encoded;   ///< encoded, filtered, compressed, masked, foreign_byte_order, misaligned, odd_strides,
                               ///< payload_size, not_mapped
  short_name codec{};          ///< the codec, or the method of a mask
  std::uint64_t bytes_in = 0;  ///< bytes that go in
  std::optional<std::uint64_t> bytes_out{};  ///< bytes that come out; nothing: only decoding tells
};

/// What reaching one message or object took.
struct access_report {
  io_mode mode = io_mode::automatic;  ///< as chosen
  const char* mode_reason = "";
  bool has_read_counts = false;  ///< reads and bytes read are known: the system counts them for the thread
  bool is_damaged = false;       ///< gaps or a tail were met on the way

  tgmap::message_position message{};
  tgmap::index_location index_location = tgmap::index_location::none;
  access_route route = access_route::walk;
  std::uint64_t objects = 0;  ///< in the message

  std::optional<std::size_t> object{};            ///< its number; nothing, and nothing below: none was asked for
  std::optional<tgmap::descriptor> descriptor{};  ///< its `type` and `entries` are empty: they lie in the archive
  archive_range payload{};                        ///< as stored, without masks
  std::optional<std::uint64_t> decoded_size{};    ///< bytes of its elements; nothing: more than can be counted
  failure why_not_in_place{};                     ///< why they cannot be used where they lie; none: they can
  std::vector<access_obstacle> obstacles{};       ///< all of them, in the order in which they are undone

  std::vector<access_step> steps{};  ///< in order; after a failure those that were taken
};

/// Which object. Negative numbers count from the end.
struct access_target {
  std::int64_t message = 0;
  std::optional<std::uint64_t> offset{};  ///< of the message in the archive, in place of its number
  std::optional<std::int64_t> object{};
};

/// Opens the archive anew, reaches the message or object step by step, and tells what each step took as the system
/// counted it: nothing here is estimated. No payload byte is read.
///
/// Cost: that of the steps, and with a mapping one look into the page cache a page of the message. Time and faults
/// include those of code that runs for the first time: explain something else before where that matters. Whether pages
/// are cached is known of one's own files and of those one may write (mincore), on systems that tell.
/// Errors: those of archive::open, archive::at, from_end and at_offset, message::layout, message::at,
/// object::descriptor, object::metadata; no_metadata is none. Throws std::bad_alloc.
TGMAP_API access_report explain_access(const std::filesystem::path&, const access_target&, const open_options& = {});
TGMAP_API access_report explain_access(const std::filesystem::path&, const access_target&, const open_options&,
                                       failure&);

}  // namespace v0
}  // namespace tgmap
