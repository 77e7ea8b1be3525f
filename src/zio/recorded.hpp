// SPDX-License-Identifier: Apache-2.0
// What an archive says of the ZIO message that a message of it was recorded from.
#pragma once

#include <optional>
#include <string>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

struct recorded_headers {
  zio::level level = level::undefined;
  zio::form form = tens_form;
  std::uint64_t origin = 0, granule = 0, seqno = 0;
  std::optional<std::string> label{};  ///< nothing: what is in the archive says it
  frame_format spelling{};
  bool encoded = false, raw_words = false;  ///< how it travelled: see from_archive_options
};

/// Reads what stands under `zio`; nothing where it is not what write_recorded gives.
std::optional<recorded_headers> read_recorded(const cbor_view&);

/// What there is to keep besides the headers.
struct recorded_besides {
  bool label = false;
  bool encoded = false, raw_words = false;
  cbor_value metadata{};  ///< of TENS, to be looked up by; null: none
};

cbor_value write_recorded(const message&, const frame_format&, const recorded_besides&);

/// Whether there is anything to keep but a label.
bool has_headers(const message&, const frame_format&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
