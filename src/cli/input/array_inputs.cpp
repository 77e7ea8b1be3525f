// SPDX-License-Identifier: Apache-2.0
#include "cli/input/array_inputs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <tgmap/options.hpp>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/app/read_input.hpp"
#include "cli/options/option_checks.hpp"
#include "convert/array_file.hpp"

namespace tgmap::cli {

namespace {

std::vector<std::uint64_t> parse_shape(const std::string& given) {
  std::string_view text = given;
  std::vector<std::uint64_t> out;
  if (text.empty() || text == "()") return out;
  for (;;) {
    std::uint64_t extent = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (problem != std::errc()) break;
    out.push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty() && out.size() <= max_rank) return out;
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
  }
  throw CLI::ValidationError("--shape",
                             fmt::format("'{}' is not a list of at most {} extents such as 2,3,4", given, max_rank));
}

/// Checks that the array has the dtype to be stored, or one that can stand for it.
void check_dtype(const convert::npy_dtype& elements, const array_options& given) {
  const bool bits = given.dtype == dtype::bitmask;
  if (!given.dtype && !elements.is_exact) {
    if (elements.type == dtype::uint8)
      throw cli_error("the elements are NumPy's bool, which Tensogram does not have",
                      "add --dtype bitmask for a bit each, or --dtype uint8 for a byte each");
    throw cli_error("the elements are two opaque bytes each", "add --dtype bfloat16 if that is what they are");
  }
  if (given.dtype && !bits && *given.dtype != elements.type)
    throw cli_error(
        fmt::format("the elements are {}, not {}", to_string_view(elements.type), to_string_view(*given.dtype)),
        "convert them first with astype, or leave out --dtype");
}

array_input make_input(const std::string& file, convert::file_array&& from, const array_options& given) {
  array_input out{.file = file, .member = std::move(from.member), .name = std::move(from.name)};
  const auto rethrow = [&out](const auto& why) {
    if (out.member.empty()) throw;
    throw cli_error(fmt::format("member '{}': {}", out.member, why.what()), why.next_step());
  };
  try {
    check_dtype(from.array.elements, given);
    out.object = convert::make_object(from, given.dtype == dtype::bitmask);
  } catch (const convert::conversion_error& why) {
    rethrow(why);
  } catch (const cli_error& why) {
    rethrow(why);
  }
  out.memory = std::move(from.memory);
  return out;
}

convert::npy_array raw_array(std::span<const std::byte> bytes, const array_options& given) try {
  return convert::raw_array(bytes, *given.dtype, *given.shape, given.order.value_or(byte_order::little));
} catch (const convert::conversion_error& why) {
  throw cli_error(why.what(), "correct --shape or --dtype; a raw file holds only the elements");
}

/// Throws cli_error for a file of a kind that has no NumPy arrays.
void refuse_other_kind(const std::string& file) {
  if (file == "-") return;
  const file_format format = convert::find_file_format(file);
  if (format == file_format::archive)
    throw cli_error("is a Tensogram archive, not an array",
                    "`tgmap copy`, `tgmap append` and `tgmap merge` take archives");
  const file_kind* const kind = kind_of(format);
  if (kind != nullptr && !takes_arrays(format))
    throw cli_error(fmt::format("is not a .npy file: {}", kind->name), std::string(kind->next_step));
}

}  // namespace

bool names_arrays(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".npy" || ending == ".npz";
}

std::string array_input::label() const { return member.empty() ? file : file + ":" + member; }

void add_array_options(CLI::App& app, array_options& into) {
  std::vector<named_choice<dtype>> dtypes;
  for (std::size_t i = 0; i < dtype_count; ++i)
    dtypes.push_back({std::string(to_string_view(static_cast<dtype>(i))), static_cast<dtype>(i)});
  add_choice<dtype>(
      app, "--dtype",
      "The dtype of raw bytes, or one NumPy lacks: bitmask packs arrays of 0 and 1, bfloat16 takes opaque "
      "pairs, uint8 takes bool",
      dtypes, [&into](dtype chosen) { into.dtype = chosen; });
  app.add_option_function<std::string>(
         "--shape", [&into](const std::string& text) { into.shape = parse_shape(text); },
         "Read files as raw elements in C order with this shape, such as 2,3,4; () for a scalar")
      ->type_name("N,...");
  add_choice<byte_order>(app, "--byte-order", "Byte order of raw bytes; default: little",
                         by_name({byte_order::little, byte_order::big}),
                         [&into](byte_order chosen) { into.order = chosen; });
}

void check_array_options(const array_options& given) {
  if (given.shape && !given.dtype) throw usage_error("raw bytes have no dtype of their own", "add --dtype");
  if (given.order && !given.shape)
    throw usage_error("--byte-order is only for raw bytes", "add --shape, or leave out --byte-order");
}

void for_each_array(const std::string& file, const array_options& given, std::uint64_t max_decoded,
                    const std::function<void(array_input&&)>& take) try {
  if (std::error_code none; std::filesystem::is_directory(file, none))
    throw cli_error("is a directory", "name the files in it");
  const auto contents = std::make_shared<const convert::file_bytes>(read_input(file));
  const auto take_array = [&](convert::file_array&& from) { take(make_input(file, std::move(from), given)); };
  if (given.shape)
    take_array({.array = raw_array(contents->bytes(), given), .memory = contents});
  else
    convert::for_each_array(contents->bytes(), contents, max_decoded, take_array);
} catch (const convert::conversion_error& why) {
  refuse_other_kind(file);
  throw cli_error(why.what(), why.next_step());
}

}  // namespace tgmap::cli
