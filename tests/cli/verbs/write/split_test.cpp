// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <tgmap/archive.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;

namespace {

struct splitting {
  temporary_directory files;
  std::vector<bytes> parts;
  std::string in;

  splitting() {
    bytes all;
    for (int i = 0; i < 7; ++i) {
      const bytes k = cbor::map({cbor::key("k", cbor::integer(i % 3))});
      parts.push_back(message({.objects = {bytes_object(bytes(100 * (i + 1), 'x'))}, .base = {k}}));
      all += parts.back();
    }
    in = files.file("in.tgm", all).string();
  }

  /// Returns the contents of the written files, joined in order of their names.
  std::vector<bytes> split(std::vector<std::string> options, const std::string& name = "out/p.tgm") const {
    std::filesystem::remove_all(files / "out");
    std::filesystem::create_directory(files / "out");
    options.insert(options.begin(), {"split", in, "-o", (files / name).string()});
    const outcome seen = run(options);
    BOOST_TEST(seen.status == 0, seen.err);
    std::vector<std::filesystem::path> names;
    for (const auto& each : std::filesystem::directory_iterator(files / "out")) names.push_back(each.path());
    std::sort(names.begin(), names.end());
    std::vector<bytes> out;
    for (const auto& each : names) out.push_back(read_file(each));
    return out;
  }
  bytes joined(std::initializer_list<int> which) const {
    bytes out;
    for (const int i : which) out += parts[static_cast<std::size_t>(i)];
    return out;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(split, splitting)

BOOST_AUTO_TEST_CASE(by_count) {
  BOOST_TEST((split({"--count", "3"}) == std::vector{joined({0, 1, 2}), joined({3, 4, 5}), joined({6})}));
  BOOST_TEST(std::filesystem::exists(files / "out" / "p_0002.tgm"));
  BOOST_TEST((split({"--count", "1"}) == parts));
  BOOST_TEST((split({"--count", "7"}) == std::vector{joined({0, 1, 2, 3, 4, 5, 6})}));
  BOOST_TEST((split({"--count", "4", "-w", "k!=1"}) == std::vector{joined({0, 2, 3, 5}), joined({6})}));
}

BOOST_AUTO_TEST_CASE(by_size) {
  const bytes all = joined({0, 1, 2, 3, 4, 5, 6});
  for (std::size_t limit = parts[0].size(); limit <= all.size() + 1; limit += 97) {
    bytes behind = all;
    std::size_t next = 0;
    for (const bytes& file : split({"--no-sync", "--size", std::to_string(limit)})) {
      BOOST_TEST_REQUIRE(behind.starts_with(file));
      behind.erase(0, file.size());
      const std::size_t first = next;
      for (std::size_t size = 0; size < file.size(); size += parts[next++].size()) continue;
      BOOST_TEST((file.size() <= limit || next == first + 1));
      if (next < parts.size()) BOOST_TEST(file.size() + parts[next].size() > limit);  // one more would not have fitted
    }
    BOOST_TEST(behind == "");
  }
  BOOST_TEST((split({"--size", "1"}) == parts));  // each is larger
  BOOST_TEST((split({"--size", "1MiB"}) == std::vector{joined({0, 1, 2, 3, 4, 5, 6})}));
}

BOOST_AUTO_TEST_CASE(by_key) {
  BOOST_TEST((split({"--by", "k"}) == std::vector{joined({0, 3, 6}), joined({1, 4}), joined({2, 5})}));
  BOOST_TEST(
      (split({"--by", "k"}, "out/[k]-[index]") == std::vector{joined({0, 3, 6}), joined({1, 4}), joined({2, 5})}));
  BOOST_TEST(std::filesystem::exists(files / "out" / "2-0002"));
  const bytes without = message({.objects = {bytes_object("a")}});
  const std::string mixed = files.file("mixed.tgm", parts[0] + without).string();
  BOOST_TEST(run({"split", "--by", "k", mixed, "-o", (files / "m/").string()}).status == 0);
  BOOST_TEST(read_file(files / "m" / "mixed_unknown.tgm") == without);  // some messages lack a key that others have
}

BOOST_AUTO_TEST_CASE(contradictory_arguments_are_usage_errors) {
  const std::string to = (files / "o").string();
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--count", "0"},
                                                  {"--size", "0"},
                                                  {"--count", "1", "--size", "1"},
                                                  {"--by", "@nothing"},
                                                  {"--by", ""},
                                                  {"--by", "k", "--count", "2"}}) {
    std::vector<std::string> arguments{"split", in, "-o", to};
    arguments.insert(arguments.end(), options.begin(), options.end());
    BOOST_TEST(run(arguments).status == 2);
  }
  BOOST_TEST(run({"split", in, "--count", "1"}).status == 2);
  BOOST_TEST(run({"split", in + ":0:0", "--count", "1", "-o", to}).status == 2);
  BOOST_TEST(run({"split", "-w", "k=9", in, "--count", "1", "-o", to}).status == 1);
  BOOST_TEST(!std::filesystem::exists(files / "o_0000"));
}

BOOST_AUTO_TEST_CASE(every_object_by_itself) {
  const bytes title = cbor::text("demo");
  const bytes three = message({.objects = {bytes_object("a"), bytes_object("b"), bytes_object("c")},
                               .base = {cbor::map({cbor::key("name", cbor::text("x"))})},
                               .extra = {cbor::key("title", title)}});
  const bytes old = message({.version = 2, .objects = {bytes_object("d"), bytes_object("e")}});
  const std::string from = files.file("several.tgm", three + parts[0] + old + message({})).string();
  std::filesystem::create_directory(files / "out");
  const outcome seen = run({"split", from, "-o", (files / "out/o.tgm").string()});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(seen.out == "Split into 7 message(s)\n");
  const auto one = [&](int i) { return files / "out" / ("o_000" + std::to_string(i) + ".tgm"); };
  const tgmap::archive before(from);
  for (int i = 0; i < 3; ++i) {
    const tgmap::archive after(one(i));
    BOOST_TEST_REQUIRE(after.size() == 1u);
    BOOST_TEST(after[0].size() == 1u);
    BOOST_TEST(after[0].metadata().find("title")->text() == "demo");
    BOOST_TEST(after[0].base(0).find("name").has_value() == (i == 0));
    BOOST_TEST((after[0][0].stored_hash() == before[0][static_cast<std::size_t>(i)].stored_hash()));
    BOOST_TEST((after[0][0].verify() == tgmap::hash_result::match));
    BOOST_TEST(run({"validate", one(i).string()}).status == 0);
  }
  BOOST_TEST((read_file(one(3)) == parts[0]));
  BOOST_TEST(tgmap::archive(one(5)).size() == 1u);
  BOOST_TEST((read_file(one(6)) == message({})));

  const auto lines = json_lines(
      run({"split", "-n", "-j", "-w", "name=x", from, "-o", (files / "new/[name]_[index].tgm").string()}).out);
  BOOST_TEST(lines.size() == 3u);
  BOOST_TEST(lines[0]["output"] == (files / "new/x_0000.tgm").string());
  BOOST_TEST(lines[1]["output"] == (files / "new/unknown_0001.tgm").string());
  BOOST_TEST(lines[0]["bytes"] == read_file(one(0)).size());
  BOOST_TEST(!std::filesystem::exists(files / "new"));
}

BOOST_AUTO_TEST_CASE(objects_that_cannot_be_read_are_no_files) {
  files.file("hurt.tgm", parts[0] + lying_message());
  std::filesystem::create_directory(files / "out");
  const outcome seen = run({"split", (files / "hurt.tgm").string(), "-o", (files / "out/o.tgm").string()});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("nothing was written because of the error above") != std::string::npos, seen.err);
  BOOST_TEST(!std::filesystem::exists(files / "out/o_0000.tgm"));
  BOOST_TEST(run({"split", "-w", "k=9", in, "-o", (files / "out/o.tgm").string()}).status == 1);
}

