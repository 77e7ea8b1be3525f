// SPDX-License-Identifier: Apache-2.0
#include "manual/page.hpp"

#include <algorithm>
#include <iterator>

#include "core/text/trim.hpp"
#include "manual/markdown.hpp"

namespace tgmap::manual {

namespace {

void append(blocks& to, blocks more) { std::move(more.begin(), more.end(), std::back_inserter(to)); }

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : ", ") + each;
  return out;
}

/// Formats options as a table: arguments first, --help last.
block option_table(std::vector<option_model> options) {
  const auto rank = [](const option_model& of) { return of.argument ? 0 : of.names.back() != "--help" ? 1 : 2; };
  std::stable_sort(options.begin(), options.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<std::vector<std::string>> rows;
  for (const option_model& each : options) {
    std::string description = escape_markdown(each.description);
    // Some descriptions name all words already.
    const bool names_words = std::all_of(each.words.begin(), each.words.end(), [&](const std::string& word) {
      return (each.value + each.description).find(word) != std::string::npos;
    });
    if (!names_words) description += ": " + joined(each.words);
    rows.push_back({"`" + option_term(each) + "`", description});
  }
  return definitions(std::move(rows));
}

/// Returns a section for each group of options: Options first, those of every verb last.
blocks option_sections(const std::vector<option_model>& options) {
  std::vector<std::string> groups{"Options"};
  for (const option_model& each : options)
    if (!each.common && std::find(groups.begin(), groups.end(), each.group) == groups.end())
      groups.push_back(each.group);
  groups.emplace_back("Common");
  blocks out;
  for (const std::string& group : groups) {
    std::vector<option_model> some;
    std::copy_if(options.begin(), options.end(), std::back_inserter(some),
                 [&](const option_model& each) { return each.group == group; });
    append(out, {heading(2, group == "Common" ? "Common options" : group), option_table(std::move(some))});
  }
  return out;
}

/// Returns the table of docs/command_line.md, for pages without their own.
blocks exit_statuses() {
  blocks out = section(parse_markdown(document_text("command_line")), 2, "Exit status", false);
  std::erase_if(out, [](const block& each) { return each.kind != block_kind::table; });
  for (block& each : out) {
    each.rows.erase(each.rows.begin());
    each.has_header = false;
  }
  return out;
}

/// Returns the page name of a verb, such as "tgmap-tens-show".
std::string name_of(const verb_model& of) {
  std::string out = of.full_name;
  std::replace(out.begin(), out.end(), ' ', '-');
  return out;
}

/// Returns the page name that users type, such as "tens-show".
std::string short_name_of(const verb_model& verb) { return name_of(verb).substr(std::string_view("tgmap-").size()); }

/// Calls `take` for each visible verb and the verbs below it until `take` returns true. Returns true if it did.
template <class Take>
bool any_verb(const verb_model& below, Take&& take) {
  for (const verb_model& each : below.verbs)
    if (take(each) || any_verb(each, take)) return true;
  return false;
}

block verb_table(const verb_model& below) {
  std::vector<std::vector<std::string>> rows;
  for (const verb_model& each : below.verbs) rows.push_back({"`" + each.name + "`", escape_markdown(each.summary)});
  return definitions(std::move(rows));
}

/// Builds a page from docs/manual/ and the declared options. `between` goes before the options.
page written_page(const verb_model& of, blocks between) {
  page out{.name = name_of(of), .summary = of.summary};
  const blocks written = parse_markdown(document_text("manual/" + (of.is_command() ? out.name : short_name_of(of))));
  out.usage = of.verbs.empty() ? usage_line(of.full_name, of.options) : of.full_name + " [OPTIONS] VERB ...";
  out.body = before_sections(written, 2);
  append(out.body, std::move(between));
  append(out.body, option_sections(of.options));
  append(out.body, section(written, 2, "Examples", true));
  const blocks statuses = section(written, 2, "Exit status", false);
  append(out.body, {heading(2, "Exit status")});
  append(out.body, statuses.empty() ? exit_statuses() : statuses);
  for (const block& each : section(written, 2, "See also", false)) out.see_also += each.text;
  return out;
}

}  // namespace

