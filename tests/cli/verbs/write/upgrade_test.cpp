// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>
#include <tgmap/tgmap.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

struct upgrading : rewriting {
  outcome upgrade(std::vector<std::string> arguments, const std::string& from) const {
    arguments.insert(arguments.begin(), {"upgrade", "--no-sync", "-f"});
    arguments.push_back(from);
    arguments.push_back(path("o"));
    return run(arguments);
  }

  void refused(const std::vector<std::string>& arguments, const std::string& from, const std::string& why) const {
    std::filesystem::remove(path("o"));
    const outcome seen = upgrade(arguments, from);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find(why) != std::string::npos, seen.err << "not: " << why);
    BOOST_TEST(!exists("o"));
  }
};

/// Validates one message in the strictest mode.
std::string complaints(const tgmap::message& about) {
  struct collecting final : tgmap::validation_visitor {
    void unclaimed_bytes(const tgmap::finding& f) override { text += f.text + "\n"; }
    void message(const tgmap::message_report& m) override {
      for (const auto& f : m.findings) text += std::string(to_string_view(f.code)) + ": " + f.text + "\n";
    }
    std::string text;
  } all;
  const auto whole = about.bytes();
  const auto alone = tgmap::archive::from_memory(whole);
  const auto result =
      tgmap::validate(alone, {.mode = tgmap::validation_mode::full, .check_canonical = true, .threads = 1}, all);
  if (!result.is_sound() && all.text.empty()) all.text = "unsound";
  return all.text;
}

/// Checks that every message of version 2 became a valid one of version 3 with the same elements, and that others are
/// unchanged.
void compare_upgraded(const tgmap::archive& before, const tgmap::archive& after) {
  std::size_t k = 0;
  for (const tgmap::message& was : before) {
    if (was.is_incomplete()) continue;
    BOOST_TEST_REQUIRE(k < after.size());
    const tgmap::message is = after[k++];
    if (was.version() == 3) {
      BOOST_TEST((bytes_of(is.bytes()) == bytes_of(was.bytes())));
      continue;
    }
    BOOST_TEST(is.version() == 3);
    BOOST_TEST(complaints(is) == "");
    BOOST_TEST_REQUIRE(is.size() == was.size());
    for (std::size_t j = 0; j < is.size(); ++j) {
      const auto a = was[j].decode(), b = is[j].decode();
      BOOST_TEST((a.dtype() == b.dtype()));
      BOOST_TEST(std::ranges::equal(a.shape(), b.shape()));
      if (was[j].descriptor().mask_count == is[j].descriptor().mask_count)
        BOOST_TEST(
            std::ranges::equal(a.bytes(), b.bytes()));  // others may have another NaN: --verify has compared them
      BOOST_TEST((is[j].verify() == tgmap::hash_result::match));
    }
  }
  BOOST_TEST(k == after.size());
}

bool holds_version_2(const tgmap::archive& all) {
  for (const tgmap::message& m : all)
    if (m.version() == 2) return true;
  return false;
}

/// Returns packed elements as compressed with szip by an old release, which passed only the stored flags to libaec: it
/// compressed little-endian samples although packing writes big-endian ones.
bytes compressed_as_before_0_7(const bytes& packed, unsigned bits) {
  tgmap::new_object of;
  of.data = std::as_bytes(std::span(packed));
  of.dtype = bits == 8 ? tgmap::dtype::uint8 : bits == 16 ? tgmap::dtype::uint16 : tgmap::dtype::uint32;
  of.byte_order = of.stored_byte_order.emplace(tgmap::byte_order::little);
  of.shape = {packed.size() / (bits / 8)};
  of.pipeline.compression = tgmap::compression::szip;
  tgmap::new_message what;
  what.objects.emplace_back(of);
  const auto made = tgmap::to_bytes(what);
  const auto from = tgmap::archive::from_memory(made);
  return bytes_of(from[0][0].payload());
}

