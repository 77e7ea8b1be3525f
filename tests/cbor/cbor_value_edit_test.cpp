// SPDX-License-Identifier: Apache-2.0
// Changes of items by paths: each operation alone, and hundreds of thousands of random ones compared with a plain tree.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <support/cbor.hpp>
#include <support/rounds.hpp>
#include <tgmap/write/cbor_value.hpp>

#include "cbor/canonical/canonical.hpp"
#include "reference.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(cbor_value_edit_test)

namespace {

bytes encoded(const cbor_value& value) { return bytes(view_of(value.encoded())); }

/// An item as a tree.
struct tree {
  enum class is { leaf, map, array } what = is::leaf;
  bytes leaf = cbor::null();
  std::map<std::string, tree> pairs{};
  std::vector<tree> elements{};
};

bytes encoded(const tree& of) {
  if (of.what == tree::is::leaf) return of.leaf;
  if (of.what == tree::is::array) {
    std::vector<bytes> items;
    for (const tree& element : of.elements) items.push_back(encoded(element));
    return cbor::array(items);
  }
  std::map<bytes, bytes> sorted;
  for (const auto& [key, value] : of.pairs) sorted[cbor::text(key)] = encoded(value);
  return cbor::map({sorted.begin(), sorted.end()});
}

/// A part of a path up to `end`, and the item it leads to.
struct reading {
  std::size_t end;
  tree* at;
  tree* in;           ///< the container
  std::string key;    ///< of a map
  std::size_t index;  ///< of an array
};

/// Lists every reading of every part of the path, in the order in which they are tried.
void read_keys(tree& tree, const std::string& path, std::size_t begin, std::vector<reading>& out);

void read_behind(tree& tree, const std::string& path, std::size_t end, std::vector<reading>& out) {
  if (end == path.size()) return;
  if (path[end] == '.') return read_keys(tree, path, end + 1, out);
  std::size_t digits = end + 1, index = 0;
  while (digits < path.size() && path[digits] >= '0' && path[digits] <= '9')
    index = index * 10 + static_cast<std::size_t>(path[digits++] - '0');
  if (digits == end + 1 || digits == path.size() || path[digits] != ']') return;
  if (tree.what != tree::is::array || index >= tree.elements.size()) return;
  out.push_back({digits + 1, &tree.elements[index], &tree, "", index});
  if (digits + 1 < path.size() && path[digits + 1] != '.' && path[digits + 1] != '[') return;
  read_behind(tree.elements[index], path, digits + 1, out);
}

void read_keys(tree& tree, const std::string& path, std::size_t begin, std::vector<reading>& out) {
  if (tree.what != tree::is::map) return;
  for (std::size_t end = begin; end <= path.size(); ++end) {
    if (end < path.size() && path[end] != '.' && path[end] != '[') continue;
    const auto found = tree.pairs.find(path.substr(begin, end - begin));
    if (found == tree.pairs.end()) continue;
    out.push_back({end, &found->second, &tree, found->first, 0});
    read_behind(found->second, path, end, out);
  }
}

const reading* whole(const std::vector<reading>& all, const std::string& path) {
  for (const reading& one : all)
    if (one.end == path.size()) return &one;
  return nullptr;
}

bool ends_like_an_element(const std::string& key) {
  const std::size_t open = key.rfind('[');
  return open != key.npos && key.back() == ']' && open + 2 < key.size() &&
         key.find_first_not_of("0123456789", open + 1) == key.size() - 1;
}

/// Returns false if the path names an element that does not exist.
bool set_in(tree& root, const std::string& path, const tree& to) {
  std::vector<reading> all;
  read_keys(root, path, 0, all);
  if (const reading* found = whole(all, path)) {
    *found->at = to;
    return true;
  }
  tree* at = &root;
  std::size_t rest = 0;
  for (const reading& one : all)
    if (path[one.end] == '.' && one.end + 1 > rest) {
      at = one.at;
      rest = one.end + 1;
    }
  std::vector<std::string> keys(1);
  for (const char c : path.substr(rest)) c == '.' ? keys.emplace_back() : (keys.back() += c, keys.back());
  if (std::any_of(keys.begin(), keys.end(), ends_like_an_element)) return false;
  for (const std::string& key : keys) {
    if (at->what != tree::is::map) *at = {tree::is::map};
    at = &at->pairs[key];
  }
  *at = to;
  return true;
}

bool erase_in(tree& root, const std::string& path) {
  std::vector<reading> all;
  read_keys(root, path, 0, all);
  const reading* found = whole(all, path);
  if (found == nullptr) return false;
  if (found->in->what == tree::is::map)
    found->in->pairs.erase(found->key);
  else
    found->in->elements.erase(found->in->elements.begin() + static_cast<std::ptrdiff_t>(found->index));
  return true;
}

constexpr const char* names[] = {"a", "b", "cc", "a.b", "", "b[0]", "c.", "[1]", "d["};

tree random_tree(std::mt19937_64& random, unsigned depth) {
  tree out;
  const auto kind = random() % (depth == 0 ? 1 : 3);
  if (kind == 0) {
    out.leaf =
        random() % 2 ? cbor::unsigned_integer(random() >> (random() % 64)) : cbor::text(bytes(random() % 30, 'x'));
  } else if (kind == 1) {
    out.what = tree::is::map;
    for (std::size_t n = random() % 4; n > 0; --n) out.pairs[names[random() % 9]] = random_tree(random, depth - 1);
  } else {
    out.what = tree::is::array;
    for (std::size_t n = random() % 4; n > 0; --n) out.elements.push_back(random_tree(random, depth - 1));
  }
  return out;
}

std::string random_path(std::mt19937_64& random) {
  std::string out = names[random() % 9];
  for (std::size_t n = random() % 4; n > 0; --n)
    out += random() % 3 == 0 ? "[" + std::to_string(random() % 3) + "]" : "." + std::string(names[random() % 9]);
  return out.empty() ? "a" : out;
}

cbor_value item_of(const tree& tree) {
  const bytes data = encoded(tree);
  return cbor_value::copy(tgmap::cbor_view(span_of(data)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(set_creates_missing_maps_and_replaces_other_values) {
  cbor_value base = cbor_value::map();
  base.set("mars.step", 12);
  base.set("mars.param", "2t");
  base.set("name", "x");
  BOOST_TEST((base == cbor_value::map({{"mars", cbor_value::map({{"step", 12}, {"param", "2t"}})}, {"name", "x"}})));
  base.set("mars.step", 24);
  base.set("name.long", "y");
  base.set("a.b.c", nullptr);
  BOOST_TEST((base == cbor_value::map({{"mars", cbor_value::map({{"step", 24}, {"param", "2t"}})},
                                       {"name", cbor_value::map({{"long", "y"}})},
                                       {"a", cbor_value::map({{"b", cbor_value::map({{"c", nullptr}})}})}})));
  base.set("mars", 5);
  BOOST_TEST(base.view().at_path("mars")->as<std::int64_t>() == 5);
}

BOOST_AUTO_TEST_CASE(keys_with_dots_win_over_new_levels) {
  cbor_value base = cbor_value::map({{"a.b", cbor_value::map()}, {"c.d", 1}});
  base.set("a.b.x", 1);
  base.set("c.d", 2);
  BOOST_TEST((base == cbor_value::map({{"a.b", cbor_value::map({{"x", 1}})}, {"c.d", 2}})));
  base.set("a.y", 3);  // absent: two levels
  BOOST_TEST((base.view().find("a")->find("y")->as<std::int64_t>() == 3));
  base.set("a.b.z", 4);  // "a" exists now, but "a.b" matches more of the path
  BOOST_TEST((base.view().find("a.b")->find("z")->as<std::int64_t>() == 4));
  cbor_value both = cbor_value::map({{"a", cbor_value::map({{"b", 1}})}, {"a.b", 2}});
  both.set("a.b", 3);  // as when reading: the shortest key first
  BOOST_TEST((both == cbor_value::map({{"a", cbor_value::map({{"b", 3}})}, {"a.b", 2}})));
}

BOOST_AUTO_TEST_CASE(elements_of_arrays_are_changed_but_not_created) {
  cbor_value base =
      cbor_value::map({{"k", cbor_value::array({1, cbor_value::map({{"x", 2}}), cbor_value::array({3, 4})})}});
  base.set("k[0]", "one");
  base.set("k[1].y", 5);
  base.set("k[2][1]", 6);
  base.set("k[0].deep", 7);
  BOOST_TEST(
      (base ==
       cbor_value::map({{"k", cbor_value::array({cbor_value::map({{"deep", 7}}), cbor_value::map({{"x", 2}, {"y", 5}}),
                                                 cbor_value::array({3, 6})})}})));
  const cbor_value before = base;
  for (const char* path : {"k[3]", "k[2][2]", "k[3].x", "k[0][0]", "new[0]", "k[0].new[1]", "k[0].a[1].b", "[0]"}) {
    failure why;
    base.set(path, 1, why);
    BOOST_TEST((why.code == errc::bad_key), path);
    BOOST_TEST((base == before), path);
    BOOST_CHECK_EXCEPTION(base.set(path, 1), tgmap::error, [](const auto& e) { return e.code() == errc::bad_key; });
  }
  // brackets that name no element are ordinary characters
  for (const char* path : {"odd[", "odd[]", "odd[x]", "odd[1]x"}) {
    base.set(path, 1);
    BOOST_TEST((base.view().find(path)->as<std::int64_t>() == 1), path);
  }
  BOOST_TEST(base.erase("k[1]"));
  BOOST_TEST(base.view().find("k")->size() == 2u);
  BOOST_TEST(base.erase("k[1][0]"));
  BOOST_TEST(base.view().at_path("k[1][0]")->as<std::int64_t>() == 6);
}

BOOST_AUTO_TEST_CASE(erase_returns_true_if_the_key_existed) {
  cbor_value base = cbor_value::map({{"mars", cbor_value::map({{"step", 12}})}, {"a.b", 1}});
  BOOST_TEST(!base.erase("mars.param"));
  BOOST_TEST(!base.erase("mars.step.x"));
  BOOST_TEST(!base.erase("mars[0]"));
  BOOST_TEST(base.erase("mars.step"));
  BOOST_TEST((base == cbor_value::map({{"mars", cbor_value::map()}, {"a.b", 1}})));
  BOOST_TEST(base.erase("a.b"));
  BOOST_TEST(base.erase("mars"));
  BOOST_TEST(base.empty());
  BOOST_TEST(!base.erase("mars"));
}

// From 24 entries on the count takes bytes of its own.
BOOST_AUTO_TEST_CASE(erase_shortens_counts_of_every_width) {
  for (const int count : {23, 24, 25, 256, 257}) {
    cbor_value map = cbor_value::map(), expected = cbor_value::map();
    std::vector<cbor_value> elements;
    for (int i = 0; i < count; ++i) {
      map.set("k" + std::to_string(i), i);
      if (i != 7) expected.set("k" + std::to_string(i), i);
      if (i != 7) elements.emplace_back(i);
    }
    BOOST_TEST(map.erase("k7"));
    BOOST_TEST((map == expected), count);
    const cbor_value shorter = cbor_value::array(elements);
    elements.insert(elements.begin() + 7, cbor_value(7));
    cbor_value list = cbor_value::map({{"list", cbor_value::array(elements)}, {"z", 1}});
    BOOST_TEST(list.erase("list[7]"));
    BOOST_TEST((list == cbor_value::map({{"list", shorter}, {"z", 1}})), count);
  }
}

BOOST_AUTO_TEST_CASE(rename_moves_a_value) {
  cbor_value base =
      cbor_value::map({{"mars", cbor_value::map({{"step", 12}, {"param", "2t"}})}, {"x", cbor_value::array({1, 2})}});
  BOOST_TEST(base.rename("mars.step", "time.step"));
  BOOST_TEST(!base.rename("mars.step", "y"));
  BOOST_TEST(base.rename("x[0]", "first"));
  BOOST_TEST((base == cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}})},
                                       {"time", cbor_value::map({{"step", 12}})},
                                       {"x", cbor_value::array({2})},
                                       {"first", 1}})));
  BOOST_TEST(base.rename("mars", "mars.inner"));  // into itself
  BOOST_TEST(base.view().at_path("mars.inner.param")->as<std::string_view>() == "2t");
  BOOST_TEST(base.rename("mars.inner", "mars"));  // and back
  BOOST_TEST(base.view().at_path("mars.param")->as<std::string_view>() == "2t");
  const cbor_value before = base;
  BOOST_TEST(base.rename("mars", "mars"));
  BOOST_TEST((base == before));
  BOOST_TEST(base.rename("first", "mars"));  // the item there is replaced
  BOOST_TEST(base.view().find("mars")->as<std::int64_t>() == 1);
  const cbor_value now = base;
  failure why;
  BOOST_TEST(!base.rename("mars", "x[5]", why));
  BOOST_TEST((why.code == errc::bad_key));
  BOOST_TEST((base == now));
}

