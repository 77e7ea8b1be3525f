// SPDX-License-Identifier: Apache-2.0
// The fast path to an object agrees with the general reader, or finds nothing.

#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "../archive_fixture.hpp"
#include "archive/lookup/common_message.hpp"
#include "archive/lookup/find_objects.hpp"

using namespace tgmap_test;
using inner::object_parts;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(common_message_test)

namespace {

bool quick(const one_message& in, std::uint64_t j, object_parts& out) {
  tgmap::io::window window(in.state->bytes());
  std::uint64_t objects = 0;
  return inner::find_common_object(*in.state, window, in.message, j, out, objects);
}

failure slow(const one_message& in, std::uint64_t j, object_parts& out) {
  tgmap::io::window window(in.state->bytes());
  inner::object_sink sink(j, j);
  inner::message_structure structure;
  if (failure why = inner::find_objects(*in.state, window, in.message, structure, sink)) return why;
  if (!sink.found()) return {.code = tgmap::errc::out_of_range};
  return inner::read_object_parts(*in.state, window, in.message, *sink.found(), out);
}

/// Checks that the number of objects by the header agrees with all frames and indexes.
void check_count(const one_message& in) {
  tgmap::io::window window(in.state->bytes());
  inner::common_header header;
  if (!inner::read_common_header(*in.state, window, in.message, 0, UINT64_MAX, header)) return;
  inner::message_structure structure;
  const failure why = inner::find_structure(*in.state, in.message, structure);
  if (why || structure.objects != header.objects)
    BOOST_ERROR("there are " << structure.objects << " objects, not " << header.objects << ": " << why.text());
}

/// Returns how many of the first `objects` the fast path finds; each must equal the result of the general path.
unsigned agreed(const one_message& in, unsigned objects) {
  check_count(in);
  unsigned found = 0;
  for (unsigned j = 0; j < objects; ++j) {
    object_parts by_quick, by_slow;
    if (!quick(in, j, by_quick)) continue;
    ++found;
    const failure why = slow(in, j, by_slow);
    if (why || !(by_quick == by_slow)) BOOST_ERROR("object " << j << " is found where it is not: " << why.text());
  }
  return found;
}

message_spec spec_of(unsigned objects, int version = 3, std::size_t size = 40) {
  message_spec spec;
  spec.version = version;
  for (unsigned n = 0; n < objects; ++n) spec.objects.push_back(bytes_object(payload_of(n, size + n)));
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(common_messages_are_read) {
  for (const int version : {2, 3})
    for (const unsigned objects : {1u, 2u, 4u})
      for (const std::size_t size : {0u, 1u, 40u, 600u, 3000u, 100000u})
        BOOST_TEST(agreed(one_message(message(spec_of(objects, version, size))), objects + 2) == objects);
}

BOOST_AUTO_TEST_CASE(other_messages_are_left_to_the_general_reader) {
  const auto knows = [](const message_spec& spec, const tgmap::open_options& options = {}) {
    return agreed(one_message(message(spec), options), static_cast<unsigned>(spec.objects.size()));
  };
  message_spec spec = spec_of(2);
  BOOST_REQUIRE(knows(spec) == 2u);
  BOOST_TEST(knows(spec, {.lookup = tgmap::object_lookup::walk}) == 0u);
  BOOST_TEST(knows(spec, {.max_objects = 1}) == 0u);
  BOOST_TEST(knows(spec, {.max_metadata_bytes = 10}) == 0u);
  BOOST_TEST(knows(spec_of(17)) == 0u);

  for (const where index : {where::none, where::footer, where::both}) {
    message_spec other = spec;
    other.index = index;
    BOOST_TEST(knows(other) == 0u);
  }
  message_spec streamed = spec;
  streamed.writing = writing::streamed;
  BOOST_TEST(knows(streamed) == 0u);
  message_spec preceded = spec;
  preceded.objects[1].preceder = cbor::map({cbor::key("p", cbor::integer(1))});
  BOOST_TEST(knows(preceded) == 0u);
  message_spec masked = spec;
  masked.objects[1].masks = {{.kind = "nan", .blob = "mask"}};
  BOOST_TEST(knows(masked) == 1u);
  message_spec first = spec;
  first.objects[0].cbor_first = true;
  BOOST_TEST(knows(first) == 1u);
  message_spec junk = spec;
  junk.junk_before[1] = bytes(16, 'j');
  BOOST_TEST(knows(junk) == 0u);
}

BOOST_AUTO_TEST_CASE(any_bytes_agree_with_the_general_reader_or_are_left_to_it) {
  for (const int version : {2, 3}) {
    one_message in(message(spec_of(3, version)));
    unsigned nothing = 0;
    for (std::size_t i = 0; i < in.data.size(); ++i)
      for (const int change : {1, 2, 8, 0x20, 0x80, 0xff}) {
        in.data[i] = static_cast<char>(in.data[i] ^ change);
        nothing += agreed(in, 4) < 3 ? 1 : 0;
        in.data[i] = static_cast<char>(in.data[i] ^ change);
      }
    BOOST_TEST(nothing > in.data.size());
    BOOST_TEST(agreed(in, 4) == 3u);
  }
}

BOOST_AUTO_TEST_CASE(unreadable_bytes_are_left_to_the_general_reader) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", message(spec_of(2)));
  failure why;
  auto file = tgmap::io::file::open(path, why);
  const tgmap::open_options options{.io = tgmap::io_mode::read};
  const inner::archive_state state(tgmap::io::source::from_file(std::move(file), options, why), options);
  TGMAP_SUCCEEDED(why);
  tgmap::io::window window(state.bytes());
  const auto found = inner::parse_message_at(window, 0, options);
  object_parts facts;
  for (const std::uintmax_t size : {state.bytes().size() / 2, std::uint64_t{60}, std::uint64_t{0}}) {
    std::filesystem::resize_file(path, size);
    tgmap::io::window fresh(state.bytes());
    std::uint64_t objects = 0;
    BOOST_TEST(!inner::find_common_object(state, fresh, found.message, 1, facts, objects));
  }
}

BOOST_AUTO_TEST_SUITE_END()
