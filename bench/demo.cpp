// SPDX-License-Identifier: Apache-2.0
// What tgmap is for, shown on archives of the reference implementation and on a large one made on the spot.
//
//   tgmap_demo SAMPLES_DIR [--size BYTES]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tgmap/tgmap.hpp>
#include <vector>

#include "convert/write.hpp"
#include "support/archive_maker.hpp"
#include "support/page.hpp"
#include "support/run_command.hpp"

namespace {

using namespace tgmap_bench;
namespace fs = std::filesystem;

constexpr tgmap::open_options past_damage{.damage = tgmap::on_damage::skip};

/// A directory that goes away with what is in it.
class temporary_directory {
 public:
  temporary_directory() {
    std::string name = (fs::temp_directory_path() / "tgmap_demo_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::system_category(), name);
    path_ = name;
  }
  ~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::uint64_t objects_in(const tgmap::archive& archive) {
  std::uint64_t out = 0;
  tgmap::failure ignored;  // a message that cannot be read has none
  for (const tgmap::message& m : archive) out += m.size(ignored);
  return out;
}

std::string versions_in(const tgmap::archive& archive) {
  std::set<int> found;
  for (const tgmap::message& m : archive) found.insert(m.version());
  return found.empty() ? "-" : fmt::format("v{}", fmt::join(found, "+v"));
}

std::string damage_in(const tgmap::archive& archive) {
  std::vector<std::string> found;
  for (const tgmap::gap& g : archive.gaps()) found.push_back(fmt::format("gap [{}, {})", g.begin, g.end));
  if (const auto tail = archive.incomplete_tail())
    found.push_back(fmt::format("tail [{}, {})", tail->begin, tail->end));
  return found.empty() ? "sound" : fmt::format("{}", fmt::join(found, ", "));
}

std::vector<fs::path> archives_in(const fs::path& directory) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().extension() == ".tgm") out.push_back(entry.path());
  if (out.empty()) throw std::runtime_error("no .tgm files in " + directory.string());
  std::sort(out.begin(), out.end());
  return out;
}

/// One line for each archive, as many as fit on a page: those with damage or mixed versions are worth most.
void show_samples(const std::vector<fs::path>& files, page& out) {
  constexpr std::size_t shown = 16;
  std::vector<fs::path> by_interest = files;
  std::stable_partition(by_interest.begin(), by_interest.end(), [](const fs::path& file) {
    const tgmap::archive archive(file, past_damage);
    archive.scan();
    return damage_in(archive) != "sound" || versions_in(archive).size() > 2;
  });
  by_interest.resize(std::min(shown, files.size()));

  out.heading(
      fmt::format("{} of {} small archives: opened, scanned, objects counted", by_interest.size(), files.size()));
  for (const fs::path& file : by_interest) {
    out.start();
    const tgmap::archive archive(file, past_damage);
    archive.scan();
    const std::uint64_t objects = objects_in(archive);
    out.step(file.filename().string(),
             fmt::format("{:<11}  {:<11}  {:<5}  {}", counted(archive.scan_progress().messages, "message"),
                         counted(objects, "object"), versions_in(archive), damage_in(archive)));
  }
}

/// Whether the elements of an object can be used in place, in words.
std::string in_place(const tgmap::object& object) {
  tgmap::failure why;
  const tgmap::descriptor what = object.descriptor(why);
  if (!why) why = object.why_not_in_place(what.dtype);
  return why ? why.code.message() : "usable where they lie";
}

void show_usability(const std::vector<fs::path>& files, page& out) {
  out.start();
  std::map<std::string, int> objects;
  for (const fs::path& file : files) {
    const tgmap::archive archive(file, past_damage);
    for (const tgmap::message& m : archive) {
      tgmap::failure why;
      const std::size_t count = m.size(why);
      for (std::size_t j = 0; j < count; ++j)
        if (const tgmap::object object = m.at(j, why); !why) ++objects[in_place(object)];
    }
  }
  out.heading("The objects of all of them");
  for (const auto& [state, number] : objects) out.line(fmt::format("{:>5}  {}", number, state));
  out.step("all archives, all descriptors", "");
}

archive_plan plan_for(std::uint64_t bytes) {
  archive_plan plan{.fields = 8, .rows = 1024, .columns = 1024, .streamed_every = 4};
  while (bytes < 8 * payload_of_message(plan) && plan.rows > 1) plan.rows /= 2;  // eight messages at least
  plan.messages = std::max<std::uint64_t>(8, bytes / payload_of_message(plan));
  return plan;
}

fs::path make_large(const archive_plan& plan, const fs::path& directory, page& out) {
  const std::uint64_t needed = plan.messages * payload_of_message(plan) * 11 / 10;
  if (const auto there = fs::space(directory).available; there < needed)
    throw std::runtime_error(fmt::format("{} are free in {}, {} are needed; ask for less with --size, or set TMPDIR",
                                         human_size(there), directory.string(), human_size(needed)));
  const fs::path path = directory / "forecast.tgm";
  out.heading(fmt::format("A forecast of {}, made for this", human_size(needed * 10 / 11)));
  out.start();
  make_archive(path, plan);
  out.step("written",
           fmt::format("{} of {} fields, float32 [{}, {}], every fourth message streamed, digests everywhere",
                       counted(plan.messages, "message"), plan.fields, plan.rows, plan.columns));
  return path;
}

/// The line of the kernel's table of mappings that holds an address.
std::string mapping_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream table("/proc/self/maps");
  for (std::string line; std::getline(table, line);) {
    std::uintptr_t begin = 0, end = 0;
    const char* const last = line.data() + line.size();
    const auto first = std::from_chars(line.data(), last, begin, 16);
    std::from_chars(first.ptr + 1, last, end, 16);
    if (begin <= wanted && wanted < end) return line.substr(0, line.find(' ')) + " " + line.substr(line.rfind('/') + 1);
  }
  return "unknown to this system";
}

