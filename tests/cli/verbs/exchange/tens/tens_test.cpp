// SPDX-License-Identifier: Apache-2.0
// `tgmap tens`: showing, importing and exporting frames.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <tgmap/zio/curve_keys.hpp>

#include "../../../process.hpp"
#include "../../../samples.hpp"

using namespace tgmap_test;

namespace {

const std::filesystem::path frames = test_data() / "tens";

std::string frame(const std::string& name) { return (frames / (name + ".frame")).string(); }

std::vector<std::filesystem::path> frames_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& each : std::filesystem::directory_iterator(folder))
    if (each.path().extension() == ".frame") out.push_back(each.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Returns our own frames and those of the shared data.
std::vector<std::filesystem::path> all_frames() {
  std::vector<std::filesystem::path> out = frames_in(frames);
  const auto root = shared_data_or_skip("tgmap tens of frames of the original");
  for (const char* folder : {"tens", "py", "neg", "flow"})
    if (root)
      for (auto& each : frames_in(*root / "data/tens" / folder)) out.push_back(std::move(each));
  return out;
}

struct place {
  temporary_directory files;
  std::string path(const char* name) const { return (files / name).string(); }

  outcome import(std::vector<std::string> arguments, std::string_view input = {}) const {
    arguments.insert(arguments.begin(), {"tens", "import", "--no-sync"});
    return run(arguments, input);
  }
  outcome write(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"tens", "export", "--no-sync"});
    return run(arguments);
  }
  /// Returns the frame of the first message of an archive as JSON.
  nlohmann::json exported(std::vector<std::string> options) const {
    options.insert(options.end(), {"-f", "-o", path("out.frame")});
    const outcome made = write(options);
    BOOST_TEST_REQUIRE(made.status == 0, made.err);
    return json_lines(run({"tens", "show", "-j", path("out.frame")}).out).at(0);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tens, place)

/// Returns a frame with this many tensors of one byte.
bytes tiny_tensors(std::size_t count) {
  std::string tensors;
  bytes parts;
  for (std::size_t i = 0; i < count; ++i) {
    tensors += (i == 0 ? "" : ",") + (R"({"dtype":"u","part":)" + std::to_string(i) + R"(,"shape":[1],"word":1})");
    parts += bytes("\1x", 2);
  }
  const std::string prefix = "ZIO5TENS" + (R"({"TENS":{"metadata":{},"tensors":[)" + tensors + "]}}");
  bytes out = "\xff";
  for (int shift = 24; shift >= 0; shift -= 8)
    out += static_cast<char>(prefix.size() >> static_cast<unsigned>(shift) & 0xff);
  return out + prefix + bytes("\x18", 1) + bytes(24, '\0') + parts;
}

BOOST_AUTO_TEST_CASE(frames_of_many_tiny_tensors_are_imported) {
  for (const std::size_t count : {1, 50, 500, 5000}) {
    const std::string file = files.file("tiny.frame", tiny_tensors(count)).string();
    const outcome seen = import({"-f", file, "-o", path("o")});
    BOOST_TEST(seen.status == 0, count << ": " << seen.err);
    const outcome counted = run({"count", "--objects", path("o")});
    BOOST_TEST(counted.out == std::to_string(count) + "\n", counted.err);
  }
}

