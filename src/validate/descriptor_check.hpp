// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/options.hpp>

#include "validate/collector.hpp"
#include "validate/descriptor_facts.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// Reads the descriptor of a usable object; its `hash` is valid until the next load. Returns what is wrong with it;
/// empty: nothing. Errors: file_shrank.
std::string load_descriptor(raw_message&, const object_part&, int version, const open_options& limits,
                            descriptor_facts& out, failure&);

/// What a descriptor says, held against itself, the specification and the frame. Errors: file_shrank.
void check_descriptor(raw_message&, const object_part&, optional_index number, int version, const open_options& limits,
                      bool canonical, collector&, failure&);

}  // namespace tgmap::checks
