// SPDX-License-Identifier: Apache-2.0
#include <SZ3/api/sz.hpp>

#include "codecs/bare_codec.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

constexpr double bound = 0.01;

void encode(std::span<const std::byte> raw, sample_kind, encoded_object& out) {
  SZ3::Config config(raw.size() / sizeof(double));
  config.dataType = SZ_DOUBLE;
  config.quantbinCnt = 65536;
  config.blockSize = 128;
  config.errorBoundMode = SZ3::EB_ABS;
  config.absErrorBound = bound;
  std::size_t size = 0;
  const std::unique_ptr<char[]> bytes(SZ_compress<double>(config, reinterpret_cast<const double*>(raw.data()), size));
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.get());
  out.payload.assign(begin, begin + size);
  out.compression = "sz3";
  out.parameters.insert(out.parameters.end(),
                        {{"sz3_error_bound_mode", cbor_text("abs")}, {"sz3_error_bound", cbor_double(bound)}});
}

bare_call decoding(compressed of, sample_kind) {
  return [of](std::span<std::byte> out) {
    SZ3::Config config;
    auto* values = reinterpret_cast<double*>(out.data());
    SZ_decompress<double>(config, reinterpret_cast<const char*>(of.bytes.data()), of.bytes.size(), values);
  };
}

bare_call encoding(std::span<const std::byte> raw, sample_kind) {
  return [=](std::span<std::byte> out) {
    SZ3::Config config(raw.size() / sizeof(double));
    config.dataType = SZ_DOUBLE;
    config.cmprAlgo = SZ3::ALGO_INTERP_LORENZO;
    config.openmp = false;
    config.errorBoundMode = SZ3::EB_ABS;
    config.absErrorBound = bound;
    const auto* const values = reinterpret_cast<const double*>(raw.data());
    require(SZ_compress<double>(config, values, reinterpret_cast<char*>(out.data()), out.size()) != 0, "SZ_compress");
  };
}

}  // namespace

const bare_codec sz3_codec{"sz3", "SZ_decompress", true, encode, decoding, nullptr, encoding};

}  // namespace tgmap_bench
