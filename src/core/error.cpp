// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <tgmap/dtype.hpp>
#include <tgmap/error.hpp>
#include <utility>

#include "core/phrases.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

condition condition_of(errc code) noexcept {
  switch (code) {
    case errc::out_of_range:
    case errc::no_archive:
    case errc::invalid_option:
    case errc::read_past_end:
    case errc::wrong_kind:
    case errc::value_out_of_range:
    case errc::dtype_mismatch:
    case errc::bad_selection:
    case errc::bad_key:
    case errc::bad_name_template:
    case errc::output_conflict:
    case errc::bad_address:
    case errc::codec_forbidden:
    case errc::not_representable:
    case errc::invalid_strides:
    case errc::unsupported_dtype:
    case errc::unsupported_sample_bits:
    case errc::non_finite:
    case errc::reserved_key:
    case errc::unsupported_wire_version:
    case errc::not_streamable:
    case errc::call_out_of_order:
    case errc::no_index: return condition::usage;
    case errc::message_exceeds_file:
    case errc::unterminated_stream:
    case errc::incomplete_message:
    case errc::incomplete_tail:
    case errc::file_shrank: return condition::truncated;
    case errc::unknown_version:
    case errc::unknown_index_version:
    case errc::version_1:
    case errc::not_contiguous:
    case errc::encoded:
    case errc::filtered:
    case errc::compressed:
    case errc::masked:
    case errc::foreign_byte_order:
    case errc::misaligned:
    case errc::unsupported_strides:
    case errc::not_mapped:
    case errc::too_many_dimensions:
    case errc::unknown_dtype:
    case errc::unknown_codec:
    case errc::codec_absent:
    case errc::bad_combination:
    case errc::unsupported_upgrade:
    case errc::cannot_overwrite: return condition::unsupported;
    case errc::too_many_gaps:
    case errc::cbor_too_deep:
    case errc::padding_too_long:
    case errc::out_of_memory:
    case errc::resident_limit:
    case errc::metadata_limit:
    case errc::object_limit:
    case errc::decoded_limit:
    case errc::decoded_total_limit:
    case errc::too_large: return condition::limit;
    case errc::archive_locked:
    case errc::archive_changed:
    case errc::cannot_lock:
    case errc::foreign_file:
    case errc::output_changed:
    case errc::source_changed:
    case errc::source_failed:
    case errc::index_not_owned:
    case errc::is_directory: return condition::io;
    default: return condition::corrupt;
  }
}

class error_category_type final : public detail::numbered_category {
 public:
  const char* name() const noexcept override { return "tgmap"; }
  std::string message(int value) const override { return std::string(detail::plain_phrase(static_cast<errc>(value))); }
  std::string_view phrase(int value) const noexcept override { return detail::phrase(static_cast<errc>(value)); }
  bool equivalent(int value, const std::error_condition& wanted) const noexcept override {
    return std::error_category::equivalent(value, wanted) ||
           wanted == make_error_condition(condition_of(static_cast<errc>(value)));
  }
};

class condition_category_type final : public std::error_category {
 public:
  const char* name() const noexcept override { return "tgmap condition"; }
  std::string message(int value) const override {
    switch (static_cast<condition>(value)) {
      case condition::usage: return "the call asks for something impossible";
      case condition::truncated: return "bytes are missing";
      case condition::corrupt: return "bytes are damaged";
      case condition::unsupported: return "not supported here";
      case condition::limit: return "a limit was reached";
      case condition::io: return "input or output failed";
    }
    return "unknown condition";
  }
  bool equivalent(const std::error_code& code, int value) const noexcept override {
    if (static_cast<condition>(value) == condition::io)
      return (code.value() != 0 && code.category() == std::system_category()) ||
             code == make_error_code(errc::is_directory);
    return false;
  }
};

std::string hex(std::uint64_t number) {
  char out[24];
  std::snprintf(out, sizeof out, "0x%llx", static_cast<unsigned long long>(number));
  return out;
}

/// Formats a number: in decimal, in hexadecimal (x), or as the name of a dtype (d), a cbor_kind (k) or a
/// selection_error (w).
std::string format_number(std::uint64_t number, char how) {
  if (how == 'x') return hex(number);
  if (how == 'd' && number < dtype_count) return std::string(to_string_view(static_cast<dtype>(number)));
  if (how == 'k' && !detail::kind_name(number).empty()) return std::string(detail::kind_name(number));
  if (how == 'w') return std::string(detail::selection_error_phrase(number));
  return std::to_string(number);
}

/// Replaces "{e}" and "{f}", or "{e:x}" with a letter of `format_number`, by the numbers.
std::string fill_phrase(std::string_view phrase, const failure& why) {
  std::string out;
  for (std::size_t i = 0; i < phrase.size(); ++i) {
    const auto rest = phrase.substr(i);
    const bool expected = rest.starts_with("{e"), found = rest.starts_with("{f");
    if (!expected && !found) {
      out += phrase[i];
      continue;
    }
    out += format_number(expected ? why.expected : why.found, rest[2] == ':' ? rest[3] : ' ');
    i += rest.find('}');
  }
  return out;
}

}  // namespace

const std::error_category& category() noexcept {
  static const error_category_type instance;
  return instance;
}

const std::error_category& condition_category() noexcept {
  static const condition_category_type instance;
  return instance;
}

std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), category()}; }

std::error_condition make_error_condition(condition c) noexcept { return {static_cast<int>(c), condition_category()}; }

std::string failure::text() const {
  if (!code) return "no error";
  const auto* const numbered = dynamic_cast<const detail::numbered_category*>(&code.category());
  const std::string_view of_argument = detail::argument_phrase(*this);
  std::string out = argument == nullptr || !of_argument.empty() ? "" : std::string(argument) + ": ";
  // A signal has no sizes: it only says that the file shrank. Nor has a pipe in the place of an index.
  const bool may_lack_numbers = code == errc::file_shrank || code == errc::not_an_index;
  // Other bytes may have the same size.
  const bool has_numbers =
      code == errc::archive_changed ? expected != found : !may_lack_numbers || expected != 0 || found != 0;
  if (!of_argument.empty())
    out += fill_phrase(of_argument, *this);
  else
    out += numbered != nullptr && has_numbers ? fill_phrase(numbered->phrase(code.value()), *this) : code.message();
  std::string where;
  const auto add = [&](std::string part) { where += (where.empty() ? "" : ", ") + std::move(part); };
  if (message) add("message " + std::to_string(*message));
  if (object) add("object " + std::to_string(*object));
  if (offset != 0 || message) add("offset " + hex(offset));
  return where.empty() ? out : out + " (" + where + ")";
}

error::error(const failure& why)
    : std::system_error(why.code), details_(why), text_(std::make_shared<const std::string>(why.text())) {}
error::error(const failure& why, const std::string& context)
    : std::system_error(why.code),
      details_(why),
      text_(std::make_shared<const std::string>(context + ": " + why.text())) {}
error::~error() = default;
const char* error::what() const noexcept { return text_->c_str(); }

namespace detail {

numbered_category::~numbered_category() = default;

void assertion_failed(const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
  std::abort();
}

void raise(const failure& why) {
  if (why.code == make_error_code(errc::out_of_memory)) throw std::bad_alloc();
  throw error(why);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
