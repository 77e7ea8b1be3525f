// SPDX-License-Identifier: Apache-2.0
#include "support/archives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "floors/file.hpp"
#include "floors/wire.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "fields are written in the byte order of this machine");

constexpr std::array<std::string_view, 8> params{"2t", "10u", "10v", "msl", "tp", "2d", "sp", "tcc"};

std::string descriptor(std::uint64_t rows, std::uint64_t columns) {
  const std::array<std::uint64_t, 2> shape{rows, columns}, strides{columns, 1};
  const auto pair = [](std::string_view key, std::string_view value) { return cbor_text(key) + cbor_text(value); };
  return cbor_map(9, cbor_text("ndim") + cbor_number(2) + pair("type", "ntensor") + pair("dtype", "float32") +
                         cbor_text("shape") + cbor_numbers(shape) + pair("filter", "none") + cbor_text("strides") +
                         cbor_numbers(strides) + pair("encoding", "none") + pair("byte_order", "little") +
                         pair("compression", "none"));
}

std::string metadata(const archive_plan& plan, std::uint64_t m) {
  std::string base, more;
  const std::uint64_t level = m == plan.messages / 4 * 3 ? 77 : m % 10;
  if (plan.searchable) more = cbor_text("level") + cbor_number(level) + cbor_text("number") + cbor_number(m % 40);
  for (std::uint64_t f = 0; f < plan.fields; ++f)
    base += cbor_map(
        1, cbor_text("mars") + cbor_map(plan.searchable ? 5 : 3,
                                        cbor_text("step") + cbor_number(6 * m) + cbor_text("class") + cbor_text("od") +
                                            cbor_text("param") + cbor_text(params[f % params.size()]) + more));
  return cbor_map(2, cbor_text("base") + cbor_array(plan.fields, base) + cbor_text("_extra_") +
                         cbor_map(1, cbor_text("source") + cbor_text("tgmap benchmark")));
}

std::string index(std::uint64_t first_object, std::uint64_t frame_length, std::uint64_t count) {
  std::vector<std::uint64_t> offsets, lengths(count, frame_length);
  for (std::uint64_t i = 0; i < count; ++i) offsets.push_back(first_object + i * padded(frame_length));
  return cbor_map(2, cbor_text("lengths") + cbor_numbers(lengths) + cbor_text("offsets") + cbor_numbers(offsets));
}

class maker {
 public:
  maker(const std::filesystem::path& path, const archive_plan& plan) : plan_(plan), buffer_(std::size_t{1} << 20) {
    if (plan_.cycle_of_rows.empty()) plan_.cycle_of_rows.push_back(plan_.rows);
    plan_.rows = std::ranges::max(plan_.cycle_of_rows);
    out_.rdbuf()->pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    out_.exceptions(std::ios::badbit | std::ios::failbit);
    out_.open(path, std::ios::binary | std::ios::trunc);
    pattern_.resize(plan_.rows * plan_.columns);
    for (std::uint64_t r = 0; r < plan_.rows; ++r)
      for (std::uint64_t c = 0; c < plan_.columns; ++c) pattern_[r * plan_.columns + c] = climate(r, c);
  }

