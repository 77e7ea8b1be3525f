// SPDX-License-Identifier: Apache-2.0
// Each verb on hostile files of three sizes. From the second to the third size, work and memory may grow by 2.3 times
// as much as from the first to the second: the factor is 2 for linear growth and 4 for quadratic growth.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <support/temporary.hpp>
#include <vector>

#include <support/process/heap_meter.hpp>
#include "cli/command/command.hpp"
#include "shapes.hpp"
#include "verb_calls.hpp"
#include "work_counter.hpp"

namespace {

using namespace tgmap_test;

constexpr std::array<std::size_t, 3> sizes{16 * 1024, 32 * 1024, 64 * 1024};
constexpr double most_growth = 2.3;
// Allowance for caches, and for tables that grow in steps.
constexpr double steps_of_blocks = 20'000, share_of_blocks = 0.05;
constexpr double steps_of_memory = 128 * 1024;
constexpr int usage_status = 2;

struct cost {
  int status = 0;
  std::uint64_t blocks = 0;
  std::size_t memory = 0;
};

/// Redirects standard output and error of the verbs to a file.
class outputs {
 public:
  explicit outputs(const std::filesystem::path& file) : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND, 0600)) {
    ::dup2(file_, STDOUT_FILENO);
    ::dup2(file_, STDERR_FILENO);
  }
  void clear() { static_cast<void>(::ftruncate(file_, 0)); }
  std::string beginning() {
    std::string out(500, '\0');
    out.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(file_, out.data(), out.size(), 0), 0)));
    return out;
  }

 private:
  int file_;
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

int run(std::vector<std::string> words) {
  words.insert(words.begin(), "tgmap");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return tgmap::cli::run_command(static_cast<int>(words.size()), pointers.data());
}

class gate {
 public:
  gate(const std::filesystem::path& log, int tell)
      : counter_(log), outputs_(folder_ / "outputs"), tell_(tell), out_(folder_ / "written") {}

  /// Returns true if everything was in proportion.
  bool run_all() {
    check_table();
    for (const shape& each : shapes()) measure(each);
    say(std::to_string(calls_) + " calls, " + std::to_string(faults_) + " grow out of proportion\n");
    return faults_ == 0;
  }

 private:
  struct file {
    std::filesystem::path path;
    std::size_t size;
  };

  void say(const std::string& text) { static_cast<void>(::write(tell_, text.data(), text.size())); }
  void fail(const std::string& text) {
    ++faults_;
    say(text + "\n");
  }

