// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tgmap/cbor_view.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `zio_headers` is the part of a ZIO message that an archive stores under `zio`.
struct zio_headers {
  zio::level level = level::undefined;
  zio::form form = tens_form;
  std::uint64_t origin = 0, granule = 0, seqno = 0;
  std::optional<cbor_view> label{};  ///< borrows the archive; nothing if no label was stored
  frame_format format{};
  bool is_encoded = false, has_raw_words = false;  ///< see from_archive_options
};

/// Reads the value under `zio`. Returns nothing if `write_zio_headers` did not make it.
std::optional<zio_headers> read_zio_headers(const cbor_view&);

/// Reads the bytes of a text or a byte string.
void read_bytes(const cbor_view& value, std::string& into);

/// A `zio_extra` is the values that are stored besides the headers.
struct zio_extra {
  bool has_label = false;  ///< store the label
  bool is_encoded = false, has_raw_words = false;
  cbor_value metadata{};  ///< of TENS, for lookups; null for none
};

cbor_value write_zio_headers(const message&, const frame_format&, const zio_extra&);

/// Returns true if any header differs from the default.
bool has_headers(const message&, const frame_format&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