  /// Writes pseudo-random bytes, the same in each run.
  void junk() {
    std::string bytes(plan_.junk_before, '\0');
    std::uint64_t state = 1;
    for (char& byte : bytes) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      byte = static_cast<char>(state >> 56);
    }
    put(bytes);
  }

  void message(std::uint64_t m) {
    const std::uint64_t rows = plan_.cycle_of_rows[m % plan_.cycle_of_rows.size()];
    const std::string about = descriptor(rows, plan_.columns);
    const std::string keys = metadata(plan_, m);
    const bool streamed = plan_.streamed_every != 0 && m % plan_.streamed_every == plan_.streamed_every - 1;
    const std::uint64_t object_length = object_frame_length(rows * plan_.columns * sizeof(float), about.size());

    const std::string header = cbor_frame(header_metadata_frame, keys);
    std::uint64_t first = preamble_size + header.size();
    std::string table = index(first, object_length, plan_.fields);
    if (!streamed)  // the index precedes the objects, so its own length changes the offsets
      for (std::uint64_t guess = 0; guess != first;) {
        guess = first;
        table = index(guess, object_length, plan_.fields);
        first = preamble_size + header.size() + cbor_frame(header_index_frame, table).size();
      }
    const std::uint64_t footer = first + plan_.fields * padded(object_length);
    const std::uint64_t length = streamed ? 0 : footer + postamble_size;

    put("TENSOGRM" + big_endian(3, 2) + big_endian(streamed ? 0xcb : 0x85, 2) + big_endian(0, 4) +
        big_endian(length, 8));
    put(header);
    if (!streamed) put(cbor_frame(header_index_frame, table));
    for (std::uint64_t f = 0; f < plan_.fields; ++f) put(object(m, f, rows, about));
    if (streamed) put(cbor_frame(footer_metadata_frame, keys));
    if (streamed) put(cbor_frame(footer_index_frame, table));
    put(big_endian(footer, 8) + big_endian(length, 8) + "39277777");
  }

  void finish() { out_.close(); }

 private:
  /// Returns a temperature in Kelvin: highest in the middle rows, with waves that fade towards the edges.
  float climate(std::uint64_t r, std::uint64_t c) const {
    const double y = static_cast<double>(r) / static_cast<double>(plan_.rows) * 3.14159265;
    const double x = static_cast<double>(c) / static_cast<double>(plan_.columns) * 6.2831853;
    const double middle = std::sin(y);
    const double waves = 7 * std::sin(3 * x + 4 * y) * std::sin(2 * y) * std::sin(2 * y) +
                         5 * std::sin(8 * x - 6 * y) * middle * middle * middle;
    return static_cast<float>(243 + 57 * middle + waves);
  }

  void put(const std::string& bytes) { out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); }

  /// Returns the frame of an object. With `repeat_payloads` each size is made once.
  const std::string& object(std::uint64_t m, std::uint64_t f, std::uint64_t rows, const std::string& about) {
    std::string& out = plan_.repeat_payloads ? made_[{rows, f % params.size()}] : scratch_;
    if (plan_.repeat_payloads && !out.empty()) return out;
    const float shift =
        static_cast<float>(f % params.size()) * 10 +
        (plan_.repeat_payloads ? 0 : static_cast<float>(m) * 0.25f + static_cast<float>(f / params.size()));
    field_.resize(rows * plan_.columns);
    for (std::size_t i = 0; i < field_.size(); ++i) field_[i] = pattern_[i] + shift;
    constexpr std::string_view magic = "TENSOGRM39277777";
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(field_));
    if (plan_.magic_in_payloads && bytes.size() >= 2 * magic.size())
      std::ranges::copy(std::as_bytes(std::span(magic)), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2));
    write_object_frame(out, bytes, about);
    return out;
  }

  archive_plan plan_;
  std::vector<char> buffer_;
  std::vector<float> pattern_, field_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> made_;
  std::string scratch_;
  std::ofstream out_;
};

constexpr std::uint64_t whole_mebibyte = std::uint64_t{1} << 20;

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{} MiB", bytes / whole_mebibyte); }

/// Returns the approximate size of the archive in bytes.
std::uint64_t estimated_size(const archive_plan& plan) {
  std::uint64_t rows = plan.rows;
  if (!plan.cycle_of_rows.empty()) rows = std::ranges::max(plan.cycle_of_rows);
  return plan.junk_before + plan.messages * plan.fields * (rows * plan.columns * sizeof(float) + 400);
}

/// Returns the offset of the second message.
std::uint64_t second_message(const fs::path& path) { return length_in_preamble(mapped_file(path).data()); }

void damage(shape which, const fs::path& path) {
  if (which == shape::flipped) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.exceptions(std::ios::badbit | std::ios::failbit);
    file.seekp(static_cast<std::streamoff>(second_message(path)));
    file.put('X');
  }
  if (which == shape::cut) fs::resize_file(path, fs::file_size(path) - whole_mebibyte);
}

}  // namespace