BOOST_AUTO_TEST_CASE(update_copies_every_pair) {
  cbor_value base = cbor_value::map({{"a", 1}, {"b", 2}, {"long key", 3}});
  base.update(cbor_value::map({{"b", 4}, {"", 5}, {"zz", cbor_value::map()}}));
  BOOST_TEST((base == cbor_value::map({{"", 5}, {"a", 1}, {"b", 4}, {"zz", cbor_value::map()}, {"long key", 3}})));
  const cbor_value before = base;
  base.update(base);
  base.update(cbor_value::map());
  BOOST_TEST((base == before));
  cbor_value empty = cbor_value::map();
  empty.update(base);
  BOOST_TEST((empty == base));
}

BOOST_AUTO_TEST_CASE(an_item_may_be_put_into_itself) {
  cbor_value base = cbor_value::map({{"a", 1}});
  base.set("b", base);
  base.set("a", base);
  const cbor_value inner = cbor_value::map({{"a", 1}});
  BOOST_TEST((base == cbor_value::map({{"a", cbor_value::map({{"a", 1}, {"b", inner}})}, {"b", inner}})));
}

BOOST_AUTO_TEST_CASE(a_new_item_may_depend_on_the_present_one) {
  const cbor_value sound = cbor_value::map({{"a", cbor_value::map({{"b", 1000}})}, {"c", "text"}});
  cbor_value it = sound;
  unsigned asked = 0;
  std::optional<std::int64_t> seen;
  const auto with = [&](const cbor_value& value) {
    return [&, value](const std::optional<tgmap::cbor_view>& there) -> const cbor_value& {
      ++asked;
      seen = there ? there->get<std::int64_t>() : std::nullopt;
      return value;
    };
  };
  BOOST_TEST(!it.transform("a.b", with(1000)));
  BOOST_TEST((it == sound));
  BOOST_TEST(seen.value() == 1000);
  for (const cbor_value& to : {cbor_value(1), cbor_value(2000), cbor_value(100000), cbor_value("longer than it was"),
                               cbor_value::map({{"k", 1}}), cbor_value()}) {
    it = sound;
    BOOST_TEST(it.transform("a.b", with(to)));
    BOOST_TEST(seen.value() == 1000);
    cbor_value expected = cbor_value::map({{"a", cbor_value::map({{"b", to}})}, {"c", "text"}});
    BOOST_TEST((it == expected));
  }
  BOOST_TEST(asked == 7u);
  BOOST_TEST(it.transform("new.key", with(5)));
  BOOST_TEST(!seen);
  BOOST_TEST(it.view().at_path("new.key")->as<std::int64_t>() == 5);
}

