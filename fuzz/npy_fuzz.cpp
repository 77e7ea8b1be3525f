// SPDX-License-Identifier: Apache-2.0
// An .npy file, or an .npz, that anybody may have made: it is refused in words, or every element that it is said to
// hold lies within it, and the same bytes say the same again.
//
// The first byte says which of the two the rest is.
#include <cstdint>
#include <span>
#include <string>

#include "convert/npy_read.hpp"
#include "convert/refusal.hpp"
#include "convert/zip_reader.hpp"
#include "support/require.hpp"

namespace {

using namespace tgmap;
using tgmap_fuzz::require;

bool within(std::span<const std::byte> part, std::span<const std::byte> of) {
  return part.empty() || (part.data() >= of.data() && part.data() + part.size() <= of.data() + of.size());
}

/// Elements that strides reach, first to last, are those there are.
void check(const convert::npy_array& array, std::span<const std::byte> file) {
  const std::size_t each = element_size(array.elements.type);
  require(within(array.data, file), "elements lie in the file");
  require(array.offset + array.data.size() == file.size(), "the file ends with its elements");
  require(array.shape.size() == array.strides.size() && array.shape.size() <= max_rank, "a stride for each extent");
  std::uint64_t last = 0;
  bool none = false;
  for (std::size_t d = 0; d < array.shape.size(); ++d) {
    none = none || array.shape[d] == 0;
    if (!none) last += (array.shape[d] - 1) * static_cast<std::uint64_t>(array.strides[d]);
  }
  for (const std::uint64_t extent : array.shape) none = none || extent == 0;
  require(none ? array.data.empty() : (last + 1) * each == array.data.size(), "strides reach the last element");
}

std::string read_npy(std::span<const std::byte> file) {
  try {
    const convert::npy_array array = convert::npy_read(file);
    check(array, file);
    return "npy of " + std::to_string(array.data.size());
  } catch (const convert::refusal& why) {
    require(*why.what() != '\0' && !why.next_step().empty(), "a refusal says why, and what to do");
    return why.what();
  }
}

std::string read_npz(std::span<const std::byte> file) {
  constexpr std::uint64_t limit = 1 << 20;
  std::string out;
  try {
    const convert::zip_reader archive(file);
    for (const auto& member : archive.members()) {
      require(within(member.packed, file), "members lie in the archive");
      const auto contents = archive.read(member, limit);
      require(contents.bytes.size() == member.size, "a member has the size it states");
      require(contents.own ? contents.bytes.size() <= limit : within(contents.bytes, file), "memory is bounded");
      out += member.name + ": " + read_npy(contents.bytes) + "\n";
    }
  } catch (const convert::refusal& why) {
    out += why.what();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const auto file = std::as_bytes(std::span(bytes, size).subspan(1));
  const auto read = (bytes[0] & 1) != 0 ? read_npz : read_npy;
  require(read(file) == read(file), "the same bytes say the same");
  return 0;
}
