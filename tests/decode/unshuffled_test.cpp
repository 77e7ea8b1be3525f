// SPDX-License-Identifier: Apache-2.0
// What was shuffled by elements of any size, another one than the object's too, is what it would be without: whole and
// in parts that begin and end anywhere.
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/numbered.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/decode/part_reader.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(unshuffled_test)

namespace {

bytes any_bytes(std::size_t size) {
  std::mt19937 next(4);
  bytes out(size, '\0');
  for (char& each : out) each = static_cast<char>(next() % 127);  // no number that is not finite
  return out;
}

bytes shuffled(const bytes& plain, std::size_t size) {
  const std::size_t n = plain.size() / size;
  bytes out(plain.size(), '\0');
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t b = 0; b < size; ++b) out[b * n + e] = plain[e * size + b];
  return out;
}

object_spec doubles_of(unsigned bits, std::uint64_t elements) {
  object_spec spec{.dtype = "float64", .shape = {elements}, .payload = any_bytes(elements * bits / 8)};
  spec.encoding = "simple_packing";
  spec.more = {cbor::key("sp_reference_value", cbor::real(-3)), cbor::key("sp_binary_scale_factor", cbor::integer(-2)),
               cbor::key("sp_decimal_scale_factor", cbor::integer(0)),
               cbor::key("sp_bits_per_value", cbor::integer(bits))};
  return spec;
}

/// The same bytes, both ways, as one message each.
void check(object_spec spec, std::size_t size) {
  const bytes plain_message = message({.objects = {spec}});
  spec.filter = "shuffle";
  spec.payload = shuffled(spec.payload, size);
  spec.more.push_back(cbor::key("shuffle_element_size", cbor::integer(static_cast<std::int64_t>(size))));
  const bytes shuffled_message = message({.objects = {spec}});
  const auto plain = open(plain_message), other = open(shuffled_message);
  for (const auto order : {tgmap::output_byte_order::native, tgmap::output_byte_order::stored}) {
    const auto whole = plain[0][0].decode({.byte_order = order});
    const bytes wanted(view_of(whole.bytes()));
    BOOST_TEST((bytes_of(other[0][0].decode({.byte_order = order})) == wanted), spec.dtype << " by " << size);
    const tgmap::part_reader parts(other[0][0], {.byte_order = order});
    const std::size_t elements = whole.size(), width = wanted.size() / elements;
    unsigned wrong = 0;
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{7}, elements / 3, elements - 9})
      for (const std::size_t count : {std::size_t{1}, std::size_t{8}, (elements - first) / 2, elements - first}) {
        const auto found = parts.range(first, std::min(count, elements - first));
        wrong += view_of(found.bytes()) != wanted.substr(first * width, found.bytes().size());
      }
    BOOST_TEST(wrong == 0u, wrong << " parts of " << spec.dtype << " by " << size);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_of_another_size) {
  for (const char* const dtype : {"uint8", "int16", "float32", "float64", "complex128"})
    for (const char* const order : {"little", "big"})
      for (const std::size_t size : {1, 2, 3, 4, 6, 8, 16, 24, 1023, 1024, 1025}) {
        const std::size_t bytes_of_all = size * 16 * (60'000 / (size * 16) + 1);
        object_spec spec{.dtype = dtype, .payload = any_bytes(bytes_of_all)};
        const std::string_view name = dtype;
        spec.shape = {bytes_of_all / (name == "uint8"     ? 1
                                      : name == "int16"   ? 2
                                      : name == "float32" ? 4
                                      : name == "float64" ? 8
                                                          : 16)};
        spec.byte_order = order;
        check(spec, size);
      }
}

BOOST_AUTO_TEST_CASE(packed_elements) {
  for (const unsigned bits : {1, 8, 12, 16, 24, 33, 48, 64})
    for (const std::size_t size : {1, 2, 3, 4, 8, 1023, 1024})
      check(doubles_of(bits, 8 * size * (9000 / (8 * size) + 1)), size);
}

BOOST_AUTO_TEST_SUITE_END()
