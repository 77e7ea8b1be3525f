// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

/// The content and the layout of a message of an archive, to be written again.
struct rewritten_message {
  tgmap::new_message message{};
  tgmap::write_options options{};
  bool streamed = false, backfilled = false;
  std::vector<tgmap::cbor_value> ahead{};  ///< keys of objects in the header of a stream
  std::vector<tgmap::tensor> tensors{};    ///< the objects borrow their elements
};

/// Returns the layout and the provenance of a message, as far as `write_options` can express them.
tgmap::write_options options_of(const tgmap::message&);

/// Returns the message with its objects as they are stored.
rewritten_message with_stored_objects(const tgmap::message&);

/// Returns the message with its objects decoded, or only one of them, to be encoded the same way. Throws tgmap::error
/// if an object cannot be decoded.
rewritten_message with_decoded_objects(const tgmap::message&, std::optional<std::size_t> only = {});

/// Returns the bytes of the message.
std::vector<std::byte> write(const rewritten_message&);

/// Returns all findings of a full validation, including canonical form and values, one a line.
std::string validation_findings(const tgmap::archive&);

}  // namespace tgmap_test
