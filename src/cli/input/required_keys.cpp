// SPDX-License-Identifier: Apache-2.0
#include "cli/input/required_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <tgmap/query/known_keys.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/app/session.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"

namespace tgmap::cli {

std::string missing_key_advice(const metadata_key& missing, const std::string& near, std::string_view file) {
  if (missing.text().starts_with('@'))
    return "it is a property of objects: add --objects, or name one, FILE:MESSAGE:OBJECT";
  if (!near.empty()) return "did you mean '" + near + "'?";
  return fmt::format("run `tgmap ls -p {} {}` to see which messages have it", missing.text(), file);
}

std::string absent_key_advice(const metadata_key& absent, const std::string& near, std::string_view file) {
  if (near.empty() && !absent.text().starts_with('@')) return fmt::format("run `tgmap dump {}` to see all keys", file);
  return missing_key_advice(absent, near, file);
}

namespace {

/// Opens an archive. Standard input can be read only once, so the verb gets the same archive later.
archive open_for_search(const target& what, session& run, object_lookup lookup) {
  archive out = open_any_file(what, run, lookup);
  if (what.file == "-") run.standard_input = out;
  if (!what.offset) require_archive(out);
  return out;
}

/// Looks for keys in the selected messages or objects, at most `max_messages` of them.
class key_search {
 public:
  key_search(const std::vector<metadata_key>& keys, bool of_objects, const selection_options& chosen)
      : check_(keys), selected_(chosen), of_objects_(of_objects) {}

  void look_in(const std::vector<target>& all, std::uint64_t max_messages, session& run, object_lookup lookup) try {
    for (const target& what : all) {
      if (check_.is_complete()) return;
      const archive in = open_for_search(what, run, lookup);
      const selection_search wanted = selected_.search(what, in);
      tally sum;
      const auto search = [&](const message& m) {
        is_cut_ = max_messages-- == 0;
        if (is_cut_) return false;
        selector::visit(what, m, wanted, take_, sum);
        return !check_.is_complete();
      };
      for_each_message(in, what, run, search, wanted.known());
      has_failed_ = has_failed_ || sum.problem_count != 0;
      if (has_failed_ || is_cut_) return;
    }
  } catch (const usage_error&) {
    throw;
  } catch (const std::exception&) {
    has_failed_ = true;  // the verb reports it
  }

  /// Returns the keys that occur nowhere. Returns nothing if there was nothing to look in.
  std::vector<metadata_key> absent() const {
    const bool has_no_objects = of_objects_ && !any_objects_;
    return has_failed_ || has_no_objects ? std::vector<metadata_key>() : check_.missing();
  }
  std::string advice(const metadata_key& of, const std::string& file) const {
    return absent_key_advice(of, check_.nearest(of), file);
  }
  bool is_cut() const noexcept { return is_cut_; }

 private:
  bool see(const message& m, key_lookup& keys) {
    check_.visit(m, keys);
    // Selected objects of a message come one after another. The objects of the message are searched once.
    if (of_objects_ && m.version() != 1 && m.offset() != searched_) {
      searched_ = m.offset();
      const std::size_t objects = m.size();
      any_objects_ = any_objects_ || objects != 0;
      for (std::size_t j = 0; j < objects && !check_.is_complete(); ++j) {
        key_lookup of_object(m, m[j]);
        check_.visit(m, of_object);
      }
    }
    return !check_.is_complete();
  }

  key_check check_;
  selector selected_;
  bool of_objects_, any_objects_ = false, has_failed_ = false, is_cut_ = false;
  std::uint64_t searched_ = UINT64_MAX;  ///< offset of the last message whose objects were searched
  selector_callback take_ = [this](const message& m, key_lookup& keys, auto) { return see(m, keys); };
};

const char* kind_of(const std::vector<target>& all, const selection_options& chosen) {
  const bool objects = chosen.objects || std::any_of(all.begin(), all.end(), [](const target& t) { return t.objects; });
  return objects ? "object" : "message";
}

std::vector<metadata_key> sort_keys_of(const selection_options& chosen) {
  std::vector<metadata_key> out;
  for (sort_column& each : parse_sort(chosen.sort)) out.push_back(std::move(each.key));
  return out;
}

}  // namespace

void require_keys(std::vector<option_keys> all, const std::vector<target>& in, const selection_options& chosen,
                  session& run, object_lookup lookup) {
  all.insert(all.begin(), {.option = "--sort", .keys = sort_keys_of(chosen)});
  std::vector<metadata_key> keys;
  bool of_objects = false;
  for (const option_keys& each : all) {
    std::copy_if(each.keys.begin(), each.keys.end(), std::back_inserter(keys),
                 [](const metadata_key& key) { return key.text() != "@message"; });
    of_objects = of_objects || each.of_objects;
  }
  if (keys.empty()) return;
  key_search search(keys, of_objects, chosen);
  search.look_in(in, UINT64_MAX, run, lookup);
  for (const metadata_key& absent : search.absent())
    for (const option_keys& each : all)
      if (std::any_of(each.keys.begin(), each.keys.end(), [&](const auto& key) { return key.text() == absent.text(); }))
        throw usage_error(
            fmt::format("{}: no selected {} has the key '{}'", each.option, kind_of(in, chosen), absent.text()),
            search.advice(absent, in.front().file));
}

std::vector<std::string> find_absent_keys(const std::vector<metadata_key>& keys, const std::vector<target>& in,
                                          const selection_options& chosen, session& run, object_lookup lookup) {
  std::vector<std::string> out;
  if (!run.report.has_hints()) return out;
  key_search search(keys, false, chosen);
  search.look_in(in, key_check::max_collected, run, lookup);
  const std::string where = search.is_cut() ? fmt::format("none of the first {} messages", key_check::max_collected)
                                            : fmt::format("no selected {}", kind_of(in, chosen));
  for (const metadata_key& absent : search.absent())
    out.push_back(fmt::format("{} has the key '{}'; {}", where, absent.text(), search.advice(absent, in.front().file)));
  return out;
}

}  // namespace tgmap::cli