/// Returns 100 numbers in steps of 7, packed and compressed by that release; without one, the release is not named.
bytes old_szip(unsigned bits, const std::string& release, std::int64_t flags = 8) {
  bytes packed;
  for (unsigned i = 0; i < 100; ++i)
    for (unsigned at = bits; at > 0; at -= 8) packed += static_cast<char>(i * (bits == 8 ? 2 : 7) >> (at - 8) & 0xff);
  object_spec one{.dtype = "float64", .shape = {100}, .payload = compressed_as_before_0_7(packed, bits)};
  one.encoding = "simple_packing";
  one.compression = "szip";
  one.more = {cbor::key("reference_value", cbor::real(0.5)),       cbor::key("binary_scale_factor", cbor::integer(1)),
              cbor::key("decimal_scale_factor", cbor::integer(0)), cbor::key("bits_per_value", cbor::integer(bits)),
              cbor::key("szip_rsi", cbor::integer(128)),           cbor::key("szip_block_size", cbor::integer(16)),
              cbor::key("szip_flags", cbor::integer(flags))};
  message_spec out{.version = 2, .objects = {one}};
  if (!release.empty())
    out.reserved = cbor::map({cbor::key("encoder", cbor::map({cbor::key("name", cbor::text("tensogram")),
                                                              cbor::key("version", cbor::text(release))})),
                              cbor::key("uuid", cbor::text("a-b-c"))});
  return message(out);
}

bytes raw_message(const std::string& dtype, const bytes& payload, std::uint64_t elements) {
  object_spec one{.dtype = dtype, .shape = {elements}, .payload = payload};
  return message({.version = 2, .objects = {one}});
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(upgrade, upgrading)

BOOST_AUTO_TEST_CASE(every_archive_of_version_2) {
  std::vector<std::filesystem::path> folders{test_data()};
  if (const auto shared = shared_data_or_skip("upgrade of all recorded archives"))
    for (const char* each : {"golden", "reference", "synthetic"}) folders.push_back(*shared / "data" / "tgm" / each);
  const std::set<std::string> not_upgraded{"mixed_v1_v2_v3.tgm", "w0.16.1_raw_nan_complex64.tgm"};
  unsigned done = 0, refused = 0;
  for (const auto& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".tgm") continue;
      const tgmap::archive before(entry.path(), {.damage = tgmap::on_damage::skip});
      if (!holds_version_2(before)) continue;
      BOOST_TEST_CONTEXT(entry.path()) {
        const outcome seen = upgrade({"--verify"}, entry.path().string());
        if (not_upgraded.contains(entry.path().filename().string())) {
          BOOST_TEST(seen.status == 1);
          ++refused;
          continue;
        }
        BOOST_TEST((seen.status == 0 || seen.status == 3), seen.err);
        compare_upgraded(before, tgmap::archive(path("o")));
        ++done;
      }
    }
  BOOST_TEST(done >= 15u);
  BOOST_TEST(refused == (folders.size() == 1 ? 0u : 2u));
}

BOOST_AUTO_TEST_CASE(payloads_stay_unchanged) {
  for (const char* file : {"w0.16.1_one_float32.tgm", "w0.16.1_ranks.tgm", "w0.16.1_streamed_many.tgm"}) {
    const tgmap::archive before(test_data() / file);
    BOOST_TEST(upgrade({}, (test_data() / file).string()).status == 0);
    const tgmap::archive after(path("o"));
    for (std::size_t i = 0; i < before.size(); ++i)
      for (std::size_t j = 0; j < before[i].size(); ++j)
        BOOST_TEST((bytes_of(after[i][j].payload_and_masks()) == bytes_of(before[i][j].payload_and_masks())));
  }
}

