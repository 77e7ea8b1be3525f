// SPDX-License-Identifier: Apache-2.0
// Compression by sz3 (§7.9): one dimension of doubles, with the default settings of the reference.
#include "codec/zstd/zstd_library.hpp"

// SZ3 calls zstd as if it were linked.
#define ZSTD_compress ::tgmap::codec::zstd().ZSTD_compress
#define ZSTD_compressBound ::tgmap::codec::zstd().ZSTD_compressBound
#define ZSTD_decompress ::tgmap::codec::zstd().ZSTD_decompress
#include <SZ3/api/sz.hpp>
#undef ZSTD_compress
#undef ZSTD_compressBound
#undef ZSTD_decompress

#include <exception>
#include <new>

#include "codec/aligned_doubles.hpp"
#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"

namespace tgmap::codec {

namespace {

SZ3::Config sz3_config(const sz3_options& with, std::size_t elements) {
  SZ3::Config config(elements);
  config.dataType = SZ_DOUBLE;
  config.cmprAlgo = SZ3::ALGO_INTERP_LORENZO;
  config.openmp = false;
  switch (with.mode) {
    case sz3_bound::absolute:
      config.errorBoundMode = SZ3::EB_ABS;
      config.absErrorBound = with.bound;
      break;
    case sz3_bound::relative:
      config.errorBoundMode = SZ3::EB_REL;
      config.relErrorBound = with.bound;
      break;
    case sz3_bound::psnr:
      config.errorBoundMode = SZ3::EB_PSNR;
      config.psnrErrorBound = with.bound;
      break;
  }
  return config;
}

}  // namespace

failure compress_sz3(const compression_input& input, core::scratch& memory, compression_output& out) noexcept try {
  // SZ3 treats an empty field as one of a single element.
  if (input.bytes.empty() || input.bytes.size() % sizeof(double) != 0) return bad_combination();
  const auto config = sz3_config(input.how->sz3, input.bytes.size() / sizeof(double));
  const std::size_t copy = aligned_copy_size(input.bytes), room = SZ3::SZ_compress_size_bound<double>(config);
  failure why;
  const auto buffer = memory.take(std::uint64_t{copy} + room, why);
  if (why) return why;
  const double* const doubles = aligned_doubles(input.bytes, buffer);
  const auto to = buffer.subspan(copy);
  out.bytes = to.first(SZ_compress<double>(config, doubles, reinterpret_cast<char*>(to.data()), room));
  return {};
} catch (const std::bad_alloc&) {
  return no_memory();
} catch (const std::exception&) {
  return codec_failed();
}

}  // namespace tgmap::codec
