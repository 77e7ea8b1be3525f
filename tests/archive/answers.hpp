// SPDX-License-Identifier: Apache-2.0
// Results of all calls that read messages, to compare two ways of finding objects. Both must give the same result, or
// an error.
#pragma once

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <support/bytes.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

struct answer {
  std::string question;
  std::optional<std::string> text;  ///< empty after an error
};

namespace detail {

inline std::string text_of(const tgmap::metadata& in) {
  std::string out;
  for (const auto& [key, item] : in.entries()) out += key + "=" + std::string(view_of(item.bytes())) + ";";
  return out;
}

}  // namespace detail

/// Returns all answers, for at most `max_objects` objects of each message, in order or in reverse order.
inline std::vector<answer> answers_of(const tgmap::archive& archive, bool backwards = false,
                                      std::size_t max_objects = 6) {
  std::vector<answer> out;
  tgmap::failure why;
  const std::size_t messages = archive.size(why);
  for (std::size_t i = 0; i < messages; ++i) {
    const tgmap::message m = archive.at(i, why);
    const auto ask = [&](const std::string& question, auto&& get) {
      tgmap::failure refused;
      std::string text = get(refused);
      out.push_back({std::to_string(i) + " " + question, refused ? std::nullopt : std::optional(std::move(text))});
    };
    const auto ask_summary = [&](const std::string& question) {
      ask(question, [&](tgmap::failure& f) {
        const auto keys = m.summary(f);
        return std::to_string(keys.object_count) + detail::text_of(keys.message_metadata) +
               detail::text_of(keys.first_object_metadata);
      });
    };
    const auto ask_all = [&] {
      ask("size", [&](tgmap::failure& f) { return std::to_string(m.size(f)); });
      ask("metadata", [&](tgmap::failure& f) { return detail::text_of(m.metadata(f)); });
      ask("provenance", [&](tgmap::failure& f) { return detail::text_of(m.provenance(f)); });
      ask_summary("keys");
      ask("digests", [&](tgmap::failure& f) {
        const auto list = m.hash_list(f);
        return list ? std::string(view_of(list->bytes())) : "none";
      });
    };
    if (!backwards) ask_all();
    for (std::size_t k = 0; k < max_objects; ++k) {
      const std::size_t j = backwards ? max_objects - 1 - k : k;
      ask("object " + std::to_string(j), [&](tgmap::failure& f) {
        const auto object = m.at(j, f);
        return f ? std::string() : std::to_string(object.frame().offset()) + std::string(view_of(object.payload()));
      });
      ask("base " + std::to_string(j), [&](tgmap::failure& f) { return detail::text_of(m.base(j, f)); });
      ask("keys of " + std::to_string(j), [&](tgmap::failure& f) {
        const auto object = m.at(j, f);
        return f ? std::string() : detail::text_of(object.metadata(f));
      });
    }
    if (backwards) ask_all();
    ask_summary("keys again");  // of one object: from the cache
  }
  return out;
}

/// Checks that each way gives the same answer as the other, or an error. Returns the number of errors in `found`.
inline std::size_t check_answers(std::vector<answer> found, std::vector<answer> by_walk) {
  const auto by_question = [](const answer& a, const answer& b) { return a.question < b.question; };
  std::sort(found.begin(), found.end(), by_question);
  std::sort(by_walk.begin(), by_walk.end(), by_question);
  BOOST_TEST_REQUIRE(found.size() == by_walk.size());
  std::size_t errors = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    errors += found[i].text ? 0 : 1;
    if (found[i].text && by_walk[i].text && *found[i].text != *by_walk[i].text)
      BOOST_ERROR(found[i].question << ": \"" << *found[i].text << "\", by the walk \"" << *by_walk[i].text << "\"");
  }
  return errors;
}

}  // namespace tgmap_test
