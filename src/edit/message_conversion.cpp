// SPDX-License-Identifier: Apache-2.0
#include "edit/message_conversion.hpp"

#include <cstring>
#include <exception>

#include "edit/decode_elements.hpp"

namespace tgmap::edit {

namespace {

/// Returns the position of the first integer that float64 cannot hold. Both tensors have the same order.
template <class T>
std::optional<std::uint64_t> find_rounded(const tensor& integers, const tensor& doubles) {
  for (std::uint64_t i = 0; i < integers.size(); ++i) {
    T x{};
    double y = 0;
    std::memcpy(&x, integers.bytes().data() + i * sizeof x, sizeof x);
    std::memcpy(&y, doubles.bytes().data() + i * sizeof y, sizeof y);
    if (static_cast<long double>(x) != static_cast<long double>(y)) return i;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> find_rounded(const tensor& integers, const tensor& doubles) {
  if (integers.dtype() == dtype::int64) return find_rounded<std::int64_t>(integers, doubles);
  if (integers.dtype() == dtype::uint64) return find_rounded<std::uint64_t>(integers, doubles);
  return std::nullopt;
}

/// Allows the kinds of missing values that the object has masks for, in addition to `options`. Those masks keep their
/// methods, unless `methods` says that `options` changes them.
missing_options keep_masks(const descriptor& from, const missing_options& options, bool methods) {
  missing_options out = from.mask_count == 0 || methods ? options : pipeline_of(from).missing;
  for (const mask& each : from.masks()) (each.kind == mask_kind::nan ? out.allow_nan : out.allow_infinity) = true;
  out.allow_nan |= options.allow_nan;
  out.allow_infinity |= options.allow_infinity;
  return out;
}

bool loses_digits(compression how) { return how == compression::zfp || how == compression::sz3; }

}  // namespace

bool can_widen(dtype from) noexcept {
  return from != dtype::bitmask && from != dtype::complex64 && from != dtype::complex128;
}

/// The result of converting one object. The object stays as it is stored if there is neither `encoded` nor `fault`.
struct message_conversion::converted_object {
  conversion_result result{};
  std::vector<failure> damage{};
  std::optional<reencoded_object> encoded{};
  std::optional<conversion_fault> fault{};
  std::exception_ptr thrown{};
};

std::optional<conversion_fault> message_conversion::convert(const message& in, const std::vector<std::size_t>& which,
                                                            stored_message& to) {
  std::vector<converted_object> all(which.size());
  current_.clear();
  current_.reserve(which.size());
  auto piece = [&](std::size_t i) noexcept {
    try {
      all[i].result.message = in.index();
      all[i].result.offset = in.offset();
      convert_object(in, which[i], to, all[i]);
    } catch (...) {
      all[i].thrown = std::current_exception();
    }
  };
  threads_->run(which.size(),
                {[](void* work, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(work))(i); }, &piece});
  for (std::size_t i = 0; i < which.size(); ++i) {
    converted_object& each = all[i];
    if (each.thrown) std::rethrow_exception(each.thrown);
    if (each.fault) return each.fault;
    if (each.encoded) {
      to.mismatches.insert(to.mismatches.end(), each.damage.begin(), each.damage.end());
      auto& at = std::get<stored_object>(to.content.objects[which[i]]);
      cbor_value base = std::move(at.base);
      at = current_.emplace_back(std::move(*each.encoded)).stored();
      at.base = std::move(base);
    }
    results_.push_back(std::move(each.result));
  }
  return std::nullopt;
}

/// Returns the pipeline of an object after the changes.
pipeline message_conversion::change(const descriptor& from) const {
  failure why;
  pipeline out = rules_.change(pipeline_of(from, why));
  if (!why) out.missing = keep_masks(from, rules_.missing, rules_.mask_methods);
  return out;  // decoding reports a pipeline that is not understood
}

/// Leaves an object as it is stored if encoding it again would lose more digits.
void message_conversion::convert_object(const message& in, std::size_t j, const stored_message& to,
                                        converted_object& out) const {
  const object one = in[j];
  static_cast<void>(check_hash(one, rules_.damaged, out.damage));
  const descriptor what = one.descriptor();
  pipeline how = change(what);
  conversion_result& result = out.result;
  result.object = one.index();
  result.from = result.to = what.dtype;
  result.shape.assign(what.shape().begin(), what.shape().end());
  result.before = result.after = one.payload_and_masks_size();
  const bool keeps_stages = how.encoding == what.encoding && how.filter == what.filter;
  if (loses_digits(what.compression) && !rules_.changes_compression && keeps_stages && !rules_.mask_methods) {
    result.bytes = what.element_count * element_size(what.dtype);
    return;
  }
  failure why;
  const tensor before = decode(one, what, how, result.as_stored, why);
  if (why) {
    out.fault = {.what = conversion_fault::kind::decode, .why = why, .object = one.index(), .descriptor = what};
    return;
  }
  new_object changed = new_object::like(before, what);
  if (before.dtype() != what.dtype) how.shuffle_size = 0;  // elements have another size
  changed.pipeline = how;
  try {
    encode(before, changed, what, to, out);
  } catch (const error& thrown) {
    out.fault = {
        .what = conversion_fault::kind::store, .why = thrown.details(), .object = one.index(), .descriptor = what};
  }
}

/// Encodes the elements, and compares what readers will decode.
void message_conversion::encode(const tensor& before, const new_object& changed, const descriptor& what,
                                const stored_message& to, converted_object& out) const {
  conversion_result& result = out.result;
  reencoded_object encoded(changed, to.options.version, to.options.hashes);
  const object after = encoded.decodable();
  result.to = before.dtype();
  result.bytes = before.bytes().size();
  result.after = after.payload_and_masks_size();
  bool as_stored = false;
  failure why;
  const tensor elements = decode_elements(after, as_stored, why);
  if (why) throw error(why);
  result.differences = compare(before, elements);
  conversion_fault fault{.object = result.object, .descriptor = what};
  if (result.differences && !rules_.changes_encoding && !rules_.changes_compression) {
    fault.what = conversion_fault::kind::packing;
    out.fault = fault;
  } else if (result.differences && result.differences->only_left_finite != 0) {
    fault.what = conversion_fault::kind::finite;
    fault.elements = result.differences->only_left_finite;
    out.fault = fault;
  } else {
    out.encoded = std::move(encoded);
  }
}

/// Decodes an object, as float64 if a stage needs it and widening is allowed.
tensor message_conversion::decode(const object& one, const descriptor& what, const pipeline& how, bool& as_stored,
                                  failure& why) const {
  tensor unchanged = decode_elements(one, as_stored, why);
  if (why) return unchanged;
  const bool needs_doubles = validate_pipeline(how, unchanged.dtype()).code == make_error_code(errc::unsupported_dtype);
  if (!rules_.widen || !needs_doubles || !can_widen(what.dtype)) return unchanged;
  const auto order = as_stored ? stride_policy::ignore : stride_policy::apply;
  tensor out = one.decode_as(dtype::float64, decode_options{.strides = order}, why);
  if (why) return out;
  if (const auto at = find_rounded(unchanged, out)) why = {.code = errc::not_representable, .found = *at};
  return out;
}

}  // namespace tgmap::edit
