// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <tgmap/zio/enum_names.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

struct entry {
  errc code;
  condition group;
  std::string_view name;
  const char* plain;
  std::string_view numbered;  // with placeholders for the numbers of a failure
};

#define ROW(code, group, plain, numbered) \
  { errc::code, condition::group, #code, plain, numbered }

constexpr entry table[] = {
    ROW(bad_prefix, corrupt, "not a ZIO message",
        "not a ZIO message: the first part of {f} bytes does not begin with ZIO"),
    ROW(bad_level, corrupt, "unknown level", "unknown level: byte {f:x} instead of a digit 0 to 8"),
    ROW(bad_coordinates, corrupt, "coordinates of the wrong size",
        "the second part has {f} bytes; coordinates have {e}"),
    ROW(too_few_parts, corrupt, "too few parts", "number of parts: {f}; a ZIO message has at least {e}"),
    ROW(part_exceeds_frame, truncated, "part exceeds the frame",
        "part length {e} exceeds the {f} bytes left in the frame"),
    ROW(part_too_large, limit, "part too large for a single frame",
        "a part of {f} bytes; in a single frame a part has at most {e}"),
    ROW(bad_label, corrupt, "label is not a JSON object", "the label is not a JSON object; the error is at byte {f}"),
    ROW(label_too_deep, limit, "label nested too deep", "the label is nested deeper than {e} levels"),
    ROW(bad_tens, corrupt, "invalid description of tensors",
        "TENS, its list of tensors or an attribute is missing or has the wrong type"),
    ROW(part_missing, corrupt, "part of a tensor is missing", "the tensor names part {f}; number of parts: {e}"),
    ROW(part_size, corrupt, "part of the wrong size", "shape and word need {e} bytes, the part has {f}"),
    ROW(bad_order, corrupt, "invalid order of dimensions", "order and ascend must name each dimension once"),
    ROW(bad_packing, unsupported, "elements are not in the message",
        "elements are packed or at a pointer; only dense elements are supported"),
    ROW(no_counterpart, usage, "TENS has no such element type", "TENS has no element type for {f:d}"),
    ROW(bad_endpoint, usage, "invalid address", "ZeroMQ cannot use this address"),
    ROW(insecure_endpoint, usage, "address open to others without keys",
        "other machines or users can connect to this address, and there are no keys"),
    ROW(bad_curve_key, usage, "no valid key", "no valid CURVE key"),
    ROW(timed_out, io, "timed out", "timed out after {f} ms"),
    ROW(stopped, io, "stopped", "stopped on request"),
    ROW(message_limit, limit, "message too large", "a message of {f} bytes; the limit is {e}"),
    ROW(peer_gone, io, "the peer is gone", "the peer is not connected, or no longer"),
    ROW(zmq_failed, io, "ZeroMQ failed", "ZeroMQ failed (error {f})"),
    ROW(zmq_absent, unsupported, "ZeroMQ is not installed", "the library libzmq is not installed"),
    ROW(flow_protocol, corrupt, "the peer violates the FLOW protocol",
        "the peer sent a message that is not allowed now"),
    ROW(flow_credit, corrupt, "the peer gives too much credit", "the peer gives {f} credit; at most {e} is owed"),
    ROW(flow_refused, io, "the peer refuses the flow", "the peer refuses the flow"),
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

template <>
std::optional<zio::errc> from_string<zio::errc>(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(zio::table, name, &zio::entry::name);
  return found == std::end(zio::table) ? std::nullopt : std::optional(found->code);
}

}  // namespace v0
}  // namespace tgmap
