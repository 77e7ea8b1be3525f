// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/message_parts.hpp"

#include <fmt/format.h>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

void open_frame(stored_object& of) {
  if (!of.source) return;
  const object from = *of.source;
  of.descriptor = cbor_value::copy(from.descriptor().entries);
  of.payload_and_masks = from.payload_and_masks();
  of.source.reset();
}

hash_result check_digest(const object& of, damaged_objects how) {
  const hash_result found = of.verify();
  if (found != hash_result::mismatch || how == damaged_objects::take) return found;
  const auto& in = of.frame().message();
  throw cli_error(fmt::format("object {} of {} is damaged: its hash does not match", of.index(),
                              in.index() ? fmt::format("message {}", *in.index())
                                         : fmt::format("the message at offset {}", in.offset())),
                  "add --take-damaged to give it a new hash as it is");
}

}  // namespace tgmap::cli
