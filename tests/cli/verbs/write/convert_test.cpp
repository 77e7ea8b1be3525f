// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <tgmap/tgmap.hpp>
#include <tuple>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

bytes doubles(std::size_t count) {
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(250 + 0.37 * static_cast<double>(i % 41));
  return bytes_of(std::as_bytes(std::span<const double>(all)));
}

struct conversions : rewriting {
  std::string in =
      make("in", message({.objects = {object_spec{.dtype = "float64", .shape = {100}, .payload = doubles(100)},
                                      numbers_object<float>("float32", {1.5f, -2.25f, 3}),
                                      numbers_object<std::int16_t>("int16", {1, 2, 3})},
                          .base = {cbor::map({cbor::key("name", cbor::text("a"))}),
                                   cbor::map({cbor::key("name", cbor::text("b"))}),
                                   cbor::map({cbor::key("name", cbor::text("c"))})},
                          .extra = {cbor::key("title", cbor::text("demo"))}}) +
                     two_objects());

  const std::vector<std::string> unencoded{"--encoding", "none", "--filter", "none", "--compression", "none"};

  outcome convert(std::vector<std::string> arguments, const std::string& from = {}) const {
    arguments.insert(arguments.begin(), {"convert", "--no-sync", "-f"});
    arguments.push_back(from.empty() ? in : from);
    arguments.push_back(path("o"));
    return run(arguments);
  }

  std::vector<nlohmann::json> converted(std::vector<std::string> arguments, const std::string& from = {}) const {
    arguments.push_back("--json");
    const outcome seen = convert(arguments, from);
    BOOST_TEST_REQUIRE(seen.status == 0, seen.err);
    return json_lines(seen.out);
  }

  void refused(const std::vector<std::string>& arguments, const std::string& why, const std::string& from = {}) const {
    std::filesystem::remove(path("o"));
    const outcome seen = convert(arguments, from);
    BOOST_TEST(seen.status == 1, why);
    BOOST_TEST(seen.err.find(why) != std::string::npos, seen.err << "not: " << why);
    BOOST_TEST(!exists("o"));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(convert, conversions)

BOOST_AUTO_TEST_CASE(every_lossless_way_and_back) {
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--compression", "lz4"},
                                              {"--compression", "zstd", "--compression-level", "19"},
                                              {"--filter", "shuffle", "--compression", "zstd"},
                                              {"--compression", "blosc2"},
                                              {"--filter", "shuffle", "--compression", "szip"},
                                              {"--filter", "shuffle"}}) {
    const auto rows = converted(how);
    BOOST_TEST(rows.size() == 5u);
    for (const auto& row : rows) {
      BOOST_TEST(row.at("differing") == 0);
      BOOST_TEST(row.at("error") == 0.0);
    }
    BOOST_TEST(run({"validate", "--full", path("o")}).err == "");
    BOOST_TEST(run({"diff", in, path("o")}).status == 0);
    make("packed", read("o"));
    for (const auto& row : converted(unencoded, path("packed"))) BOOST_TEST(row.at("after") == row.at("bytes"));
    const tgmap::archive first = open("in"), last = open("o");
    for (std::size_t i = 0; i < 2; ++i) BOOST_TEST((objects_of(first[i]) == objects_of(last[i])));
  }
}

