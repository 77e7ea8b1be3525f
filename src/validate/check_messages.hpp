// SPDX-License-Identifier: Apache-2.0
// Checks messages, one by one or as a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tgmap/tensor.hpp>
#include <tgmap/tools/validate.hpp>
#include <vector>

#include "validate/level_checks.hpp"
#include "validate/message_bytes.hpp"
#include "validate/message_parts.hpp"

namespace tgmap::validation {

/// Memory of one thread, reused from message to message.
struct worker_memory {
  message_bytes bytes;
  message_parts parts;
  integrity_buffers integrity;
  tensor decoded{};  ///< elements of one object
};

/// Result of checking one message. `first_finding` and `finding_count` select its findings in those of its batch.
struct message_result {
  std::uint64_t objects = 0, errors = 0, warnings = 0, not_decoded = 0;
  bool hash_verified = false;
  std::size_t first_finding = 0, finding_count = 0;
};

/// Checks message `index`, which is open in `worker_memory::bytes`, and appends its findings to `out`.
/// `has_sound_structure`: fast_check_structure() found it sound and filled the parts. Errors: file_shrank, of the
/// operating system; std::bad_alloc.
message_result check_message(worker_memory&, const tgmap::message&, std::size_t index, bool has_sound_structure,
                             const validate_options&, const open_options& limits, std::vector<finding>& out, failure&);

/// Messages [first, last) of an archive.
struct message_range {
  std::size_t first = 0, last = 0;
};

/// Results of messages [first, first + results.size()).
struct batch_result {
  std::size_t first = 0;
  std::vector<message_result> results;
  std::vector<finding> findings;
  std::uint64_t bytes = 0, errors = 0;
  failure why{};  ///< the reason if the batch ended early
};

/// Checks a batch of messages. Never throws: failures are in `batch_result::why`.
batch_result check_batch(worker_memory&, const archive&, message_range, const validate_options&) noexcept;

}  // namespace tgmap::validation
