// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tgmap/message.hpp>
#include <utility>
#include <vector>

#include "cli/print/json.hpp"

namespace tgmap::cli {

/// Returns the codecs of an object: "none", "simple_packing+szip".
std::string codec_name_of(const descriptor&);

/// An `archive_survey` describes the content of an archive: its keys with their values, its dtypes, shapes and codecs.
/// A large archive is sampled, so that time and memory are bounded.
class archive_survey {
 public:
  /// `messages` is the number of messages of the archive.
  explicit archive_survey(std::uint64_t messages);

  /// Adds a message, if it is in the sample. Call it for all messages in order. Leaves out keys and objects that
  /// cannot be read.
  void add(const message&);

  /// The integers or floats of a key.
  struct number_range {
    double first, last;
    std::optional<double> step;  ///< if all differences are equal
  };

  /// A key and its values in the objects that have it.
  struct key {
    std::string path;
    std::uint64_t objects = 0;
    std::uint64_t distinct = 0;
    std::vector<std::string> values{};    ///< the first ones, in order of appearance; an array is "[721 values]"
    std::optional<number_range> range{};  ///< if there are at least three values, all numbers
  };

  /// Returns the keys: names first, then dates, steps and levels, then the others by name.
  std::vector<key> keys() const;

  bool is_sample() const noexcept { return is_sample_; }
  json as_json() const;
  /// Returns lines of at most `width` columns: names on the left, values on the right.
  std::vector<std::pair<std::string, std::string>> lines(std::size_t width, bool with_codecs) const;

 private:
  /// The values of a key as they are collected.
  struct values {
    std::uint64_t objects = 0;
    std::map<std::string, std::size_t> numbers{};  ///< of each value, in order of appearance
    std::set<double> as_numbers{};                 ///< of values that are numbers
    bool has_others = false;                       ///< some values are not numbers
  };

  void add_object(const message&, std::size_t, bool with_keys);
  void add_keys(const metadata&);
  void add_key(const std::string& path, const cbor_view&);

  std::uint64_t total_, most_, each_;  ///< messages of the archive and of the sample; objects of one message
  std::uint64_t seen_ = 0, messages_ = 0, objects_ = 0;
  std::size_t bytes_ = 0;  ///< of keys and values in memory
  bool is_sample_;
  std::map<std::string, values> keys_{};
  std::map<std::string, std::uint64_t> dtypes_{}, shapes_{}, codecs_{};
};

}  // namespace tgmap::cli
