// SPDX-License-Identifier: Apache-2.0
// `tgmap constant`: checking, printing, importing and exporting constants.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <support/shared_data.hpp>
#include <tgmap/constant/archive.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/write/writer.hpp>

#include "../../../process.hpp"
#include "../../../samples.hpp"

using namespace tgmap_test;
using nlohmann::json;

namespace {

struct constants {
  temporary_directory files;
  std::string path(const char* name) const { return (files / name).string(); }
  std::string file(const char* name, std::string_view content) const { return files.file(name, content).string(); }

  static std::string data(const char* name) { return (test_data() / "constants" / name).string(); }
  outcome call(std::vector<std::string> arguments, std::string_view input = {}) const {
    arguments.insert(arguments.begin(), "constant");
    return run(arguments, input);
  }
  json cells(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"cells", "--json"});
    const outcome seen = call(arguments);
    BOOST_TEST_REQUIRE(seen.status == 0, seen.err);
    return json::parse(seen.out);
  }
};

std::optional<json> cases(const char* name) {
  const auto root = shared_data_or_skip(std::string("tgmap constant with ") + name);
  if (!root) return {};
  std::ifstream in(*root / "data/vespa" / name);
  return json::parse(in);
}

/// Returns the cells as a set of addresses and values.
json set_of(const json& cells) {
  json out = json::object();
  for (const json& each : cells) {
    const json& value = each.at("value");
    out[each.at("address").dump()] = value.is_number() ? json(value.get<double>()) : value;
  }
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(constant, constants)

BOOST_AUTO_TEST_CASE(recorded_files_are_read_as_they_should) {
  const auto all = cases("cases.json");
  if (!all) return;
  for (const json& each : *all) {
    const bool extended = each.at("profile") == "extended";
    for (const bool mode : extended ? std::vector<bool>{false, true} : std::vector<bool>{false}) {
      const json& expected =
          !mode && extended && each.contains("strict_expect") ? each["strict_expect"] : each["expect"];
      std::vector<std::string> arguments{file("case.json", each.at("input").get<std::string>())};
      if (each.at("type").is_string()) arguments.insert(arguments.end(), {"--type", each["type"].get<std::string>()});
      if (mode) arguments.emplace_back("--extended");
      const std::string what = each.at("name").get<std::string>() + (mode ? ", extended" : "");

      std::vector<std::string> check = arguments;
      check.insert(check.begin(), "check");
      const outcome verdict = call(check);
      if (expected.contains("error")) {
        // A wrong type is a usage error.
        BOOST_TEST((verdict.status == 1 || verdict.status == 2), what << ": " << verdict.out);
        BOOST_TEST(verdict.out == "", what);
        BOOST_TEST(verdict.err != "", what);
        continue;
      }
      BOOST_TEST(verdict.status == 0, what << ": " << verdict.err);
      BOOST_TEST(verdict.out == "ok " + expected["canonical_type"].get<std::string>() + " cells " +
                                    std::to_string(expected["cells"].size()) + "\n",
                 what);
      const json seen = cells(arguments);
      BOOST_TEST(seen["type"] == expected["canonical_type"], what);
      BOOST_TEST(set_of(seen["cells"]) == set_of(expected["cells"]), what);
    }
  }
}

BOOST_AUTO_TEST_CASE(recorded_constants_go_through_archives_and_come_out_in_every_form) {
  const auto all = cases("write_cases.json");
  if (!all) return;
  for (const json& each : *all) {
    const std::string name = each.at("name");
    const json& forms = each.at("upstream_output");
    // null is read as NaN; typed binary has the lost values.
    std::string bytes;
    const std::string hex = each.at("upstream_tbf_hex");
    for (std::size_t i = 0; i < hex.size(); i += 2)
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    const std::string from = file("case.tbf", bytes), archive = path("case.tgm");
    const outcome in = call({"import", "-f", from, "-o", archive});
    BOOST_TEST(in.status == 0, name << ": " << in.err);
    BOOST_TEST(run({"validate", archive}).status == 0, name);
    for (const auto& [form, text] : forms.items()) {
      const outcome seen = call({"export", archive, "--form", form, "--style", "upstream"});
      BOOST_TEST(seen.out == text.get<std::string>(), name << " as " << form << ": " << seen.err);
      const outcome same =
          call({"export", archive + ":0", "--form", form, "--style", "upstream", "-f", "-o", path("out")});
      BOOST_TEST(same.status == 0, same.err);
      BOOST_TEST(read_file(path("out")) == text.get<std::string>(), name << " as " << form);
    }
    BOOST_TEST(call({"export", archive, "--form", "tbf"}).out == bytes, name);
    // Every form is read back as the same cells.
    for (const char* form : {"", "long"}) {
      std::vector<std::string> arguments{"export", archive, "-f", "-o", path("again.json")};
      if (*form != '\0') arguments.insert(arguments.end(), {"--form", form});
      const outcome out = call(arguments);
      BOOST_TEST(out.status == 0, out.err);
      BOOST_TEST(cells({path("again.json")}) == cells({archive}), name << " as " << form);
    }
  }
}

BOOST_AUTO_TEST_CASE(standard_input_and_output_take_part) {
  const outcome checked = call({"check", "-"}, R"j({"type":"tensor(x[2])","values":[1,2]})j");
  BOOST_TEST(checked.out == "ok tensor(x[2]) cells 2\n");
  const outcome imported = call({"import", "-", "-o", "-"}, R"j({"type":"tensor(x[2])","values":[1,2]})j");
  BOOST_TEST(imported.status == 0, imported.err);
  BOOST_TEST(cells({file("piped.tgm", imported.out)})["cells"].size() == 2u);
  BOOST_TEST(call({"import", "-"}, "{}").status == 2);
}

BOOST_AUTO_TEST_CASE(archives_are_named_after_their_files) {
  std::filesystem::copy(data("table.json"), path("t.json"));
  const outcome made = call({"import", path("t.json")});
  BOOST_TEST(made.status == 0, made.err);
  BOOST_TEST(std::filesystem::exists(path("t.tgm")));
  BOOST_TEST(call({"get", path("t.tgm"), "key=d", "x=0"}).out == "0.1\n");
  BOOST_TEST(call({"get", path("t.tgm"), "x=1", "key=d"}).out == "NaN\n");
  BOOST_TEST(call({"get", path("t.tgm"), "key=abc"}).out == "[1.0,2.0,3.0]\n");
  BOOST_TEST(call({"check", path("t.tgm")}).out == "ok tensor<float>(key{},x[3]) cells 6\n");
  BOOST_TEST(call({"check", path("t.tgm"), "--type", "tensor<float>(key{},x[4])"}).status == 1);
  BOOST_TEST(call({"check", path("t.tgm"), "--cell-type", "int8"}).status == 1);  // NaN
  BOOST_TEST(call({"get", path("t.tgm"), "--cell-type", "bfloat16", "key=d", "x=0"}).out == "0.099609375\n");
  BOOST_TEST(run({"get", "-p", "vespa.type", path("t.tgm")}).out == "tensor<float>(key{},x[3])\n");
}

BOOST_AUTO_TEST_CASE(several_constants_become_one_archive_or_none) {
  const outcome both = call({"import", "-j", data("table.json"), data("matrix.json"), "-o", path("m.tgm")});
  BOOST_TEST(both.status == 0, both.err);
  const auto told = json::parse(both.out);
  BOOST_TEST((told["messages"] == 2 && told["cells"] == 12));
  BOOST_TEST(call({"check", path("m.tgm")}).status == 2);  // which one?
  BOOST_TEST(call({"check", path("m.tgm:1")}).out == "ok tensor<float>(x[2],y[3]) cells 6\n");
  const outcome bad = call({"import", data("table.json"), data("broken.json"), "-o", path("n.tgm")});
  BOOST_TEST(bad.status == 1);
  BOOST_TEST(!std::filesystem::exists(path("n.tgm")));
  BOOST_TEST(call({"import", data("table.json"), data("matrix.json")}).status == 2);
  BOOST_TEST(call({"import", "-f", path("m.tgm:0"), "-o", path("m.tgm")}).status == 1);  // would be read and replaced
}

BOOST_AUTO_TEST_CASE(cell_types_are_chosen) {
  const std::string from = file("c.json", R"j({"type":"tensor(x[3])","values":[0.1,2.75,-1]})j");
  const auto values = [&](const char* cells) { return call({"get", from, "--cell-type", cells, "x=0"}).out; };
  BOOST_TEST(values("double") == "0.1\n");
  BOOST_TEST(values("float") == "0.1\n");
  BOOST_TEST(values("bfloat16") == "0.099609375\n");
  BOOST_TEST(values("int8") == "0\n");
  BOOST_TEST(call({"get", from, "--nearest", "--cell-type", "bfloat16", "x=0"}).out == "0.100097656\n");
  BOOST_TEST(call({"check", "--whole", "--cell-type", "int8", from}).status == 1);
  BOOST_TEST(call({"check", "--cell-type", "half", from}).status == 2);
  const outcome as_float = call({"export", from, "--cell-type", "float", "--form", "tbf", "-o", path("f.tbf")});
  BOOST_TEST(as_float.status == 0, as_float.err);
  BOOST_TEST(call({"check", path("f.tbf")}).out == "ok tensor<float>(x[3]) cells 3\n");
  BOOST_TEST(call({"check", path("f.tbf"), "--cell-type", "int8"}).out == "ok tensor<int8>(x[3]) cells 3\n");
}

BOOST_AUTO_TEST_CASE(objects_become_constants) {
  std::vector<float> numbers{0, 1, 2, 3, 4, 5};
  tgmap::new_message m;
  m.objects.emplace_back(tgmap::new_object::of(std::span<const float>(numbers), {2, 3}));
  const auto bytes = tgmap::to_bytes(m);
  const std::string from = file("o.tgm", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  BOOST_TEST(call({"export", from, "--dims", "x,y"}).out ==
             R"j({"type":"tensor<float>(x[2],y[3])","values":[[0,1,2],[3,4,5]]})j");
  BOOST_TEST(call({"export", from + ":0:0", "--dims", "y,x"}).out ==
             R"j({"type":"tensor<float>(x[3],y[2])","values":[[0,3],[1,4],[2,5]]})j");
  BOOST_TEST(call({"export", from, "--dims", "x,y", "--cell-type", "int8"}).out ==
             R"j({"type":"tensor<int8>(x[2],y[3])","values":[[0,1,2],[3,4,5]]})j");
  BOOST_TEST(call({"export", from, "--dims", "x"}).status == 2);
  BOOST_TEST(call({"export", from, "--dims", "x,x"}).status == 2);
  BOOST_TEST(call({"export", from, "--dims", "x,2"}).status == 2);
  const outcome none = call({"export", from});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(none.err.find("--dims") != std::string::npos, none.err);
}

BOOST_AUTO_TEST_CASE(samples_are_constants_of_their_type) {
  for (const char* type : {"tensor(x[3])", "tensor<float>(x[2],y[3])", "tensor(key{})", "tensor<int8>(a{},b{})",
                           "tensor<bfloat16>(key{},x[2])", "tensor<float>(a{},b{},x[2],y[2])", "tensor()"})
    for (const char* form : {"", "long"}) {
      std::vector<std::string> arguments{"sample", "--type", type};
      if (*form != '\0') arguments.insert(arguments.end(), {"--form", form});
      const outcome made = call(arguments);
      BOOST_TEST(made.status == 0, made.err);
      const outcome checked = call({"check", "--type", type, file("s.json", made.out)});
      BOOST_TEST(checked.status == 0, made.out << checked.err);
      BOOST_TEST(checked.err == "");
    }
  BOOST_TEST(call({"sample", "--type", "tensor(x[2147483647])"}).status == 1);
  BOOST_TEST(call({"sample", "--type", "tensor(x[])"}).status == 2);
}

BOOST_AUTO_TEST_CASE(all_problems_are_reported_with_their_position) {
  const outcome first = call({"check", data("broken.json")});
  BOOST_TEST(first.status == 1);
  BOOST_TEST(first.out == "");
  BOOST_TEST(first.err.find(R"j(broken.json:4:16: blocks["abc"][1]: )j") != std::string::npos, first.err);
  BOOST_TEST(first.err.find("--all") != std::string::npos);
  const auto all = json_lines(call({"check", "-a", "-j", data("broken.json")}).out).at(0);
  BOOST_TEST(all["ok"] == false);
  const json problems = all["problems"];
  BOOST_TEST_REQUIRE(problems.size() == 3u, problems.dump());
  BOOST_TEST((problems[0]["code"] == "not_a_number" && problems[0]["line"] == 4));
  BOOST_TEST((problems[1]["code"] == "array_length" && problems[1]["line"] == 5));
  BOOST_TEST((problems[2]["code"] == "not_a_number" && problems[2]["line"] == 6));
  BOOST_TEST(problems[2]["path"] == R"j(blocks["e"][2])j");
}

BOOST_AUTO_TEST_CASE(other_files_are_refused) {
  BOOST_TEST(call({"check", path("missing.json")}).status == 1);
  BOOST_TEST(call({"check", path("missing.tbf")}).status == 1);
  BOOST_TEST(call({"check", file("empty.json", "")}).status == 1);
  BOOST_TEST(call({"check", file("empty.tbf", "")}).status == 1);
  BOOST_TEST(call({"check", file("none.json.lz4", "no frame")}).status == 1);
  BOOST_TEST(call({"check", files.path().string()}).status == 1);
  BOOST_TEST(call({"cells", (test_data() / "mixed_0.tgm").string() + ":0"}).status == 1);
  BOOST_TEST(call({"get", data("table.json"), "key"}).status == 2);
  BOOST_TEST(call({"get", data("table.json"), "key=zz", "x=0"}).status == 1);
  BOOST_TEST(call({"get", data("table.json"), "key=d", "x=3"}).status == 1);
  BOOST_TEST(call({"export", data("table.json"), "-o", data("table.json")}).status == 1);
  BOOST_TEST(call({"nothing"}).status == 2);
}

BOOST_AUTO_TEST_CASE(tables_of_archives_are_checked) {
  namespace library = tgmap::constant;
  const library::stored_constant sound = library::to_archive(library::read_file(data("table.json")));
  tgmap::new_message lies = sound.message;
  lies.extra.set("vespa.seed", 7);  // no label is where its hash says
  const auto put = [&](const char* name, const tgmap::new_message& m) {
    const auto bytes = tgmap::to_bytes(m);
    return file(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  BOOST_TEST(call({"check", put("sound.tgm", sound.message)}).status == 0);
  put("lies.tgm", lies);
  const outcome seen = call({"check", path("lies.tgm")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("contradict each other") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(labels_are_printed_harmlessly) {
  const outcome text = call({"cells", "--empty-labels", data("labels.json")});
  BOOST_TEST(text.status == 0, text.err);
  BOOST_TEST(text.out.find('\x1b') == std::string::npos);
  BOOST_TEST(text.out.find("a=x b=é\\x1b[31m\t-7\n") != std::string::npos, text.out);
  const json seen = cells({"--empty-labels", data("labels.json")});
  BOOST_TEST(seen["cells"][0]["address"]["b"] == "é\x1b[31m");
  BOOST_TEST(call({"cells", data("labels.json")}).status == 1);
}

BOOST_AUTO_TEST_CASE(everything_that_is_written_is_read_with_the_options_that_errors_name) {
  if (!has_simdjson_or_skip("forms of constants")) return;
  const std::string odd =
      file("odd.json", R"json({"type":"tensor<float>(key{},x[2])","blocks":{"":[1,2],"b":[3,4]}})json");
  const auto cells_of = [&](std::vector<std::string> options, const std::string& from) {
    options.insert(options.begin(), {"cells", "--json"});
    options.push_back(from);
    return call(options);
  };
  std::vector<std::pair<std::string, std::string>> samples{{odd, "tensor<float>(key{},x[2])"}};
  for (const char* type : {"tensor<float>(key{},x[3])", "tensor(x[3],y[2])", "tensor<int8>(k{})",
                           "tensor<double>(a{},b{})", "tensor()", "tensor<bfloat16>(a{},b{},x[2],y[2])"}) {
    const std::string from = path(("from" + std::to_string(samples.size()) + ".json").c_str());
    BOOST_TEST_REQUIRE(call({"sample", "-t", type, "--form", "long", "-o", from}).status == 0);
    samples.emplace_back(from, type);
  }
  std::size_t refused = 0;
  for (const auto& [from, type] : samples) {
    const outcome wanted = cells_of({"--empty-labels"}, from);
    BOOST_TEST_REQUIRE(wanted.status == 0, wanted.err);
    for (const std::string form : {"short", "long", "short-value", "long-value", "hex", "hex-value", "tbf"})
      for (const std::string style : {"shortest", "upstream"}) {
        BOOST_TEST_CONTEXT(type << " " << form << " " << style) {
          const std::string to = path(form == "tbf" ? "to.tbf" : "to.json");
          const outcome written =
              call({"export", "-f", "--empty-labels", "--form", form, "--style", style, from, "-o", to});
          BOOST_TEST_REQUIRE(written.status == 0, written.err);
          std::vector<std::string> options;
          outcome seen = cells_of(options, to);
          for (int tries = 0; tries < 3 && seen.status != 0; ++tries, ++refused) {
            const auto names = [&](const char* option) { return seen.err.find(option) != std::string::npos; };
            if (names("--empty-labels"))
              options.push_back("--empty-labels");
            else if (names("add --extended"))
              options.push_back("--extended");
            else if (names("--type 'tensor"))
              options.insert(options.end(), {"--type", type});
            else
              break;
            seen = cells_of(options, to);
          }
          BOOST_TEST(seen.status == 0, seen.err);
          BOOST_TEST(seen.out == wanted.out);
        }
      }
  }
  BOOST_TEST(refused >= 30u);
  const outcome checked =
      call({"check", file("hex.json", R"json({"type":"tensor<float>(x[1])","values":"3F800000"})json")});
  BOOST_TEST(checked.err.find("; add --extended, which reads this form\n") != std::string::npos, checked.err);
}

BOOST_AUTO_TEST_SUITE_END()
