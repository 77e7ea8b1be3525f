// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

/// A message, and how it was written.
struct remade {
  tgmap::new_message message{};
  tgmap::write_options options{};
  bool streamed = false, backfilled = false;
  std::vector<tgmap::cbor_value> ahead{};  ///< of a stream
  std::vector<tgmap::tensor> tensors{};    ///< that the objects borrow
};

/// How a message is laid out and who wrote it, as far as `write_options` can say it.
tgmap::write_options options_of(const tgmap::message&);

/// The message with its objects as they are stored.
remade remake_stored(const tgmap::message&);

/// The message with its objects, or with one of them, decoded, to be encoded in the same way. Throws tgmap::error where
/// one cannot be decoded.
remade remake_decoded(const tgmap::message&, std::optional<std::size_t> only = {});

/// Its bytes.
std::vector<std::byte> write(const remade&);

/// All that validating says, canonical form and values included: a line each; empty when nothing is to be said.
std::string complaints(const tgmap::archive&);

}  // namespace tgmap_test
