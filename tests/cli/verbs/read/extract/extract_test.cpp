// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iterator>

#include "../../../process.hpp"
#include "../../../samples.hpp"

using namespace tgmap_test;

namespace {

struct extraction {
  temporary_directory files;
  std::string path = files.file("f.tgm", forecast() + packed_message()).string();
  std::string out = (files / "o").string();
};

/// Returns the offset of the elements in an .npy file.
std::size_t npy_data(const bytes& file) {
  return 10 + static_cast<unsigned char>(file.at(8)) + 256u * static_cast<unsigned char>(file.at(9));
}

object_spec with_strides(std::vector<std::uint64_t> shape, std::vector<std::uint64_t> strides) {
  object_spec object = bytes_object("abcdef");
  object.shape = std::move(shape);
  object.strides = std::move(strides);
  return object;
}

std::size_t entries(const std::filesystem::path& directory) {
  const std::filesystem::directory_iterator all(directory);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(extract, extraction)

BOOST_AUTO_TEST_CASE(npy_by_its_extension) {
  const outcome seen = run({"extract", path + ":0:0", "-o", out + ".npy"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err == "");
  const bytes file = read_file(out + ".npy");
  BOOST_TEST(file.substr(0, 8) == bytes("\x93NUMPY\1\0", 8));
  BOOST_TEST(file.find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }") == 10u);
  BOOST_TEST(file.substr(npy_data(file)) == native<float>({1, 2, 3, 4, 5, 6}));
}

BOOST_AUTO_TEST_CASE(written_files_are_reported) {
  const outcome seen = run({"extract", "-j", path + ":1:0", "-o", out + ".npy"});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((nlohmann::json::parse(seen.out) == nlohmann::json({{"file", path},
                                                                 {"message", 1},
                                                                 {"object", 0},
                                                                 {"output", out + ".npy"},
                                                                 {"bytes", read_file(out + ".npy").size()}})));
  BOOST_TEST(run({"extract", "-j", path + ":1:0", "--format", "raw", "-o", "/dev/stdout"}).status == 2);
  const outcome both = run({"extract", "-j", path + ":1:0", "--format", "raw", "-o", "-"});
  BOOST_TEST(both.status == 2);
  BOOST_TEST(both.out == "");
}

BOOST_AUTO_TEST_CASE(raw_by_its_extension_and_by_option) {
  BOOST_TEST(run({"extract", path + ":0:0", "-o", out + ".raw"}).status == 0);
  BOOST_TEST(read_file(out + ".raw") == native<float>({1, 2, 3, 4, 5, 6}));
  BOOST_TEST(run({"extract", path + ":0:0", "--format", "raw", "-o", out + ".npy"}).status == 0);
  BOOST_TEST(read_file(out + ".npy") == native<float>({1, 2, 3, 4, 5, 6}));
}

BOOST_AUTO_TEST_CASE(big_endian_elements_are_swapped_and_stored_bytes_are_not) {
  BOOST_TEST(run({"extract", path + ":1:0", "-o", out + ".raw"}).status == 0);
  BOOST_TEST(read_file(out + ".raw") == bytes("\1\0\2\0\3\0", 6));
  BOOST_TEST(run({"extract", path + ":1:0", "--stored", "-o", out}).status == 0);
  BOOST_TEST(read_file(out) == bytes("\0\1\0\2\0\3", 6));
}

BOOST_AUTO_TEST_CASE(every_way_of_reading_gives_the_same) {
  for (const char* mode : {"automatic", "map", "read"}) {
    BOOST_TEST(run({"extract", "--io", mode, path + ":-2:-1", "-o", out + ".raw"}).status == 0);
    BOOST_TEST(read_file(out + ".raw") == native<double>({0.5, -1}));
  }
}

BOOST_AUTO_TEST_CASE(standard_output_and_standard_input) {
  BOOST_TEST(run({"extract", path + ":0:1", "--format", "raw", "-o", "-"}).out == "abcd");
  BOOST_TEST(run({"extract", "-:0:1", "--format", "raw", "-o", "-"}, forecast()).out == "abcd");
  BOOST_TEST(run({"extract", "-@0:-1", "--stored", "-o", "-"}, forecast()).out == "abcd");
}

BOOST_AUTO_TEST_CASE(a_missing_codec_is_named_with_the_next_step) {
  const outcome seen = run({"extract", path + ":3:0", "-o", out + ".npy"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.starts_with("tgmap: " + path +
                                  ":3:0: the elements cannot be decoded: filter shuffle, compression zstd, mask nan by "
                                  "rle: "),
             seen.err);
  BOOST_TEST(seen.err.find(" (offset 0x") != std::string::npos, seen.err);
  BOOST_TEST(
      seen.err.ends_with("; run `tgmap extract --stored -o OUT " + path + ":3:0` to get the payload as stored\n"),
      seen.err);
  BOOST_TEST(!std::filesystem::exists(out + ".npy"));
  BOOST_TEST(run({"extract", path + ":3:0", "--stored", "-o", out}).status == 0);
  BOOST_TEST(read_file(out) == "not really zstd");
}

BOOST_AUTO_TEST_CASE(names_of_codecs_are_escaped) {
  object_spec object = bytes_object("abc");
  object.compression = "z\x1b[31m\u202e\xff";
  const outcome seen =
      run({"extract", files.file("g.tgm", message({.objects = {object}})).string() + ":0:0", "-o", out + ".raw"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("compression z\\x1b[31m\\u{202e}\\xff: a codec that") != std::string::npos, seen.err);
  const outcome listed = run({"ls", "--objects", (files / "g.tgm").string()});
  BOOST_TEST(listed.out.find("z\\x1b[31m\\u{202e}") != std::string::npos);
  BOOST_TEST(listed.out.find('\x1b') == std::string::npos);
  BOOST_TEST(json_lines(run({"ls", "-j", "--objects", (files / "g.tgm").string()}).out).size() == 1u);
}

BOOST_AUTO_TEST_CASE(strides_are_applied_by_default) {
  const auto one = [&](const object_spec& object) {
    return files.file("s.tgm", message({.objects = {object}})).string() + ":0:0";
  };
  const auto fortran = one(with_strides({2, 3}, {1, 2}));
  BOOST_TEST(run({"extract", fortran, "-o", out + ".raw"}).status == 0);
  BOOST_TEST(read_file(out + ".raw") == "acebdf");
  BOOST_TEST(run({"extract", fortran, "--as-stored", "-o", out + ".raw"}).status == 0);
  BOOST_TEST(read_file(out + ".raw") == "abcdef");
  BOOST_TEST(run({"extract", fortran, "-o", out + ".npy"}).status == 0);
  BOOST_TEST(read_file(out + ".npy").find("'fortran_order': True") != bytes::npos);

  const outcome odd = run({"extract", one(with_strides({2, 3}, {3, 3})), "-o", out + ".raw"});
  BOOST_TEST(odd.status == 1);
  BOOST_TEST(odd.err.find("; add --as-stored ") != std::string::npos);
  BOOST_TEST(run({"extract", one(with_strides({2, 3}, {3, 3})), "--as-stored", "-o", out + ".raw"}).status == 0);
  BOOST_TEST(read_file(out + ".raw") == "abcdef");
}

BOOST_AUTO_TEST_CASE(a_payload_of_the_wrong_size_is_an_error) {
  object_spec object = bytes_object("abcdef");
  object.shape = {7};
  const auto one = files.file("s.tgm", message({.objects = {object}})).string() + ":0:0";
  const outcome seen = run({"extract", one, "-o", out + ".raw"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("decoding gives 6 bytes, but shape and dtype need 7") != std::string::npos, seen.err);
  BOOST_TEST(run({"extract", one, "--stored", "-o", out}).status == 0);
}

BOOST_AUTO_TEST_CASE(the_input_is_never_overwritten) {
  std::filesystem::create_symlink(path, files / "link.raw");
  std::filesystem::create_hard_link(path, files / "hard.raw");
  const bytes before = read_file(path);
  for (const std::string& same : {path, (files / "link.raw").string(), (files / "hard.raw").string()}) {
    const outcome seen = run({"extract", path + ":0:1", "--stored", "-o", same});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("is the input and would be overwritten; write to another file") != std::string::npos);
    BOOST_TEST(shell("\"$TGMAP\" extract -:0:1 --stored -o '" + same + "' < '" + path + "'").status == 1);
  }
  BOOST_TEST(read_file(path) == before);
}

BOOST_AUTO_TEST_CASE(an_output_appears_whole_or_not_at_all) {
  files.file("o.raw", "old");
  const auto count = entries(files.path());
  BOOST_TEST(run({"extract", path + ":3:0", "-o", out + ".raw"}).status == 1);
  BOOST_TEST(read_file(out + ".raw") == "old");
  BOOST_TEST(run({"extract", path + ":0:1", "-o", out + ".raw"}).status == 0);
  BOOST_TEST(read_file(out + ".raw") == "abcd");
  BOOST_TEST(entries(files.path()) == count);  // nothing is left beside it
}

BOOST_AUTO_TEST_CASE(an_output_that_cannot_be_written_is_named) {
  const std::string folder = (files / "no such directory").string(), there = folder + "/o.raw";
  const outcome seen = run({"extract", path + ":0:1", "-o", there});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err == "tgmap: " + there + ": the folder '" + folder + "' does not exist; create it, or write '" +
                             folder + "/' to have it created\n");
  const outcome full = run({"extract", path + ":0:1", "--stored", "-o", "/dev/full"});
  BOOST_TEST(full.status == 1);
  BOOST_TEST(full.err.find("tgmap: /dev/full: ") == 0u, full.err);
  BOOST_TEST(run({"extract", path + ":0:1", "--stored", "-o", "/dev/null"}).status == 0);
}

BOOST_AUTO_TEST_CASE(usage) {
  const auto fails = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "extract");
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 2, seen.err);
    BOOST_TEST(seen.err.starts_with("tgmap: "));
    BOOST_TEST(seen.out == "");
  };
  fails({path + ":0:0"});             // no output
  fails({"-o", out + ".npy"});        // no input
  fails({path, "-o", out + ".npy"});  // several objects
  fails({path + ":0:0", "-o", out});  // no format
  fails({path + ":0:0", "-o", out + ".tiff"});
  fails({path + ":0:0", "-o", "-"});
  fails({path + ":0:0", "--format", "tiff", "-o", out});
  fails({path + ":0:0", "--stored", "--format", "raw", "-o", out});
  fails({path + ":0:0", "--stored", "--as-stored", "-o", out});
  fails({path + ":0:x", "--stored", "-o", out});
  BOOST_TEST(entries(files.path()) == 1u);
}

BOOST_AUTO_TEST_CASE(version_1_says_that_it_cannot_be_read) {
  const auto one = files.file("s.tgm", version_1_message({"abc"})).string() + ":0:0";
  const outcome seen = run({"extract", one, "-o", out + ".raw"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("wire version 1") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(strides_in_bytes_are_those_of_elements) {
  object_spec in_bytes = numbers_object<float>("float32", {0, 1, 2, 3, 4, 5});
  in_bytes.shape = {2, 3};
  in_bytes.strides = {{12, 4}};
  object_spec in_elements = in_bytes;
  in_elements.strides.reset();
  const std::string b = files.file("b.tgm", message({.objects = {in_bytes}})).string();
  const std::string e = files.file("e.tgm", message({.objects = {in_elements}})).string();
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--format", "csv", "-q"},
                                              {"--format", "raw", "-o", "-"},
                                              {"--format", "npy", "-o", "-"}}) {
    const auto extracted = [&](const std::string& from) {
      std::vector<std::string> call{"extract", from};
      call.insert(call.end(), how.begin(), how.end());
      return run(call);
    };
    BOOST_TEST(extracted(b + ":0:0").status == 0);
    BOOST_TEST(extracted(b + ":0:0").out == extracted(e + ":0:0").out);
    BOOST_TEST(extracted(b + ":0:0[1,::2]").out == extracted(e + ":0:0[1,::2]").out);
  }
  BOOST_TEST(run({"diff", b, e}).status == 0);
  for (const char* verb : {"stats", "show"}) {
    const outcome seen = run({verb, "-j", b});
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(json_lines(seen.out).at(0).at("max") == 5.0);
  }
  const auto listed = json_lines(run({"ls", "-j", "--objects", b}).out).at(0);
  BOOST_TEST(listed.at("strides") == nlohmann::json({12, 4}));
  BOOST_TEST(listed.at("in_place") == true);
  const auto explained = json_lines(run({"explain", "-j", b + ":0:0"}).out).at(0);
  BOOST_TEST(explained.dump().find("unsupported_strides") == std::string::npos, explained.dump());

  // Verbs that copy objects keep the strides as stated; verbs that encode them again write elements.
  BOOST_TEST(run({"set", "--no-sync", "-s", "a=1", b, out + ".set.tgm"}).status == 0);
  BOOST_TEST(json_lines(run({"ls", "-j", "--objects", out + ".set.tgm"}).out).at(0).at("strides") ==
             nlohmann::json({12, 4}));
  BOOST_TEST(run({"convert", "--no-sync", "--compression", "zstd", b, out + ".zstd.tgm"}).status == 0);
  BOOST_TEST(json_lines(run({"ls", "-j", "--objects", out + ".zstd.tgm"}).out).at(0).at("strides") ==
             nlohmann::json({3, 1}));
  BOOST_TEST(run({"diff", b, out + ".zstd.tgm"}).status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