void make_archive(const std::filesystem::path& path, const archive_plan& plan) {
  maker make(path, plan);
  make.junk();
  for (std::uint64_t m = 0; m < plan.messages; ++m) make.message(m);
  make.finish();
}

std::string_view name(shape which) {
  switch (which) {
    case shape::small: return "small";
    case shape::medium: return "medium";
    case shape::large: return "large";
    case shape::streamed: return "streamed";
    case shape::many: return "many";
    case shape::many_footer: return "many_footer";
    case shape::fewer: return "fewer";
    case shape::fields: return "fields";
    case shape::one_field: return "one_field";
    case shape::junk: return "junk";
    case shape::flipped: return "flipped";
    case shape::cut: return "cut";
    case shape::searchable: return "searchable";
  }
  return "?";
}

archives::archives(const fs::path& kept, bool quick) : kept_(kept), quick_(quick) {
  if (kept.empty())
    scratch_.emplace();
  else
    fs::create_directories(kept);
}

archive_plan archives::plan(shape which) const {
  const auto scaled = [&](std::uint64_t full, std::uint64_t quick) { return quick_ ? quick : full; };
  switch (which) {
    case shape::small:
      return {.messages = scaled(1'000'000, 100'000), .fields = 1, .rows = 16, .columns = 16, .repeat_payloads = true};
    case shape::searchable: {
      archive_plan out = plan(shape::small);
      out.searchable = true;
      return out;
    }
    case shape::medium:  // 100 KB on average
      return {.messages = scaled(60'000, 6'000),
              .fields = 1,
              .columns = 256,
              .cycle_of_rows = {100, 60, 100, 140, 80, 100, 120},
              .repeat_payloads = true};
    case shape::large:
      return {.messages = scaled(1'024, 256), .fields = 4, .rows = 512, .columns = 256, .repeat_payloads = true};
    case shape::streamed:
      return {.messages = scaled(20'000, 2'000),
              .fields = 8,
              .rows = 32,
              .columns = 32,
              .streamed_every = 1,
              .repeat_payloads = true,
              .magic_in_payloads = true};
    case shape::many: return {.fields = 10'000, .rows = 16, .columns = 16, .repeat_payloads = true};
    case shape::many_footer:
      return {.fields = 10'000, .rows = 16, .columns = 16, .streamed_every = 1, .repeat_payloads = true};
    case shape::fewer: return {.fields = 1'000, .rows = 16, .columns = 16, .repeat_payloads = true};
    case shape::fields:
      return {.messages = scaled(256, 64), .fields = 1, .rows = 1'024, .columns = 512, .repeat_payloads = true};
    case shape::one_field: return {.fields = 1, .rows = 2'048, .columns = 2'048};
    case shape::junk:
      return {.messages = 16,
              .fields = 1,
              .rows = 1'024,
              .columns = 512,
              .repeat_payloads = true,
              .junk_before = 8 * whole_mebibyte};
    case shape::flipped:
    case shape::cut: return {.messages = 6, .fields = 1, .rows = 2'048, .columns = 1'024, .repeat_payloads = true};
  }
  throw std::logic_error("a shape without a plan");
}

fs::path archives::path(shape which) const {
  const fs::path finished = directory() / fmt::format("{}{}.tgm", name(which), quick_ ? "_quick" : "");
  if (fs::exists(finished)) return finished;
  const archive_plan what = plan(which);
  const std::uint64_t needed = estimated_size(what) + 256 * whole_mebibyte, free = fs::space(directory()).available;
  if (free < needed)
    throw std::runtime_error(fmt::format("{} needs {} of disk, {} has {}", name(which), mebibytes(needed),
                                         directory().string(), mebibytes(free)));
  fmt::print(stderr, "making {}, about {} …\n", finished.filename().string(), mebibytes(estimated_size(what)));
  const fs::path partial = fs::path(finished) +=
      ".partial";  // an interrupted run must not leave a partial archive under the final name
  make_archive(partial, what);
  damage(which, partial);
  fs::rename(partial, finished);
  return finished;
}

}  // namespace tgmap_bench
