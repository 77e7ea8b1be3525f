// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/message_conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"
#include "cli/compare/element_comparison.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"

namespace tgmap::cli {

namespace {

bool has_code(const failure& why, errc what) { return why.code == make_error_code(what); }

/// Returns true for real numbers, which float64 may be able to hold.
bool can_widen(dtype from) { return from != dtype::bitmask && from != dtype::complex64 && from != dtype::complex128; }

std::string advice_on_storing(const failure& why, const std::string& file, dtype from) {
  const bool wants_doubles = why.expected == static_cast<std::uint64_t>(dtype::float64);
  if (has_code(why, errc::unsupported_dtype) && wants_doubles && can_widen(from))
    return "add --widen to convert the elements to float64, choose another pipeline, or exclude the object with -w";
  if (has_code(why, errc::unsupported_dtype)) return "choose another pipeline, or exclude the object with -w";
  if (has_code(why, errc::unsupported_wire_version)) return "run `tgmap upgrade` first: version 2 has no masks";
  return next_step_for_storing(why, file);
}

/// Returns the position of the first integer that float64 cannot hold. Both tensors have the same order.
template <class T>
std::optional<std::uint64_t> first_rounded(const tensor& integers, const tensor& doubles) {
  for (std::uint64_t i = 0; i < integers.size(); ++i) {
    T x{};
    double y = 0;
    std::memcpy(&x, integers.bytes().data() + i * sizeof x, sizeof x);
    std::memcpy(&y, doubles.bytes().data() + i * sizeof y, sizeof y);
    if (static_cast<long double>(x) != static_cast<long double>(y)) return i;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> first_rounded(const tensor& integers, const tensor& doubles) {
  if (integers.dtype() == dtype::int64) return first_rounded<std::int64_t>(integers, doubles);
  if (integers.dtype() == dtype::uint64) return first_rounded<std::uint64_t>(integers, doubles);
  return std::nullopt;
}

/// Allows the kinds of missing values that the object has masks for, in addition to `options`.
missing_options keep_masks(const descriptor& from, missing_options options) {
  for (const mask& each : from.masks())
    (each.kind == mask_kind::nan ? options.allow_nan : options.allow_infinity) = true;
  return options;
}

}  // namespace

void message_conversion::convert(const message& in, const std::vector<std::size_t>& which, stored_message& to) {
  std::vector<conversion_result> results(which.size());
  std::vector<std::exception_ptr> thrown(which.size());
  current_.clear();
  current_.resize(which.size());
  auto piece = [&](std::size_t i) noexcept {
    try {
      results[i].message = in.index();
      results[i].offset = in.offset();
      current_[i].emplace(convert_object(in, which[i], to, results[i]));
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  run_.decoders().run(which.size(),
                      {[](void* work, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(work))(i); }, &piece});
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (thrown[i]) std::rethrow_exception(thrown[i]);
    auto& at = std::get<stored_object>(to.content.objects[which[i]]);
    cbor_value base = std::move(at.base);
    at = current_[i]->stored();
    at.base = std::move(base);
    results_.push_back(std::move(results[i]));
  }
}

reencoded_object message_conversion::convert_object(const message& in, std::size_t j, const stored_message& to,
                                                    conversion_result& result) const {
  const object one = in[j];
  static_cast<void>(check_hash(one, rules_.damaged));
  const descriptor what = one.descriptor();
  const std::string place = location_text(in, one.index()) + ": ";
  tensor before;
  try {
    before = decode(one, what, result.as_stored);
  } catch (const error& why) {
    const std::string name = fmt::format("{}@{}:{}", rules_.file, result.offset, one.index());
    const cli_error reason = decode_error(one, why.details(), name, rules_.file);
    throw cli_error(place + reason.what(), reason.next_step());
  }
  new_object changed = new_object::like(before, what);
  changed.pipeline = rules_.pipeline;
  changed.pipeline.missing = keep_masks(what, rules_.pipeline.missing);
  try {
    reencoded_object out(changed, to.options.version, to.options.hashes);
    const object after = out.decodable();
    result.object = one.index();
    result.from = what.dtype;
    result.to = before.dtype();
    result.shape = changed.shape;
    result.bytes = before.bytes().size();
    result.before = one.payload_and_masks_size();
    result.after = after.payload_and_masks_size();
    result.differences = compare_values(before, decode_elements(after), {});
    return out;
  } catch (const error& why) {
    throw cli_error(place + why.details().text(), advice_on_storing(why.details(), rules_.file, what.dtype));
  }
}

/// Decodes an object, as float64 if a stage needs it and widening is allowed.
tensor message_conversion::decode(const object& one, const descriptor& what, bool& as_stored) const {
  tensor unchanged = decode_elements(one, as_stored);
  const bool needs_doubles = has_code(validate_pipeline(rules_.pipeline, unchanged.dtype()), errc::unsupported_dtype);
  if (!rules_.widen || !needs_doubles || !can_widen(what.dtype)) return unchanged;
  const auto order = as_stored ? stride_policy::ignore : stride_policy::apply;
  failure why;
  tensor out = one.decode_as(dtype::float64, decode_options{.strides = order}, why);
  if (why) throw error(why);
  if (const auto at = first_rounded(unchanged, out)) throw error({.code = errc::not_representable, .found = *at});
  return out;
}

}  // namespace tgmap::cli
