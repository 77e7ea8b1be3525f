// SPDX-License-Identifier: Apache-2.0
#include "cli/recode/converted_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"
#include "cli/compare/values.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"

namespace tgmap::cli {

namespace {

bool means(const failure& why, errc what) { return why.code == make_error_code(what); }

/// A number that float64 holds, or may hold.
bool can_be_widened(dtype from) {
  return from != dtype::bitmask && from != dtype::complex64 && from != dtype::complex128;
}

std::string advice_on_storing(const failure& why, const std::string& file, dtype from) {
  const bool wants_doubles = why.expected == static_cast<std::uint64_t>(dtype::float64);
  if (means(why, errc::unsupported_dtype) && wants_doubles && can_be_widened(from))
    return "add --widen to make float64 of the elements, or choose another pipeline, or leave it out with -w";
  if (means(why, errc::unsupported_dtype)) return "choose another pipeline, or leave it out with -w";
  if (means(why, errc::unsupported_wire_version)) return "run `tgmap upgrade` first: version 2 has no masks";
  return next_step_for_storing(why, file);
}

/// The first whole number that became another one; nothing: none did. Both tensors are in the same order.
template <class T>
std::optional<std::uint64_t> first_rounded(const tensor& whole, const tensor& wide) {
  for (std::uint64_t i = 0; i < whole.size(); ++i) {
    T x{};
    double y = 0;
    std::memcpy(&x, whole.bytes().data() + i * sizeof x, sizeof x);
    std::memcpy(&y, wide.bytes().data() + i * sizeof y, sizeof y);
    if (static_cast<long double>(x) != static_cast<long double>(y)) return i;
  }
  return std::nullopt;
}

/// Of those that float64 may have no room for.
std::optional<std::uint64_t> first_rounded(const tensor& whole, const tensor& wide) {
  if (whole.dtype() == dtype::int64) return first_rounded<std::int64_t>(whole, wide);
  if (whole.dtype() == dtype::uint64) return first_rounded<std::uint64_t>(whole, wide);
  return std::nullopt;
}

/// Masks that are there stay, whatever else is allowed.
missing_options missing_of(const descriptor& from, missing_options with) {
  for (const mask& each : from.masks()) (each.kind == mask_kind::nan ? with.allow_nan : with.allow_infinity) = true;
  return with;
}

}  // namespace

void message_conversion::change(const message& in, const std::vector<std::size_t>& which, message_parts& parts) {
  std::vector<conversion> told(which.size());
  std::vector<std::exception_ptr> thrown(which.size());
  made_.clear();
  made_.resize(which.size());
  auto piece = [&](std::size_t i) noexcept {
    try {
      told[i].message = in.index();
      told[i].offset = in.offset();
      made_[i].emplace(converted(in, which[i], parts, told[i]));
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  run_.decoders().run(which.size(),
                      {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(to))(i); }, &piece});
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (thrown[i]) std::rethrow_exception(thrown[i]);
    auto& at = std::get<stored_object>(parts.content.objects[which[i]]);
    cbor_value base = std::move(at.base);
    at = made_[i]->stored();
    at.base = std::move(base);
    done_.push_back(std::move(told[i]));
  }
}

encoded_anew message_conversion::converted(const message& in, std::size_t j, const message_parts& parts,
                                           conversion& told) const {
  const object one = in[j];
  static_cast<void>(check_digest(one, rules_.damaged));  // throws where it must not be taken
  const descriptor what = one.descriptor();
  const std::string place = location_text(in, one.index()) + ": ";
  tensor before;
  try {
    before = elements(one, what, told.as_stored);
  } catch (const error& why) {
    const std::string name = fmt::format("{}@{}:{}", rules_.file, told.offset, one.index());
    const cli_error about = decode_error(one, why.details(), name, rules_.file);
    throw cli_error(place + about.what(), about.next_step());
  }
  new_object again = new_object::like(before, what);
  again.pipeline = rules_.how;
  again.pipeline.missing = missing_of(what, rules_.how.missing);
  try {
    encoded_anew out(again, parts.options.version, parts.options.hashes);
    const object after = out.made();
    told.object = one.index();
    told.from = what.dtype;
    told.to = before.dtype();
    told.shape = again.shape;
    told.bytes = before.bytes().size();
    told.before = one.payload_and_masks_size();
    told.after = after.payload_and_masks_size();
    told.differences = compare_values(before, decode_elements(after), {});
    return out;
  } catch (const error& why) {
    throw cli_error(place + why.details().text(), advice_on_storing(why.details(), rules_.file, what.dtype));
  }
}

/// As they are, or widened for a stage that needs it.
tensor message_conversion::elements(const object& one, const descriptor& what, bool& as_stored) const {
  tensor as_they_are = decode_elements(one, as_stored);
  const bool takes_doubles_alone = means(validate_pipeline(rules_.how, as_they_are.dtype()), errc::unsupported_dtype);
  if (!rules_.widen || !takes_doubles_alone || !can_be_widened(what.dtype)) return as_they_are;
  const auto order = as_stored ? stride_policy::ignore : stride_policy::apply;
  failure why;
  tensor out = one.decode_as(dtype::float64, decode_options{.strides = order}, why);
  if (why) throw error(why);
  if (const auto at = first_rounded(as_they_are, out)) throw error({.code = errc::not_representable, .found = *at});
  return out;
}

}  // namespace tgmap::cli
