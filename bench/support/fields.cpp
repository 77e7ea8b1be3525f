// SPDX-License-Identifier: Apache-2.0
#include "support/fields.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "floors/packing_loops.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

template <class T>
octets as_stored(std::span<const double> values, bool big_endian) {
  octets out(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<T>(values[i]);
    std::byte* const at = out.data() + i * sizeof value;
    std::memcpy(at, &value, sizeof value);
    if (big_endian) std::reverse(at, at + sizeof value);
  }
  return out;
}

}  // namespace

std::string pipeline::name() const {
  std::string out = packed != 0 ? "packed" + std::to_string(packed) : std::string(dtype);
  if (big_endian) out += "_foreign";
  if (shuffled != 0) out += "+shuffle" + std::to_string(shuffled);
  if (!codec.empty()) out.append("+").append(codec);
  return out;
}

sample_kind pipeline::sample() const {
  if (packed != 0) return {.bits = packed, .size = (packed + 7) / 8, .packed = true};
  if (shuffled != 0) return {.bits = 8, .size = 1};
  return {.bits = static_cast<unsigned>(8 * width()), .size = width()};
}

std::vector<double> weather(std::size_t elements) {
  std::vector<double> out(elements);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < elements; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double x = static_cast<double>(i);
    const double noise = static_cast<double>(state >> 40) / static_cast<double>(1 << 24);
    out[i] = 260 + 40 * std::sin(x / 20'000) + 12 * std::sin(x / 300) + 0.1 * noise;
  }
  return out;
}

double packed_scale(unsigned bits) { return std::ldexp(128.0, -static_cast<int>(bits)); }

octets pack(std::span<const double> values, unsigned bits) {
  octets out((values.size() * bits + 7) / 8);
  std::uint64_t held = 0;
  unsigned count = 0;
  std::size_t at = 0;
  for (const double value : values) {  // at most 7 bits are pending
    held = held << bits | static_cast<std::uint64_t>((value - packed_reference) / packed_scale(bits));
    for (count += bits; count >= 8; count -= 8) out[at++] = static_cast<std::byte>(held >> (count - 8));
  }
  if (count != 0) out[at] = static_cast<std::byte>(held << (8 - count));
  return out;
}

octets shuffle(std::span<const std::byte> bytes, std::size_t size) {
  octets out(bytes.size());
  const std::size_t elements = bytes.size() / size;
  for (std::size_t i = 0; i < elements; ++i)
    for (std::size_t k = 0; k < size; ++k) out[k * elements + i] = bytes[i * size + k];
  return out;
}

encoded_object encode(const pipeline& how, std::size_t elements) {
  const std::vector<double> values = weather(elements);
  encoded_object out{.dtype = std::string(how.packed != 0 ? "float64" : how.dtype), .shape = {elements}};
  octets bytes;
  if (how.packed != 0) {
    bytes = pack(values, how.packed);
    out.encoding = "simple_packing";
    out.parameters = {{"sp_reference_value", cbor_double(packed_reference)},
                      {"sp_bits_per_value", cbor_number(how.packed)},
                      {"sp_binary_scale_factor", cbor_signed(7 - static_cast<std::int64_t>(how.packed))},
                      {"sp_decimal_scale_factor", cbor_number(0)}};
  } else {
    bytes = how.width() == 4 ? as_stored<float>(values, how.big_endian) : as_stored<double>(values, how.big_endian);
  }
  if (how.big_endian) out.byte_order = "big";
  if (how.shuffled != 0) {
    bytes = shuffle(bytes, how.shuffled);
    out.filter = "shuffle";
    out.parameters.emplace_back("shuffle_element_size", cbor_number(how.shuffled));
  }
  out.decompressed = bytes.size();
  if (how.codec.empty())
    out.payload = std::move(bytes);
  else
    find_bare_codec(how.codec)->encode(bytes, how.sample(), out);
  return out;
}

void bare_finish(const pipeline& how, std::span<const std::byte> bytes, std::span<std::byte> out) {
  if (how.packed != 0)
    require(bare_unpack(bytes.data(), how.packed, packed_reference, packed_scale(how.packed),
                        {reinterpret_cast<double*>(out.data()), out.size() / sizeof(double)}),
            "no bare loop of this width");
  else
    std::memcpy(out.data(), bytes.data(), out.size());
}

void write_archive(const std::filesystem::path& path, std::span<const encoded_object> objects) {
  const std::string bytes = archive_of(objects);
  std::filesystem::remove(path);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  require(!file.fail(), "the archive could not be written");
}

opened_objects::opened_objects(std::vector<encoded_object> objects, const archives& files, bool in_memory)
    : encoded_(std::move(objects)) {
  if (in_memory) {
    bytes_ = archive_of(encoded_);
    archive_ = tgmap::archive::from_memory(std::as_bytes(std::span(bytes_)));
  } else {
    const auto path = files.directory() / "decode.tgm";
    write_archive(path, encoded_);
    archive_.emplace(path, tgmap::open_options{.io = tgmap::io_mode::map});
  }
  for (encoded_object& each : encoded_) each.payload = {};  // from here on they are read from the archive
}

opened_objects::opened_objects(std::vector<encoded_object> objects, in_sealed_file) : encoded_(std::move(objects)) {
  const std::string bytes = archive_of(encoded_);
  const int file = ::memfd_create("tgmap_bench", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  require(file >= 0, "memfd_create");
  const bool written = ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
                       ::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK) == 0;
  if (written) archive_ = tgmap::archive::from_descriptor(file, {.io = tgmap::io_mode::map});
  ::close(file);
  require(written, "a file in memory could not be written");
  for (encoded_object& each : encoded_) each.payload = {};
}

}  // namespace tgmap_bench