BOOST_AUTO_TEST_CASE(szip_of_old_releases_is_encoded_again) {
  for (const std::string& release : std::vector<std::string>{"", "0.1.0", "0.6.1", "0.7.0", "0.16.1"})
    for (const unsigned bits : {8U, 16U, 32U}) {
      BOOST_TEST_CONTEXT("release " << release << ", " << bits << " bits") {
        const bool legacy = release.empty() || release == "0.1.0" || release == "0.6.1";
        if (!legacy && bits > 8) continue;  // these never wrote it that way
        const std::string in = make("in", old_szip(bits, release));
        const outcome seen = upgrade({"--json", "--verify"}, in);
        BOOST_TEST_REQUIRE(seen.status == 0, seen.err);
        const auto line = json_lines(seen.out).at(0);
        BOOST_TEST(line.at("encoded").at("szip") == (legacy && bits > 8 ? 1 : 0));
        BOOST_TEST(line.at("verified") == 1);
        const tgmap::archive after = open("o");
        const auto what = after[0][0].descriptor();
        BOOST_TEST((what.encoding == tgmap::encoding::simple_packing));
        BOOST_TEST((what.compression == tgmap::compression::szip));
        BOOST_TEST(what.entries.find("sp_bits_per_value")->as<std::uint64_t>() == bits);
        const auto elements = after[0][0].decode();
        for (std::size_t i = 0; i < 100; ++i)
          BOOST_TEST(elements.view<double>()(i) == 0.5 + 2.0 * static_cast<double>(i * (bits == 8 ? 2 : 7)));
        BOOST_TEST(complaints(after[0]) == "");
        BOOST_TEST(after[0].provenance().find("encoder.name")->text() == "tgmap");
        if (!release.empty()) BOOST_TEST(after[0].provenance().find("uuid")->text() == "a-b-c");
        if (!legacy || bits == 8) BOOST_TEST((bytes_of(after[0][0].payload()) == bytes_of(open("in")[0][0].payload())));
      }
    }
}

BOOST_AUTO_TEST_CASE(objects_that_cannot_be_compressed_again_are_stored_without) {
  constexpr int means_nothing = 128;  // a flag that writers refuse, and the older ones did not
  BOOST_TEST(upgrade({"--verify"}, make("in", old_szip(16, "", 8 | means_nothing))).status == 0);
  const tgmap::archive after = open("o");
  const auto what = after[0][0].descriptor();
  BOOST_TEST((what.encoding == tgmap::encoding::simple_packing));
  BOOST_TEST((what.compression == tgmap::compression::none));
  BOOST_TEST(after[0][0].payload_size() == 200u);
  BOOST_TEST(after[0][0].to_vector<double>()[99] == 0.5 + 2.0 * 693);
}

