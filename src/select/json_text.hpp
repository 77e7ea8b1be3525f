// SPDX-License-Identifier: Apache-2.0
// Containers as JSON, for values that have no text of their own.
#pragma once

#include "select/print.hpp"

namespace tgmap::select {

/// The item as JSON without blanks: text escaped where JSON asks for it, ill-formed UTF-8 as U+FFFD, byte strings in
/// hexadecimal, NaN and infinities as null, keys that are no text as their text, those that are containers as they are
/// encoded, in hexadecimal; of a key that comes twice the last value alone. O(bytes of the item), O(n log n) of maps
/// whose keys are not in order. False: the sink wanted no more.
bool print_json(const cbor_view&, text_sink&);

}  // namespace tgmap::select
