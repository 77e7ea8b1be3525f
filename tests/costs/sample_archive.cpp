// SPDX-License-Identifier: Apache-2.0
#include "sample_archive.hpp"

#include <cmath>
#include <support/builder.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

using namespace tgmap_test;

namespace tgmap_costs {

namespace {

object_spec field(unsigned n, std::uint64_t elements) {
  object_spec out;
  out.dtype = "float32";
  out.shape = {elements};
  for (std::uint64_t i = 0; i < elements; ++i) out.payload += native({static_cast<float>(n + i)});
  return out;
}

bytes keys(unsigned n) {
  const auto mars = cbor::map({cbor::key("class", cbor::text("od")), cbor::key("step", cbor::integer(n % 50)),
                               cbor::key("param", cbor::text(n % 2 == 0 ? "2t" : "10u")),
                               cbor::key("levelist", cbor::numbers({500, 850}))});
  return cbor::map({cbor::key("mars", mars), cbor::key("name", cbor::text("field"))});
}

/// Returns message `n` of the long ones: versions 2 and 3, each with an index in the header, in the footer, and none.
bytes long_message(unsigned n) {
  message_spec spec;
  spec.version = n % 4 == 3 ? 2 : 3;
  spec.writing = n % 3 == 1 ? writing::streamed : writing::buffered;
  if (n % 3 == 2) spec.index = where::none;
  for (unsigned j = 0; j < 12 + n % 5 * 12; ++j) {
    spec.objects.push_back(field(j, 8));
    spec.objects.back().cbor_first = n % 2 == 1;
    spec.base.push_back(keys(j));
  }
  return message(spec);
}

const std::vector<double>& temperatures() {
  static const std::vector<double> out = [] {
    std::vector<double> elements(4'000);
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = 250 + 40 * std::sin(static_cast<double>(i % 400) / 64);
    return elements;
  }();
  return out;
}

}  // namespace

tgmap::new_message sample_message(int step) {
  auto packed = tgmap::new_object::of(temperatures(), {40, 100});
  packed.pipeline.encoding = tgmap::encoding::simple_packing;
  auto plain = tgmap::new_object::of(temperatures(), {40, 100});
  plain.base = tgmap::cbor_value::map({{"mars", tgmap::cbor_value::map({{"param", "2t"}, {"step", step}})}});
  tgmap::new_message out;
  out.objects.emplace_back(std::move(packed));
  out.objects.emplace_back(std::move(plain));
  return out;
}

bytes sample_archive() {
  bytes out;
  for (unsigned n = 0; n < single_messages; ++n) out += message({.objects = {field(n, 20 + n % 7)}, .base = {keys(n)}});
  for (unsigned n = 0; n < long_messages; ++n) out += long_message(n);
  tgmap::write_options options;
  options.provenance = tgmap::provenance::reproducible();
  for (std::size_t n = 0; n < packed_messages; ++n) {
    const auto written = tgmap::to_bytes(sample_message(static_cast<int>(n)), options);
    out += view_of(written);
  }
  return out;
}

}  // namespace tgmap_costs