  /// Checks that each verb is called, or listed as one that takes no file.
  void check_table() {
    std::vector<std::string> all;
    tgmap::cli::session session;
    tgmap::cli::command command(session);
    const auto visit = [&](auto& self, const CLI::App& app, const std::string& before) -> void {
      for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (each->get_group().empty()) continue;  // hidden
        const std::string name = before + each->get_name();
        if (each->get_subcommands([](const CLI::App*) { return true; }).empty())
          all.push_back(name);
        else
          self(self, *each, name + " ");
      }
    };
    visit(visit, command.app(), "");
    for (const std::string& name : all) {
      const auto& without = verbs_without_files();
      const bool called = std::any_of(verb_calls().begin(), verb_calls().end(),
                                      [&](const verb_call& each) { return each.line.starts_with(name + " "); });
      if (!called && std::find(without.begin(), without.end(), name) == without.end())
        fail(name + " is not called; add it to tests/complexity/verb_calls.cpp");
    }
  }

  /// Selects calls that hold the text of an environment variable.
  static bool is_wanted(const std::string& call) {
    const char* const only = std::getenv("TGMAP_COMPLEXITY_ONLY");
    return only == nullptr || call.find(only) != call.npos;
  }

  file make(const shape& shape, const bytes& content, const char* name) {
    file out{folder_.file(name + shape.extension, content), content.size()};
    if (shape.command.empty()) return out;
    const std::filesystem::path archive = folder_ / (std::string(name) + ".tgm");
    std::filesystem::remove(archive);
    std::vector<std::string> words = shape.command;
    for (std::string& word : words) {
      boost::replace_all(word, "{a}", out.path.string());
      boost::replace_all(word, "{o}", archive.string());
      boost::replace_all(word, "{elements}", std::to_string(out.size / 8));
    }
    outputs_.clear();
    if (run(words) != 0) fail(shape.name + ": cannot be made: " + outputs_.beginning());
    return {archive, static_cast<std::size_t>(std::filesystem::file_size(archive))};
  }

  cost measure(const verb_call& call, const file& a, const file& b) {
    std::filesystem::remove_all(out_);
    std::filesystem::create_directory(out_);
    std::vector<std::string> words = words_of(call.line);
    for (std::string& word : words) {
      boost::replace_all(word, "{a}", a.path.string());
      boost::replace_all(word, "{b}", b.path.string());
      boost::replace_all(word, "{o}", out_.string());
      boost::replace_all(word, "{size}", std::to_string(a.size));
    }
    outputs_.clear();
    cost out;
    watch_heap();
    const std::uint64_t before = counter_.blocks();
    out.status = run(words);
    out.blocks = counter_.blocks() - before;
    out.memory = heap_peak();
    ++calls_;
    return out;
  }

  void measure(const shape& shape) {
    std::map<const verb_call*, std::vector<cost>> seen;
    const std::string extension = shape.command.empty() ? shape.extension : ".tgm";
    for (const std::size_t size : sizes) {
      const file a = make(shape, shape.make(size), "a");
      const file b = make(shape, shape.compared ? shape.compared(size) : shape.make(size - size / 10), "b");
      for (const verb_call& call : verb_calls())
        if (call.extension == extension && is_wanted(shape.name + ": " + call.line)) {
          seen[&call].push_back(measure(call, a, b));
          if (seen[&call].back().status == usage_status) fail(call.line + ": " + outputs_.beginning());
        }
    }
    for (const verb_call& call : verb_calls())
      if (const auto found = seen.find(&call); found != seen.end()) judge(shape, call, found->second);
  }

  void judge(const shape& shape, const verb_call& call, const std::vector<cost>& costs) {
    std::ostringstream told;
    told << shape.name << ": " << call.line << ": blocks";
    for (const cost& each : costs) told << ' ' << each.blocks;
    told << ", bytes";
    for (const cost& each : costs) told << ' ' << each.memory;
    told << ", status " << costs.back().status;
    const auto blocks = [&](std::size_t i) { return static_cast<double>(costs[i].blocks); };
    const auto memory = [&](std::size_t i) { return static_cast<double>(costs[i].memory); };
    // The fixed cost of a call is in neither difference, so that it hides no growth.
    const double before = std::max(blocks(1) - blocks(0), 0.0);
    const bool works_more =
        blocks(2) - blocks(1) > most_growth * before + steps_of_blocks + share_of_blocks * blocks(2);
    const bool holds_more =
        memory(2) > most_growth * memory(1) + steps_of_memory || memory(1) > most_growth * memory(0) + steps_of_memory;
    if (works_more || holds_more)
      fail(told.str());
    else if (std::getenv("TGMAP_COMPLEXITY_ONLY") != nullptr)
      say("  " + told.str() + "\n");
  }

  temporary_directory folder_;
  work_counter counter_;
  outputs outputs_;
  int tell_;
  std::filesystem::path out_;
  int faults_ = 0, calls_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    ::setenv("TENSOGRAM_THREADS", "1", 1);
    ::setenv("TGMAP_PROGRESS_DELAY", "3600000", 1);
    const temporary_directory folder;
    const std::string log = (folder / "log").string();
    work_counter::run_counted(argv[0], log.c_str());
    std::puts("SKIPPED: work of the verbs (no valgrind here)");
    return 77;
  }
  const int tell = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  return gate(argv[1], tell).run_all() ? 0 : 1;
} catch (const std::exception& why) {
  std::cerr << why.what() << '\n';
  return 1;
}
