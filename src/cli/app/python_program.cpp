// SPDX-License-Identifier: Apache-2.0
#include "cli/app/python_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>
#include <tgmap/version.hpp>

#include "cli/app/cli_error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): macOS declares it nowhere

namespace tgmap::cli {

namespace {

constexpr std::chrono::seconds patience{10};
constexpr std::string_view install_hint =
    "install it with `python3 -m pip install tgmap`, or name another interpreter by --python or TGMAP_PYTHON";

// Python puts the working folder before all others with -c and -m, so that files there could stand in for modules.
constexpr std::string_view without_working_folder = "import sys\nsys.path[:] = [each for each in sys.path if each]\n";

// {0}: module, {1}: verb, {2}: version. Texts of exceptions may have any characters.
constexpr std::string_view call_main = R"(
try:
    from {0} import main
except Exception as error:
    said = '%s (%s)' % (sys.executable, error)
    said = ''.join(each if each.isprintable() else ascii(each)[1:-1] for each in said)
    said = said.encode('ascii', 'backslashreplace').decode('ascii')
    sys.stderr.write('tgmap: {1}: needs the package tgmap {2} of Python, which is not in ' + said
                     + '; run `' + said.partition(' (')[0] + ' -m pip install tgmap`, or name another interpreter by '
                     + '--python or TGMAP_PYTHON\n')
    sys.exit(1)
main()
)";

constexpr std::string_view answer = R"(
import platform
try:
    import tgmap.cube_command
except Exception as error:
    sys.stdout.write('\n\nthe package tgmap is not in %s (%s)' % (sys.executable, error))
else:
    sys.stdout.write('%s\n%s\n' % (platform.python_version(), tgmap.__version__))
)";

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& each : words) out.push_back(each.data());
  out.push_back(nullptr);
  return out;
}

std::string system_text(int number) { return std::system_category().message(number); }

/// Reads until the end, an error or the deadline. Returns false at the deadline.
bool read_answer(int descriptor, std::string& into) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::array<char, 4096> part{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || into.size() > 65536) return false;
    pollfd waited{descriptor, POLLIN, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const auto got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    into.append(part.data(), static_cast<std::size_t>(got));
  }
}

/// Starts a program whose standard output is a pipe. Returns 0, or the number of the error.
int start(std::vector<std::string> words, pid_t& child, int& output) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return errno;
  for (const int each : ends) static_cast<void>(::fcntl(each, F_SETFD, FD_CLOEXEC));
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const std::vector<char*> arguments = pointers(words);
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  output = ends[0];
  if (failed != 0) ::close(ends[0]);
  return failed;
}

}  // namespace

std::string python_interpreter(std::string_view named) {
  if (!named.empty()) return std::string(named);
  const char* const variable = std::getenv("TGMAP_PYTHON");
  return variable != nullptr && *variable != '\0' ? variable : "python3";
}

void run_python(const std::string& interpreter, std::string_view module, std::string_view verb,
                const std::vector<std::string>& arguments) {
  const std::string code =
      std::string(without_working_folder) + fmt::format(fmt::runtime(call_main), module, verb, TGMAP_VERSION_STRING);
  std::vector<std::string> words{interpreter, "-c", code};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> all = pointers(words);
  ::execvp(all[0], all.data());
  const std::string what =
      fmt::format("needs Python, and '{}' cannot be started ({})", interpreter, system_text(errno));
  throw cli_error(what, std::string(install_hint), std::string(verb));
}

python_state ask_python(const std::string& interpreter) {
  pid_t child = 0;
  int output = -1;
  const std::string code = std::string(without_working_folder) + std::string(answer);
  if (const int failed = start({interpreter, "-c", code}, child, output); failed != 0)
    return {{}, {}, fmt::format("'{}' cannot be started ({})", interpreter, system_text(failed))};
  std::string said;
  const bool is_whole = read_answer(output, said);
  ::close(output);
  if (!is_whole) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const std::size_t first = said.find('\n'), second = first == said.npos ? first : said.find('\n', first + 1);
  if (!is_whole || status != 0 || second == said.npos)
    return {{}, {}, fmt::format("'{}' does not answer as Python does", interpreter)};
  python_state out{said.substr(0, first), said.substr(first + 1, second - first - 1), said.substr(second + 1)};
  return out;
}

}  // namespace tgmap::cli
