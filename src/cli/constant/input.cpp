// SPDX-License-Identifier: Apache-2.0
#include "cli/constant/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <tgmap/constant/archive.hpp>
#include <tgmap/constant/convert.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/input_bytes.hpp"
#include "cli/input/one_object.hpp"

namespace tgmap::cli {

namespace {

constexpr std::string_view archive_magic = "TENSOGRM";

bool begins_as_archive(const std::string& file) {
  std::array<char, archive_magic.size()> begin{};
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), begin.size());
  return in && std::string_view(begin.data(), begin.size()) == archive_magic;
}

/// Of an archive the type is what it is, but for the cells.
constant::tensor_constant as_asked(const constant::tensor_constant& from, const constant::read_options& how,
                                   constant::report& told) {
  const constant::tensor_type& is = from.type();
  if (how.type && !std::equal(is.dimensions().begin(), is.dimensions().end(), how.type->dimensions().begin(),
                              how.type->dimensions().end())) {
    told.problems.push_back({.cause = {.code = constant::errc::type_mismatch}, .path = is.text()});
    return {};
  }
  failure why;
  const dtype cells = how.cell_type.value_or(how.type ? how.type->cell_type() : is.cell_type());
  constant::tensor_constant out = constant::convert(from, cells, how, why);
  if (why) told.problems.push_back({.cause = why, .path = fmt::format("cells[{}]", why.found)});
  return out;
}

constant::tensor_constant from_message(const target& what, const constant::read_options& how, session& run,
                                       constant::report& told) {
  if (what.objects)
    throw usage_error("'" + what.file + "': a constant is a whole message; leave the object out of the address");
  const archive in = open_archive(what, run);
  const message m = find_one_message(in, what, "one", ":0");
  failure why;
  const constant::tensor_constant out = constant::from_archive(in, m, why);
  if (why.code.category() == constant::category()) {
    told.problems.push_back({.cause = why});
    return {};
  }
  if (why) throw error(why);
  return as_asked(out, how, told);
}

}  // namespace

bool names_archive(const std::string& from) {
  const target what = parse_target(from);
  return !what.whole_file() || (what.file != "-" && begins_as_archive(what.file));
}

constant::tensor_constant read_constant(const std::string& from, const constant::read_options& how, session& run,
                                        constant::report& told) {
  told = {};
  if (from != "-" && names_archive(from)) return from_message(parse_target(from), how, run, told);
  if (from != "-") return constant::read_file(from, how, told);
  const input_bytes input = input_bytes::read(from);
  const auto bytes = input.bytes();
  return constant::read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, how, told);
}

constant::tensor_constant sound_constant(const std::string& from, const constant::read_options& how, session& run) {
  constant::report told;
  constant::tensor_constant out = read_constant(from, how, run, told);
  for (const constant::problem& each : told.warnings) run.report.hint(place_of(from, each) + ": " + each.what());
  if (!told) return out;
  const constant::problem& first = told.problems.front();
  throw cli_error(first.what(), next_step_of_constant(first, from), place_of(from, first));
}

std::string place_of(const std::string& file, const constant::problem& what) {
  return what.line == 0 ? file : fmt::format("{}:{}:{}", file, what.line, what.column);
}

std::string next_step_of_constant(const constant::problem& what, const std::string& file) {
  using constant::errc;
  if (what.cause.code.category() != constant::category()) return next_step(what.cause, file);
  switch (static_cast<errc>(what.cause.code.value())) {
    case errc::no_type: return "name the type with --type, as in --type 'tensor<float>(x[3])'";
    case errc::type_mismatch: return "name the type that it is of, or leave --type out";
    case errc::bad_type:
    case errc::unknown_cell_type:
    case errc::bad_dimension:
    case errc::bad_size:
    case errc::unbound_dimension:
    case errc::repeated_dimension:
    case errc::scalar_cell_type: return "a type is tensor<float>(key{},x[3])";
    case errc::too_large: return "check the sizes in its type, or allow more with --max-decoded";
    case errc::wrong_form:
    case errc::unexpected_token:
    case errc::unknown_member:
    case errc::missing_member:
    case errc::mixed_forms:
    case errc::array_length: return "run `tgmap constant sample --type TYPE` to see how that type is written";
    case errc::bad_label: return "labels are strings; numbers are taken with --extended";
    case errc::empty_label: return "add --empty-labels to take them";
    case errc::bad_lz4:
    case errc::bad_tag:
    case errc::truncated:
    case errc::trailing_bytes: return "make it again, or fetch it again: it is damaged, or something else";
    case errc::unsupported_lz4: return "decompress it first, with `lz4 -d`";
    case errc::not_a_constant: return "make one with `tgmap constant import`, or export an object with --dims";
    case errc::bad_constant: return "import it again from where it came from";
    default: return "mend the file";
  }
}

}  // namespace tgmap::cli
