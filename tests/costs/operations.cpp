// SPDX-License-Identifier: Apache-2.0
// Runs one operation of the access path, so that its instructions, allocations and system calls can be counted.
#include <gnu/libc-version.h>
#include <sys/syscall.h>

#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <support/process/heap_meter.hpp>
#include <support/process/system_calls.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/tools/validate.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "sample_archive.hpp"

namespace tgmap_costs {

namespace {

constexpr std::size_t messages = single_messages + long_messages + packed_messages;

/// What an operation works on.
struct subject {
  const std::filesystem::path path;
  std::optional<tgmap::archive> archive{};
  std::vector<tgmap::new_message> new_messages{};
  std::uint64_t sum = 0;  ///< of what was read, so that the reads are needed

  void open() { archive.emplace(path, tgmap::open_options{.io = tgmap::io_mode::map}); }
  void scan() {
    if (archive->size() != messages) throw std::runtime_error("the archive has another number of messages");
  }
};

void read_objects(subject& s, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const tgmap::message m = (*s.archive)[i];
    for (std::size_t j = 0, n = m.size(); j < n; ++j) s.sum += m[j].payload_size();
  }
}

void view_all(subject& s) {
  for (std::size_t i = 0; i < single_messages; ++i) s.sum += (*s.archive)[i][0].view<float>().size();
}

void read_metadata(subject& s) {
  for (std::size_t i = 0; i < single_messages + long_messages; ++i) {
    const tgmap::message m = (*s.archive)[i];
    s.sum += static_cast<std::uint64_t>(m.base(0).get<std::int64_t>("mars.step").value());
    s.sum += m.metadata().entries().size() + m[0].metadata().entries().size();
  }
}

void find(subject& s) {
  for (const auto& [index, message] : s.archive->find(tgmap::selection("mars.param=2t and mars.step<25")))
    s.sum += index;
}

void decode(subject& s) {
  for (std::size_t i = messages - packed_messages; i < messages; ++i) s.sum += (*s.archive)[i][0].decode().size();
}

void write(subject& s) {
  tgmap::memory_sink to;
  tgmap::write_options options;
  options.provenance = tgmap::provenance::reproducible();
  tgmap::writer out(to, options);
  for (const tgmap::new_message& m : s.new_messages) out.write(m);
  s.sum += out.bytes_written();
}

void validate(subject& s) {
  tgmap::validation_visitor ignored;
  s.sum += tgmap::validate(*s.archive, {.threads = 1}, ignored).messages;
}

struct operation {
  std::string_view name;
  void (*prepare)(subject&);
  void (*run)(subject&);
};

void open_and_scan(subject& s) {
  s.open();
  s.scan();
}

constexpr operation operations[] = {
    {"open", [](subject&) {},
     [](subject& s) {
       for (int i = 0; i < 50; ++i) s.open();
     }},
    {"scan", [](subject& s) { s.open(); }, [](subject& s) { s.scan(); }},
    {"object", open_and_scan, [](subject& s) { read_objects(s, single_messages, single_messages + long_messages); }},
    {"view", open_and_scan, view_all},
    {"view_again",
     [](subject& s) {
       open_and_scan(s);
       view_all(s);
     },
     view_all},
    {"metadata", open_and_scan, read_metadata},
    {"find", open_and_scan, find},
    {"decode", open_and_scan, decode},
    {"write",
     [](subject& s) {
       for (int i = 0; i < 20; ++i) s.new_messages.push_back(sample_message(i));
     },
     write},
    {"validate", open_and_scan, validate},
};

const operation& find_operation(std::string_view name) {
  for (const operation& o : operations)
    if (o.name == name) return o;
  throw std::runtime_error("no such operation");
}

/// Prints the number of system calls, without brk: the allocations say how the heap grows.
void print(std::optional<tgmap_test::calls> calls) {
  if (calls) calls->erase(SYS_brk);
  std::printf("%s\n", calls ? std::to_string(tgmap_test::sum(*calls)).c_str() : "untraced");
}

}  // namespace

}  // namespace tgmap_costs

/// The function whose instructions are counted, with all that it calls.
extern "C" [[gnu::noinline]] void tgmap_counted(void (*run)(tgmap_costs::subject&), tgmap_costs::subject& s) { run(s); }

int main(int argc, char** argv) try {
  using namespace tgmap_costs;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words == std::vector<std::string>{"list"}) {
    for (const operation& o : operations) std::printf("%s\n", std::string(o.name).c_str());
    return 0;
  }
  if (words == std::vector<std::string>{"build"}) {
    std::printf("g++ %s, libc %s\n", __VERSION__, gnu_get_libc_version());
    return 0;
  }
  if (words.size() > 1 && words[0] == "trace") {  // PROGRAM ARGUMENT...
    print(tgmap_test::calls_of({words.begin() + 1, words.end()}));
    return 0;
  }
  if (words.size() != 3)
    throw std::runtime_error("expected: list | build | trace PROGRAM... | make, run, count FILE OPERATION");
  subject s{.path = words[1]};
  if (words[0] == "make") {
    tgmap_test::write_file(s.path, sample_archive());
    return 0;
  }
  const operation& what = find_operation(words[2]);
  if (subject first{.path = s.path}; true) open_and_scan(first);  // what the process pays once, such as a guard
  if (words[0] == "count") print(tgmap_test::calls_in([&] { what.prepare(s); }, [&] { what.run(s); }));
  what.prepare(s);
  tgmap_test::watch_heap();
  tgmap_counted(what.run, s);
  if (words[0] == "count") std::printf("%zu\n", tgmap_test::heap_allocations());
  return s.sum == UINT64_MAX ? 1 : 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