BOOST_AUTO_TEST_CASE(raw_nan_becomes_masks) {
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  const std::string in = make("in", raw_message("float32", native({1.0f, nan, 3.0f, infinity, -infinity, nan}), 6));
  const outcome seen = upgrade({"--json", "--verify"}, in);
  BOOST_TEST_REQUIRE(seen.status == 0, seen.err);
  BOOST_TEST(json_lines(seen.out).at(0).at("encoded").at("non_finite") == 1);
  const tgmap::archive after = open("o");
  BOOST_TEST(after[0][0].descriptor().mask_count == 3u);
  const auto elements = after[0][0].decode();
  BOOST_TEST(std::isnan(elements.view<float>()(1)));
  BOOST_TEST(elements.view<float>()(4) == -infinity);
  BOOST_TEST(complaints(after[0]) == "");

  BOOST_TEST(upgrade({"--nan-mask-method", "rle", "--small-mask-threshold", "0"}, in).status == 0);
  BOOST_TEST(open("o")[0][0].descriptor().masks()[0].method.view() == "rle");

  BOOST_TEST(upgrade({"--keep-raw", "--verify"}, in).status == 0);
  const tgmap::archive raw = open("o");
  BOOST_TEST(raw[0][0].descriptor().mask_count == 0u);
  BOOST_TEST((bytes_of(raw[0][0].payload()) == bytes_of(open("in")[0][0].payload())));
  BOOST_TEST(complaints(raw[0]).find("nan_detected") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(half_a_complex_number_is_not_lost) {
  const float nan = std::nanf("");
  const std::string half = make("half", raw_message("complex64", native({1.0f, nan}), 1));
  refused({}, half, "masks cannot represent complex numbers");
  BOOST_TEST(upgrade({"--keep-raw", "--verify"}, half).status == 0);
  BOOST_TEST(upgrade({"--verify"}, make("whole", raw_message("complex64", native({nan, nan}), 1))).status == 0);
  BOOST_TEST(open("o")[0][0].descriptor().mask_count == 1u);
}

BOOST_AUTO_TEST_CASE(keys_of_every_dialect) {
  const object_spec one = bytes_object("abc");
  const bytes keys = cbor::map({cbor::key("step", cbor::integer(6))});
  const auto upgraded = [&](message_spec how) {
    how.version = 2;
    how.objects = {one};
    BOOST_TEST(upgrade({}, make("in", message(how))).status == 0);
    const tgmap::archive after = open("o");
    BOOST_TEST(complaints(after[0]) == "");
    return values("o", "step") + " " + values("o", "title");
  };
  const bytes title = cbor::text("demo");
  BOOST_TEST(upgraded({.base = {keys}, .extra = {cbor::key("title", title)}}) == "6 demo");
  const auto top = [](std::vector<cbor::pair> pairs) {
    pairs.push_back(cbor::key("version", cbor::integer(2)));
    return message_spec{.header_metadata = cbor::map(pairs)};
  };
  BOOST_TEST(upgraded(top({cbor::key("title", title), cbor::key("step", cbor::integer(6))})) == "6 demo");
  BOOST_TEST(upgraded(top({cbor::key("title", title), cbor::key("payload", cbor::array({keys}))})) == "6 demo");
  BOOST_TEST(upgraded(top({cbor::key("common", cbor::map({cbor::key("title", title)})),
                           cbor::key("payload", cbor::array({keys}))})) == "6 demo");
}

BOOST_AUTO_TEST_CASE(damage_does_not_become_sound) {
  bytes hurt = message({.version = 2, .objects = {bytes_object("first"), bytes_object("second")}});
  hurt[hurt.find("second")] = 'S';
  const std::string in = make("hurt", hurt);
  refused({}, in, "object 1 of message 0 is damaged: its hash does not match (0x");
  BOOST_TEST(upgrade({"--take-damaged"}, in).status == 3);
  BOOST_TEST(bytes_of(open("o")[0][1].payload()) == "Second");
  BOOST_TEST(complaints(open("o")[0]) == "");
}

BOOST_AUTO_TEST_CASE(undecodable_objects_are_reported) {
  object_spec lost = bytes_object("no frame");
  lost.compression = "zstd";
  const std::string in = make("lost", message({.version = 2, .objects = {lost}}));
  refused({}, in, "object 0 of message 0: the elements cannot be decoded: compression zstd");
  const outcome taken = upgrade({"--take-damaged"}, in);
  BOOST_TEST(taken.status == 3);
  BOOST_TEST(taken.err.find("lost:0:0: object 0 of message 0 is damaged: the codec cannot read") != std::string::npos,
             taken.err);
  BOOST_TEST(bytes_of(open("o")[0][0].payload()) == "no frame");
}

BOOST_AUTO_TEST_CASE(other_versions) {
  refused({}, make("one", version_1_message({"abc"})), "has version 1");
  const std::string three = make("three", two_objects());
  BOOST_TEST(upgrade({"--verify"}, three).status == 0);
  BOOST_TEST((read("o") == two_objects()));
  const std::string some = make("some", old_message() + two_objects() + old_message());
  BOOST_TEST(upgrade({}, some + ":2").status == 0);
  BOOST_TEST(read("o").starts_with(old_message() + two_objects()));
  BOOST_TEST(open("o")[2].version() == 3);
}

BOOST_AUTO_TEST_CASE(the_same_bytes_every_time_and_in_place) {
  const std::string in = make("in", old_message() + old_szip(16, ""));
  BOOST_TEST(upgrade({"--verify"}, in).status == 0);
  const bytes first = read("o");
  BOOST_TEST(upgrade({"--dry-run"}, in).status == 0);
  BOOST_TEST(run({"upgrade", "--verify", "-f", in, in}).status == 0);
  BOOST_TEST((read("in") == first));
  const outcome piped = run({"upgrade", in, "-"});
  BOOST_TEST((piped.out == first));
}

BOOST_AUTO_TEST_CASE(mistakes) {
  const std::string in = make("in", old_message());
  BOOST_TEST(run({"upgrade", in + ":0:0", path("o")}).status == 2);
  for (const char* name : {"-", "/dev/null", "/dev/fd/2"})
    BOOST_TEST(run({"upgrade", "--verify", in, name}).status == 2, name);
  BOOST_TEST(run({"upgrade", "--verify", "--dry-run", in, path("o")}).status == 2);
  BOOST_TEST(run({"upgrade", in}).status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