std::string range_of(const tgmap::array_view<float>& view) {
  const auto values = view.values();
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return fmt::format("{:.2f} .. {:.2f}, mean {:.2f}", *least, *greatest, mean);
}

void open_large(const tgmap::archive& archive, page& out) {
  out.step("opened",
           fmt::format("{}: {}", archive.mode() == tgmap::io_mode::map ? "mapped" : "read", archive.mode_reason()));
  const auto last = archive.back();
  out.step("last message, found from the end",
           fmt::format("at {}, {}, {} known so far", last.offset(), human_size(last.length()),
                       counted(archive.scan_progress().messages, "message")));
  archive.scan();
  out.step("all messages found", counted(archive.scan_progress().messages, "message"));
  const std::uint64_t objects = objects_in(archive);
  out.step("all objects found",
           fmt::format("{}, {}, {}", counted(objects, "object"), versions_in(archive), damage_in(archive)));
}

void show_views(const tgmap::archive& archive, page& out) {
  out.heading("Objects by their numbers, where they lie");
  const std::size_t m = archive.size() / 2;
  out.start();
  const tgmap::object object = archive[m][2];
  out.step(fmt::format("message {}, object 2", m),
           fmt::format("payload of {} at {}", human_size(object.payload_size()), object.payload_offset()));
  const auto keys = object.metadata();
  const auto param = keys.get<std::string_view>("mars.param");
  const auto step = keys.get<std::uint64_t>("mars.step");
  out.step("metadata", fmt::format("mars.param = {}, mars.step = {}", param.value_or("?"), step.value_or(0)));
  const auto view = object.view<float>();
  out.step("view<float>()", fmt::format("[{}], 0 bytes copied", fmt::join(view.shape(), ", ")));
  out.line(fmt::format("{:<44}{}", "  its first element is at", fmt::ptr(view.data())));
  out.line(fmt::format("{:<44}{}", "  the kernel maps there", mapping_of(view.data())));
  out.start();
  const float corner = view(0, 0), middle = view(view.shape()[0] / 2, view.shape()[1] / 2);
  out.step("two elements", fmt::format("(0, 0) = {:.2f}, middle = {:.2f}", corner, middle));
  const std::string range = range_of(view);
  out.step("all elements", range);
  const tgmap::hash_result state = object.verify();
  out.step("digest compared", std::string(to_string_view(state)));
}

