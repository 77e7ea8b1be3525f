// SPDX-License-Identifier: Apache-2.0
// The cost of starting the command, in counts that do not depend on the speed of the machine; and libraries that are
// loaded on first use.
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <set>
#include <sstream>
#include <support/rounds.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>
#include <utility>
#include <vector>

#include "../process.hpp"

using namespace tgmap_test;

namespace {

/// Returns the third-party libraries that the command loaded, from the loader's debug output.
std::set<std::string> libraries_of(const std::string& arguments) {
  const outcome seen = shell("LD_DEBUG=files \"$TGMAP\" " + arguments + " 2>&1 >/dev/null");
  std::set<std::string> out;
  std::istringstream lines(seen.err + seen.out);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view mark = "calling init: ";
    const std::size_t at = line.find(mark);
    if (at == line.npos) continue;
    const std::string path = line.substr(at + mark.size());
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name.find(".so") != name.npos && !name.starts_with("libtgmap")) out.insert(name);
  }
  return out;
}

long faults_of(const std::vector<std::string>& arguments) {
  const auto faults = [] {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return used.ru_minflt;
  };
  const long before = faults();
  BOOST_TEST(run(arguments).status == 0);
  return faults() - before;
}

/// Runs a shell line in which a shared library cannot be loaded. Status 127 means that the command links it.
outcome shell_without(const std::string& library, const std::string& line) {
  const temporary_directory files;
  files.file(library, "no library");
  const outcome seen = shell("LD_LIBRARY_PATH=" + files.path().string() + " " + line);
  if (seen.status == 127) say_skipped("the command without " + library, "it is linked");
  return seen;
}

/// Returns the state of a library or codec from `doctor`.
std::string state_of(const std::string& page, const std::string& name) {
  const auto found = json_lines(page).at(0);
  for (const auto& feature : found["features"])
    if (feature["name"] == name) return feature["state"];
  return "not there";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(start)

#if defined(__GLIBC__) && !defined(TGMAP_TEST_SANITIZED)

BOOST_AUTO_TEST_CASE(few_libraries_are_loaded) {
  const temporary_directory files;
  const std::string empty = files.file("empty.tgm", "");
  for (const std::string& arguments : {std::string("--version"), "info " + empty, "ls " + empty}) {
    const auto seen = libraries_of(arguments);
    BOOST_TEST(seen.contains("libc.so.6"));
    std::string names;
    for (const auto& name : seen) names += " " + name;
    BOOST_TEST(seen.size() <= 12u, arguments << ":" << names);
    for (const char* const late :
         {"libzmq", "libhwy", "libboost", "libaec", "libzfp", "libgomp", "libroaring", "liblz4", "libcairo"})
      BOOST_TEST(names.find(late) == names.npos, arguments << ":" << names);
  }
}

BOOST_AUTO_TEST_CASE(few_pages_are_touched) {
  const long least = faults_of({"--version"});
  BOOST_TEST(least > 0);
  BOOST_TEST(least <= 340, least);
  const temporary_directory files;
  const long info = faults_of({"info", files.file("empty.tgm", "")});
  BOOST_TEST(info <= 350, info);
}

BOOST_AUTO_TEST_CASE(a_missing_libzmq_is_reported) {
  if (!has_zeromq_or_skip("the command without libzmq")) return;
  const outcome doctor = shell_without("libzmq.so.5", "\"$TGMAP\" doctor --json");
  if (doctor.status == 127) return;
  BOOST_TEST(doctor.status == 0);
  BOOST_TEST(state_of(doctor.out, "ZeroMQ") == "off");
  BOOST_TEST(state_of(run({"doctor", "--json"}).out, "ZeroMQ") == "on");

  const temporary_directory files;
  const auto in = files.file("one.tgm", "").string();
  const outcome sent = shell_without("libzmq.so.5", "\"$TGMAP\" send " + in + " --to tcp://127.0.0.1:9");
  BOOST_TEST(sent.status != 0);
  BOOST_TEST(sent.err.find("libzmq is not installed; install libzmq\n") != std::string::npos, sent.err);
}

BOOST_AUTO_TEST_CASE(a_missing_codec_library_is_reported) {
  if (!tgmap::find_codec(tgmap::compression::szip)->is_available) return say_skipped("szip", "built without libaec");
  const temporary_directory files;
  const auto in = (files / "szip.tgm").string();
  const std::vector<float> values(64, 1.5F);
  auto object = tgmap::new_object::of(std::span<const float>(values));
  object.pipeline.filter = tgmap::filter::shuffle;
  object.pipeline.compression = tgmap::compression::szip;
  tgmap::new_message message;
  message.objects.push_back(std::move(object));
  tgmap::file_sink to(in);
  tgmap::writer(to).write(message);
  to.close();

  const outcome doctor = shell_without("libaec.so.0", "\"$TGMAP\" doctor --json");
  if (doctor.status == 127) return;
  BOOST_TEST(state_of(doctor.out, "szip") == "off");
  BOOST_TEST(state_of(doctor.out, "zfp") == state_of(run({"doctor", "--json"}).out, "zfp"));

  const std::string extract = " extract -o " + (files / "out.npy").string() + " " + in + ":0:0";
  const outcome seen = shell_without("libaec.so.0", "\"$TGMAP\"" + extract);
  BOOST_TEST(seen.status == 1);
  for (const char* const told :
       {"szip: the codec is not built in, or its library is not installed", "install libaec, or "})
    BOOST_TEST(seen.err.find(told) != std::string::npos, seen.err);
  BOOST_TEST(shell("\"$TGMAP\"" + extract).status == 0);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