BOOST_AUTO_TEST_CASE(a_change_that_fails_changes_nothing) {
  cbor_value it = cbor_value::map({{"a", cbor_value::array({1, 2})}});
  const cbor_value before = it;
  const cbor_value five(5);
  const auto to_five = [&](const std::optional<tgmap::cbor_view>&) -> const cbor_value& { return five; };
  BOOST_CHECK_THROW(it.transform("", to_five), tgmap::error);
  BOOST_CHECK_THROW(it.transform("a[2]", to_five), tgmap::error);
  const auto thrower = [](const std::optional<tgmap::cbor_view>&) -> const cbor_value& {
    throw std::runtime_error("no");
  };
  BOOST_CHECK_THROW(it.transform("a", thrower), std::runtime_error);
  BOOST_TEST((it == before));
  BOOST_TEST(it.transform("a[1]", to_five));
  BOOST_TEST((it == cbor_value::map({{"a", cbor_value::array({1, 5})}})));
  BOOST_TEST(it.transform("a", [&](const std::optional<tgmap::cbor_view>&) -> const cbor_value& { return it; }));
  BOOST_TEST((it == cbor_value::map({{"a", cbor_value::map({{"a", cbor_value::array({1, 5})}})}})));
  cbor_value number(1);
  BOOST_CHECK_THROW(number.transform("a", to_five), tgmap::error);
}

