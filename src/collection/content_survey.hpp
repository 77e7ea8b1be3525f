// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/tools/survey.hpp>

namespace tgmap::archives {

/// A `content_survey` describes the content of archives: keys with their values, dtypes, shapes and codecs. Many
/// messages are sampled, so that time and memory are bounded.
class content_survey {
 public:
  /// `messages` is the number of messages that will be added. The limits of the sample are those of the options.
  content_survey(std::uint64_t messages, const survey_options&);

  /// Adds a message, if it is in the sample. Call it for all messages in order. Leaves out keys and objects that
  /// cannot be read.
  void add(const message&);

  surveyed_content finish() &&;

 private:
  /// A value as it is collected: its place in the order of appearance, and the objects that have it.
  struct value {
    std::size_t number = 0;
    std::uint64_t objects = 0;
  };

  /// The values of a key as they are collected.
  struct values {
    std::uint64_t objects = 0;
    std::map<std::string, value> of_text{};
    std::set<double> as_numbers{};  ///< of values that are numbers
    bool has_others = false;        ///< some values are not numbers
  };

  void add_object(const message&, std::size_t, bool with_keys);
  void add_keys(const metadata&);
  void add_key(const std::string& path, const cbor_view& item);

  const survey_options& options_;
  std::uint64_t total_, most_, each_;  ///< messages in all and in the sample; objects of one message
  std::uint64_t seen_ = 0;
  std::size_t bytes_ = 0;  ///< of keys and values in memory
  std::map<std::string, values> keys_{};
  surveyed_content out_{};
};

}  // namespace tgmap::archives
