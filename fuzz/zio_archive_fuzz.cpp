// SPDX-License-Identifier: Apache-2.0
// Converts the messages of any archive to frames. A frame, converted to an archive and back, is the same frame.
#include <algorithm>
#include <cstdint>
#include <span>
#include <tgmap/archive.hpp>
#include <tgmap/write/writer.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/from_archive.hpp>
#include <tgmap/zio/to_archive.hpp>

#include "support/require.hpp"

using tgmap::failure;
using tgmap_fuzz::require;
namespace zio = tgmap::zio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  failure why;
  const auto archive =
      tgmap::archive::from_memory(std::as_bytes(std::span(data, size)),
                                  {.damage = tgmap::on_damage::skip, .max_decoded_bytes = std::uint64_t{1} << 20}, why);
  if (why) return 0;
  const std::size_t messages = std::min<std::size_t>(archive.size(why), 4);
  for (std::size_t i = 0; i < messages; ++i)
    for (const bool encoded : {false, true}) {
      const auto m = archive.at(i, why);
      const zio::from_archive_options options{.keep_encoded = encoded, .raw_words = true};
      const auto out = why ? zio::from_archive_result() : zio::from_archive(archive, m, options, why);
      if (why) continue;
      const auto frame = zio::encode(out.message, out.format);
      zio::frame_format format;
      const auto received = zio::decode(frame, {}, &format);
      const auto kept =
          tgmap::to_bytes(zio::to_archive(received, format), {.provenance = tgmap::provenance::reproducible()});
      const auto copy = tgmap::archive::from_memory(kept);
      const auto back = zio::from_archive(copy, copy[0], options);
      require(zio::encode(back.message, back.format) == frame, "an archive restores the frame");
    }
  return 0;
}
