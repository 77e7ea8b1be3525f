// SPDX-License-Identifier: Apache-2.0
// Several objects in one call: into a folder, into files with numbers in their names, into an .npz.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "../../../process.hpp"
#include "../../../samples.hpp"

using namespace tgmap_test;

namespace {

struct several_objects {
  temporary_directory files;
  std::string path = files.file("f.tgm", forecast()).string();
  std::string out = (files / "o").string();

  std::vector<std::string> there(const std::filesystem::path& in) const {
    std::vector<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(in)) names.push_back(each.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::vector<std::string> there() const { return there(files.path()); }
};

using names = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(extract_several, several_objects)

BOOST_AUTO_TEST_CASE(a_folder) {
  const outcome seen = run({"extract", path, "-o", out + "/new/"});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((there(out + "/new") == names{"0_0.npy", "0_1.npy", "1_0.npy", "2_0.npy"}));
  BOOST_TEST(read_file(out + "/new/0_1.npy").ends_with("\nabcd"));

  BOOST_TEST(run({"extract", path + ":0", "--format", "raw", "-o", out}).status == 0);  // it is there: no slash needed
  BOOST_TEST((there(out) == names{"0_0.raw", "0_1.raw", "new"}));
  BOOST_TEST(read_file(out + "/0_1.raw") == "abcd");
  BOOST_TEST(run({"extract", path + ":1:0", "--stored", "-o", out}).status == 0);
  BOOST_TEST(read_file(out + "/1_0.bin") == bytes("\0\1\0\2\0\3", 6));
}

BOOST_AUTO_TEST_CASE(names_with_numbers) {
  BOOST_TEST(run({"extract", path + ":..1", "-o", out + "[@message]-[@object][@message].raw"}).status == 0);
  BOOST_TEST((there() == names{"f.tgm", "o0-00.raw", "o0-10.raw", "o1-01.raw"}));
  BOOST_TEST(read_file(out + "0-10.raw") == "abcd");
  BOOST_TEST(run({"extract", path + ":..:0", "--stored", "-o", out + "[@message]"}).status == 0);
  BOOST_TEST(read_file(out + "1") == bytes("\0\1\0\2\0\3", 6));
}

BOOST_AUTO_TEST_CASE(names_with_keys) {
  const auto named = [](const char* name) { return cbor::map({cbor::key("name", cbor::text(name))}); };
  const auto from = files
                        .file("n.tgm", message({.objects = {bytes_object("a"), bytes_object("b"), bytes_object("c")},
                                                .base = {named("2t"), named("10u/v"), cbor::map({})},
                                                .extra = {cbor::key("run", cbor::integer(7))}}))
                        .string();
  BOOST_TEST(run({"extract", from, "-o", out + "/[run]/[name]_[dtype]_[index].raw"}).status == 0);
  BOOST_TEST((there(out + "/7") == names{"10u_v_uint8_0001.raw", "2t_uint8_0000.raw", "unknown_uint8_0002.raw"}));
  BOOST_TEST(read_file(out + "/7/2t_uint8_0000.raw") == "a");
  BOOST_TEST(run({"extract", from + "@0:0", "-o", out + "[@message].npy"}).status == 0);
  BOOST_TEST(std::filesystem::exists(out + "0.npy") != std::filesystem::exists(out + "@0.npy"));
  BOOST_TEST(run({"extract", from, "-o", out + "[@message]/"}).status == 0);
  BOOST_TEST((there(out + "0") == names{"0_0.npy", "0_1.npy", "0_2.npy"}));
  const outcome same = run({"extract", from, "-o", out + "[run].npy"});
  BOOST_TEST(same.status == 2);
  BOOST_TEST(same.err.find("would both be written to") != std::string::npos, same.err);
}

BOOST_AUTO_TEST_CASE(members_have_the_names_of_objects) {
  const auto named = [](std::initializer_list<const char*> all) {
    message_spec out;
    for (const char* name : all) {
      out.objects.push_back(bytes_object("a"));
      out.base.push_back(*name == '\0' ? cbor::map({}) : cbor::map({cbor::key("name", cbor::text(name))}));
    }
    return message(out);
  };
  const auto from = files.file("n.tgm", named({"2t", "x", "x", "", "a/b", "0_3"}) + named({"2t", "y"})).string();
  const auto members = [&](const std::string& which) {
    names seen;
    for (const auto& line : json_lines(run({"extract", "-j", which, "-o", out + ".npz"}).out))
      seen.push_back(line["member"]);
    return seen;
  };
  BOOST_TEST((members(from + ":0") == names{"2t.npy", "0_1.npy", "0_2.npy", "0_3.npy", "a_b.npy", "0_5.npy"}));
  BOOST_TEST((members(from + ":1") == names{"2t.npy", "y.npy"}));
  BOOST_TEST((members(from + ":..:0..1") == names{"0_2t.npy", "x.npy", "1_2t.npy", "y.npy"}));
  BOOST_TEST((members(from + ":0:2") == names{"x.npy"}));
  BOOST_TEST(run({"create", out + ".tgm", out + ".npz"}).status == 0);
  BOOST_TEST(run({"get", "-p", "name", out + ".tgm"}).out == "x\n");
}

BOOST_AUTO_TEST_CASE(numbers_are_those_of_the_archive_however_it_is_addressed) {
  BOOST_TEST(run({"extract", path + ":-1:-1", "-o", out + "/"}).status == 0);
  BOOST_TEST((there(out) == names{"2_0.npy"}));
  BOOST_TEST(run({"extract", path + "@" + std::to_string(two_objects().size()), "-o", out}).status == 0);
  BOOST_TEST((there(out) == names{"2_0.npy", "@" + std::to_string(two_objects().size()) + "_0.npy"}));
}

BOOST_AUTO_TEST_CASE(several_addresses) {
  const auto other = files.file("g.tgm", streamed_message() + two_objects()).string();
  const outcome seen = run({"extract", "-j", path + ":0:1", other + ":0", path + ":1", "-o", out + ".npz"});
  BOOST_TEST(seen.status == 0, seen.err);
  const auto told = json_lines(seen.out);
  BOOST_TEST_REQUIRE(told.size() == 3u);
  BOOST_TEST((told[1] == nlohmann::json({{"file", other},
                                         {"message", 0},
                                         {"object", 0},
                                         {"output", out + ".npz"},
                                         {"bytes", 128 + 16},
                                         {"member", "g_0_0.npy"}})));
  BOOST_TEST(told[0]["member"] == "f_0_1.npy");
  BOOST_TEST(told[2]["file"] == path);
}

BOOST_AUTO_TEST_CASE(selected_objects) {
  const outcome seen = run({"extract", "-j", "-w", "dtype=float32 or dtype=float64", path, "-o", out + "/"});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((there(out) == names{"0_0.npy", "2_0.npy"}));
  const auto told = json_lines(seen.out);
  BOOST_TEST_REQUIRE(told.size() == 2u);
  BOOST_TEST(told[1]["output"] == out + "/2_0.npy");
  BOOST_TEST(told[1]["bytes"] == read_file(out + "/2_0.npy").size());

  const outcome none = run({"extract", "-w", "dtype=int64", path, "-o", out + "/"});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(none.err.find("no object is selected; run `tgmap ls") != std::string::npos, none.err);
}

BOOST_AUTO_TEST_CASE(one_place_for_several_is_a_matter_of_usage) {
  const auto fails = [&](std::vector<std::string> arguments, const std::string& says) {
    arguments.insert(arguments.begin(), "extract");
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 2, seen.err);
    BOOST_TEST(seen.err.find(says) != std::string::npos, seen.err);
  };
  const std::string how = "several objects need -o with keys in brackets";
  fails({path, "-o", out + ".npy"}, how);
  fails({path + ":0", "-o", out + ".npy"}, how);
  fails({path + ":0:0", path + ":0:1", "-o", out + ".npy"}, how);
  fails({path + ":0", "--format", "raw", "-o", "-"}, how);
  fails({path, "-o", out + "[@object].npy"}, "f.tgm:0:0' and '" + path + ":1:0' would both be written to");
  fails({path, path, "-o", out + "/"}, "extract them in two calls");
  fails({path, path, "-o", out + ".npz"}, "would both be written to '0_0.npy'");
  fails({path, "-o", out + "[@step].npy"}, "there is no property '@step'");
  fails({path, "-o", out + "[@message]_[@object]"}, "does not name a format");
  fails({path + "[0]", "--stored", "-o", out + "/"}, "--stored takes whole payloads");
  fails({"-:0", "-:1", "-o", out + "/"}, "standard input can be read only once");
  BOOST_TEST((there() == names{"f.tgm"}));
}

BOOST_AUTO_TEST_CASE(objects_never_share_a_file) {
  // Messages 1 and 11, objects 11 and 1.
  bytes many;
  for (int i = 0; i < 12; ++i) {
    message_spec one;
    for (int j = 0; j < 12; ++j) one.objects.push_back(bytes_object("abcd"));
    many += message(one);
  }
  const std::string from = files.file("many.tgm", many).string();
  const outcome seen = run({"extract", from, "-o", out + "[@message][@object].raw"});
  BOOST_TEST(seen.status == 2);
  BOOST_TEST(seen.err.find("would both be written to") != std::string::npos, seen.err);
  BOOST_TEST((there() == names{"f.tgm", "many.tgm"}));

  std::filesystem::create_symlink("o0_0.raw", out + "0_1.raw");
  const outcome linked = run({"extract", "-f", path + ":0", "-o", out + "[@message]_[@object].raw"});
  BOOST_TEST(linked.status == 1);
  BOOST_TEST(linked.err.find("o0_1.raw: is the same file as") != std::string::npos, linked.err);
  BOOST_TEST(read_file(out + "0_0.raw").size() == 24u);  // the other one alone
}

BOOST_AUTO_TEST_CASE(undecodable_objects_are_skipped) {
  const auto bad = files.file("bad.tgm", two_objects() + packed_message() + old_message()).string();
  const outcome seen = run({"extract", "-j", bad, "-o", out + "/"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find(bad + ":1:0: the elements cannot be decoded: filter shuffle, compression zstd, mask nan ") !=
                 std::string::npos,
             seen.err);
  BOOST_TEST((there(out) == names{"0_0.npy", "0_1.npy", "2_0.npy"}));
  BOOST_TEST(json_lines(seen.out).size() == 3u);
}

BOOST_AUTO_TEST_CASE(an_npz_is_one_whatever_the_format_says) {
  BOOST_TEST(run({"extract", path + ":0:1", "--format", "npy", "-o", out + ".npz"}).status == 0);
  BOOST_TEST(read_file(out + ".npz").starts_with("PK"));
  for (const std::vector<std::string>& form : {std::vector<std::string>{"--format", "raw"}, {"--stored"}}) {
    std::vector<std::string> words{"extract", path + ":0:1", "-o", out + ".npz"};
    words.insert(words.end(), form.begin(), form.end());
    const outcome seen = run(words);
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(seen.err.find("an .npz contains only .npy files") != std::string::npos, seen.err);
  }
}

BOOST_AUTO_TEST_CASE(an_npz_is_whole_or_not_at_all) {
  files.file("o.npz", "old");
  const auto bad = files.file("bad.tgm", two_objects() + packed_message() + old_message()).string();
  const outcome seen = run({"extract", "-j", bad, "-o", out + ".npz"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err.find("o.npz: not written because an object is missing") != std::string::npos, seen.err);
  BOOST_TEST(read_file(out + ".npz") == "old");
  BOOST_TEST((there() == names{"bad.tgm", "f.tgm", "o.npz"}));
  BOOST_TEST(run({"extract", bad + ":0", (files / "gone").string() + ":0", "-o", out + ".npz"}).status == 1);
  BOOST_TEST(read_file(out + ".npz") == "old");
  BOOST_TEST(run({"extract", bad + ":0", "-o", out + ".npz"}).status == 0);
  BOOST_TEST(read_file(out + ".npz").starts_with("PK"));
}

BOOST_AUTO_TEST_CASE(inputs_are_never_overwritten) {
  const auto tricky = files.file("0_1.raw", two_objects()).string();
  const outcome seen = run({"extract", tricky + ":0", "--format", "raw", "-o", files.path().string()});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("is the input and would be overwritten") != std::string::npos, seen.err);
  BOOST_TEST(read_file(tricky) == two_objects());
  BOOST_TEST((there() == names{"0_1.raw", "f.tgm"}));
  const auto npz = files.file("in.npz", two_objects()).string();
  BOOST_TEST(run({"extract", npz + ":0:0", "-o", npz}).status == 1);
  BOOST_TEST(read_file(npz) == two_objects());
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_is_named) {
  const outcome seen = run({"extract", path, "-o", path + "/folder/"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.starts_with("tgmap: " + path + "/folder: "), seen.err);
  BOOST_TEST(std::count(seen.err.begin(), seen.err.end(), '\n') == 1, seen.err);
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_nothing) {
  for (const char* threads : {"1", "3"}) {
    BOOST_TEST(run({"extract", "--threads", threads, path, "-o", out + threads + ".npz"}).status == 0);
    BOOST_TEST((read_file(out + threads + ".npz") == read_file(out + "1.npz")));
  }
}

BOOST_AUTO_TEST_CASE(a_bar_tells_how_far_it_is) {
  const terminal at_once{.columns = 80, .rows = 24, .environment = {{"TGMAP_PROGRESS_DELAY", "0"}}};
  const outcome seen = run_at_terminal({"extract", path + ":0", "-o", out + ".npz"}, at_once);
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.find(" %") != std::string::npos, seen.out);
  BOOST_TEST(seen.out.ends_with("\r\x1b[K"), seen.out);
}

BOOST_AUTO_TEST_CASE(objects_of_several_archives_have_their_names) {
  const temporary_directory files;
  const std::string a = files.file("a.tgm", old_message()).string(), b = files.file("b.tgm", two_objects()).string();
  const std::string folder = (files.path() / "out/").string(), npz = (files.path() / "all.npz").string();
  BOOST_TEST(run({"extract", a, b, "-o", folder}).status == 0);
  for (const char* const name : {"a_0_0.npy", "b_0_0.npy", "b_0_1.npy"})
    BOOST_TEST(std::filesystem::exists(folder + name), name);
  const auto lines = json_lines(run({"extract", "--json", a, b, "-o", npz}).out);
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines[0]["member"] == "a_0_0.npy");
  BOOST_TEST(lines[2]["member"] == "b_0_1.npy");
}

BOOST_AUTO_TEST_SUITE_END()
