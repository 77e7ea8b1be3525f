// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <sstream>
#include <support/shared_data.hpp>
#include <system_error>
#include <utility>

namespace tgmap_test {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Standard input, output, errors and environment of a program.
struct surroundings {
  struct opened {
    std::string path;
    int flags;
  };
  std::array<opened, 3> files;
  std::map<std::string, std::string> environment;
};

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    const std::size_t end = text.find('=');
    if (end != text.npos) out.emplace(text.substr(0, end), text.substr(end + 1));
  }
  return out;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

/// Starts a program without fork, which takes longer than the program under sanitizers.
pid_t start(const std::vector<std::string>& command, const surroundings& in) {
  std::vector<std::string> environment;
  for (const auto& [variable, value] : in.environment) environment.push_back(variable + "=" + value);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    const auto& [path, flags] = in.files.at(static_cast<std::size_t>(i));
    ::posix_spawn_file_actions_addopen(&actions, i, path.c_str(), flags, 0600);
  }
  pid_t child = 0;
  errno = ::posix_spawnp(&child, command.at(0).c_str(), &actions, nullptr, pointers_to(command).data(),
                         pointers_to(environment).data());
  const bool started = errno == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  if (!started) fail("posix_spawnp");
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

outcome launch(const std::vector<std::string>& command, std::string_view input) {
  const temporary_directory files;
  const auto in = files.file("in", input), out = files / "out", err = files / "err";
  const pid_t child =
      start(command, {{{{in, O_RDONLY}, {out, O_WRONLY | O_CREAT}, {err, O_WRONLY | O_CREAT}}}, own_environment()});
  const int status = wait_for(child);
  return {status, read_file(out), read_file(err)};
}

std::vector<std::string> command(const std::vector<std::string>& arguments) {
  std::vector<std::string> out{TGMAP_CLI_PATH};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

}  // namespace

outcome run(const std::vector<std::string>& arguments, std::string_view input) {
  return launch(command(arguments), input);
}

outcome shell(const std::string& line) { return launch({"env", "TGMAP=" TGMAP_CLI_PATH, "sh", "-c", line}, {}); }

bool has_simdjson_or_skip(std::string_view what) {
  if (run({"constant"}).err.find("no simdjson") == std::string::npos) return true;
  say_skipped(what, "built without simdjson");
  return false;
}

bool has_zeromq_or_skip(std::string_view what) {
  if (run({"tens"}).err.find("no ZeroMQ") == std::string::npos) return true;
  say_skipped(what, "built without ZeroMQ");
  return false;
}

bool has_python_or_skip(std::string_view what) {
  for (const auto& feature : json_lines(run({"doctor", "--json"}).out).at(0)["features"])
    if (feature["name"] == "Python" && feature["state"] == "on") return true;
  say_skipped(what, "the package of Python is not here");
  return false;
}

outcome run_at_terminal(const std::vector<std::string>& arguments, const terminal& like) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) fail("posix_openpt");
  const std::string name = ::ptsname(terminal);
  const winsize size{.ws_row = like.rows, .ws_col = like.columns, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::ioctl(terminal, TIOCSWINSZ, &size) != 0) fail("TIOCSWINSZ");
  auto environment = own_environment();
  environment["TERM"] = "xterm";
  for (const char* const unwanted : {"NO_COLOR", "COLORTERM", "COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "LANG"})
    environment.erase(unwanted);
  for (const auto& [variable, value] : like.environment) environment[variable] = value;
  const std::string input = like.typed.empty() ? "/dev/null" : name;
  const pid_t child = start(
      command(arguments),
      {{{{input, O_RDONLY | O_NOCTTY}, {name, O_RDWR | O_NOCTTY}, {name, O_RDWR | O_NOCTTY}}}, std::move(environment)});

  if (::write(terminal, like.typed.data(), like.typed.size()) != static_cast<ssize_t>(like.typed.size())) fail("write");

  outcome result;
  char block[4096];
  for (;;) {  // a terminal that nobody writes to any more is EIO, one that nobody opened yet too
    const auto length = ::read(terminal, block, sizeof block);
    if (length > 0) {
      result.out.append(block, static_cast<std::size_t>(length));
    } else if (int status = 0; ::waitpid(child, &status, WNOHANG) == child) {
      result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
      break;
    }
  }
  while (true) {  // what was written just before the end
    const auto length = ::read(terminal, block, sizeof block);
    if (length <= 0) break;
    result.out.append(block, static_cast<std::size_t>(length));
  }
  ::close(terminal);
  boost::replace_all(result.out, "\r\n", "\n");
  return result;
}

std::string without_dry(const std::string& text) {
  constexpr std::string_view mark = ", not written";
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    BOOST_TEST(line.ends_with(mark), line);
    out += line.substr(0, line.size() - std::min(line.size(), mark.size())) + "\n";
    begin = end == text.npos ? text.size() : end + 1;
  }
  return out;
}

std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

}  // namespace tgmap_test
