// SPDX-License-Identifier: Apache-2.0
// Reads an untrusted .npy or .npz file. Either the error has a text and a next step, or all elements are within the
// file. Reading twice gives the same result.
//
// The first byte selects the kind of file.
#include <cstdint>
#include <span>
#include <string>

#include "convert/npy.hpp"
#include "convert/zip_reader.hpp"
#include "support/require.hpp"

namespace {

using namespace tgmap;
using tgmap_fuzz::require;

bool within(std::span<const std::byte> part, std::span<const std::byte> of) {
  return part.empty() || (part.data() >= of.data() && part.data() + part.size() <= of.data() + of.size());
}

/// Checks that the strides reach exactly the elements of the array.
void check(const convert::npy_array& array, std::span<const std::byte> file) {
  const std::size_t each = element_size(array.elements.type);
  require(within(array.data, file), "elements are within the file");
  require(array.offset + array.data.size() == file.size(), "the file ends with its elements");
  require(array.shape.size() == array.strides.size() && array.shape.size() <= max_rank, "a stride for each extent");
  std::uint64_t last = 0;
  bool is_empty = false;
  for (std::size_t d = 0; d < array.shape.size(); ++d) {
    is_empty = is_empty || array.shape[d] == 0;
    if (!is_empty) last += (array.shape[d] - 1) * static_cast<std::uint64_t>(array.strides[d]);
  }
  for (const std::uint64_t extent : array.shape) is_empty = is_empty || extent == 0;
  require(is_empty ? array.data.empty() : (last + 1) * each == array.data.size(), "strides reach the last element");
}

std::string read_npy(std::span<const std::byte> file) {
  try {
    const convert::npy_array array = convert::read_npy(file);
    check(array, file);
    return "npy of " + std::to_string(array.data.size());
  } catch (const convert::conversion_error& why) {
    require(*why.what() != '\0' && !why.next_step().empty(), "an error has a text and a next step");
    return why.what();
  }
}

std::string read_npz(std::span<const std::byte> file) {
  constexpr std::uint64_t limit = 1 << 20;
  std::string out;
  try {
    const convert::zip_reader archive(file);
    for (const auto& member : archive.members()) {
      require(within(member.packed, file), "members are within the archive");
      const auto contents = archive.read(member, limit);
      require(contents.bytes.size() == member.size, "a member has the size it states");
      require(contents.owned ? contents.bytes.size() <= limit : within(contents.bytes, file), "memory is bounded");
      out += member.name + ": " + read_npy(contents.bytes) + "\n";
    }
  } catch (const convert::conversion_error& why) {
    out += why.what();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const auto file = std::as_bytes(std::span(bytes, size).subspan(1));
  const auto read = (bytes[0] & 1) != 0 ? read_npz : read_npy;
  require(read(file) == read(file), "reading twice gives the same result");
  return 0;
}
