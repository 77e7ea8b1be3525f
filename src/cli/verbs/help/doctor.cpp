// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <tgmap/build_info.hpp>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/tools/self_test.hpp>

#include "cli/app/python_program.hpp"
#include "cli/command/verb.hpp"
#include "cli/print/json.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "core/text/escape.hpp"
#include "picture/image/canvas.hpp"
#include "tgmap_build_info.hpp"

#if TGMAP_HAS_BRIDGE
#include <tgmap/bridge/eccodes.hpp>
#endif

namespace tgmap::cli {

namespace {

constexpr int wire_version = 3;

/// ecCodes, which is loaded here. Its definitions are files, without which it knows no key.
const dependency& eccodes_dependency() {
#if TGMAP_HAS_BRIDGE
  static const auto found = bridge::find_eccodes();
  static const std::string version = found ? found->version : std::string();
  static const std::string origin =
      found ? fmt::format("system, loaded at run time, definitions in {}", core::escaped(found->definitions))
            : std::string("needs libeccodes0, or the eccodes of pip");
#else
  static const std::string version, origin = "needs -DTGMAP_GRIB=ON";
#endif
  static const dependency out{"ecCodes", version, origin, "GRIB: keys, coordinates, and values in some packings"};
  return out;
}

/// The library's dependencies and the command's own.
std::vector<dependency> dependencies() {
  static const std::string fmt_version =
      fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
  static const std::string json_version =
      fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
  const auto library = get_build_info().dependencies;
  std::vector<dependency> out(library.begin(), library.end());
  out.push_back({"fmt", fmt_version, build::fmt_origin, "formatting text"});
  out.push_back({"CLI11", CLI11_VERSION, build::cli11_origin, "reading the command line"});
  static const std::string cairo_version = picture::canvas_version();
  out.push_back({"cairo", cairo_version, build::cairo_origin, "images"});
  out.push_back({"nlohmann-json", json_version, build::nlohmann_json_origin, "reading JSON, and values for --json"});
  out.push_back({"ZeroMQ", zeromq_version(), build::zeromq_origin, "tens, send and recv: ZIO TENS messages"});
  out.push_back({"simdjson", build::simdjson_version, build::simdjson_origin,
                 "constant: tensor constants; and labels of ZIO messages"});
  out.push_back(eccodes_dependency());
  return out;
}

/// The Python that `cube` runs. It is asked once.
const dependency& python_dependency() {
  static const std::string interpreter = python_interpreter({});
  static const python_state state = ask_python(interpreter);
  static const std::string origin =
      state.problem.empty() ? fmt::format("{}, package tgmap {}", interpreter, state.package) : state.problem;
  static const dependency found{"Python", state.version, origin, "cube"};
  return found;
}

/// Returns what an absent library needs, if its origin says so.
std::string need_of(const dependency& of) {
  return of.origin.starts_with("needs") ? fmt::format("; {}", of.origin) : std::string();
}

bool healthy(const std::vector<self_test_result>& results) {
  return std::none_of(results.begin(), results.end(), [](const self_test_result& r) { return !r.problem.empty(); });
}

/// Returns the library of a codec, or what is needed to get it.
std::string origin_of(const codec_info& codec) {
  if (!codec.is_available) return fmt::format("needs {}, installed, and -D{}=ON", codec.library, codec.option);
  return codec.library.empty() ? "tgmap" : std::string(codec.library);
}

std::string described(const codec_info& codec) {
  const std::string origin = origin_of(codec);
  if (!codec.is_available) return fmt::format("off (for {}; {})", codec.used_for, origin);
  const auto version = codec.version.empty() ? std::string() : fmt::format(" {}", codec.version);
  return fmt::format("on  ({}{}; for {})", origin, version, codec.used_for);
}

json as_json(const build_info& facts, const std::vector<self_test_result>& results) {
  json features = json::array(), tests = json::array();
  const auto add = [&](const auto& what, const char* kind, bool is_on, std::string_view origin) {
    features.push_back({{"name", what.name},
                        {"kind", kind},
                        {"state", is_on ? "on" : "off"},
                        {"version", what.version},
                        {"origin", origin},
                        {"used_for", what.used_for}});
  };
  for (const dependency& d : dependencies()) add(d, "library", !d.version.empty(), d.origin);
  for (const codec_info& codec : codecs()) add(codec, "codec", codec.is_available, origin_of(codec));
  const dependency python = python_dependency();
  add(python, "program", !python.version.empty(), python.origin);
  for (const self_test_result& r : results) {
    json test{{"label", r.name}, {"outcome", r.problem.empty() ? "ok" : "failed"}};
    if (!r.problem.empty()) test["reason"] = r.problem;
    tests.push_back(std::move(test));
  }
  return {{"build",
           {{"version", facts.version},
            {"wire_version", wire_version},
            {"target", facts.target},
            {"profile", facts.build_type},
            {"compiler", facts.compiler}}},
          {"features", features},
          {"self_test", tests},
          {"status", healthy(results) ? "HEALTHY" : "UNHEALTHY"}};
}

std::string as_text(const build_info& facts, const std::vector<self_test_result>& results, const output& out) {
  std::string page = out.heading("Build") + "\n";
  const auto line = [&](std::string_view name, const auto& value) {
    page += fmt::format("  {:<14} {}\n", name, value);
  };
  line("version", facts.version);
  line("wire_version", wire_version);
  line("target", facts.target);
  line("profile", facts.build_type);
  line("compiler", facts.compiler);

  page += "\n" + out.heading("Compiled-in features") + "\n";
  for (const dependency& d : dependencies())
    line(d.name, d.version.empty() ? fmt::format("off (for {}{})", d.used_for, need_of(d))
                                   : fmt::format("on  ({}; {}; for {})", d.version, d.origin, d.used_for));

  page += "\n" + out.heading("Codecs") + "\n";
  for (const codec_info& codec : codecs()) line(codec.name, described(codec));

  page += "\n" + out.heading("Other programs") + "\n";
  const dependency python = python_dependency();
  line(python.name,
       fmt::format("{} ({}; for {})", python.version.empty() ? "off" : fmt::format("on  {}", python.version),
                   core::escaped(python.origin), python.used_for));

  page += "\n" + out.heading("Self-test") + "\n";
  for (const self_test_result& r : results)
    line(r.name, r.problem.empty() ? std::string("ok") : "FAILED (" + core::escaped(r.problem) + ")");
  return page + fmt::format("\nStatus: {}\n", healthy(results) ? "HEALTHY" : "UNHEALTHY");
}

void run_doctor(bool wants_json, session& run) {
  const build_info facts = get_build_info();
  const auto results = run_self_test();
  run.out.write(wants_json ? json_line(as_json(facts, results)) : as_text(facts, results, run.out));
  for (const self_test_result& r : results)
    if (!r.problem.empty())
      run.report.failed(fmt::format("self-test '{}'", r.name), r.problem, "install tgmap again, or report this");
}

}  // namespace

action declare_doctor(CLI::App& app, session& run) {
  const auto wants_json = std::make_shared<bool>(false);
  app.add_flag("-j,--json", *wants_json, "Print one JSON object");
  return [wants_json, &run] { run_doctor(*wants_json, run); };
}

}  // namespace tgmap::cli
