// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a single frame. A frame that is accepted is restored byte for byte, directly and through an
// archive, and no view of a tensor leaves its part.
#include <cstdint>
#include <span>
#include <tgmap/archive.hpp>
#include <tgmap/write/writer.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/from_archive.hpp>
#include <tgmap/zio/tens.hpp>
#include <tgmap/zio/tens_builder.hpp>
#include <tgmap/zio/to_archive.hpp>

#include "support/require.hpp"

using tgmap::failure;
using tgmap_fuzz::require;
namespace zio = tgmap::zio;

namespace {

/// Checks the first and the last element that shape and strides reach.
void check_bounds(const zio::tensor_view& t) {
  if (t.fault) return;
  std::int64_t min = static_cast<std::int64_t>(t.data_offset), max = min;
  for (std::size_t d = 0; d < t.shape().size(); ++d) {
    if (t.shape()[d] == 0) return;
    const std::int64_t reach = t.strides()[d] * static_cast<std::int64_t>(t.shape()[d] - 1);
    (reach < 0 ? min : max) += reach;
  }
  require(min >= 0 && static_cast<std::uint64_t>(max) < t.bytes.size() / t.word, "elements are in their part");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto frame = std::as_bytes(std::span(data, size));
  failure why;
  zio::frame_format format;
  const zio::message m = zio::decode(frame, {}, &format, why);
  if (why) return 0;
  const auto same = zio::encode(m, format);
  require(std::equal(same.begin(), same.end(), frame.begin(), frame.end()), "a frame is encoded again byte for byte");

  const zio::tens tensors = zio::tens::of(m, why);
  for (const auto& t : tensors.tensors()) check_bounds(t);
  const zio::tens_builder again(m, why);
  if (!why) (void)again.label();

  const auto kept = tgmap::to_bytes(zio::to_archive(m, format), {.provenance = tgmap::provenance::reproducible()});
  const auto archive = tgmap::archive::from_memory(kept);
  const auto back = zio::from_archive(archive, archive[0]);
  const auto replayed = zio::encode(back.message, back.format);
  require(std::equal(replayed.begin(), replayed.end(), frame.begin(), frame.end()), "an archive restores the frame");
  return 0;
}
