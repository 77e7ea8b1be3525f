// SPDX-License-Identifier: Apache-2.0
// The keys of labels that flows read and write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/zio/flow.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Returns the default options. If memory is exhausted, the attributes are null, which a flow refuses.
flow_options default_flow_options() noexcept;

/// Returns the text under a key of a label; empty if there is none.
/// Lifetime: borrows the label.
std::string_view text_of(const cbor_value& label, std::string_view key) noexcept;

/// Returns the unsigned number under a key of a label, written as 2 or 2.0; nothing if there is none.
std::optional<std::uint64_t> number_of(const cbor_value& label, std::string_view key) noexcept;

/// Returns the label of a DAT. The label of a DAT is returned unchanged.
/// Errors: bad_label, label_too_deep, thrown.
std::string make_dat_label(const std::string& label);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
