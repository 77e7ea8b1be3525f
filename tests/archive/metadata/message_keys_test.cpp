// SPDX-License-Identifier: Apache-2.0
// message::summary agrees with size, metadata and base.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/forged/hostile.hpp>
#include <support/samples.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(message_keys)

namespace {

/// Returns all keys of metadata in order.
std::string shown(const tgmap::metadata& in) {
  std::string out;
  for (const auto& [key, item] : in.entries()) {
    const auto bytes = item.bytes();
    out += key + "=";
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    out += ";";
  }
  return out;
}

/// Checks one message; returns true if there was something to compare.
bool same(const tgmap::message& m) {
  tgmap::failure why, of_size, of_wide, of_first;
  const tgmap::message_summary keys = m.summary(why);
  const std::size_t objects = m.size(of_size);
  const tgmap::metadata wide = m.metadata(of_wide);
  const tgmap::metadata first = objects == 0 ? tgmap::metadata() : m.base(0, of_first);
  const bool sound = !of_size && !of_wide && !of_first;
  BOOST_TEST_REQUIRE(sound == !why, why.text());
  if (why) {
    const bool known = why.code == of_size.code || why.code == of_wide.code || why.code == of_first.code;
    BOOST_TEST_REQUIRE(known, why.text());
    BOOST_TEST_REQUIRE(keys.object_count == 0u);
    return false;
  }
  BOOST_TEST_REQUIRE(keys.object_count == objects);
  BOOST_TEST_REQUIRE(shown(keys.message_metadata) == shown(wide));
  BOOST_TEST_REQUIRE(shown(keys.first_object_metadata) == shown(first));
  for (const char* path : {"n", "mars.step", "mars", "x", "_reserved_", "base", "_extra_", "version", "free"}) {
    const auto place = [&](const tgmap::metadata& in) {
      const auto found = in.find(path);
      return found ? found->bytes_to_end().data() : nullptr;
    };
    BOOST_TEST_REQUIRE(place(keys.message_metadata) == place(wide));
    BOOST_TEST_REQUIRE(place(keys.first_object_metadata) == place(first));
  }
  return true;
}

unsigned compared(const tgmap::archive& in) {
  unsigned out = 0;
  for (const tgmap::message& m : in) out += same(m) ? 1 : 0;
  return out;
}

message_spec rich(int version = 3) {
  message_spec spec = numbered_spec(3, version);
  spec.objects.push_back(bytes_object("abcd"));
  spec.base = {cbor::map({cbor::key("mars", cbor::map({cbor::key("step", cbor::integer(12))})),
                          cbor::key("n", cbor::integer(7))}),
               cbor::map({})};
  spec.extra = {cbor::key("x", cbor::text("wide"))};
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_every_kind) {
  bytes data = message(rich()) + message(rich(2)) + numbered_stream(4) + numbered_stream(5, 2);
  for (const where index : {where::none, where::footer, where::both}) {
    message_spec spec = rich();
    spec.index = index;
    data += message(spec);
  }
  for (const where metadata : {where::footer, where::both}) {
    message_spec spec = rich();
    spec.metadata = metadata;
    data += message(spec);
  }
  message_spec preceded = rich();
  preceded.objects[0].preceder = cbor::map({cbor::key("p", cbor::integer(1))});
  message_spec free = rich();
  free.top = {cbor::key("free", cbor::integer(1))};
  message_spec empty;
  data += message(preceded) + message(free) + message(empty);
  in_every_mode(data, [](const tgmap::archive& in) { BOOST_TEST(compared(in) == 12u); });
}

BOOST_AUTO_TEST_CASE(any_value_of_one_byte) {
  for (const int version : {2, 3}) {
    const bytes sound = message(rich(version));
    const tgmap::open_options options{.damage = tgmap::on_damage::skip};
    unsigned some = 0;
    for (std::size_t i = 24; i < sound.size(); ++i)
      for (const int change : {0x01, 0x02, 0x20, 0x80, 0xff}) {
        bytes changed = sound;
        changed[i] = static_cast<char>(changed[i] ^ change);
        const auto in = tgmap::archive::from_memory(span_of(changed), options);
        some += compared(in);
      }
    BOOST_TEST(some > sound.size());
  }
}

BOOST_AUTO_TEST_CASE(limits) {
  const bytes data = message(rich());
  for (const tgmap::open_options& options : {tgmap::open_options{.max_cbor_depth = 1},
                                             {.max_cbor_depth = 2},
                                             {.max_metadata_bytes = 20},
                                             {.max_objects = 1}})
    in_every_mode(
        data, [](const tgmap::archive& in) { compared(in); }, options);
}

BOOST_AUTO_TEST_CASE(a_default_message_has_no_metadata) {
  tgmap::failure why;
  BOOST_TEST(tgmap::message().summary(why).object_count == 0u);
  BOOST_TEST((why.code == tgmap::errc::no_archive));
  BOOST_CHECK_THROW(tgmap::message().summary(), tgmap::error);
}

BOOST_AUTO_TEST_SUITE_END()
