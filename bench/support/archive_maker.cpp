// SPDX-License-Identifier: Apache-2.0
#include "support/archive_maker.hpp"

#include <xxhash.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tgmap_bench {

namespace {

static_assert(std::endian::native == std::endian::little, "fields are written as they lie in memory");

constexpr std::array<std::string_view, 8> params{"2t", "10u", "10v", "msl", "tp", "2d", "sp", "tcc"};
constexpr std::uint64_t preamble_size = 24, frame_header_size = 16, frame_tail_size = 12, object_tail_size = 20;

enum frame_type : unsigned { header_metadata = 1, header_index = 2, footer_index = 6, footer_metadata = 7, object = 9 };

std::uint64_t padded(std::uint64_t length) { return (length + 7) / 8 * 8; }

std::string big_endian(std::uint64_t number, unsigned bytes) {
  std::string out;
  for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

// ---- CBOR, shortest forms ----

std::string head(unsigned major, std::uint64_t argument) {
  const auto first = [&](unsigned low) { return std::string(1, static_cast<char>(major << 5 | low)); };
  if (argument < 24) return first(static_cast<unsigned>(argument));
  if (argument <= 0xff) return first(24) + big_endian(argument, 1);
  if (argument <= 0xffff) return first(25) + big_endian(argument, 2);
  if (argument <= 0xffffffff) return first(26) + big_endian(argument, 4);
  return first(27) + big_endian(argument, 8);
}
std::string number(std::uint64_t value) { return head(0, value); }
std::string text(std::string_view value) { return head(3, value.size()) + std::string(value); }
std::string numbers(std::span<const std::uint64_t> values) {
  std::string out = head(4, values.size());
  for (const std::uint64_t value : values) out += number(value);
  return out;
}
std::string map(std::uint64_t pairs, const std::string& contents) { return head(5, pairs) + contents; }

// ---- what frames hold ----

std::string descriptor(const archive_plan& plan) {
  const std::array<std::uint64_t, 2> shape{plan.rows, plan.columns}, strides{plan.columns, 1};
  return map(9, text("ndim") + number(2) + text("type") + text("ntensor") + text("dtype") + text("float32") +
                    text("shape") + numbers(shape) + text("filter") + text("none") + text("strides") +
                    numbers(strides) + text("encoding") + text("none") + text("byte_order") + text("little") +
                    text("compression") + text("none"));
}

std::string metadata(const archive_plan& plan, std::uint64_t step) {
  std::string base = head(4, plan.fields);
  for (std::uint64_t f = 0; f < plan.fields; ++f)
    base += map(1, text("mars") + map(3, text("step") + number(step) + text("class") + text("od") + text("param") +
                                             text(params[f % params.size()])));
  return map(2, text("base") + base + text("_extra_") + map(1, text("source") + text("tgmap demonstration")));
}

std::string index(std::uint64_t first_object, std::uint64_t frame_length, std::uint64_t count) {
  std::vector<std::uint64_t> offsets, lengths(count, frame_length);
  for (std::uint64_t i = 0; i < count; ++i) offsets.push_back(first_object + i * padded(frame_length));
  return map(2, text("lengths") + numbers(lengths) + text("offsets") + numbers(offsets));
}

std::uint64_t size_of_frame(const std::string& body) {
  return padded(frame_header_size + body.size() + frame_tail_size);
}

class maker {
 public:
  maker(const std::filesystem::path& path, const archive_plan& plan)
      : plan_(plan), descriptor_(descriptor(plan)), pattern_(plan.rows * plan.columns), field_(pattern_.size()) {
    out_.exceptions(std::ios::badbit | std::ios::failbit);
    out_.open(path, std::ios::binary | std::ios::trunc);
    for (std::uint64_t r = 0; r < plan.rows; ++r)
      for (std::uint64_t c = 0; c < plan.columns; ++c) pattern_[r * plan.columns + c] = climate(r, c);
  }

  void message(std::uint64_t m) {
    const std::string keys = metadata(plan_, 6 * m);
    const bool streamed = plan_.streamed_every != 0 && m % plan_.streamed_every == plan_.streamed_every - 1;
    const std::uint64_t object_length = frame_header_size + payload() + descriptor_.size() + object_tail_size;

    std::uint64_t first = preamble_size + size_of_frame(keys);
    std::string table = index(first, object_length, plan_.fields);
    if (!streamed)  // the index lies before what it points at: its own length matters
      for (std::uint64_t guess = 0; guess != first;) {
        guess = first;
        table = index(guess, object_length, plan_.fields);
        first = preamble_size + size_of_frame(keys) + size_of_frame(table);
      }
    const std::uint64_t footer = first + plan_.fields * padded(object_length);
    const std::uint64_t length = streamed ? 0 : footer + 24;

    put("TENSOGRM" + big_endian(3, 2) + big_endian(streamed ? 0xcb : 0x85, 2) + big_endian(0, 4) +
        big_endian(length, 8));
    frame(header_metadata, keys);
    if (!streamed) frame(header_index, table);
    for (std::uint64_t f = 0; f < plan_.fields; ++f) write_object(m, f);
    if (streamed) frame(footer_metadata, keys);
    if (streamed) frame(footer_index, table);
    put(big_endian(footer, 8) + big_endian(length, 8) + "39277777");
  }

  void finish() { out_.close(); }

 private:
  /// Kelvin: warm at the middle rows, with some weather.
  float climate(std::uint64_t r, std::uint64_t c) const {
    const double y = static_cast<double>(r) / static_cast<double>(plan_.rows) * 3.14159265;
    const double x = static_cast<double>(c) / static_cast<double>(plan_.columns) * 6.2831853;
    return static_cast<float>(243 + 60 * std::sin(y) + 4 * std::sin(7 * x) * std::cos(5 * y));
  }

  std::uint64_t payload() const { return field_.size() * sizeof(float); }

  void put(const std::string& bytes) { out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); }

  void frame(unsigned type, const std::string& body) {
    std::string out = "FR" + big_endian(type, 2) + big_endian(1, 2) + big_endian(2, 2);
    out += big_endian(frame_header_size + body.size() + frame_tail_size, 8) + body;
    out += big_endian(XXH3_64bits(body.data(), body.size()), 8) + "ENDF";
    out.resize(padded(out.size()), '\0');
    put(out);
  }

  void write_object(std::uint64_t m, std::uint64_t f) {
    const float shift = static_cast<float>(f) * 10 + static_cast<float>(m) * 0.25f;
    for (std::size_t i = 0; i < field_.size(); ++i) field_[i] = pattern_[i] + shift;

    XXH3_64bits_reset(digest_.get());
    XXH3_64bits_update(digest_.get(), field_.data(), payload());
    XXH3_64bits_update(digest_.get(), descriptor_.data(), descriptor_.size());
    const std::uint64_t length = frame_header_size + payload() + descriptor_.size() + object_tail_size;
    put("FR" + big_endian(object, 2) + big_endian(1, 2) + big_endian(3, 2) + big_endian(length, 8));
    out_.write(reinterpret_cast<const char*>(field_.data()), static_cast<std::streamsize>(payload()));
    put(descriptor_ + big_endian(frame_header_size + payload(), 8) + big_endian(XXH3_64bits_digest(digest_.get()), 8) +
        "ENDF" + std::string(padded(length) - length, '\0'));
  }

  struct free_digest {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  archive_plan plan_;
  std::string descriptor_;
  std::vector<float> pattern_, field_;
  std::unique_ptr<XXH3_state_t, free_digest> digest_{XXH3_createState()};
  std::ofstream out_;
};

}  // namespace

void make_archive(const std::filesystem::path& path, const archive_plan& plan) {
  maker make(path, plan);
  for (std::uint64_t m = 0; m < plan.messages; ++m) make.message(m);
  make.finish();
}

}  // namespace tgmap_bench