BOOST_AUTO_TEST_CASE(errors_are_reported) {
  const auto rows = converted({"--encoding", "simple_packing", "--bits", "10", "-w", "name=a"});
  BOOST_TEST_REQUIRE(rows.size() == 1u);
  BOOST_TEST(rows[0].at("before") == 800);
  BOOST_TEST(rows[0].at("after") == 125);
  BOOST_TEST(rows[0].at("ratio").get<double>() == 6.4);
  const auto before = open("in")[0][0].decode();
  const auto after = open("o")[0][0].decode();
  double largest = 0, relative = 0;
  std::uint64_t differing = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    const double x = before.view<double>()(i), y = after.view<double>()(i);
    differing += x != y ? 1U : 0U;
    largest = std::max(largest, std::abs(x - y));
    relative = std::max(relative, std::abs(x - y) / std::max(x, y));
  }
  BOOST_TEST(largest > 0);
  BOOST_TEST(rows[0].at("error").get<double>() == largest);
  BOOST_TEST(rows[0].at("relative_error").get<double>() == relative);
  BOOST_TEST(rows[0].at("differing") == differing);
  BOOST_TEST(run({"diff", "--abs", std::to_string(largest + 1e-6), in, path("o")}).status == 0);
  BOOST_TEST(run({"diff", "--abs", std::to_string(largest / 2), in, path("o")}).status == 1);
}

BOOST_AUTO_TEST_CASE(finite_elements_stay_finite) {
  constexpr double huge = std::numeric_limits<double>::max();
  const std::string from = make("huge", message({.objects = {numbers_object<double>("float64", {1, huge, -huge, 2})}}));
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--compression", "zfp", "--zfp-rate", "16"},
                                              {"--compression", "zfp", "--zfp-precision", "16"}})
    refused(how, "would become infinite or NaN; choose another pipeline", from);
}

BOOST_AUTO_TEST_CASE(elements_that_become_another_nan_are_an_infinite_error) {
  const std::string from = make("nan", message({.objects = {object_spec{
                                                    .dtype = "complex128",
                                                    .shape = {2},
                                                    .payload = native<double>({NAN, 1, 2, 3}),
                                                }}}));
  const std::vector<std::string> how{"--compression", "lz4", "--allow-nan"};
  const auto rows = converted(how, from);
  BOOST_TEST(rows.at(0).at("differing") == 1);
  BOOST_TEST(rows.at(0).at("error").is_null());
  BOOST_TEST(rows.at(0).at("relative_error").is_null());
  BOOST_TEST(rows.at(0).at("not_finite") == 1);
  const outcome seen = convert(how, from);
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.find("inf") != std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(bits_are_not_samples_of_szip) {
  const std::string from =
      make("bits", message({.objects = {object_spec{.dtype = "bitmask", .shape = {16}, .payload = "ab"}}}));
  refused({"--compression", "szip"}, "szip cannot compress a bitmask, whose elements are single bits; choose", from);
}

BOOST_AUTO_TEST_CASE(bounds_are_kept) {
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--encoding", "simple_packing", "--max-error", "0.01"},
        {"--encoding", "simple_packing", "--max-error", "0.01", "--compression", "szip"},
        {"--compression", "zfp", "--zfp-tolerance", "0.01"},
        {"--compression", "sz3", "--sz3-bound", "0.01"}}) {
    auto arguments = how;
    arguments.insert(arguments.end(), {"-w", "dtype=float64"});
    const auto rows = converted(arguments);
    BOOST_TEST_REQUIRE(rows.size() == 1u);
    BOOST_TEST(rows[0].at("error").get<double>() <= 0.01);
    BOOST_TEST(run({"validate", "--full", path("o")}).err == "");
  }
}

BOOST_AUTO_TEST_CASE(unselected_messages_are_copied) {
  converted({"--compression", "lz4", "-w", "name=b"});
  const tgmap::archive first = open("in"), last = open("o");
  const auto was = objects_of(first[0]), is = objects_of(last[0]);
  BOOST_TEST((is[0] == was[0]));
  BOOST_TEST((is[2] == was[2]));
  BOOST_TEST((last[0][1].descriptor().compression == tgmap::compression::lz4));
  BOOST_TEST((bytes_of(last[1].bytes()) == bytes_of(first[1].bytes())));
  BOOST_TEST(last[0].metadata().find("title")->text() == "demo");
  BOOST_TEST(last[0].base(1).find("name")->text() == "b");

  const auto rows = converted({"--compression", "lz4"}, in + ":0:2");
  BOOST_TEST_REQUIRE(rows.size() == 1u);
  BOOST_TEST(rows[0].at("object") == 2);
}