BOOST_AUTO_TEST_CASE(only_maps_are_changed) {
  for (cbor_value it : {cbor_value(), cbor_value(5), cbor_value("x"), cbor_value::array({1}),
                        cbor_value::tagged(1, cbor_value::map())}) {
    const cbor_value before = it;
    failure why;
    const auto refused = [&] { return why.code == errc::wrong_kind && why.found == static_cast<unsigned>(it.kind()); };
    it.set("a", 1, why);
    BOOST_TEST(refused());
    BOOST_TEST(!it.erase("a", why));
    BOOST_TEST(refused());
    BOOST_TEST(!it.rename("a", "b", why));
    BOOST_TEST(refused());
    it.update(cbor_value::map(), why);
    BOOST_TEST(refused());
    BOOST_TEST((it == before));
    cbor_value map = cbor_value::map();
    map.update(before, why);
    BOOST_TEST(refused());
  }
}

BOOST_AUTO_TEST_CASE(invalid_paths_are_refused) {
  cbor_value base = cbor_value::map({{"a", 1}});
  failure why;
  const auto refused = [&] { return why.code == errc::bad_key; };
  base.set("", 1, why);
  BOOST_TEST(refused());
  BOOST_TEST(!base.erase("", why));
  BOOST_TEST(refused());
  BOOST_TEST(!base.rename("", "b", why));
  BOOST_TEST(refused());
  BOOST_TEST(!base.rename("a", "", why));
  BOOST_TEST(refused());
  base.set("b\xff", 1, why);  // a key that is not UTF-8
  BOOST_TEST(refused());
  base.set("b", 1, why);
  BOOST_TEST(!why);
  BOOST_TEST((base == cbor_value::map({{"a", 1}, {"b", 1}})));
}