BOOST_AUTO_TEST_CASE(a_frame_takes_memory_in_proportion) {
  // Empty parts: each is a byte of the frame, and an object of the archive.
  std::string parts("\x08ZIO0TENS", 9);
  parts += std::string("\x18", 1) + std::string(24, '\0') + std::string(100000, '\0');
  files.file("parts.frame", parts);
  const outcome seen = import({path("parts.frame"), "-o", path("o")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("parts.frame: a frame of 100034 bytes needs more than 1863968 bytes of memory; allow more "
                           "with --max-memory") != seen.err.npos,
             seen.err);
  BOOST_TEST(!std::filesystem::exists(path("o")));
  const outcome more = import({"--max-memory", "1GiB", path("parts.frame"), "-o", path("o")});
  BOOST_TEST(more.status == 0, more.err);
  // Data is not copied.
  files.file("data.frame", std::string("\x08ZIO0TENS", 9) + std::string("\x18", 1) + std::string(24, '\0') +
                               std::string("\xff\x00\x98\x96\x80", 5) + std::string(10000000, 'x'));
  BOOST_TEST(import({"--max-memory", "1MiB", path("data.frame"), "-o", path("p")}).status == 0);
}

BOOST_AUTO_TEST_CASE(frames_go_into_archives_and_come_back_byte_for_byte) {
  unsigned sound = 0;
  for (const auto& each : all_frames()) {
    const bool is_frame = !json_lines(run({"tens", "show", "-j", each.string()}).out).empty();
    const outcome in = import({"-f", each.string(), "-o", path("f.tgm")});
    BOOST_TEST(in.status == (is_frame ? 0 : 1), each << in.err);
    if (!is_frame) continue;
    BOOST_TEST(run({"validate", "--full", path("f.tgm")}).status == 0, each);
    const outcome out = write({"-f", path("f.tgm:0"), "-o", path("again.frame")});
    BOOST_TEST(out.status == 0, each << out.err);
    BOOST_TEST((read_file(path("again.frame")) == read_file(each)), each << " came back as another one");
    ++sound;
  }
  BOOST_TEST(sound >= 7u);
}

BOOST_AUTO_TEST_CASE(json_tells_all) {
  const auto plain = json_lines(run({"tens", "show", "-j", frame("plain")}).out).at(0);
  BOOST_TEST(plain["level"] == 5);
  BOOST_TEST(plain["form"] == "TENS");
  BOOST_TEST(plain["label"].get<std::string>().starts_with(R"({"TENS":{"metadata":{"run":123},)"));
  BOOST_TEST(plain["origin"] == 1);
  BOOST_TEST(plain["granule"] == 2);
  BOOST_TEST(plain["seqno"] == 3);
  BOOST_TEST(plain["metadata"] == nlohmann::json::parse(R"({"run":123})"));
  BOOST_TEST(plain["tensors"].size() == 2u);
  BOOST_TEST(
      plain["tensors"][1] ==
      nlohmann::json::parse(R"({"shape":[4],"word":1,"dtype":"u","part":2,"nbytes":4,"xxh3":"6497a96f53a89890"})"));
  BOOST_TEST(plain["tensors"][0]["metadata"]["gain"] == 1.5);
  BOOST_TEST(plain["payload"][1]["nbytes"] == 6);
  BOOST_TEST(plain["payload"][1]["tensors"].empty());
  BOOST_TEST(!plain.contains("fault"));

  const auto ordered = json_lines(run({"tens", "show", "-j", frame("ordered")}).out);
  BOOST_TEST(ordered.at(0)["tensors"][0]["strides"] == nlohmann::json::parse("[1,-2]"));
  BOOST_TEST(ordered.at(0)["tensors"][0]["order"] == nlohmann::json::parse("[0,1]"));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_are_valid_json_and_harmless) {
  const outcome seen = run({"tens", "show", "-j", frame("escapes")});
  BOOST_TEST(seen.status == 0);
  const auto line = json_lines(seen.out).at(0);
  BOOST_TEST(line["label"] == "\x1b[31m \ufffd \u202e");
  BOOST_TEST(line["label_hex"] == "1b5b33316d20ff20e280ae");
  const std::string text = run({"tens", "show", frame("escapes")}).out;
  BOOST_TEST(text.find("label: \\x1b[31m \\xff \\u{202e}\n") != std::string::npos, text);
  BOOST_TEST(text.find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(faults_are_reported_and_other_frames_shown) {
  const outcome seen = run({"tens", "show", "-j", frame("cut"), frame("plain"), frame("wrong_size"), frame("flow")});
  BOOST_TEST(seen.status == 1);
  const auto lines = json_lines(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines[1]["tensors"][1]["fault"] == "shape and word need 32 bytes, the part has 4 (offset 0xbd)");
  BOOST_TEST(lines[1]["tensors"][1]["nbytes"] == 4);
  BOOST_TEST(lines[1]["tensors"][2]["xxh3"].is_null());
  BOOST_TEST(lines[2]["form"] == "FLOW");
  BOOST_TEST(seen.err.find("cut.frame: part length 4 exceeds the 3 bytes left in the frame (offset 0xed); ") !=
                 std::string::npos,
             seen.err);
  BOOST_TEST(seen.err.find("wrong_size.frame: tensor 2: the tensor names part 7; number of parts: 1 (offset 0x9); ") !=
                 std::string::npos,
             seen.err);
  const outcome none = run({"tens", "show", "-j", frame("no_json")});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(json_lines(none.out).at(0)["label"] == "hello");
  BOOST_TEST(json_lines(none.out).at(0).contains("fault"));
  BOOST_TEST(run({"tens", "show", path("gone")}).err ==
             "tgmap: " + path("gone") + ": No such file or directory; check the name\n");
}

BOOST_AUTO_TEST_CASE(standard_input_and_output_are_files_too) {
  const std::string plain = read_file(frame("plain"));
  BOOST_TEST(json_lines(run({"tens", "show", "-j", "-"}, plain).out).at(0)["seqno"] == 3);
  const outcome archive = import({"-", "-o", "-"}, plain);
  BOOST_TEST(archive.status == 0);
  files.file("f.tgm", archive.out);
  BOOST_TEST((write({path("f.tgm"), "-o", "-"}).out == plain));
}

BOOST_AUTO_TEST_CASE(archives_are_written_whole_or_not_at_all) {
  const outcome seen = import({frame("plain"), frame("cut"), frame("no_prefix"), "-o", path("f.tgm")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("no_prefix.frame: not a ZIO message") != std::string::npos, seen.err);
  BOOST_TEST(!std::filesystem::exists(path("f.tgm")));
  const outcome dry = import({"-n", frame("plain"), frame("flow"), "-o", path("f.tgm")});
  BOOST_TEST(dry.status == 0);
  BOOST_TEST(dry.out.find("2 messages") != std::string::npos, dry.out);
  BOOST_TEST(dry.out.find("not written") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(path("f.tgm")));

  files.file("own.frame", read_file(frame("plain")));
  const outcome self = import({"-f", path("own.frame"), "-o", path("own.frame")});
  BOOST_TEST(self.status == 1);
  BOOST_TEST(self.err.find("is the input and would be overwritten") != std::string::npos, self.err);
  BOOST_TEST((read_file(path("own.frame")) == read_file(frame("plain"))));
  BOOST_TEST(import({"--no-clobber", frame("plain"), "-o", path("own.frame")}).status == 1);
  BOOST_TEST(import({"-j", frame("plain"), "-o", "-"}).status == 2);
}

BOOST_AUTO_TEST_CASE(several_messages_are_several_files) {
  BOOST_TEST(import({frame("plain"), frame("flow"), frame("spaced"), "-o", path("f.tgm")}).status == 0);
  const outcome refused = write({path("f.tgm"), "-o", path("x.frame")});
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(refused.err.find("several messages need -o with [index], for example") != std::string::npos, refused.err);
  BOOST_TEST(!std::filesystem::exists(path("x.frame")));
  const outcome out = write({"-j", path("f.tgm"), "-o", path("[index].frame")});
  BOOST_TEST(out.status == 0, out.err);
  BOOST_TEST(json_lines(out.out).size() == 3u);
  BOOST_TEST(json_lines(out.out).at(1)["bytes"] == read_file(frame("flow")).size());
  BOOST_TEST((read_file(path("0002.frame")) == read_file(frame("spaced"))));
  const outcome same = write({path("f.tgm:0..1"), "-o", path("[version].frame")});
  BOOST_TEST(same.status == 2);
  BOOST_TEST(same.err.find("two messages would be written to") != std::string::npos, same.err);
  const outcome self = write({"-f", path("f.tgm:0"), "-o", path("f.tgm")});
  BOOST_TEST(self.status == 1);
  BOOST_TEST(self.err.find("is the input and would be overwritten") != std::string::npos, self.err);
  BOOST_TEST(write({path("f.tgm:5"), "-o", path("x.frame")}).status == 1);
  BOOST_TEST(write({"-w", "mars.param=2t", path("f.tgm"), "-o", path("x.frame")}).status == 1);
  BOOST_TEST(write({path("f.tgm:0:0"), "-o", path("x.frame")}).status == 2);
}

BOOST_AUTO_TEST_CASE(headers_can_be_given) {
  const std::string archive = files.file("f.tgm", forecast()).string();
  const auto as_is = exported({archive + ":0"});
  BOOST_TEST(as_is["form"] == "TENS");
  BOOST_TEST(as_is["tensors"][0]["shape"] == nlohmann::json::parse("[2,3]"));
  BOOST_TEST(as_is["seqno"] == 0);
  const auto changed = exported({"--level", "4", "--form", "FLOW", "--origin", "18446744073709551615", "--granule", "7",
                                 "--seqno", "9", archive + ":1"});
  BOOST_TEST(changed["level"] == 4);
  BOOST_TEST(changed["form"] == "FLOW");
  BOOST_TEST(changed["origin"] == UINT64_MAX);
  BOOST_TEST(changed["granule"] == 7);
  BOOST_TEST(changed["seqno"] == 9);
  BOOST_TEST(write({"-f", "--seqno", "5", archive, "-o", path("[index].frame")}).status == 0);
  BOOST_TEST(json_lines(run({"tens", "show", "-j", path("0002.frame")}).out).at(0)["seqno"] == 7);
  BOOST_TEST(write({"--level", "9", archive + ":0", "-o", path("x")}).status == 2);
  BOOST_TEST(write({"--form", "TENSE", archive + ":0", "-o", path("x")}).status == 2);
}

BOOST_AUTO_TEST_CASE(dtypes_without_a_tens_type_are_refused_or_written_as_words) {
  const std::string archive = (test_data() / "w0.24.0_one_bfloat16.tgm").string() + ":0";
  const outcome refused = write({archive, "-o", path("x.frame")});
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(refused.err.find("; add --raw-words, or run `tgmap convert` first") != std::string::npos, refused.err);
  BOOST_TEST(!std::filesystem::exists(path("x.frame")));
  BOOST_TEST(exported({"--raw-words", archive})["tensors"][0]["word"] == 2);
  const std::string packed = (test_data() / "w0.24.0_packing_lz4_none.tgm").string() + ":0";
  BOOST_TEST(exported({packed})["tensors"][0]["dtype"] == "f");
  BOOST_TEST(exported({"--encoded", packed})["tensors"][0]["dtype"] == "u");
}

BOOST_AUTO_TEST_CASE(keys_are_made_once) {
  const outcome made = run({"tens", "keys", path("end")});
  BOOST_TEST(made.status == 0, made.err);
  const auto mode = [&](const char* name) { return std::filesystem::status(files / name).permissions(); };
  BOOST_TEST((mode("end.key_secret") == static_cast<std::filesystem::perms>(0600)));
  const tgmap::zio::curve_keys keys = tgmap::zio::read_curve_keys(files / "end.key_secret");
  BOOST_TEST(keys.secret_key.size() == 40u);
  BOOST_TEST(tgmap::zio::read_curve_public_key(files / "end.key") == keys.public_key);
  BOOST_TEST(read_file(files / "end.key").find(keys.secret_key) == std::string::npos);
  BOOST_TEST(made.out.find(keys.public_key) != std::string::npos);
  BOOST_TEST(made.out.find(keys.secret_key) == std::string::npos);

  const std::string before = read_file(files / "end.key_secret");
  const outcome again = run({"tens", "keys", path("end")});
  BOOST_TEST(again.status == 1);
  BOOST_TEST(again.err.find("already exists, and keys are never replaced; choose another name") != std::string::npos,
             again.err);
  BOOST_TEST((read_file(files / "end.key_secret") == before));
  files.file("half.key_secret", "mine");
  BOOST_TEST(run({"tens", "keys", path("half")}).status == 1);
  BOOST_TEST(!std::filesystem::exists(path("half.key")));
  BOOST_TEST((read_file(files / "half.key_secret") == "mine"));
  BOOST_TEST(run({"tens", "keys", path("no/where")}).status == 1);
}

/// Malformed frames of the original, and the error of a strict reader, or nothing.
BOOST_AUTO_TEST_CASE(malformed_frames_of_the_original) {
  const std::map<std::string, std::string> verdicts{
      {"dtype_long", ""},
      {"dtype_missing", "tensor 0: TENS, its list of tensors or an attribute"},
      {"dtype_unknown", ""},
      {"extra_ff", "part length 4 exceeds the 0 bytes left in the frame (offset 0x69)"},
      {"extra_long_zero", ""},
      {"extra_zero", ""},
      {"form_nul", ""},
      {"good", ""},
      {"label_array", "the label is not a JSON object; the error is at byte 0 (offset 0x9)"},
      {"label_bad_utf8", "the label is not a JSON object; the error is at byte 40 (offset 0x31)"},
      {"label_bom", ""},
      {"label_not_json", "the label is not a JSON object; the error is at byte 1 (offset 0xa)"},
      {"label_nul", ""},
      {"label_truncated_json", "the label is not a JSON object; the error is at byte 21 (offset 0x1e)"},
      {"length_huge", "part length 4294967295 exceeds the 4 bytes left in the frame (offset 0x64)"},
      {"level_9", "unknown level: byte 0x39 instead of a digit 0 to 8 (offset 0x4)"},
      {"level_slash", "unknown level: byte 0x2f instead of a digit 0 to 8 (offset 0x4)"},
      {"level_x", "unknown level: byte 0x78 instead of a digit 0 to 8 (offset 0x4)"},
      {"noncanonical_lengths", ""},
      {"one_part", "number of parts: 1; a ZIO message has at least 2 (offset 0x4b)"},
      {"order_bad_rank", "tensor 0: order and ascend must name each dimension once (offset 0x9)"},
      {"order_not_perm", "tensor 0: order and ascend must name each dimension once (offset 0x9)"},
      {"packing_dense", ""},
      {"packing_sparse",
       "tensor 0: elements are packed or at a pointer; only dense elements are supported (offset 0x9)"},
      {"part_negative", "tensor 0: TENS, its list of tensors or an attribute"},
      {"part_out_of_range", "tensor 0: the tensor names part 1; number of parts: 1 (offset 0x9)"},
      {"prefix_8_bytes", ""},
      {"shape_missing", "tensor 0: TENS, its list of tensors or an attribute"},
      {"shape_negative", "tensor 0: TENS, its list of tensors or an attribute"},
      {"shape_overflow", "tensor 0: elements or bytes of the tensor exceed 64 bits (offset 0x9)"},
      {"size_short", "tensor 0: shape and word need 16 bytes, the part has 4 (offset 0x65)"},
      {"swapped_headers", "not a ZIO message: the first part of 24 bytes does not begin with ZIO (offset 0x1)"},
      {"trunc_after_coord", "tensor 0: the tensor names part 0; number of parts: 0 (offset 0x9)"},
      {"trunc_after_prefix", "number of parts: 1; a ZIO message has at least 2 (offset 0x4b)"},
      {"trunc_in_coord", "part length 24 exceeds the 9 bytes left in the frame (offset 0x4b)"},
      {"trunc_last_byte", "part length 4 exceeds the 3 bytes left in the frame (offset 0x64)"},
      {"trunc_mid_label", "part length 74 exceeds the 29 bytes left in the frame (offset 0x0)"},
      {"word_missing", "tensor 0: TENS, its list of tensors or an attribute"},
      {"word_three", "tensor 0: shape and word need 3 bytes, the part has 4 (offset 0x65)"},
      {"word_zero", "tensor 0: TENS, its list of tensors or an attribute"},
      {"zero_parts", "number of parts: 0; a ZIO message has at least 2 (offset 0x0)"},
  };
  const auto root = shared_data_or_skip("verdicts on malformed frames");
  if (!root) return;
  std::size_t seen = 0;
  for (const auto& each : frames_in(*root / "data/tens/neg")) {
    const auto verdict = verdicts.find(each.stem().string());
    BOOST_TEST_REQUIRE((verdict != verdicts.end()), each << " has no verdict");
    ++seen;
    const outcome shown = run({"tens", "show", each.string()});
    BOOST_TEST(shown.status == (verdict->second.empty() ? 0 : 1), each << shown.err);
    const std::string line = "tgmap: " + each.string() + ": " + verdict->second;
    BOOST_TEST((verdict->second.empty() ? shown.err.empty() : shown.err.starts_with(line)), shown.err);
    BOOST_TEST(shown.err.find("validate") == std::string::npos, shown.err);  // which knows archives alone
  }
  BOOST_TEST(seen == verdicts.size());
}

BOOST_AUTO_TEST_CASE(metadata_that_no_label_can_have_is_named) {
  const place p;
  const auto refused = [&](const bytes& value) {
    const bytes data = message({.objects = {bytes_object("a")}, .base = {cbor::map({cbor::key("k", value)})}});
    const outcome seen = p.write({p.files.file("in.tgm", data).string(), "-o", p.path("o.frame")});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("sender") == std::string::npos, seen.err);
    return seen.err;
  };
  BOOST_TEST(refused(cbor::text("\xff")).find("its metadata has text that is not UTF-8") != std::string::npos);
  bytes deep = cbor::integer(1);
  for (int i = 0; i < 200; ++i) deep = cbor::array({deep});
  BOOST_TEST(refused(deep).find("its metadata is nested too deep for the label") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
