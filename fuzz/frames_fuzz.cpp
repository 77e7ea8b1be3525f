// SPDX-License-Identifier: Apache-2.0
// The frames of one message: the input is placed between a valid preamble and a valid postamble. Its first byte selects
// the version, and if the message is streamed.
#include <cstdint>
#include <support/builder.hpp>
#include <support/bytes.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"
#include "wire/frame.hpp"
#include "wire/preamble.hpp"

using namespace tgmap_fuzz;
using tgmap_test::big_endian;

namespace {

std::string message_of(std::string_view frames, int version, bool streamed) {
  const std::uint64_t end = tgmap::wire::preamble_size + frames.size();
  const std::uint64_t length = streamed ? 0 : end + (version == 3 ? 24 : 16);
  return std::string(tgmap_test::magic) + big_endian(static_cast<unsigned>(version), 2) + big_endian(0, 6) +
         big_endian(length, 8) + std::string(frames) + big_endian(end, 8) +
         (version == 3 ? big_endian(length, 8) : std::string()) + std::string(tgmap_test::end_magic);
}

/// Walks the frames of a message; returns the number of data objects.
std::size_t walk(const tgmap::message& m, std::span<const std::byte> data, bool& damaged) {
  tgmap::failure why;
  auto frames = m.frames(why);
  require(!why, "frames can be read");
  std::uint64_t end = tgmap::wire::preamble_size;
  std::size_t objects = 0;
  tgmap::frame f;
  while (frames.next(f, why)) {
    const auto type = static_cast<std::uint16_t>(f.type());
    const auto version = static_cast<unsigned>(m.version());
    const std::uint64_t at = f.offset_in_message();
    require(at >= end && at - end == f.padding(), "frames follow each other, with padding in between");
    require(tgmap::wire::fits(at, f.length(), m.length()), "a frame is within its message");
    require(f.length() >= tgmap::wire::min_frame_size(type, version), "a frame holds its header and tail");
    require(tgmap::wire::starts_with(data, f.offset(), tgmap::wire::frame_magic), "a frame begins with FR");
    end = at + f.length();
    require(tgmap::wire::starts_with(data, m.offset() + end - 4, tgmap::wire::frame_end_magic),
            "a frame ends with ENDF");
    tgmap::failure bad;
    const auto body = f.body(bad);
    require(!bad && body.size() == f.length() - tgmap::wire::min_frame_size(type, version),
            "the body is the rest of the frame");
    objects += tgmap::wire::is_object(type, version);
  }
  damaged = static_cast<bool>(why);
  tgmap::failure again;
  require(!frames.next(f, again) && !again, "the end is reported again");
  return objects;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const int version = bytes[0] & 1 ? 2 : 3;
  const bool streamed = bytes[0] & 2;
  const std::string message = message_of({reinterpret_cast<const char*>(bytes) + 1, size - 1}, version, streamed);
  const auto data = tgmap_test::span_of(message);
  const auto archive =
      in_memory(data, {.damage = tgmap::on_damage::skip, .lookup = tgmap::object_lookup::walk, .max_padding = 64});

  tgmap::failure why;
  const auto m = archive.at_offset(0, why);
  require(streamed || !why, "a message with a length is found whatever its frames are");
  if (why) return 0;
  require(streamed || m.length() == message.size(), "a message has the stated length");
  bool damaged = false;
  const std::size_t objects = walk(m, data, damaged);
  require(!streamed || !damaged, "a stream consists of sound frames");
  const std::size_t count = m.size(why);
  require(why || (count == objects && !damaged), "objects are the frames of their type");
  if (!why) (void)descriptions_of(m);
  return 0;
}