BOOST_AUTO_TEST_CASE(changes_keep_the_limit_of_nesting) {
  cbor_value deep = 1;
  for (int depth = 0; depth < 200; ++depth) deep = cbor_value::array({deep});
  std::string path = "k";
  for (int depth = 0; depth < 55; ++depth) path += ".k";
  cbor_value base = cbor_value::map();
  base.set(path, deep);  // 56 maps and 200 arrays
  BOOST_TEST(tgmap::cbor::is_canonical(base.encoded()));
  const cbor_value before = base;
  for (const bool there : {true, false}) {
    failure why;
    base.set(there ? path : path + "x", cbor_value::array({deep}), why);
    BOOST_TEST((why.code == errc::cbor_too_deep));
    base.set(path + (there ? ".k" : "x.k"), deep, why);
    BOOST_TEST((why.code == errc::cbor_too_deep));
    BOOST_TEST((base == before));
  }
  failure why;
  cbor_value::map().set(std::string(100000, '.'), 1, why);
  BOOST_TEST((why.code == errc::cbor_too_deep));
}

BOOST_AUTO_TEST_CASE(keys_of_other_kinds_are_unchanged) {
  const bytes data = cbor::map({{cbor::integer(1), cbor::integer(1)},
                                {cbor::blob("a"), cbor::integer(2)},
                                cbor::key("m", cbor::integer(3)),
                                {cbor::array({}), cbor::integer(4)},
                                {cbor::map({}), cbor::integer(5)},
                                {cbor::tag(1, cbor::null()), cbor::integer(6)},
                                {cbor::boolean(true), cbor::integer(7)}});
  cbor_value it = cbor_value::copy(tgmap::cbor_view(span_of(data)));
  BOOST_TEST(encoded(it) == data);
  it.set("a", 8);
  it.set("zzz", 9);
  it.erase("m");
  const bytes expected = cbor::map({{cbor::integer(1), cbor::integer(1)},
                                    {cbor::blob("a"), cbor::integer(2)},
                                    cbor::key("a", cbor::integer(8)),
                                    cbor::key("zzz", cbor::integer(9)),
                                    {cbor::array({}), cbor::integer(4)},
                                    {cbor::map({}), cbor::integer(5)},
                                    {cbor::tag(1, cbor::null()), cbor::integer(6)},
                                    {cbor::boolean(true), cbor::integer(7)}});
  BOOST_TEST(to_hex(encoded(it)) == to_hex(expected));
}

