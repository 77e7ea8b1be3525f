// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/tensor.hpp>
#include <tgmap/tools/validate.hpp>
#include <vector>

#include "validate/integrity.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// What one thread needs to look at messages one after another.
struct workshop {
  raw_message raw;
  message_parts parts;
  integrity_scratch integrity;
  tensor decoded{};  ///< the elements of one object
};

/// What was found in one message; `first` and `count` are its findings among those of its batch.
struct message_report {
  std::uint64_t objects = 0, errors = 0, warnings = 0, not_decoded = 0;
  bool hash_verified = false;
  std::size_t first = 0, count = 0;
};

/// Looks at message `index`, at which `raw` is, as the options say; findings go behind those in `out`. `looked_over`:
/// a first look was `fine`, and `parts` are its result. Errors: file_shrank, io; std::bad_alloc.
message_report check_message(workshop&, const tgmap::message&, std::size_t index, bool looked_over,
                             const validate_options&, const open_options& limits, std::vector<finding>& out, failure&);

/// Whether that level compares digests.
inline bool wants_digests(validation_mode what) noexcept { return what != validation_mode::quick; }

}  // namespace tgmap::checks