void show_streamed(const tgmap::archive& archive, page& out) {
  out.heading("A streamed message, whose length nobody wrote down");
  out.start();
  const auto found = std::ranges::find_if(archive.begin(), archive.end(), &tgmap::message::is_streamed);
  if (found == archive.end()) return out.line("none here");
  const tgmap::message streamed = *found;
  out.step(
      fmt::format("message {}", streamed.index().value_or(0)),
      fmt::format("{} by its frames; {}", human_size(streamed.length()), to_string_view(streamed.index_location())));
  const tgmap::object last = streamed[streamed.size() - 1];
  out.step("last object, by the footer", fmt::format("frame at {}", last.frame().offset()));
  const auto view = last.view<float>();
  out.step("view<float>()", range_of(view));
}

void write_npy(const tgmap::object& object, const fs::path& path, page& out) {
  out.start();
  std::ofstream file(path, std::ios::binary);
  tgmap::convert::write_npy(object.decode(), [&](std::span<const std::byte> piece) {
    file.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
  });
  if (!file.flush()) throw std::system_error(errno, std::system_category(), path.string());
  std::ifstream written(path, std::ios::binary);
  written.seekg(10);
  std::string header;
  std::getline(written, header, '}');
  out.step(path.filename().string(), fmt::format("{}  {}}}", human_size(fs::file_size(path)), header));
}

void show_refusals(const tgmap::archive& archive, page& out) {
  out.heading("What cannot be, and why");
  tgmap::failure why;
  const tgmap::object object = archive[0][0];
  out.start();
  object.view<double>(why);
  out.step("view<double>()", why.text());
  archive.at(archive.size(), why);
  out.step(fmt::format("message {}", archive.size()), why.text());
  archive.at_offset(1, why);
  out.step("a message at offset 1", why.text());
}

/// The command's own view of a field.
void show_picture([[maybe_unused]] const fs::path& path, [[maybe_unused]] std::size_t message,
                  [[maybe_unused]] page& out) {
#ifdef TGMAP_COMMAND
  const std::string field = fmt::format("{}:{}:0", path.string(), message);
  out.heading(fmt::format("tgmap show {}:{}:0", path.filename().string(), message));
  std::fflush(stdout);
  run_command({TGMAP_COMMAND, "show", field}, command_output::shown);
#endif
}

void run(const fs::path& samples, std::uint64_t size) {
  page out;
  const auto start = std::chrono::steady_clock::now();
  const auto files = archives_in(samples);
  show_samples(files, out);
  show_usability(files, out);

  const temporary_directory directory;
  const fs::path path = make_large(plan_for(size), directory.path(), out);
  out.start();
  const tgmap::archive archive(path);
  open_large(archive, out);
  show_views(archive, out);
  show_streamed(archive, out);
  out.heading("The same for NumPy");
  write_npy(archive[0][0], directory.path() / "first.npy", out);
  write_npy(archive.back()[1], directory.path() / "last.npy", out);
  show_refusals(archive, out);
  show_picture(path, archive.size() / 2, out);

  const auto taken = std::chrono::steady_clock::now() - start;
  out.heading(fmt::format("All of it took {}. {} is deleted.", human_time(taken), directory.path().string()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  std::uint64_t size = 1'000'000'000;
  const bool sized =
      arguments.size() == 3 && arguments[1] == "--size" &&
      std::from_chars(arguments[2].data(), arguments[2].data() + arguments[2].size(), size).ec == std::errc{};
  if (arguments.size() != 1 && !sized) {
    std::cerr << "usage: tgmap_demo SAMPLES_DIR [--size BYTES]\n";
    return 2;
  }
  try {
    run(arguments[0], size);
    return 0;
  } catch (const std::exception& why) {
    std::cerr << "tgmap_demo: " << why.what() << "\n";
    return 1;
  }
}