BOOST_AUTO_TEST_CASE(strides_without_a_dense_layout_are_reported) {
  object_spec repeating{.dtype = "float64", .shape = {100}, .payload = doubles(100)};
  repeating.strides = {0};
  const std::string odd =
      make("odd", message({.objects = {repeating, repeating, numbers_object<float>("float32", {1})}}));
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--compression", "lz4"},
                                              {"--encoding", "simple_packing", "--bits", "16", "--widen"}}) {
    const auto rows = converted(how, odd);
    BOOST_TEST_REQUIRE(rows.size() == 3u);
    BOOST_TEST(rows[0].at("as_stored") == true);
    BOOST_TEST(rows[1].at("as_stored") == true);
    BOOST_TEST(!rows[2].contains("as_stored"));
    const outcome seen = convert(how, odd);
    BOOST_TEST(seen.err.find("2 objects with strides of no dense layout; their elements were taken in stored order") !=
                   std::string::npos,
               seen.err);
  }
  BOOST_TEST(std::abs(open("o")[0][0].to_vector<double>()[99] - (250 + 0.37 * 17)) < 1e-3);
  BOOST_TEST(convert({"--compression", "lz4"}).err.find("strides") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(other_dtypes_are_widened_when_asked) {
  const std::vector<std::string> how{"--encoding", "simple_packing", "--bits", "16"};
  refused(how, in + ":0:1: object 1 of message 0: ");
  refused(how, "add --widen");
  auto widening = how;
  widening.push_back("--widen");
  const auto rows = converted(widening);
  BOOST_TEST_REQUIRE(rows.size() == 5u);
  BOOST_TEST(rows[1].at("was") == "float32");
  BOOST_TEST(rows[1].at("dtype") == "float64");
  BOOST_TEST(rows[1].at("error").get<double>() < 1e-4);
  BOOST_TEST(!rows[0].contains("was"));
  BOOST_TEST(std::abs(open("o")[0][1].to_vector<double>()[1] + 2.25) < 1e-4);

  const std::string large =
      make("large", message({.objects = {numbers_object<std::int64_t>("int64", {(std::int64_t{1} << 53) + 1})}}));
  refused(widening, "object 0 of message 0: ", large);
  BOOST_TEST(converted(widening, make("small", message({.objects = {numbers_object<std::uint64_t>("uint64", {7, 9})}})))
                 .at(0)
                 .at("error") == 0.0);
  refused(widening, "bitmask",
          make("bits", message({.objects = {object_spec{.dtype = "bitmask", .shape = {8}, .payload = "a"}}})));
  auto lossless = std::vector<std::string>{"--compression", "lz4", "--widen"};
  for (const auto& row : converted(lossless)) BOOST_TEST(!row.contains("was"));  // nothing asks for it
}

BOOST_AUTO_TEST_CASE(masks_stay) {
  const auto file = (test_data() / "mask_three_methods.tgm").string();
  const auto rows = converted({"--compression", "zstd"}, file);
  BOOST_TEST(!rows.empty());
  const tgmap::archive before(file), after = open("o");
  for (std::size_t j = 0; j < before[0].size(); ++j) {
    const auto a = before[0][j].masks(), b = after[0][j].masks();
    BOOST_TEST_REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) BOOST_TEST(std::ranges::equal(a[k].bits(), b[k].bits()));
  }
  BOOST_TEST(run({"diff", file, path("o")}).status == 0);

  const float nan = std::nanf("");
  const std::string raw = make("raw", message({.objects = {numbers_object<float>("float32", {1, nan})}}));
  refused({"--compression", "lz4"}, "--allow-nan", raw);
  BOOST_TEST(converted({"--compression", "lz4", "--allow-nan"}, raw).at(0).at("differing") == 0);
  BOOST_TEST(open("o")[0][0].descriptor().mask_count == 1u);
}

