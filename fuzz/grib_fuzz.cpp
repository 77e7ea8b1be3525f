// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as GRIB: finds messages in memory and in a stream, which must agree, and reads the fields, grids,
// bitmaps and packing of each. All views lie in their message.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "bridge/grib/sections/grid_shape.hpp"
#include "bridge/grib/sections/message_finder.hpp"
#include "bridge/grib/sections/packing.hpp"
#include "bridge/grib/sections/section_digest.hpp"
#include "support/require.hpp"

using tgmap::failure;
using tgmap_fuzz::require;
using namespace tgmap::bridge::grib;

namespace {

void require_inside(byte_view message, byte_view part) {
  require(
      part.empty() || (part.data() >= message.data() && part.data() + part.size() <= message.data() + message.size()),
      "views lie in their message");
}

// Touches the bytes, so that a sanitizer sees views that reach too far.
void touch(byte_view part) {
  unsigned sum = 0;
  for (const std::byte each : part) sum += std::to_integer<unsigned>(each);
  require(sum <= 255 * part.size(), "bytes can be read");
}

void require_error(const failure& why) {
  require(why.code.category() == tgmap::bridge::category() && !why.text().empty(), "errors are those of the bridge");
}

void read_field(const field& from) {
  failure why;
  for (const byte_view section : from.sections) require_inside(from.message, section);
  require(digest_of_keys(from) == digest_of_keys(from) && digest_of_grid(from) == digest_of_grid(from),
          "digests are equal");

  const grid_shape grid = read_grid_shape(from, why);
  if (why) return require_error(why);
  require_inside(from.message, grid.row_lengths);
  touch(grid.row_lengths);
  const std::uint64_t product = grid.rank == 2 ? grid.extents[0] * grid.extents[1] : grid.extents[0];
  require(product == grid.points && points_of(from, why) == grid.points, "the shape has the points");

  const bitmap bits = read_bitmap(from, why);
  if (why) return require_error(why);
  require_inside(from.message, bits.bits);
  require(bits.points == grid.points && bits.values <= bits.points, "a bitmap leaves points out");
  require(!bits.present || bits.bits.size() == (bits.points + 7) / 8, "a bitmap has a bit for each point");

  const packing stored = read_packing(from, bits, why);
  if (why) return require_error(why);
  require_inside(from.message, stored.data);
  require_inside(from.message, stored.padding);
  touch(stored.data);
  touch(stored.padding);
  if (stored.kind == packing_kind::simple || stored.kind == packing_kind::ieee)
    require(stored.data.size() == (stored.values * stored.bits + 7) / 8, "the data has the values");
}

void read_message(const finding& found) {
  require(found.size == found.message.size() && !found.why, "a message is whole");
  failure why;
  field_reader reader(found.message, found.offset, why);
  if (why) return require_error(why);
  std::size_t count = 0;
  for (field each; reader.next(each, why); ++count) read_field(each);
  require(!why && count == reader.size() && count != 0, "fields are read as they were counted");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The first byte selects the size of the pieces of the stream.
  const std::size_t piece = size == 0 ? 1 : 1 + std::size_t{data[0]} * 4;
  const byte_view content = std::as_bytes(std::span(data, size)).subspan(size == 0 ? 0 : 1);
  byte_view unread = content;
  stream_finder stream([&](std::span<std::byte> to, failure&) {
    const std::size_t count = std::min({piece, to.size(), unread.size()});
    if (count != 0) std::memcpy(to.data(), unread.data(), count);
    unread = unread.subspan(count);
    return count;
  });
  message_finder finder(content);
  std::uint64_t end = 0;
  finding found, streamed;
  failure why;
  while (finder.next(found)) {
    require(found.offset == end && found.size != 0, "findings follow each other");
    end += found.size;
    require(stream.next(streamed, why), "a stream has the same findings");
    require(streamed.offset == found.offset && streamed.size == found.size && streamed.why.code == found.why.code &&
                std::ranges::equal(streamed.message, found.message),
            "a stream has the same findings");
    if (found.message.empty()) {
      if (found.why) require_error(found.why);
      continue;
    }
    read_message(found);
  }
  require(end == content.size() && !stream.next(streamed, why) && !why, "findings cover everything");
  return 0;
}
