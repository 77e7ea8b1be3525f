// SPDX-License-Identifier: Apache-2.0
// Whatever one byte of a message is changed to: by index and by walk, forwards and backwards, there is one answer or an
// error.
#include <boost/test/unit_test.hpp>
#include <support/numbered.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>

#include "../answers.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(one_answer_test)

namespace {

message_spec small(int version, where index, std::size_t objects) {
  message_spec spec;
  spec.version = version;
  spec.index = index;
  spec.metadata = where::both;
  spec.hash_frames = false;
  spec.header_metadata = cbor::map({cbor::key("_extra_", cbor::map({cbor::key("x", cbor::integer(1))}))});
  spec.footer_metadata = cbor::map({cbor::key("_extra_", cbor::map({cbor::key("x", cbor::integer(2))}))});
  for (unsigned n = 0; n < objects; ++n) spec.objects.push_back(bytes_object(payload_of(n, 4 + n)));
  return spec;
}

struct counts {
  std::size_t errors = 0, answers = 0;
};

void check(const bytes& data, counts& out) {
  const tgmap::open_options skipping{.damage = tgmap::on_damage::skip};
  tgmap::open_options walking = skipping;
  walking.lookup = tgmap::object_lookup::walk;
  const auto by_walk = answers_of(open(data, walking));
  for (const bool backwards : {false, true}) {
    const auto by_index = answers_of(open(data, skipping), backwards);
    out.answers += by_index.size();
    out.errors += check_answers(by_index, by_walk);
  }
}

/// Changes each byte after the preamble in four ways, as far as there is time.
void check_every_byte(bytes& data, case_sampler& cases) {
  counts seen;
  for (std::size_t i = 24; i < data.size(); ++i)
    for (const int change : {0x01, 0x08, 0x20, 0xff}) {
      if (!cases.takes_next()) continue;
      const char was = data[i];
      data[i] = static_cast<char>(was ^ change);
      BOOST_TEST_CONTEXT("byte " << i << " xor " << change) { check(data, seen); }
      data[i] = was;
    }
  BOOST_TEST(seen.errors > rounds(data.size()));
  BOOST_TEST(seen.answers > seen.errors + rounds(data.size()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_value_of_one_byte) {
  case_sampler cases(7);
  for (const int version : {2, 3})
    for (const where index : {where::header, where::footer, where::both})
      BOOST_TEST_CONTEXT("version " << version << ", index " << static_cast<int>(index)) {
        bytes data = message(small(version, index, 3));
        check_every_byte(data, cases);
      }
}

// Messages that the fast path reads: one index and one metadata frame, in the header.
BOOST_AUTO_TEST_CASE(any_value_of_one_byte_of_a_common_message) {
  case_sampler cases(3);
  for (const std::size_t objects : {1u, 2u}) {
    message_spec spec = small(3, where::header, objects);
    spec.metadata = where::header;
    spec.header_metadata =
        cbor::map({cbor::key("base", cbor::array({cbor::map({cbor::key("step", cbor::integer(6))})})),
                   cbor::key("_extra_", cbor::map({cbor::key("x", cbor::integer(1))})),
                   cbor::key("_reserved_", cbor::map({cbor::key("time", cbor::integer(9))})),
                   cbor::key("free", cbor::integer(3))});
    bytes data = message(spec);
    check_every_byte(data, cases);
  }
}

// Two numbers of the index at once, as an attacker would change them to hide a frame.
BOOST_AUTO_TEST_CASE(any_values_of_two_numbers_of_the_index) {
  static std::array<std::int64_t, 2> change;
  static std::array<std::size_t, 2> which;
  for (const where index : {where::header, where::footer})
    for (which[0] = 0; which[0] < 6; ++which[0])
      for (which[1] = 0; which[1] < 6; ++which[1])
        for (const std::int64_t first : {-160, -8, 8, 160})
          for (const std::int64_t second : {-160, -8, 0, 8, 160}) {
            change = {first, second};
            message_spec spec = small(3, index, 3);
            spec.lie = [](index_spec& changed_index) {
              for (std::size_t k = 0; k < 2; ++k) {
                auto& number =
                    which[k] < 3 ? changed_index.offsets.at(which[k]) : changed_index.lengths.at(which[k] - 3);
                number = static_cast<std::uint64_t>(static_cast<std::int64_t>(number) + change[k]);
              }
            };
            counts seen;
            check(message(spec), seen);
          }
}

BOOST_AUTO_TEST_SUITE_END()
