// SPDX-License-Identifier: Apache-2.0
// `tgmap import grib` and `tgmap export grib`. Both need ecCodes for the keys, and are skipped where it is missing.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>
#include <support/shared_data.hpp>
#include <tgmap/bridge/eccodes.hpp>

#include "../../../process.hpp"

using namespace tgmap_test;

namespace {

const std::filesystem::path folder = test_data() / "grib";

std::string grib_path(const std::string& name) { return (folder / (name + ".grib")).string(); }
bytes content_of(const std::string& name) { return read_file(folder / (name + ".grib")); }

std::vector<std::string> all_names() {
  std::vector<std::string> out;
  for (const auto& each : std::filesystem::directory_iterator(folder))
    if (each.path().extension() == ".grib") out.push_back(each.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

bool needs_no_skip() {
  if (tgmap::bridge::find_eccodes()) return true;
  say_skipped(boost::unit_test::framework::current_test_case().full_name(), "ecCodes is missing; install libeccodes0");
  return false;
}

/// Returns simple_16 with another forecast time in hours, octets 19 to 22 of its section 4.
bytes with_step(unsigned hours) {
  bytes out = content_of("simple_16");
  std::size_t at = 16;
  while (out.at(at + 4) != 4)
    at += (static_cast<unsigned char>(out.at(at + 2)) << 8U) + static_cast<unsigned char>(out.at(at + 3));
  out.at(at + 21) = static_cast<char>(hours);
  return out;
}

struct grib_folder {
  temporary_directory files;
  std::string path(const char* name) const { return (files / name).string(); }

  outcome import(std::vector<std::string> arguments, std::string_view input = {}) const {
    arguments.insert(arguments.begin(), {"import", "grib", "--no-sync"});
    return run(arguments, input);
  }
  outcome write(std::vector<std::string> arguments, std::string_view input = {}) const {
    arguments.insert(arguments.begin(), {"export", "grib", "--no-sync"});
    return run(arguments, input);
  }

  /// Imports bytes as x.tgm, and returns the lines of JSON.
  std::vector<nlohmann::json> import_lines(std::string_view content, std::vector<std::string> options = {},
                                           int status = 0) const {
    files.file("x.grib", content);
    options.insert(options.end(), {"--json", path("x.grib"), path("x.tgm")});
    const outcome made = import(options);
    BOOST_TEST_REQUIRE(made.status == status, made.err);
    return json_lines(made.out);
  }
  bytes exported(const std::string& archive) const {
    const outcome made = write({"-f", archive, path("out.grib")});
    BOOST_TEST_REQUIRE(made.status == 0, made.err);
    return read_file(path("out.grib"));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(grib_verbs, grib_folder)

BOOST_AUTO_TEST_CASE(every_file_comes_back_byte_for_byte) {
  if (!needs_no_skip()) return;
  BOOST_TEST_REQUIRE(all_names().size() > 30u);
  for (const std::string& name : all_names()) {
    BOOST_TEST_CONTEXT(name) {
      const outcome made = import({"-f", grib_path(name), path("one.tgm")});
      BOOST_TEST(made.status == 0, made.err);
      const outcome valid = run({"validate", "--full", path("one.tgm")});
      BOOST_TEST(valid.status == 0, valid.out + valid.err);
      BOOST_TEST((exported(path("one.tgm")) == content_of(name)));
    }
  }
}

BOOST_AUTO_TEST_CASE(all_files_are_one_archive_in_their_order) {
  if (!needs_no_skip()) return;
  std::vector<std::string> arguments{"-o", path("all.tgm")};
  bytes together;
  std::string list;
  for (const std::string& name : all_names()) {
    arguments.push_back(grib_path(name));
    list += grib_path(name) + "\n";
    together += content_of(name);
  }
  const outcome made = import(arguments);
  BOOST_TEST(made.status == 0, made.err);
  BOOST_TEST((exported(path("all.tgm")) == together));

  // The same by a list, and with one thread.
  files.file("names", list);
  const outcome listed = import({"--threads", "1", "--from", path("names"), path("listed.tgm")});
  BOOST_TEST(listed.status == 0, listed.err);
  BOOST_TEST((exported(path("listed.tgm")) == together));
}

BOOST_AUTO_TEST_CASE(pipes_on_both_sides) {
  if (!needs_no_skip()) return;
  const bytes both = content_of("edition_1_16") + content_of("ccsds_12");
  const outcome archive = import({"-", "-"}, both);
  BOOST_TEST(archive.status == 0, archive.err);
  const outcome back = write({"-", "-"}, archive.out);
  BOOST_TEST(back.status == 0, back.err);
  BOOST_TEST((back.out == both));
}

BOOST_AUTO_TEST_CASE(lines_say_what_was_done) {
  if (!needs_no_skip()) return;
  const auto lines =
      import_lines("xy" + content_of("simple_16") + content_of("ccsds_12") + content_of("several_fields"));
  BOOST_TEST_REQUIRE(lines.size() == 6u);
  BOOST_TEST(lines[0]["file"] == path("x.grib"));
  BOOST_TEST(lines[0]["offset"] == 2);
  BOOST_TEST(lines[0]["method"] == "carried");
  BOOST_TEST(!lines[0].contains("reason"));
  BOOST_TEST(lines[0]["bytes"] == content_of("simple_16").size());
  BOOST_TEST(lines[0]["stored"] == 992);  // 496 values of 16 bits
  BOOST_TEST(lines[0]["name"] == "t");
  BOOST_TEST(lines[0]["mars"]["param"] == 130);
  BOOST_TEST(lines[1]["method"] == "reencoded");
  BOOST_TEST(lines[1]["reason"] == "sample_width");
  BOOST_TEST(lines[1]["message"] == 1);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(lines[2 + i]["field"] == i);
    BOOST_TEST(lines[2 + i]["fields"] == 4);
    BOOST_TEST(lines[2 + i]["message"] == 2 + i);
  }
}

BOOST_AUTO_TEST_CASE(damaged_messages_are_left_out) {
  if (!needs_no_skip()) return;
  const bytes good = content_of("simple_16"), other = content_of("edition_1_12");
  bytes short_data = content_of("simple_12");
  short_data.at(short_data.size() - 750) = 0;  // the length of the data section: 512 instead of 749
  const bytes truncated = content_of("simple_24").substr(0, 300);
  files.file("x.grib", "some text" + good + short_data + other + truncated);
  const outcome made = import({"--json", path("x.grib"), path("x.tgm")});
  BOOST_TEST(made.status == 3);
  std::vector<std::string> errors;
  for (const auto& line : json_lines(made.out))
    if (line.contains("error")) errors.push_back(line["error"]);
  BOOST_TEST_REQUIRE(errors.size() == 2u);
  BOOST_TEST(errors[1] == "message_truncated");
  BOOST_TEST(made.err.find("x.grib@" + std::to_string(9 + good.size())) != std::string::npos, made.err);
  BOOST_TEST((exported(path("x.tgm")) == good + other));
}

BOOST_AUTO_TEST_CASE(nothing_is_written_if_an_input_cannot_be_read) {
  if (!needs_no_skip()) return;
  const outcome missing = import({path("none.grib"), grib_path("simple_16"), path("x.tgm")});
  BOOST_TEST(missing.status == 1);
  BOOST_TEST(missing.err.find("none.grib: No such file") != std::string::npos, missing.err);
  BOOST_TEST(!std::filesystem::exists(path("x.tgm")));
  const outcome is_folder = import({files.path().string(), path("x.tgm")});
  BOOST_TEST(is_folder.status == 1);
  files.file("text", "no messages here");
  const outcome no_grib = import({path("text"), path("x.tgm")});
  BOOST_TEST(no_grib.status == 1);
  BOOST_TEST(no_grib.err.find("has no GRIB message") != std::string::npos, no_grib.err);
  BOOST_TEST(!std::filesystem::exists(path("x.tgm")));
}

BOOST_AUTO_TEST_CASE(merged_fields_share_a_message) {
  if (!needs_no_skip()) return;
  const bytes u = content_of("edition_1_16"), six = with_step(6), twelve = with_step(12);
  const bytes all = six + u + twelve;
  const auto lines = import_lines(all, {"--merge", "mars.step"});
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines[0]["message"] == 0);
  BOOST_TEST(lines[1]["message"] == 0);
  BOOST_TEST(lines[1]["object"] == 1);
  BOOST_TEST(lines[1]["mars"]["step"] == 12);
  BOOST_TEST(lines[2]["message"] == 1);
  BOOST_TEST((exported(path("x.tgm")) == six + twelve + u));
  BOOST_TEST(run({"count", "--objects", path("x.tgm")}).out == "3\n");

  // From a pipe, with a key that no field has.
  const outcome piped = import({"--merge", "step,nothing", "-", path("p.tgm")}, all);
  BOOST_TEST(piped.status == 0, piped.err);
  BOOST_TEST(piped.err.find("--merge nothing: no field has this key") != std::string::npos, piped.err);
  BOOST_TEST((exported(path("p.tgm")) == six + twelve + u));

  // Of merged objects, one by its key.
  const outcome chosen = write({"-w", "mars.step=12", path("x.tgm"), path("chosen.grib")});
  BOOST_TEST(chosen.status == 0, chosen.err);
  BOOST_TEST((read_file(path("chosen.grib")) == twelve));
}

BOOST_AUTO_TEST_CASE(exact_imports_compare_with_eccodes) {
  if (!needs_no_skip()) return;
  const outcome equal = import({"--exact", grib_path("simple_16"), grib_path("complex_spatial_2"), path("x.tgm")});
  BOOST_TEST(equal.status == 0, equal.err);
  // A decimal scale other than 0: the reference value is rounded.
  const outcome differs = import({"--exact", grib_path("simple_decimal"), path("y.tgm")});
  BOOST_TEST(differs.status == 1);
  BOOST_TEST(differs.err.find("values differ from those that ecCodes decodes") != std::string::npos, differs.err);
  BOOST_TEST(!std::filesystem::exists(path("y.tgm")));
}

BOOST_AUTO_TEST_CASE(a_selection_of_a_message_of_several_fields) {
  if (!needs_no_skip()) return;
  BOOST_TEST_REQUIRE(import({grib_path("several_fields"), path("x.tgm")}).status == 0);
  const outcome one = write({"--json", path("x.tgm") + ":1", path("one.grib")});
  BOOST_TEST(one.status == 0, one.err);
  BOOST_TEST(one.err.find("1 field of GRIB messages of several fields") != std::string::npos, one.err);
  const auto lines = json_lines(one.out);
  BOOST_TEST_REQUIRE(lines.size() == 1u);
  BOOST_TEST(lines[0]["message"] == 1);
  BOOST_TEST(lines[0]["fields"] == 1);
  // The second field is a whole message now, with the keys that it had.
  const auto again = import_lines(read_file(path("one.grib")), {"-f"});
  const auto before = json_lines(import({"-n", "-j", grib_path("several_fields"), path("n.tgm")}).out);
  BOOST_TEST_REQUIRE(again.size() == 1u);
  BOOST_TEST(again[0]["mars"] == before[1]["mars"]);
}

BOOST_AUTO_TEST_CASE(edits_are_an_error_and_conversions_are_not) {
  if (!needs_no_skip()) return;
  BOOST_TEST_REQUIRE(import({grib_path("simple_16"), grib_path("ccsds_16"), path("x.tgm")}).status == 0);
  BOOST_TEST_REQUIRE(run({"set", "-s", "mars.step=99", path("x.tgm"), path("edited.tgm")}).status == 0);
  const outcome edited = write({path("edited.tgm"), path("out.grib")});
  BOOST_TEST(edited.status == 1);
  BOOST_TEST(edited.err.find("edited.tgm:1:0: keys were changed since the import") != std::string::npos, edited.err);
  BOOST_TEST(!std::filesystem::exists(path("out.grib")));

  BOOST_TEST_REQUIRE(run({"convert", "--compression", "zstd", path("x.tgm"), path("zstd.tgm")}).status == 0);
  BOOST_TEST((exported(path("zstd.tgm")) == content_of("simple_16") + content_of("ccsds_16")));

  const outcome foreign = write({(test_data() / "mixed_0.tgm").string(), path("none.grib")});
  BOOST_TEST(foreign.status == 1);
  BOOST_TEST(foreign.err.find("grib_sections") != std::string::npos, foreign.err);
}

BOOST_AUTO_TEST_CASE(original_data_can_be_left_out) {
  if (!needs_no_skip()) return;
  const auto kept = import_lines(content_of("png"));
  BOOST_TEST(kept.at(0)["original"] == true);
  const auto left_out = import_lines(content_of("png"), {"-f", "--no-original"});
  BOOST_TEST(left_out.at(0)["original"] == false);
}

BOOST_AUTO_TEST_CASE(dry_runs_write_nothing) {
  if (!needs_no_skip()) return;
  const outcome dry = import({"-n", grib_path("simple_16"), path("x.tgm")});
  BOOST_TEST(dry.status == 0, dry.err);
  BOOST_TEST(dry.out.find(", not written") != std::string::npos, dry.out);
  BOOST_TEST(!std::filesystem::exists(path("x.tgm")));
}

BOOST_AUTO_TEST_CASE(an_index_beside_the_archive) {
  if (!needs_no_skip()) return;
  BOOST_TEST(import({"--write-index", grib_path("simple_16"), path("x.tgm")}).status == 0);
  BOOST_TEST(run({"index", "check", path("x.tgm")}).status == 0);
}

BOOST_AUTO_TEST_CASE(mistakes_in_the_command_line) {
  BOOST_TEST(import({grib_path("simple_16")}).status == 2);
  BOOST_TEST(import({"--grib-keys", "ls,nothing", grib_path("simple_16"), path("x.tgm")}).status == 2);
  BOOST_TEST(import({"--merge", "a,,b", grib_path("simple_16"), path("x.tgm")}).status == 2);
  BOOST_TEST(import({"--json", grib_path("simple_16"), "-"}).status == 2);
  BOOST_TEST(import({"-", "-", path("x.tgm")}).status == 2);
  BOOST_TEST(write({path("x.tgm")}).status == 2);
  BOOST_TEST(run({"import"}).status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
