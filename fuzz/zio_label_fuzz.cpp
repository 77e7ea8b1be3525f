// SPDX-License-Identifier: Apache-2.0
// Reads any text as a label, in comparison with nlohmann-json, the parser that ZIO uses.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens.hpp>

#include "support/require.hpp"

using tgmap::failure;
using tgmap_fuzz::require;
namespace zio = tgmap::zio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  failure why;
  const tgmap::cbor_value label = zio::read_label(text, why);

  zio::message m{.form = zio::tens_form, .label = std::string(text)};
  failure of_tens;
  const auto tensors = zio::tens::of(m, of_tens);
  require(!(why && !of_tens), "a label that cannot be read has no tensors");

  if (why.code == tgmap::zio::errc::label_too_deep || text.empty()) return 0;
  const auto theirs = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  require(theirs.is_discarded() == static_cast<bool>(why), "both accept the text, or neither");
  if (!why) require(zio::write_label(label) == theirs.dump(), "both read the same value");
  return 0;
}
