// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/metadata_edits.hpp>

#include <array>
#include <boost/test/unit_test.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/write/sink.hpp>
#include <tgmap/write/writer.hpp>

BOOST_AUTO_TEST_SUITE(metadata_edits_of_messages)

using namespace tgmap;

namespace {

/// Returns the bytes of a message with objects that have the keys `mars.step` and `l`.
std::vector<std::byte> message_of(std::size_t objects) {
  static constexpr std::array<float, 2> elements{1, 2};
  new_message content;
  for (std::size_t j = 0; j < objects; ++j) {
    new_object one = new_object::of(elements);
    one.base =
        cbor_value::map({{"mars", cbor_value::map({{"step", j}, {"param", "2t"}})}, {"l", cbor_value::array({1, 2})}});
    content.objects.emplace_back(std::move(one));
  }
  content.extra = cbor_value::map({{"title", "demo"}});
  memory_sink to;
  writer(to).write(content);
  return to.release();
}

struct loaded {
  explicit loaded(std::size_t objects = 2) : bytes(message_of(objects)) { out.load(from); }

  cbor_value& base(std::size_t j) { return std::get<stored_object>(out.content.objects[j]).base; }
  std::string text(std::size_t j, std::string_view path) {
    const auto found = base(j).view().at_path(path);
    return found ? found->text() : "?";
  }
  bool apply(const metadata_edits::scope& of = {}) { return edits.apply(from, out, of); }
  failure refused() {
    failure why;
    BOOST_TEST(!edits.apply(from, out, why));
    BOOST_TEST((why.code == errc::bad_key));
    return why;
  }

