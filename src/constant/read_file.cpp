// SPDX-License-Identifier: Apache-2.0
#include <tgmap/constant/read.hpp>

#include "constant/file_bytes.hpp"
#include "constant/json/document.hpp"
#include "constant/lz4_text.hpp"
#include "constant/raise_first.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

constexpr std::uint64_t most_decompressed = std::uint64_t{1} << 32;

tensor_constant refused(const failure& why, report& into) noexcept {
  try {
    into = {};
    into.problems.push_back({.cause = why});
  } catch (const std::bad_alloc&) {
    into.out_of_memory = true;
  }
  return {};
}

json::text_view text_in(std::span<const std::byte> bytes, bool mapped) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size(), mapped};
}

}  // namespace

tensor_constant read_file(const std::filesystem::path& path, const read_options& options, report& into) noexcept {
  failure why;
  const file_bytes file(path, why);
  if (why) return refused(why, into);
  const std::string_view name = path.native();
  if (name.ends_with(".tbf")) return read_typed_binary(file.bytes(), options, into);
  if (!name.ends_with(".lz4")) return json::read_text(text_in(file.bytes(), file.mapped()), options, into);
  grown_memory text;
  why = read_lz4(file.bytes(), file.mapped(), most_decompressed, text);
  return why ? refused(why, into) : json::read_text(text_in(text.bytes(), false), options, into);
}

tensor_constant read_file(const std::filesystem::path& path, const read_options& options) {
  report all;
  tensor_constant out = read_file(path, options, all);
  raise_first(all);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
