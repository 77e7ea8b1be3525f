// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

struct entry {
  errc code;
  condition group;
  std::string_view name;
  const char* plain;
  std::string_view numbered;  // with places for the numbers of a failure
};

#define ROW(code, group, plain, numbered) \
  { errc::code, condition::group, #code, plain, numbered }

constexpr entry table[] = {
    ROW(bad_prefix, corrupt, "no ZIO message begins here",
        "no ZIO message: the first part, of {f} bytes, has no ZIO at its begin"),
    ROW(bad_level, corrupt, "level that ZIO does not have", "level byte {f:x} is none of 0 to 8"),
    ROW(bad_coordinates, corrupt, "coordinates of the wrong size",
        "the second part has {f} bytes; origin, granule and seqno take {e}"),
    ROW(too_few_parts, corrupt, "parts are missing", "{f} parts; a ZIO message has {e} at least"),
    ROW(part_exceeds_frame, truncated, "part exceeds the frame",
        "part length {e} exceeds the {f} bytes left in the frame"),
    ROW(part_too_large, limit, "part too large for a single frame",
        "a part of {f} bytes; a single frame can tell of {e}"),
    ROW(bad_label, corrupt, "label is no JSON object", "the label is no JSON object; its byte {f} is where that shows"),
    ROW(label_too_deep, limit, "label nested too deep", "the label is nested deeper than {e} levels"),
    ROW(bad_tens, corrupt, "description of tensors makes no sense",
        "TENS, its list of tensors or an attribute is missing or of the wrong kind"),
    ROW(part_missing, corrupt, "part of a tensor is missing", "the tensor is said to be in part {f}; there are {e}"),
    ROW(part_size, corrupt, "part of the wrong size", "shape and word need {e} bytes, the part has {f}"),
    ROW(bad_order, corrupt, "order of dimensions makes no sense",
        "order or ascend does not tell of each dimension once"),
    ROW(bad_packing, unsupported, "elements that are not in the message", "elements are packed, or lie at a pointer"),
    ROW(no_counterpart, usage, "element type that TENS does not have", "TENS has no {f:d}"),
    ROW(bad_endpoint, usage, "address that cannot be used", "ZeroMQ cannot use this address"),
    ROW(insecure_endpoint, usage, "open to others without keys",
        "the address is open to others, and there are no keys"),
    ROW(bad_curve_key, usage, "file without a usable key", "the file does not hold the CURVE key that it should"),
    ROW(timed_out, io, "timed out", "nothing came in {f} ms"),
    ROW(stopped, io, "stopped", "stopped on request"),
    ROW(message_limit, limit, "message too large", "a message of {f} bytes; {e} are allowed"),
    ROW(peer_gone, io, "the other end is gone", "the other end is not there, or no more"),
    ROW(zmq_failed, io, "ZeroMQ failed", "ZeroMQ failed (error {f})"),
    ROW(zmq_absent, unsupported, "ZeroMQ is not installed", "ZeroMQ's library, libzmq, is not installed"),
    ROW(flow_protocol, corrupt, "the other end breaks the FLOW protocol", "the other end sent what cannot come now"),
    ROW(flow_credit, corrupt, "the other end pays too much", "the other end pays {f} of credit where {e} can be out"),
    ROW(flow_refused, io, "the other end refuses the flow", "the other end refuses the flow"),
};

#undef ROW

const entry* lookup(int value) noexcept {
  const auto* const found = std::find_if(std::begin(table), std::end(table),
                                         [&](const entry& e) { return static_cast<int>(e.code) == value; });
  return found == std::end(table) ? nullptr : found;
}

class category_type final : public tgmap::detail::numbered_category {
 public:
  const char* name() const noexcept override { return "tgmap.zio"; }
  std::string message(int value) const override {
    const entry* const found = lookup(value);
    return found != nullptr ? found->plain : "unknown error";
  }
  std::string_view phrase(int value) const noexcept override {
    const entry* const found = lookup(value);
    return found != nullptr ? found->numbered : "unknown error";
  }
  std::error_condition default_error_condition(int value) const noexcept override {
    const entry* const found = lookup(value);
    return found != nullptr ? make_error_condition(found->group) : std::error_condition(value, *this);
  }
};

}  // namespace

const std::error_category& category() noexcept {
  static const category_type instance;
  return instance;
}

std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), category()}; }

std::string_view to_string_view(errc code) noexcept {
  const entry* const found = lookup(static_cast<int>(code));
  return found != nullptr ? found->name : std::string_view();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
