// SPDX-License-Identifier: Apache-2.0
// A writer that keeps memory and results from one message to the next writes the same bytes as a new one.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <tgmap/tgmap.hpp>
#include <vector>

using tgmap::cbor_value;
using tgmap::new_message;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(writer_reuse_test)

namespace {

const std::vector<float>& numbers() {
  static const std::vector<float> all = [] {
    std::vector<float> out(24);
    std::iota(out.begin(), out.end(), 0.5F);
    return out;
  }();
  return all;
}

new_message message_of(new_object object) {
  new_message out;
  out.objects.emplace_back(std::move(object));
  return out;
}

/// Returns messages that differ from the first one in one property each.
std::vector<new_message> varied_messages(int version) {
  const auto plain = new_object::of(std::span<const float>(numbers()), {4, 6});
  const auto changed = [&](const std::function<void(new_object&)>& how) {
    new_object out = plain;
    how(out);
    return message_of(std::move(out));
  };
  std::vector<new_message> out{message_of(plain)};
  out.push_back(changed([](new_object& it) { it.shape = {6, 4}; }));
  out.push_back(changed([](new_object& it) { it.shape = {24}; }));
  out.push_back(changed([](new_object& it) { it.shape = {4, 6, 1}; }));
  out.push_back(changed([](new_object& it) { it.dtype = tgmap::dtype::int32; }));
  out.push_back(changed([](new_object& it) { it.stored_byte_order = tgmap::byte_order::big; }));
  out.push_back(changed([](new_object& it) { it.type = "ntensors"; }));
  out.push_back(changed([](new_object& it) { it.descriptor_extra = cbor_value::map({{"unit", "K"}}); }));
  out.push_back(changed([](new_object& it) { it.descriptor_extra = cbor_value::map({{"unit", "m"}}); }));
  out.push_back(changed([](new_object& it) {
    it.base = cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}})}});
  }));
  out.push_back(changed([](new_object& it) { it.base = cbor_value::map({{"zzzzzzzzzzzz", 1}}); }));
  out.push_back(changed([](new_object& it) { it.pipeline.filter = tgmap::filter::shuffle; }));
  if (version != 2) out.push_back(changed([](new_object& it) { it.pipeline.missing.allow_nan = true; }));
  out.push_back(new_message{});
  out.push_back(message_of(plain));
  out.back().objects.push_back(out[1].objects[0]);
  out.back().extra = cbor_value::map({{"source", "demo"}});
  return out;
}

tgmap::write_options options_of(int version, bool hashes) {
  return {.version = version, .hashes = hashes, .provenance = {.time = "2026-11-22T05:00:00Z", .uuid = "one"}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_message_after_any_other) {
  for (const int version : {2, 3}) {
    const auto all = varied_messages(version);
    for (const bool hashes : {true, false}) {
      const auto how = options_of(version, hashes);
      for (const auto& before : all)
        for (const auto& each : all) {
          tgmap::memory_sink sink;
          tgmap::writer out(sink, how);
          out.write(before);
          sink.clear();
          out.write(each);
          BOOST_TEST((sink.bytes() == tgmap::to_bytes(each, how)));
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_placement_of_lists) {
  using enum tgmap::index_placement;
  for (const int version : {2, 3}) {
    const auto all = varied_messages(version);
    for (const auto index : {header, footer, none})
      for (const auto hash_list : {header, footer, none}) {
        auto how = options_of(version, true);
        how.index = index;
        how.hash_list = hash_list;
        tgmap::memory_sink sink;
        tgmap::writer out(sink, how);
        for (const auto& each : all)
          for (int twice = 0; twice < 2; ++twice) {
            sink.clear();
            out.write(each);
            BOOST_TEST((sink.bytes() == tgmap::to_bytes(each, how)));
          }
      }
  }
}

/// The lengths stay the same, the hashes change.
BOOST_AUTO_TEST_CASE(only_elements_change) {
  auto values = numbers();
  const auto what = message_of(new_object::of(std::span<const float>(values)));
  const auto how = options_of(3, true);
  tgmap::memory_sink sink;
  tgmap::writer out(sink, how);
  for (float& each : values) {
    each += 1;
    sink.clear();
    out.write(what);
    BOOST_TEST((sink.bytes() == tgmap::to_bytes(what, how)));
  }
}

BOOST_AUTO_TEST_CASE(masks_come_and_go) {
  auto values = numbers();
  new_message message = message_of(new_object::of(std::span<const float>(values)));
  std::get<new_object>(message.objects[0]).pipeline.missing.allow_nan = true;
  const auto how = options_of(3, true);
  tgmap::memory_sink sink;
  tgmap::writer out(sink, how);
  for (const float third : {1.0F, std::nanf(""), 2.0F, std::nanf(""), std::nanf(""), 3.0F}) {
    values[3] = third;
    sink.clear();
    out.write(message);
    BOOST_TEST((sink.bytes() == tgmap::to_bytes(message, how)));
  }
}

BOOST_AUTO_TEST_CASE(a_refused_message_has_no_effect) {
  const auto all = varied_messages(3);
  const auto how = options_of(3, true);
  auto refused = message_of(new_object::of(std::span<const float>(numbers()), {4, 6}));
  std::get<new_object>(refused.objects[0]).descriptor_extra = cbor_value::map({{"dtype", "float64"}});
  for (const auto& before : all)
    for (const auto& each : all) {
      tgmap::memory_sink sink;
      tgmap::writer out(sink, how);
      out.write(before);
      sink.clear();
      tgmap::failure why;
      out.write(refused, why);
      BOOST_TEST((why.code == tgmap::make_error_code(tgmap::errc::reserved_key)));
      out.write(each);
      BOOST_TEST((sink.bytes() == tgmap::to_bytes(each, how)));
    }
}

BOOST_AUTO_TEST_CASE(each_message_has_another_uuid) {
  const auto what = message_of(new_object::of(std::span<const float>(numbers())));
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  constexpr std::size_t count = 200;
  for (std::size_t i = 0; i < count; ++i) out.write(what);
  const auto archive = tgmap::archive::from_memory(sink.bytes());
  std::vector<std::string> all;
  for (const tgmap::message& each : archive) all.push_back(each.provenance().find("uuid")->text());
  BOOST_TEST(all.size() == count);
  for (const std::string& each : all) {
    BOOST_TEST(each.size() == 36U);
    for (const std::size_t dash : {8, 13, 18, 23}) BOOST_TEST(each[dash] == '-');
    BOOST_TEST(each[14] == '4');
    BOOST_TEST((each[19] == '8' || each[19] == '9' || each[19] == 'a' || each[19] == 'b'));
  }
  std::sort(all.begin(), all.end());
  BOOST_TEST((std::adjacent_find(all.begin(), all.end()) == all.end()));
}

BOOST_AUTO_TEST_SUITE_END()
