// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/tools/disk_usage.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `surveyed_value` is a value of a key, and the number of objects that have it.
struct surveyed_value {
  std::string text{};  ///< as `cbor_view::text` prints it; an array is "[721 values]"
  std::uint64_t objects = 0;
};

/// The finite numbers of a key.
struct surveyed_range {
  double first = 0, last = 0;    ///< the smallest and the largest one
  std::optional<double> step{};  ///< if all differences between neighbours are equal
};

/// A `surveyed_key` is a metadata key with the values that the objects of a sample have.
struct surveyed_key {
  std::string path{};                    ///< "mars.param"; at most 40 bytes
  std::uint64_t objects = 0;             ///< that have the key; of messages without objects the message
  std::uint64_t distinct = 0;            ///< number of different values
  std::vector<surveyed_value> values{};  ///< the first ones, in order of appearance; at most survey_options::max_values
  std::optional<surveyed_range> range{};  ///< if there are at least three values, and all are finite numbers
};

/// A `surveyed_content` says what the objects of archives are. Of a large archive it describes a sample.
struct surveyed_content {
  bool is_sample = false;                         ///< some messages, objects or keys were left out
  std::uint64_t messages = 0;                     ///< in the sample, without those of version 1
  std::uint64_t objects = 0;                      ///< in the sample
  std::vector<surveyed_key> keys{};               ///< names first, then dates, steps and levels, then others by path
  std::map<std::string, std::uint64_t> dtypes{};  ///< objects of each dtype: "float32"
  std::map<std::string, std::uint64_t> shapes{};  ///< objects of each shape: "[721, 1440]"
  std::map<std::string, std::uint64_t> codecs{};  ///< objects of each pipeline, as codecs_of names it
};

/// An `archive_survey` is what an archive contains.
struct archive_survey {
  std::uint64_t size_bytes = 0;
  std::uint64_t messages = 0;               ///< those of version 1 and incomplete ones included
  std::uint64_t objects = 0;                ///< of messages that can be read
  std::map<int, std::uint64_t> versions{};  ///< messages of each wire version
  std::uint64_t streamed = 0,
                incomplete = 0;  ///< messages without a length in the preamble; those cut before their end
  std::vector<gap> gaps{};       ///< bytes that belong to no message
  std::optional<tgmap::incomplete_tail> tail{};  ///< an incomplete message at the end
  std::vector<failure> unreadable{};             ///< why messages or their objects cannot be read, each message once
  std::optional<disk_usage> usage{};             ///< with survey_options::usage
  std::optional<surveyed_content> content{};     ///< with survey_options::content
};

/// The options of survey. Aggregate: `{.usage = true}`.
struct survey_options {
  /// Describes the objects of a sample: keys with their values, dtypes, shapes and codecs. Default: true.
  bool content = true;

  /// Sums up stored and decoded bytes of all objects by dtype and codec; reads all descriptors. Default: false.
  bool usage = false;

  /// Limits of the sample. They bound time and memory, and do not depend on what an archive states.
  /// Default: 1000 messages, 10,000 objects, 16 MiB of keys and values, 20 values of a key.
  std::uint64_t max_messages = 1000, max_objects = 10'000;
  std::size_t max_bytes = std::size_t{16} << 20, max_values = 20;

  /// Receives the number of bytes that are scanned, from time to time, for progress bars. May throw.
  std::function<void(std::uint64_t done_bytes)> progress{};

  /// After a stop request the call fails with `std::errc::operation_canceled`. Default: none.
  std::stop_token stop{};
};

/// Returns what an archive contains. Completes the scan and visits each message, but reads no payload. Damage is no
/// error: gaps, the tail and unreadable messages are in the result. Under `on_damage::stop` it ends at the first gap.
/// Errors: those of archive::scan and archive::at without `damaged`; those of `progress`; throws std::bad_alloc.
/// Complexity: O(messages). Memory: bounded by the options, and O(gaps and unreadable messages).
/// Thread safety: any number of threads may survey one archive.
TGMAP_API archive_survey survey(const archive&, const survey_options& = {});
TGMAP_API archive_survey survey(const archive&, const survey_options&, failure&);

}  // namespace v0
}  // namespace tgmap
