// SPDX-License-Identifier: Apache-2.0
// Lets libFuzzer change archives frame by frame and number by number. Lengths, indexes and hashes are computed again,
// so that changes are not rejected early.
#include <array>
#include <cstring>
#include <support/cbor.hpp>

#include "support/archive_model.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace tgmap_fuzz {

using namespace tgmap_test;
namespace wire = tgmap::wire;

namespace {

constexpr std::array<std::string_view, 40> words{
    "none",      "zstd",    "lz4",    "szip",           "blosc2",  "zfp",        "sz3",         "rle",
    "roaring",   "little",  "big",    "simple_packing", "shuffle", "float16",    "float32",     "float64",
    "complex64", "int8",    "uint8",  "int16",          "uint32",  "int64",      "bitmask",     "dtype",
    "shape",     "strides", "ndim",   "encoding",       "filter",  "masks",      "compression", "byte_order",
    "nan",       "inf+",    "method", "base",           "_extra_", "_reserved_", "lengths",     "szip_block_offsets"};

/// The head of a CBOR item, and the content if it is a string.
struct head {
  std::size_t at, size;
  unsigned major;
  std::uint64_t argument;
};

std::vector<head> heads_of(std::string_view data, std::size_t at, std::size_t end) {
  std::vector<head> out;
  while (at < end) {
    const auto first = static_cast<unsigned char>(data[at]);
    const unsigned major = first >> 5, info = first & 31;
    const std::size_t width = info < 24 || info == 31 ? 0 : info < 28 ? std::size_t{1} << (info - 24) : 9;
    if (width > 8 || end - at - 1 < width) break;
    head one{at, 1 + width, major, width == 0 ? info : get(data, at + 1, static_cast<unsigned>(width))};
    if ((major == 2 || major == 3) && info != 31) {
      if (one.argument > end - at - one.size) break;
      one.size += static_cast<std::size_t>(one.argument);
    }
    at += one.size;
    out.push_back(one);
  }
  return out;
}

/// Changes one item of the CBOR of a frame.
void change_cbor(frame_bytes& frame, unsigned version, seeded_random& numbers) {
  const std::size_t begin = frame.cbor_at(version), end = frame.data.size() - frame.tail(version);
  const auto heads = heads_of(frame.data, begin, end);
  if (heads.empty()) return;
  const head& one = any_of(heads, numbers);
  const head& other = any_of(heads, numbers);
  const bytes copy = frame.data.substr(other.at, other.size);
  switch (numbers.below(6)) {
    case 0: return frame.replace(one.at, one.size, copy, version);
    case 1: return frame.replace(one.at, 0, copy, version);
    case 2: {  // adds a pair to the outermost map
      const head& map = heads.front();
      if (map.major != 5 || map.argument > 22) return;
      const bytes pair = copy + frame.data.substr(one.at, one.size);
      frame.replace(end, 0, pair, version);
      frame.data[map.at] = static_cast<char>(0xa0 + map.argument + 1);
      return;
    }
    default: break;
  }
  if (one.major == 3) return frame.replace(one.at, one.size, cbor::text(any_of(words, numbers)), version);
  if (one.major == 0 || one.major == 1 || one.major == 4)
    frame.replace(one.at, one.size, cbor::head(one.major, other_number(one.argument, numbers)), version);
}

/// Changes bytes of the payload or the CBOR of a frame as libFuzzer does.
void change_bytes(frame_bytes& frame, unsigned version, seeded_random& numbers) {
  const std::size_t cbor = frame.cbor_at(version), end = frame.data.size() - frame.tail(version);
  const bool payload = cbor > wire::frame_header_size && numbers.below(2) != 0;
  const std::size_t begin = payload ? wire::frame_header_size : cbor, size = (payload ? cbor : end) - begin;
  bytes part = frame.data.substr(begin, size);
  part.resize(size + 16);
  part.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(part.data()), size, part.size()));
  frame.replace(begin, size, part, version);
}

void change_message(message_model& m, const archive_model& all, seeded_random& numbers) {
  if (m.frames.empty()) return;
  auto& frames = m.frames;
  const auto at = [&] { return frames.begin() + static_cast<std::ptrdiff_t>(numbers.below(frames.size())); };
  const unsigned version = m.version();
  frame_bytes& one = *at();
  switch (numbers.below(12)) {
    case 0: frames.insert(at(), frame_bytes(any_of(frames, numbers))); break;
    case 1: frames.erase(at()); break;
    case 2: std::swap(one, *at()); break;
    case 3: put_u16(one.data, 2, static_cast<std::uint16_t>(1 + numbers.below(10))); break;
    case 4: one.data[7] = static_cast<char>(one.data[7] ^ (1 << numbers.below(3))); break;
    case 5: m.preamble[11] = static_cast<char>(m.preamble[11] ^ (1 << numbers.below(8))); break;
    case 6:
      if (const auto& from = any_of(all.messages, numbers); !from.frames.empty())
        frames.insert(at(), frame_bytes(any_of(from.frames, numbers)));
      break;
    case 7:
      if (one.is_complete(version)) change_bytes(one, version, numbers);
      break;
    default:
      if (one.is_complete(version)) change_cbor(one, version, numbers);
  }
}

/// Copies `changed` to `out`. Returns its size, or 0 if it does not fit.
std::size_t copy_if_fits(const bytes& changed, std::uint8_t* out, std::size_t max_size) {
  if (changed.size() > max_size) return 0;
  std::memcpy(out, changed.data(), changed.size());
  return changed.size();
}

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

}  // namespace tgmap_fuzz

using namespace tgmap_fuzz;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  seeded_random numbers(seed);
  archive_model model = parse(text_of(data, size));
  if (model.messages.empty() || numbers.one_in(5)) return LLVMFuzzerMutate(data, size, max_size);
  for (std::uint64_t left = 1 + numbers.below(3); left > 0; --left)
    change_message(any_of(model.messages, numbers), model, numbers);
  const std::size_t changed = copy_if_fits(write(model, numbers), data, max_size);
  return changed != 0 ? changed : LLVMFuzzerMutate(data, size, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned seed) {
  seeded_random numbers(seed);
  archive_model model = parse(text_of(one, one_size));
  const archive_model from = parse(text_of(other, other_size));
  if (model.messages.empty() || from.messages.empty())
    return copy_if_fits(bytes(text_of(one, one_size)), out, max_size);
  const message_model& chosen = any_of(from.messages, numbers);
  auto& frames = any_of(model.messages, numbers).frames;
  if (numbers.one_in(4) || chosen.frames.empty())
    model.messages.push_back(chosen);
  else
    frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(numbers.below(frames.size() + 1)),
                  any_of(chosen.frames, numbers));
  return copy_if_fits(write(model, numbers), out, max_size);
}
