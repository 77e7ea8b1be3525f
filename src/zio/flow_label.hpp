// SPDX-License-Identifier: Apache-2.0
// What a flow reads of labels, and what it writes into them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/zio/flow.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// The options of a flow as they are by default. Without memory the attributes are null, which a flow refuses.
flow_options default_flow_options() noexcept;

/// Text under a key of a label; empty where there is none. Valid as long as the label.
std::string_view text_of(const cbor_value& label, std::string_view key) noexcept;

/// A number without sign, be it spelled as 2 or as 2.0.
std::optional<std::uint64_t> number_of(const cbor_value& label, std::string_view key) noexcept;

/// The label of a DAT: one that is a DAT's already as it stands. Throws error: bad_label, label_too_deep.
std::string with_flow(const std::string& label);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