BOOST_AUTO_TEST_CASE(version_2_stays) {
  const std::string old = make("old", old_message());
  converted({"--compression", "zstd"}, old);
  BOOST_TEST(open("o")[0].version() == 2);
  BOOST_TEST(run({"diff", old, path("o")}).status == 0);
  const float nan = std::nanf("");
  const std::string raw = make("raw", message({.version = 2, .objects = {numbers_object<float>("float32", {1, nan})}}));
  refused({"--allow-nan"}, "tgmap upgrade", raw);
}

BOOST_AUTO_TEST_CASE(damage_does_not_become_sound) {
  bytes hurt = message({.objects = {bytes_object("first"), bytes_object("second")}});
  hurt[hurt.find("second")] = 'S';
  const std::string in_hurt = make("hurt", hurt);
  refused({"--compression", "lz4"}, "object 1 of message 0 is damaged", in_hurt);
  BOOST_TEST(convert({"--compression", "lz4"}, in_hurt + ":0:0").status == 0);
  BOOST_TEST((open("o")[0][1].verify() == tgmap::hash_result::mismatch));  // as it lies
  BOOST_TEST(convert({"--compression", "lz4", "--take-damaged"}, in_hurt).status == 3);
  BOOST_TEST((open("o")[0][1].verify() == tgmap::hash_result::match));
}

BOOST_AUTO_TEST_CASE(any_number_of_threads_gives_the_same) {
  object_spec one{.dtype = "float64", .shape = {100}, .payload = doubles(100)};
  const std::string many = make("many", message({.objects = std::vector<object_spec>(50, one)}));
  BOOST_TEST(convert({"--compression", "zstd", "--threads", "1"}, many).status == 0);
  const bytes alone = read("o");
  BOOST_TEST(convert({"--compression", "zstd", "--threads", "4"}, many).status == 0);
  BOOST_TEST((read("o") == alone));
}

BOOST_AUTO_TEST_CASE(outputs) {
  const outcome table = convert({"--compression", "lz4", "--dry-run"});
  BOOST_TEST(table.status == 0);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(table.out.starts_with("message\tobject\tdtype\tshape\tbefore\tafter\tratio\terror\trelative\n"));
  BOOST_TEST(table.out.find("5 objects converted") != std::string::npos);
  BOOST_TEST(convert({"--compression", "lz4"}).status == 0);
  const outcome piped = run({"convert", "--compression", "lz4", in, "-"});
  BOOST_TEST((piped.out == read("o")));
  BOOST_TEST(run({"convert", "-f", "--compression", "lz4", in, in}).status == 0);
  BOOST_TEST((read("in") == read("o")));
  BOOST_TEST(convert({"--bits", "12"}).status == 2);
  BOOST_TEST(convert({"--compression", "lz4", "-w", "name=nobody"}).status == 0);
}

