// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <support/shared_data.hpp>
#include <system_error>

namespace tgmap_test {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Starts a program; `redirect` runs in the child, before it.
pid_t start(const std::vector<std::string>& command, const std::function<void()>& redirect) {
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    redirect();
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void put_at(int wanted, const std::filesystem::path& path, int flags) {
  const int opened = ::open(path.c_str(), flags, 0600);
  if (opened < 0 || ::dup2(opened, wanted) < 0) ::_exit(126);
}

outcome launch(const std::vector<std::string>& command, std::string_view input) {
  const temporary_directory files;
  const auto in = files.file("in", input), out = files / "out", err = files / "err";
  const pid_t child = start(command, [&] {
    put_at(STDIN_FILENO, in, O_RDONLY);
    put_at(STDOUT_FILENO, out, O_WRONLY | O_CREAT);
    put_at(STDERR_FILENO, err, O_WRONLY | O_CREAT);
  });
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

outcome run_at_terminal(const std::vector<std::string>& arguments, const terminal& like) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) fail("posix_openpt");
  const std::string name = ::ptsname(terminal);
  const winsize size{.ws_row = like.rows, .ws_col = like.columns, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::ioctl(terminal, TIOCSWINSZ, &size) != 0) fail("TIOCSWINSZ");
  const pid_t child = start(command(arguments), [&] {
    put_at(STDIN_FILENO, like.typed.empty() ? "/dev/null" : name, O_RDONLY | O_NOCTTY);
    put_at(STDOUT_FILENO, name, O_RDWR | O_NOCTTY);
    put_at(STDERR_FILENO, name, O_RDWR | O_NOCTTY);
    ::setenv("TERM", "xterm", 1);
    for (const char* const unwanted : {"NO_COLOR", "COLORTERM", "COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "LANG"})
      ::unsetenv(unwanted);
    for (const auto& [variable, value] : like.environment) ::setenv(variable.c_str(), value.c_str(), 1);
  });

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