BOOST_AUTO_TEST_CASE(random_changes_agree_with_a_tree) {
  std::mt19937_64 random(21);
  unsigned erased = 0, set = 0, refused = 0, renamed = 0;
  for (unsigned round = 0; round < rounds(4000u); ++round) {
    tree model = random_tree(random, 4);
    if (model.what != tree::is::map) model = {tree::is::map};
    cbor_value it = item_of(model);
    for (unsigned change = 0; change < 25; ++change) {
      const std::string path = random_path(random), other = random_path(random);
      failure why;
      BOOST_TEST_INFO(to_hex(encoded(it)) << " at " << path << " to " << other);
      if (const auto what = random() % 4; what < 2) {
        const tree to = random_tree(random, 2);
        const bool done = set_in(model, path, to);
        it.set(path, item_of(to), why);
        BOOST_REQUIRE((done ? !why : why.code == errc::bad_key));
        if (done) BOOST_REQUIRE(view_of(it.view().at_path(path)->bytes()) == encoded(to));
        ++(done ? set : refused);
      } else if (what == 2) {
        const bool there = erase_in(model, path);
        BOOST_REQUIRE(it.view().at_path(path).has_value() == there);
        BOOST_REQUIRE(it.erase(path, why) == there);
        BOOST_REQUIRE(!why);
        erased += there;
      } else {
        std::vector<reading> all;
        read_keys(model, path, 0, all);
        const reading* found = whole(all, path);
        bool done = false;
        if (found != nullptr) {
          tree changed = model;
          const tree moved = *found->at;
          erase_in(changed, path);
          done = set_in(changed, other, moved);
          if (done) model = changed;
        }
        BOOST_REQUIRE(it.rename(path, other, why) == done);
        BOOST_REQUIRE((!why == (done || found == nullptr)));
        renamed += done;
      }
      BOOST_REQUIRE(encoded(it) == encoded(model));
    }
    BOOST_REQUIRE(tgmap::cbor::is_canonical(it.encoded()));
  }
  BOOST_TEST(set > rounds(10000u));
  BOOST_TEST(erased > rounds(1000u));
  BOOST_TEST(renamed > rounds(500u));
  BOOST_TEST(refused > rounds(1000u));
}

BOOST_AUTO_TEST_CASE(random_updates_agree_with_a_tree) {
  std::mt19937_64 random(22);
  for (unsigned round = 0; round < 3000; ++round) {
    tree tree{tree::is::map}, other{tree::is::map};
    for (std::size_t n = random() % 30; n > 0; --n)
      (n % 2 ? tree : other).pairs[bytes(random() % 30, static_cast<char>('a' + random() % 2))] =
          random_tree(random, 1);
    cbor_value it = item_of(tree);
    it.update(item_of(other));
    for (const auto& [key, value] : other.pairs) tree.pairs[key] = value;
    BOOST_REQUIRE(encoded(it) == encoded(tree));
  }
}

BOOST_AUTO_TEST_SUITE_END()