  std::vector<std::byte> bytes;
  tgmap::archive all = archive::from_memory(bytes);
  tgmap::message from = all[0];
  stored_message out;
  metadata_edits edits;
};

bool is(const failure& why, edit_error what) {
  return why.code == errc::bad_key && why.expected == static_cast<std::uint64_t>(what);
}

template <class Add>
failure refused(Add&& add) {
  metadata_edits edits;
  failure why;
  add(edits, why);
  BOOST_TEST(edits.size() == 0u);
  return why;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(edits_of_metadata, loaded)

BOOST_AUTO_TEST_CASE(edits_apply_in_their_order) {
  edits.rename("mars.step", "mars.old");
  edits.erase("l");
  edits.set("mars.step", 12);
  edits.set("extra.title", "new");
  BOOST_TEST(apply());
  BOOST_TEST(text(0, "mars.old") == "0");
  BOOST_TEST(text(1, "mars.old") == "1");
  BOOST_TEST(text(1, "mars.step") == "12");
  BOOST_TEST(text(1, "l") == "?");
  BOOST_TEST(out.content.extra.view().at_path("title")->text() == "new");
  for (std::size_t i = 0; i < edits.size(); ++i) BOOST_TEST(edits.has_changed(i));
  BOOST_TEST(edits.key(0) == "mars.step");
  BOOST_TEST(edits.new_path(0) == "mars.old");
  BOOST_TEST(edits.new_path(1) == "");
}

BOOST_AUTO_TEST_CASE(nothing_changes_if_all_is_so_already) {
  edits.set("mars.param", "2t");
  edits.erase("absent");
  edits.rename("absent", "other");
  BOOST_TEST(!apply());
  for (std::size_t i = 0; i < edits.size(); ++i) BOOST_TEST(!edits.has_changed(i));
}

BOOST_AUTO_TEST_CASE(some_objects) {
  edits.set("name", "x");
  const std::array<std::size_t, 1> second{1};
  BOOST_TEST(apply({.objects = second}));
  BOOST_TEST(text(0, "name") == "?");
  BOOST_TEST(text(1, "name") == "x");
}

BOOST_AUTO_TEST_CASE(one_object_by_its_key) {
  edits.set("base[0].name", "x");
  edits.set("objects.1.units", "K");
  BOOST_TEST(apply());
  BOOST_TEST(text(0, "name") == "x");
  BOOST_TEST(text(1, "name") == "?");
  const auto& second = std::get<stored_object>(out.content.objects[1]);
  BOOST_TEST(!second.source.has_value());
  BOOST_TEST(second.descriptor.view().find("units")->text() == "K");
  BOOST_TEST(std::get<stored_object>(out.content.objects[0]).source.has_value());
}

BOOST_AUTO_TEST_CASE(a_value_may_depend_on_the_old_one) {
  cbor_value next;
  failure why;
  edits.set(
      "mars.step",
      [&](const std::optional<cbor_view>& current) -> const cbor_value& {
        return next = cbor_value(current->get<std::int64_t>().value() + 6);
      },
      why);
  BOOST_TEST(!why);
  BOOST_TEST(apply());
  BOOST_TEST(text(0, "mars.step") == "6");
  BOOST_TEST(text(1, "mars.step") == "7");
}

BOOST_AUTO_TEST_CASE(a_key_is_not_renamed_to_an_existing_one) {
  edits.erase("absent");
  edits.rename("mars.step", "mars.param");
  const failure why = refused();
  BOOST_TEST(is(why, edit_error::existing_key));
  BOOST_TEST(why.found == 1u);
  BOOST_TEST(why.text().starts_with("the new name exists already (message 0"), why.text());
  BOOST_CHECK_THROW(edits.apply(from, out, metadata_edits::scope()), error);
}

BOOST_AUTO_TEST_CASE(a_key_may_move_into_its_own_place) {
  edits.rename("mars.step", "mars.step.at");
  BOOST_TEST(apply());
  BOOST_TEST(text(1, "mars.step.at") == "1");
}

BOOST_AUTO_TEST_CASE(places_that_do_not_exist) {
  edits.set("l[9]", 7);
  BOOST_TEST(is(refused(), edit_error::no_element));
  edits = metadata_edits();
  edits.set("objects.2.units", "K");
  const failure why = refused();
  BOOST_TEST(is(why, edit_error::no_object));
  BOOST_TEST((why.object == 2u));
}

BOOST_AUTO_TEST_CASE(a_scope_with_an_object_that_does_not_exist_is_refused) {
  constexpr std::array<std::size_t, 1> beyond{2};
  edits.set("mars.step", 7);
  failure why;
  BOOST_TEST(!edits.apply(from, out, {.objects = beyond}, why));
  BOOST_TEST(is(why, edit_error::no_object));
  BOOST_TEST((why.object == 2u));
}

BOOST_AUTO_TEST_CASE(a_damaged_object_is_refused_or_noted) {
  bytes[static_cast<std::size_t>(from[1].payload().data() - bytes.data())] ^= std::byte{1};
  edits.set("objects.1.units", "K");
  failure why;
  BOOST_TEST(!edits.apply(from, out, {.damaged = on_mismatch::refuse}, why));
  BOOST_TEST((why.code == errc::hash_mismatch));
  BOOST_TEST(edits.apply(from, out, why));
  BOOST_TEST(!why);
  BOOST_TEST(out.mismatches.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_message_without_objects_has_only_keys_of_its_own) {
  loaded none(0);
  none.edits.set("name", "x");
  BOOST_TEST(none.apply());
  BOOST_TEST(none.out.content.extra.view().find("name")->text() == "x");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(editable_keys)

BOOST_AUTO_TEST_CASE(keys_that_cannot_be_changed) {
  for (const char* key : {"shape", "mars.shape", "extra.dtype", "base[0].szip_rsi", "objects.0.encoding",
                          "objects.0.byte_order", "objects.0.masks.nan", "a.hash[0]"}) {
    BOOST_TEST(is(refused([&](auto& edits, failure& why) { edits.erase(key, why); }), edit_error::storage), key);
    BOOST_TEST(is(refused([&](auto& edits, failure& why) { edits.rename("a", key, why); }), edit_error::storage), key);
  }
  for (const char* key : {"_reserved_.time", "extra._reserved_"})
    BOOST_TEST(is(refused([&](auto& edits, failure& why) { edits.erase(key, why); }), edit_error::origin), key);
  BOOST_TEST(is(refused([&](auto& edits, failure& why) { edits.erase("extra.", why); }), edit_error::no_key));
}

BOOST_AUTO_TEST_CASE(new_keys_without_names) {
  const auto set = [](const char* key) {
    return refused([&](auto& edits, failure& why) {
      edits.set(
          key, [](const std::optional<cbor_view>&) -> const cbor_value& { std::abort(); }, why);
    });
  };
  for (const char* key : {"a..b", ".a", "a.", "extra.a..b", "[0]"})
    BOOST_TEST(is(set(key), edit_error::empty_name), key);
  BOOST_TEST(is(set("k\xff"), edit_error::not_utf8));
  BOOST_CHECK_THROW(metadata_edits().set("a..b", 1), error);
}

BOOST_AUTO_TEST_CASE(renaming_says_which_name_is_at_fault) {
  const auto rename = [](const char* from, const char* to) {
    return refused([&](auto& edits, failure& why) { edits.rename(from, to, why); });
  };
  BOOST_TEST(is(rename("a", "extra.b"), edit_error::other_map));
  BOOST_TEST(is(rename("a", "a"), edit_error::same_key));
  BOOST_TEST(rename("shape", "b").found == 0u);
  BOOST_TEST(rename("a", "shape").found == 1u);
  BOOST_TEST(rename("a", "b..c").found == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
