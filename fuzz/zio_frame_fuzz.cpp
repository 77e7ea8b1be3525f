// SPDX-License-Identifier: Apache-2.0
// Any bytes as a single frame: refused, or read and written again as they were, by an archive too. No view of a tensor
// leaves its part.
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

/// Touches the first and the last byte that shape and strides reach.
void touch(const zio::tensor_view& t) {
  if (t.fault) return;
  std::int64_t least = static_cast<std::int64_t>(t.data_offset), most = least;
  for (std::size_t d = 0; d < t.shape().size(); ++d) {
    if (t.shape()[d] == 0) return;
    const std::int64_t reach = t.strides()[d] * static_cast<std::int64_t>(t.shape()[d] - 1);
    (reach < 0 ? least : most) += reach;
  }
  require(least >= 0 && static_cast<std::uint64_t>(most) < t.bytes.size() / t.word, "elements lie in their part");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto frame = std::as_bytes(std::span(data, size));
  failure why;
  zio::frame_format how;
  const zio::message m = zio::decode(frame, {}, &how, why);
  if (why) return 0;
  const auto same = zio::encode(m, how);
  require(std::equal(same.begin(), same.end(), frame.begin(), frame.end()), "a frame comes out as it went in");

  const zio::tens tensors = zio::tens::of(m, why);
  for (const auto& t : tensors.tensors()) touch(t);
  const zio::tens_builder again(m, why);
  if (!why) (void)again.label();

  const auto kept = tgmap::to_bytes(zio::to_archive(m, how), {.provenance = tgmap::provenance::reproducible()});
  const auto archive = tgmap::archive::from_memory(kept);
  const auto back = zio::from_archive(archive, archive[0]);
  const auto replayed = zio::encode(back.message, back.format);
  require(std::equal(replayed.begin(), replayed.end(), frame.begin(), frame.end()), "an archive gives the frame again");
  return 0;
}
