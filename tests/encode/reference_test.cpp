// SPDX-License-Identifier: Apache-2.0
// Unpacks payloads of the reference implementation, and packs them again with the same parameters to the same bytes.
#include <boost/test/unit_test.hpp>
#include <encode/encoded.hpp>
#include <filesystem>
#include <support/numbered.hpp>
#include <support/shared_data.hpp>

#include "codec/packing/packing_parameters.hpp"

using namespace tgmap_test;
using tgmap::compression;
using tgmap::dtype;
using tgmap::encoding;
using tgmap::filter;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(reference_test)

namespace {

struct repacked {
  std::size_t same = 0, computed = 0;
};

/// Checks that the reference value is the minimum, and that the parameters computed from the unpacked numbers are the
/// original ones if the maximum is close enough to the last integer.
void pack_again(const tgmap::object& object, const std::string& where, repacked& count) {
  const auto what = object.descriptor();
  const bool plain = what.filter == filter::none && what.compression == compression::none && what.masks().empty();
  if (what.encoding != encoding::simple_packing || what.dtype != dtype::float64 || !plain) return;
  tgmap::failure why;
  tgmap::codec::packing_parameters with;
  if (tgmap::codec::read_packing_parameters(what, with)) return;
  const tgmap::tensor numbers = object.decode({.strides = tgmap::stride_policy::ignore}, why);
  if (why || with.bits > 48) return;  // doubles cannot distinguish more
  new_object in = new_object::of(numbers);
  in.pipeline.encoding = encoding::simple_packing;
  in.pipeline.packing = {.bits = with.bits,
                         .decimal_scale = with.decimal_scale,
                         .reference = with.reference,
                         .binary_scale = with.binary_scale};
  const auto given = encode(in);
  BOOST_TEST(!given.why, where << ": " << given.why.text());
  BOOST_TEST((given.payload == bytes(view_of(object.payload()))), where);
  ++count.same;

  in.pipeline.packing.reference.reset();
  in.pipeline.packing.binary_scale.reset();
  const auto computed = encode(in);
  if (!computed.why && computed.what.packing.binary_scale == with.binary_scale &&
      computed.what.packing.reference == with.reference) {
    BOOST_TEST((computed.payload == given.payload), where);
    ++count.computed;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(packed_again) {
  const auto shared = shared_data_or_skip("packing again what the reference implementation packed");
  if (!shared) return;
  repacked count;
  for (const auto& file : std::filesystem::directory_iterator(*shared / "data" / "tgm" / "reference")) {
    if (file.path().extension() != ".tgm") continue;
    const tgmap::archive archive(file.path(), {.damage = tgmap::on_damage::skip});
    for (std::size_t i = 0; i < archive.size(); ++i)
      for (std::size_t j = 0; j < archive[i].size(); ++j)
        pack_again(archive[i][j], file.path().filename().string(), count);
  }
  BOOST_TEST_MESSAGE(count.same << " packed again alike, " << count.computed << " with computed parameters");
  BOOST_TEST(count.same > 20u);
  BOOST_TEST(count.computed > 5u);
}

BOOST_AUTO_TEST_SUITE_END()
