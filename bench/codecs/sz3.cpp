// SPDX-License-Identifier: Apache-2.0
#include <SZ3/api/sz.hpp>

#include "codecs/bare_codec.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

constexpr double bound = 0.01;

void encode(std::span<const std::byte> raw, sample_kind, encoded_object& to) {
  SZ3::Config how(raw.size() / sizeof(double));
  how.dataType = SZ_DOUBLE;
  how.quantbinCnt = 65536;
  how.blockSize = 128;
  how.errorBoundMode = SZ3::EB_ABS;
  how.absErrorBound = bound;
  std::size_t size = 0;
  const std::unique_ptr<char[]> bytes(SZ_compress<double>(how, reinterpret_cast<const double*>(raw.data()), size));
  const auto* const from = reinterpret_cast<const std::byte*>(bytes.get());
  to.payload.assign(from, from + size);
  to.compression = "sz3";
  to.parameters.insert(to.parameters.end(),
                       {{"sz3_error_bound_mode", cbor_text("abs")}, {"sz3_error_bound", cbor_double(bound)}});
}

bare_call decoding(compressed of, sample_kind) {
  return [of](std::span<std::byte> out) {
    SZ3::Config how;
    auto* values = reinterpret_cast<double*>(out.data());
    SZ_decompress<double>(how, reinterpret_cast<const char*>(of.bytes.data()), of.bytes.size(), values);
  };
}

bare_call encoding(std::span<const std::byte> raw, sample_kind) {
  return [=](std::span<std::byte> out) {
    SZ3::Config how(raw.size() / sizeof(double));
    how.dataType = SZ_DOUBLE;
    how.cmprAlgo = SZ3::ALGO_INTERP_LORENZO;
    how.openmp = false;
    how.errorBoundMode = SZ3::EB_ABS;
    how.absErrorBound = bound;
    const auto* const values = reinterpret_cast<const double*>(raw.data());
    require(SZ_compress<double>(how, values, reinterpret_cast<char*>(out.data()), out.size()) != 0, "SZ_compress");
  };
}

}  // namespace

const bare_codec sz3_codec{"sz3", "SZ_decompress", true, encode, decoding, nullptr, encoding};

}  // namespace tgmap_bench
