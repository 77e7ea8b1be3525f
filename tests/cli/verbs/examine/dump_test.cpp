// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;
using nlohmann::json;

namespace {

struct files {
  temporary_directory directory;
  std::string make(std::string_view name, const bytes& data) { return directory.file(name, data).string(); }

  /// A message with two objects and keys of every kind.
  std::string rich() {
    object_spec grid = numbers_object<double>("float64", {1, 2, 3, 4});
    grid.shape = {2, 2};
    grid.more = {cbor::key("zstd_level", cbor::integer(3))};
    const bytes mars = cbor::map({cbor::key("step", cbor::integer(12)), cbor::key("class", cbor::text("od"))});
    const bytes odd = cbor::map({cbor::key("bytes", cbor::blob("\x01\xff")),
                                 cbor::key("nan", cbor::half(0x7e00)),
                                 cbor::key("huge", cbor::negative(UINT64_MAX)),
                                 cbor::key("one", cbor::real(1)),
                                 cbor::key("tagged", cbor::tag(1, cbor::integer(5))),
                                 {cbor::integer(42), cbor::boolean(true)}});
    message_spec spec{.objects = {bytes_object("abcd"), grid},
                      .base = {cbor::map({cbor::key("name", cbor::text("a")), cbor::key("mars", mars)}),
                               cbor::map({cbor::key("odd", odd)})},
                      .extra = {cbor::key("title", cbor::text("two\x1b[1m \xe2\x80\xae")),
                                cbor::key("list", cbor::array({cbor::real(0.5), cbor::null()}))}};
    return make("rich.tgm", message(spec));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(dump_verb, files)

BOOST_AUTO_TEST_CASE(text_is_as_the_reference_writes_it) {
  const outcome seen = run({"dump", rich()});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(
      seen.out ==
      "=== Message 0 ===\n"
      "version: 3\n"
      "objects: 2\n"
      "  object[0]: type=ntensor, dtype=uint8, shape=[4]\n"
      "  object[1]: type=ntensor, dtype=float64, shape=[2, 2]\n"
      "  base[0]:\n"
      "    mars: {\"class\":\"od\",\"step\":12}\n"
      "    name: \"a\"\n"
      "  base[1]:\n"
      "    odd: {\"Integer(Integer(42))\":true,\"bytes\":\"01ff\",\"huge\":\"-18446744073709551616\",\"nan\":null,"
      "\"one\":1.0,\"tagged\":5}\n"
      "  extra:\n"
      "    list: [0.5,null]\n"
      "    title: \"two\\u001b[1m \\u202e\"\n"
      "\n");
}

BOOST_AUTO_TEST_CASE(json_is_as_the_reference_writes_it) {
  const outcome seen = run({"dump", "-j", rich()});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.starts_with("{\n  \"base\": [\n    {\n      \"mars\": {\n"), seen.out);
  const json found = json::parse(seen.out);
  BOOST_TEST(found["version"] == 3);
  BOOST_TEST(found["objects"][1] ==
             json({{"type", "ntensor"}, {"dtype", "float64"}, {"shape", {2, 2}}, {"zstd_level", 3}}));
  BOOST_TEST(found["base"].size() == 2u);
  BOOST_TEST(found["extra"]["list"] == json({0.5, nullptr}));
}

BOOST_AUTO_TEST_CASE(one_message_or_object) {
  const std::string path = make("all.tgm", forecast());
  BOOST_TEST(run({"dump", path + ":-1"}).out.starts_with("=== Message 2 ===\nversion: 3\nobjects: 1\n"));
  const std::string second = run({"dump", path + ":0:1"}).out;
  BOOST_TEST(second.find("object[1]: type=ntensor, dtype=uint8, shape=[4]") != std::string::npos);
  BOOST_TEST(second.find("object[0]") == std::string::npos);
  BOOST_TEST(run({"dump", path}).out.find("=== Message 1 ===\nversion: 2\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(frames_by_name) {
  const outcome seen = run({"dump", "--frames", make("two.tgm", two_objects())});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.starts_with("=== Message 0 ===\noffset: 0\nlength: "), seen.out);
  BOOST_TEST(seen.out.find("flags: HEADER_METADATA HEADER_INDEX HEADER_HASHES HASHES_PRESENT\n") != std::string::npos);
  BOOST_TEST(seen.out.find("  frame[0]: type=1 (header metadata), offset=24, length=") != std::string::npos);
  BOOST_TEST(seen.out.find("    object[1]: payload=4 bytes at ") != std::string::npos);
  BOOST_TEST(seen.out.find("flags=CBOR_AFTER_PAYLOAD HASH_PRESENT, hash=") != std::string::npos);
  BOOST_TEST(seen.out.find("\"dtype\":\"float32\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_frame_of_one_object) {
  const auto path = make("two.tgm", two_objects());
  const auto lines = json_lines(run({"dump", "--frames", "-j", path + ":0:1"}).out);
  BOOST_TEST_REQUIRE(lines.size() == 1u);
  BOOST_TEST(lines[0]["object"] == 1);
  const std::string text = run({"dump", "--frames", path + ":0:-2"}).out;
  BOOST_TEST(text.find("object[0]") != std::string::npos);
  BOOST_TEST(text.find("object[1]") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(frames_as_json) {
  const std::string path = make("masks.tgm", packed_message());
  const outcome seen = run({"dump", "--frames", "-j", path});
  BOOST_TEST(seen.status == 0);
  const auto lines = json_lines(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == 4u);
  const json object = lines[3];
  BOOST_TEST(object["file"] == path);
  BOOST_TEST(object["frame"] == 3);
  BOOST_TEST(object["object"] == 0);
  BOOST_TEST(object["type_name"] == "data object");
  BOOST_TEST(object["flags"] == json({"CBOR_AFTER_PAYLOAD", "HASH_PRESENT"}));
  BOOST_TEST(object["payload_length"] == 15);
  BOOST_TEST(object["payload_and_masks_length"] == 17);
  BOOST_TEST(object["content"]["compression"] == "zstd");
  BOOST_TEST(object["hash"].get<std::string>().size() == 16u);
}

BOOST_AUTO_TEST_CASE(a_wrong_index_hides_nothing) {
  const outcome seen = run({"dump", "--frames", make("lying.tgm", lying_message())});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.find("object[0]: payload=4 bytes") != std::string::npos);
  BOOST_TEST(seen.out.find("\"offsets\":[8]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(unreadable_parts_are_reported) {
  auto built = build({.objects = {bytes_object("abcd")}});
  const std::uint64_t metadata = built.frames[0].offset + 16;
  built.data[metadata] = '\xff';
  const std::string path = make("odd.tgm", built.data + two_objects());
  const outcome seen = run({"dump", path});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("tgmap: " + path + ":0:0: ") == 0u, seen.err);
  BOOST_TEST(seen.out.find("=== Message 1 ===") != std::string::npos);  // and the next one is shown
  BOOST_TEST(run({"dump", "--frames", path + ":0"}).out.find("contents are not CBOR") != std::string::npos);
  BOOST_TEST(run({"dump", make("gap.tgm", two_objects() + "junk")}).status == 3);
}

BOOST_AUTO_TEST_CASE(selected_messages_and_objects) {
  const std::string path = make(
      "all.tgm", message({.objects = {bytes_object("a")}, .base = {cbor::map({cbor::key("n", cbor::integer(1))})}}) +
                     message({.objects = {bytes_object("b"), numbers_object<float>("float32", {1})},
                              .base = {cbor::map({cbor::key("n", cbor::real(2.5))}), cbor::map({})}}));
  BOOST_TEST(run({"dump", "-w", "n=2.5", path}).out.starts_with("=== Message 1 ==="));
  BOOST_TEST(run({"dump", "-w", "n=2.5", path}).out.find("Message 0") == std::string::npos);
  BOOST_TEST(run({"dump", "--frames", "-w", "n=1", path}).out.find("Message 1") == std::string::npos);
  const std::string one = run({"dump", "--objects", "-w", "dtype=float32", path}).out;
  BOOST_TEST(one.starts_with("=== Message 1 ==="), one);
  BOOST_TEST(one.find("object[1]") != std::string::npos);
  BOOST_TEST(one.find("object[0]") == std::string::npos);
  BOOST_TEST(run({"dump", "-w", "n=", "--where-plain", path}).out == "");
  BOOST_TEST(run({"dump", "-w", "n<", path}).status == 2);
}

BOOST_AUTO_TEST_CASE(keys_alone) {
  const std::string path = rich();
  BOOST_TEST(run({"dump", "-p", "name", path}).out == run({"dump", path}).out);  // as in the reference
  BOOST_TEST(run({"dump", "-j", "-p", "name,mars.step,nothing,odd.one", path}).out ==
             "{\n  \"mars.step\": \"12\",\n  \"name\": \"a\",\n  \"odd.one\": \"1\"\n}\n");
  BOOST_TEST(run({"dump", "-j", "-p", "dtype", path + ":0:1"}).out == "{\n  \"dtype\": \"float64\"\n}\n");
}

BOOST_AUTO_TEST_CASE(keys_that_are_containers) {
  bytes deep = cbor::text("x");
  for (int i = 0; i < 200; ++i) deep = cbor::map({{deep, cbor::null()}});
  const bytes odd = cbor::map({{cbor::array({cbor::integer(1), cbor::text("a\"")}), cbor::integer(1)},
                               {cbor::map({cbor::key("k", cbor::boolean(true))}), cbor::integer(2)},
                               {cbor::tag(7, cbor::null()), cbor::integer(3)}});
  const auto dumped = [&](const bytes& item) {
    return run({"dump", "-j",
                make("keys.tgm",
                     message({.objects = {bytes_object("a")}, .base = {cbor::map({cbor::key("odd", item)})}}))})
        .out;
  };
  BOOST_TEST(json::parse(dumped(odd))["base"][0]["odd"] == json({{"Array([Integer(Integer(1)), Text(\"a\\\"\")])", 1},
                                                                 {"Map([(Text(\"k\"), Bool(true))])", 2},
                                                                 {"Tag(7, Null)", 3}}));
  BOOST_TEST(dumped(deep).size() < 10'000u);
}

BOOST_AUTO_TEST_CASE(bytes_in_hexadecimal) {
  const std::string path = make("two.tgm", two_objects());
  BOOST_TEST(run({"dump", "--hex", "..19", path + ":0"}).out ==
             "00000000  54 45 4e 53 4f 47 52 4d  00 03 00 95 00 00 00 00  |TENSOGRM........|\n"
             "00000010  00 00 00 00                                       |....|\n");
  BOOST_TEST(run({"dump", "--hex", "16..19", path + ":0:1"}).out.find("61 62 63 64 ") != std::string::npos);
  BOOST_TEST(run({"dump", "--hex", "0..4", path}).status == 2);
  BOOST_TEST(run({"dump", "--hex", "4..0", path + ":0"}).status == 2);
  BOOST_TEST(run({"dump", "--hex", "4", path + ":0"}).status == 2);
  BOOST_TEST(run({"dump", "--hex", "9999999..", path + ":0"}).out == "");
}

BOOST_AUTO_TEST_CASE(several_files_are_named) {
  const temporary_directory files;
  const std::string a = files.file("a.tgm", old_message()).string(), b = files.file("b.tgm", old_message()).string();
  const std::string one = run({"dump", a}).out, frames = run({"dump", "--frames", a}).out;
  BOOST_TEST(run({"dump", a, b}).out == one + one);
  BOOST_TEST(run_at_terminal({"dump", a, b}).out == a + ":\n" + one + b + ":\n" + one);
  BOOST_TEST(run_at_terminal({"dump", a}).out == one);
  BOOST_TEST(run({"dump", "--frames", a, b}).out == a + ":\n" + frames + b + ":\n" + frames);
  BOOST_TEST(run({"dump", "-j", a, b}).out == run({"dump", "-j", a}).out + run({"dump", "-j", b}).out);
}

BOOST_AUTO_TEST_SUITE_END()