BOOST_AUTO_TEST_CASE(widening_is_no_way_to_bits) {
  const outcome seen = convert({"--compression", "rle", "-w", "dtype=float32"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("choose another pipeline, or exclude the object with -w") != std::string::npos, seen.err);
  BOOST_TEST(seen.err.find("--widen") == std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(nothing_selected_is_said) {
  const outcome seen = convert({"--json", "--compression", "lz4", "-w", "name=nobody"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err.find("no object is selected") != std::string::npos, seen.err);
  BOOST_TEST((read("o") == read("in")));
}

BOOST_AUTO_TEST_CASE(options_for_missing_elements_do_not_affect_version_2) {
  const std::string old = make("old", message({.version = 2, .objects = {numbers_object<double>("float64", {1, 2})}}));
  BOOST_TEST(convert({"--allow-nan", "--compression", "zstd"}, old).status == 0);
  const std::string nan =
      make("nan", message({.version = 2, .objects = {numbers_object<double>("float64", {1, NAN})}}));
  refused({"--allow-nan", "--compression", "zstd"}, "; run `tgmap upgrade` first: version 2 has no masks", nan);
}

BOOST_AUTO_TEST_CASE(stages_that_no_option_names_stay) {
  using tgmap::compression, tgmap::encoding, tgmap::filter;
  const auto stages = [this] {
    const tgmap::archive out = open("o");  // keys and texts of a descriptor stay in the archive
    const auto what = out[0][0].descriptor();
    return std::tuple(what.encoding, what.filter, what.compression);
  };
  converted({"--encoding", "simple_packing", "--bits", "24", "--filter", "shuffle", "-w", "name=a"});
  const std::string packed = make("packed", read("o"));
  for (const auto& row : converted({"--compression", "zstd", "--compression-level", "7", "-w", "name=a"}, packed))
    BOOST_TEST(row.at("differing") == 0);
  BOOST_TEST((stages() == std::tuple(encoding::simple_packing, filter::shuffle, compression::zstd)));
  const std::string both = make("both", read("o"));
  converted({"--filter", "none", "-w", "name=a"}, both);
  BOOST_TEST((stages() == std::tuple(encoding::simple_packing, filter::none, compression::zstd)));
  BOOST_TEST(tgmap::pipeline_of(open("o")[0][0].descriptor()).zstd_level == 7);
  converted({"--encoding", "none", "-w", "name=a"}, both);
  BOOST_TEST((stages() == std::tuple(encoding::none, filter::shuffle, compression::zstd)));
  BOOST_TEST(run({"diff", packed, path("o")}).status == 0);
  converted({"--encoding", "simple_packing", "--bits", "8", "-w", "name=a"}, both);
  BOOST_TEST((stages() == std::tuple(encoding::simple_packing, filter::shuffle, compression::zstd)));
  converted(unencoded, both);
  BOOST_TEST((stages() == std::tuple(encoding::none, filter::none, compression::none)));
}

BOOST_AUTO_TEST_CASE(lossy_compression_is_not_repeated) {
  converted({"--compression", "zfp", "--zfp-tolerance", "0.01", "-w", "name=a"});
  const std::string lossy = make("lossy", read("o"));
  const auto rows = converted({"--filter", "none", "-w", "name=a"}, lossy);
  BOOST_TEST(rows.at(0).at("before") == rows.at(0).at("after"));
  BOOST_TEST((objects_of(open("o")[0])[0] == objects_of(open("lossy")[0])[0]));
  refused({"--filter", "shuffle", "-w", "name=a"}, "the object keeps compression zfp; add --compression to change that",
          lossy);
}

BOOST_AUTO_TEST_CASE(methods_of_masks_stay) {
  const auto file = (test_data() / "mask_three_methods.tgm").string();
  const auto methods = [](const tgmap::archive& in) {
    std::vector<std::string> out;
    const tgmap::descriptor of = in[0][0].descriptor();
    for (const tgmap::mask& each : of.masks()) out.emplace_back(each.method.view());
    return out;
  };
  converted({"--compression", "lz4"}, file);
  BOOST_TEST(methods(open("o")) == methods(tgmap::archive(file)), boost::test_tools::per_element());
  converted({"--nan-mask-method", "none", "--pos-inf-mask-method", "none", "--neg-inf-mask-method", "none"}, file);
  for (const std::string& each : methods(open("o"))) BOOST_TEST(each == "none");
}

BOOST_AUTO_TEST_CASE(a_change_is_required) {
  for (const std::vector<std::string>& how : {std::vector<std::string>{}, {"--widen"}, {"-w", "name=a"}}) {
    const outcome seen = convert(how);
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(
        seen.err.find("no option says what to change; add --encoding, --filter or --compression") != std::string::npos,
        seen.err);
    BOOST_TEST(!exists("o"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