page verb_page(const verb_model& verb) {
  if (verb.verbs.empty()) return written_page(verb, {});
  const std::string& name = verb.full_name;
  return written_page(
      verb, {heading(2, "Verbs"), verb_table(verb),
             paragraph("`" + name + " VERB --help` or `tgmap help " + verb.name + " VERB` describes a verb.")});
}

page command_page(const verb_model& command) {
  std::vector<std::vector<std::string>> topic_rows;
  for (const topic& each : topics())
    topic_rows.push_back({"`" + std::string(each.name) + "`", escape_markdown(each.summary)});
  return written_page(command,
                      {heading(2, "Verbs"), verb_table(command),
                       paragraph("`tgmap VERB --help` or `tgmap help VERB` describes a verb."), heading(2, "Topics"),
                       definitions(std::move(topic_rows)), paragraph("`tgmap help TOPIC` shows a topic.")});
}

const std::vector<topic>& topics() {
  static const std::vector<topic> all{
      {"targets", "Addresses of messages and objects, such as FILE:MESSAGE:OBJECT", 7, "command_line", "Targets",
       "tgmap, where"},
      {"keys", "Names of metadata keys and of properties of the archive", 7, "selection", "Keys", "where, ls, get"},
      {"where", "Selecting messages and objects: the grammar of --where", 7, "selection",
       "Selections|As the reference implementation reads it", "keys, ls, get, count"},
      {"format", "The .tgm format in brief", 5, "format", "§", "tgmap, dump, validate"},
      {"exit-codes", "Exit statuses of the command", 7, "command_line", "Exit status", "tgmap, validate"},
      {"environment", "Environment variables and files", 7, "command_line", "Environment", "tgmap, completion"},
  };
  return all;
}

page topic_page(const topic& of) {
  page out{.name = "tgmap-" + std::string(of.name), .section = of.section, .summary = std::string(of.summary)};
  const blocks document = parse_markdown(document_text(of.document));
  const auto prefixes = parts_of(of.headings, '|');
  for (const std::string_view each : prefixes)
    append(out.body, section(document, 2, each, prefixes.size() > 1 || each == "§"));
  out.see_also = of.see_also;
  return out;
}

std::vector<std::string> page_names(const verb_model& command) {
  std::vector<std::string> out;
  any_verb(command, [&](const verb_model& verb) { return out.push_back(short_name_of(verb)), false; });
  for (const topic& each : topics()) out.emplace_back(each.name);
  return out;
}

std::optional<page> find_page(const verb_model& command, std::string_view name) {
  if (name == "tgmap") return command_page(command);
  std::optional<page> found;
  const auto take = [&](const verb_model& verb) {
    if (short_name_of(verb) == name) found = verb_page(verb);
    return found.has_value();
  };
  if (any_verb(command, take)) return found;
  for (const topic& each : topics())
    if (each.name == name) return topic_page(each);
  return std::nullopt;
}

std::vector<page> all_pages(const verb_model& command) {
  std::vector<page> out{command_page(command)};
  any_verb(command, [&](const verb_model& verb) { return out.push_back(verb_page(verb)), false; });
  for (const topic& each : topics()) out.push_back(topic_page(each));
  return out;
}

std::vector<std::string> property_names() {
  std::vector<std::string> out;
  for (const block& each : section(parse_markdown(document_text("selection")), 3, "Properties", false)) {
    if (each.kind != block_kind::table) continue;
    for (const auto& row : each.rows)
      for (const styled_text& name : parse_inline(row.front()))
        if (name.style == text_style::code) out.push_back(name.text);
    break;  // the following tables describe other names
  }
  return out;
}

std::vector<std::string_view> parts_of(std::string_view list, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t end = 0; end != list.npos; list.remove_prefix(end == list.npos ? 0 : end + 1)) {
    end = list.find(separator);
    out.push_back(core::trimmed(list.substr(0, end)));
  }
  return out;
}

std::string man_reference(std::string_view name) {
  if (name == "tgmap") return "tgmap(1)";
  for (const topic& each : topics())
    if (each.name == name) return "tgmap-" + std::string(name) + "(" + std::to_string(each.section) + ")";
  return "tgmap-" + std::string(name) + "(1)";
}

}  // namespace tgmap::manual