BOOST_AUTO_TEST_CASE(an_input_that_is_not_there_is_named) {
  const std::string gone = (files / "gone.tgm").string(), to = (files / "o.tgm").string();
  for (const std::vector<std::string>& way : {std::vector<std::string>{}, {"--count", "2"}}) {
    std::vector<std::string> arguments{"split", gone, "-o", to};
    arguments.insert(arguments.end(), way.begin(), way.end());
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err == "tgmap: " + gone + ": No such file or directory; check the name\ntgmap: " + to +
                               ": nothing was written because of the error above\n");
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none) {
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--count", "0"},
                                                 {"--count", "-1"},
                                                 {"--count", "x"},
                                                 {"--size", "-5"},
                                                 {"--size", "0"},
                                                 {"--size", "1.5"},
                                                 {"--size", "3 parsecs"}}) {
    const outcome seen = run({"split", in, "-o", (files / "p").string(), option[0], option[1]});
    BOOST_TEST(seen.status == 2, option[0] << option[1]);
    BOOST_TEST(seen.err.find("'" + option[1] + "' is not ") != std::string::npos, seen.err);
    BOOST_TEST(seen.err.size() < 300u, seen.err);
  }
  BOOST_TEST(split({"--size", "1MiB"}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(standard_output_is_one_file) {
  for (const char* name : {"-", "/dev/stdout"}) {
    const outcome seen = run({"split", in, "-o", name});
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(seen.err.find("split writes several files; ") != std::string::npos, seen.err);
  }
}

BOOST_AUTO_TEST_CASE(a_dry_run_says_that_it_is_one) {
  const std::string to = (files / "dry/p_[index]").string();
  BOOST_TEST(run({"split", "-n", in, "-o", to}).out == "Split into 7 message(s), not written\n");
  const outcome counted = run({"split", "-n", "--count", "7", in, "-o", to});
  BOOST_TEST(counted.out.ends_with(" bytes, not written\n"), counted.out);
  BOOST_TEST(!std::filesystem::exists(files / "dry"));
}

BOOST_AUTO_TEST_CASE(parts_that_differ_never_share_a_file) {
  // File 10000 of "x" would have the name of file 0 of "x1".
  const auto with_key = [](const char* k) {
    return message({.objects = {bytes_object("a")}, .base = {cbor::map({cbor::key("k", cbor::text(k))})}});
  };
  bytes all = with_key("x1");
  for (int i = 1; i < 10000; ++i) all += with_key("y");
  all += with_key("x");
  files.file("in.tgm", all);
  for (const bool objects : {false, true}) {
    std::vector<std::string> line{"split", in, "--dry-run", "-o", (files / "[k][index]").string()};
    if (!objects) line.insert(line.begin() + 2, {"--count", "1"});
    const outcome seen = run(line);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(
        seen.err.find("[k] is 'x1' in some and 'x' in others, [index] is '0000' in some and '10000' in others") !=
            std::string::npos,
        seen.err);
  }
}

BOOST_AUTO_TEST_CASE(parts_that_lead_to_one_file) {
  std::filesystem::create_symlink("p_0000.tgm", files / "p_0001.tgm");
  for (const bool objects : {false, true}) {
    std::vector<std::string> line{"split", in, "-f", "-o", (files / "p.tgm").string()};
    if (!objects) line.insert(line.begin() + 2, {"--count", "1"});
    const outcome seen = run(line);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("p_0001.tgm: is the same file as") != std::string::npos, seen.err);
    BOOST_TEST(!std::filesystem::exists(files / "p_0000.tgm"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
