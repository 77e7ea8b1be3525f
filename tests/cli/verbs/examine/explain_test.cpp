// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <regex>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(explain)

namespace {

/// Replaces times by "T", and counts that depend on earlier work of the process by "N".
std::string steady(const std::string& text) {
  // step, us, reads, bytes, minor, major, pages, cached, within
  static const std::regex row(
      "\\n(open|find|layout|object|descriptor|metadata|payload)( +|\\t)[0-9.]+( +|\\t)(-|[0-9]+)( +|\\t)(-|[0-9]+)"
      "( +|\\t)[0-9]+( +|\\t)[0-9]+( +|\\t)([-0-9]+)( +|\\t)(-|[0-9]+)( +|\\t)");
  return std::regex_replace(text, row, "\n$1 T $4 $6 N N $10 $12 ");
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_object_in_a_pipe) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome seen = run({"explain", "--io", "map", path + ":0:0"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  const std::string length = std::to_string(two_objects().size());
  const std::string expected = "fact\tvalue\nmessage\t0\noffset\t0\nlength\t" + length +
                               "\nversion\t3\nobjects\t2\nindex_location\theader\nroute\theader index\nindex "
                               "file\tnone\naccess\tmap (asked for)\nobject\t0\n"
                               "dtype\tfloat32\nshape\t[2, 3]\ncodecs\tnothing\n";
  BOOST_TEST(seen.out.starts_with(expected), seen.out);
  const auto line = json_lines(run({"explain", "-j", path + ":0:0"}).out).at(0);
  const auto where = [&](int step) {
    std::string out;
    for (const auto& range : line["steps"][step]["ranges"])
      out += (out.empty() ? "" : ", ") + range["begin"].dump() + ".." + range["end"].dump();
    return out;
  };
  const std::string begin = line["payload_offset"].dump();
  const std::string payload = begin + ".." + std::to_string(line["payload_offset"].get<int>() + 24);
  const auto cost = [&](int step) {
    return line["steps"][step]["reads"].dump() + " " + line["steps"][step]["bytes_read"].dump() + " N N ";
  };
  BOOST_TEST(line["steps"][3]["reads"].get<int>() > 0, "few looks are reads");
  BOOST_TEST(steady(seen.out) == expected + "payload\t" + payload +
                                     "\nstored\t24\ndecoded\t24\nin place\tyes\n\n"
                                     "step\tus\treads\tbytes\tminor\tmajor\tpages\tcached\twithin\n"
                                     "open T 0 0 N N - - -\nfind T " +
                                     cost(1) + "1 1 0.." + length + "\nlayout T " + cost(2) + "1 1 " + where(2) +
                                     "\nobject T " + cost(3) + "1 1 " + where(3) + "\ndescriptor T " + cost(4) +
                                     "1 1 " + where(4) + "\nmetadata T " + cost(5) + "1 1 " + where(5) +
                                     "\npayload T " + cost(6) + "1 1 " + payload + "\n");
}

BOOST_AUTO_TEST_CASE(the_index_file_is_named_with_its_level) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const auto index = [&](const std::string& target) {
    return json_lines(run({"explain", "-j", path + target}).out).at(0)["index"];
  };
  const nlohmann::json none{{"used", false}, {"current", false}, {"reason", nullptr}};
  BOOST_TEST(index(":0:0") == none);
  BOOST_TEST(run({"index", "create", "--no-sync", path}).status == 0);
  const nlohmann::json used = index(":0:0");
  BOOST_TEST(used["used"] == true);
  BOOST_TEST(used["current"] == true);
  BOOST_TEST(used["trust"] == "sampled");
  BOOST_TEST(used["covered_bytes"] == std::filesystem::file_size(path));
  BOOST_TEST(used["lists_message"] == true);
  BOOST_TEST(used["lists_object"] == true);
  BOOST_TEST(index(":0")["lists_object"] == false);
  const std::string text = run({"explain", path + ":0:0"}).out;
  BOOST_TEST(text.find("\nindex file\tsampled; lists message and object\n") != text.npos, text);
  write_file(path, two_objects());
  BOOST_TEST(index(":0:0")["used"] == false);
  BOOST_TEST(index(":0:0")["reason"].get<std::string>().find("the index does not belong to these bytes") == 0u);
  BOOST_TEST(run({"explain", path + ":0"}).out.find("\nindex file\tnot used: ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(stages_to_undo) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", packed_message()).string();
  const outcome seen = run({"explain", path + ":0:0"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.find("\ncodecs\tshuffle, zstd\n") != std::string::npos, seen.out);
  BOOST_TEST(seen.out.find("\nin place\tno: a filter must be undone") != std::string::npos, seen.out);
  BOOST_TEST(
      seen.out.find("\n\nundo\tby\tfrom\tto\ncompression\tzstd\t15\t15\nfilter\tshuffle\t15\t15\nmask\trle\t2\t2\n") !=
          std::string::npos,
      seen.out);
  const auto line = json_lines(run({"explain", "--json", path + ":0:0"}).out).at(0);
  BOOST_TEST(line["in_place"] == false);
  BOOST_TEST(line["obstacles"].dump() == R"([{"bytes_in":15,"bytes_out":15,"code":"compressed","codec":"zstd"},)"
                                         R"({"bytes_in":15,"bytes_out":15,"code":"filtered","codec":"shuffle"},)"
                                         R"({"bytes_in":2,"bytes_out":2,"code":"masked","codec":"rle"}])");
}

BOOST_AUTO_TEST_CASE(json_has_these_keys) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome seen = run({"explain", "-j", "--io", "read", path + ":0:1", path + ":-1", path + "@0"});
  BOOST_TEST(seen.status == 0);
  const auto lines = json_lines(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  std::string keys;
  for (const auto& [key, value] : lines[0].items()) keys += key + " ";
  BOOST_TEST(
      keys ==
      "compression decoded dtype encoding file filter in_place index index_location io_mode io_reason message "
      "message_length message_offset object objects obstacles payload_offset reason route shape steps stored version ");
  keys.clear();
  for (const auto& [key, value] : lines[0]["steps"][0].items()) keys += key + " ";
  BOOST_TEST(keys == "bytes_read cached major_faults minor_faults nanoseconds pages ranges reads step ");
  BOOST_TEST(lines[0]["obstacles"][0]["code"] == "not_mapped");
  BOOST_TEST(lines[1]["route"] == "footer index");
  BOOST_TEST(lines[1]["message"] == 2);
  BOOST_TEST(!lines[1].contains("object"));
  BOOST_TEST(lines[1]["steps"].size() == 4u);
  BOOST_TEST(lines[2]["message_offset"] == 0);
  BOOST_TEST(lines[2]["message"].is_null());  // named by its offset
  const auto walked = json_lines(run({"explain", "-j", "--lookup", "walk", path + ":0:0"}).out).at(0);
  BOOST_TEST(walked["route"] == "walk over frames");
}

BOOST_AUTO_TEST_CASE(aligned_at_a_terminal) {
  const temporary_directory files;
  const outcome seen = run_at_terminal({"explain", files.file("f.tgm", forecast()).string() + ":0:0"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.starts_with("\x1b[1mfact            value\x1b[0m\nmessage         0\n"), seen.out);
  BOOST_TEST(seen.out.find("\x1b[1mstep        ") != std::string::npos, seen.out);
  BOOST_TEST(seen.out.find('\t') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(several_targets_have_their_names_above) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string(), gone = (files / "gone.tgm").string();
  const outcome seen = run({"explain", path + ":0", gone + ":0", path + ":1"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out.starts_with(path + ":\nfact\t"));
  BOOST_TEST(seen.out.find("\n\n" + path + ":\nfact\tvalue\nmessage\t1\n") != std::string::npos, seen.out);
  BOOST_TEST(seen.err == "tgmap: " + gone + ": No such file or directory; check the name\n");
}

BOOST_AUTO_TEST_CASE(other_targets_are_usage_errors) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  for (const std::string& target : {path + ":0..2", path + ":0:0..1", path + ":..", path + ":0:.."}) {
    const outcome seen = run({"explain", target});
    BOOST_TEST(seen.status == 2, target);
    BOOST_TEST(seen.err.starts_with("tgmap: explain takes one message or object, such as " + path + ":0 or "),
               seen.err);
    BOOST_TEST(seen.out == "");
  }
  const outcome several = run({"explain", path});
  BOOST_TEST(several.status == 1);
  BOOST_TEST(several.err == "tgmap: " + path + ": has several messages; name a message or an object, for example " +
                                path + ":0 or " + path + ":0:0\n");
  const auto one = files.file("one.tgm", two_objects()).string();
  BOOST_TEST(run({"explain", one}).status == 0);
  BOOST_TEST(run({"explain", one + "gone"}).err.find("check the name") != std::string::npos);
  BOOST_TEST(run({"explain", "-:0"}).err.starts_with("tgmap: explain cannot read standard input"));
}

BOOST_AUTO_TEST_CASE(a_pipe_is_read_once) {
  const temporary_directory files;
  files.file("f.tgm", two_objects());
  const outcome seen = shell("cd '" + files.path().string() +
                             "' && mkfifo pipe && { cat f.tgm > pipe & } && timeout 20 \"$TGMAP\" explain -j pipe:0:0");
  BOOST_TEST(seen.status == 0, seen.err);
  const auto line = json_lines(seen.out).at(0);
  BOOST_TEST(line["stored"] == 24);
  BOOST_TEST(line["steps"][2]["cached"].is_null());
}

BOOST_AUTO_TEST_CASE(errors_say_what_to_do_next) {
  const temporary_directory files;
  const auto lying = files.file("lying.tgm", lying_message()).string();
  const outcome seen = run({"explain", lying + ":0:0"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.ends_with("; add --lookup walk to find the objects without the index\n"), seen.err);
  BOOST_TEST(run({"explain", "--lookup", "walk", lying + ":0:0"}).status == 0);
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome none = run({"explain", path + ":0:7"});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(none.err.ends_with("; run `tgmap ls " + path + "` to see what there is\n"), none.err);
  BOOST_TEST(run({"explain", files.file("d.tgm", "noise" + forecast()).string() + ":0"}).status == 3);
}

BOOST_AUTO_TEST_SUITE_END()
