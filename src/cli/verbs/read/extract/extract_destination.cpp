// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/extract/extract_destination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <tgmap/query/metadata_key.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/output/name_template.hpp"
#include "convert/zlib.hpp"
#include "core/seeded_hash.hpp"

namespace tgmap::cli {

namespace {

struct named_form {
  std::string_view name, extension;
  extract_form form;
};

constexpr named_form extract_forms[] = {{"npy", ".npy", extract_form::npy},   {"raw", ".raw", extract_form::raw},
                                        {"", ".bin", extract_form::stored},   {"csv", ".csv", extract_form::csv},
                                        {"text", ".txt", extract_form::text}, {"json", ".json", extract_form::json}};

std::string_view extension(extract_form form) {
  return std::find_if(std::begin(extract_forms), std::end(extract_forms),
                      [&](const named_form& each) { return each.form == form; })
      ->extension;
}

/// Returns the form that is called `format`; if `format` is empty, that of the extension `ending`.
std::optional<extract_form> form_of(std::string_view format, std::string_view ending) {
  for (const named_form& each : extract_forms)
    if (format.empty() ? !each.name.empty() && each.extension == ending : each.name == format) return each.form;
  return std::nullopt;
}

}  // namespace

extract_destination extract_destination::parse(const std::string& given, const std::string& format, bool stored) {
  const auto named = form_of(format, {});
  if (given.empty() && !(named && is_text(*named)))
    throw usage_error("-o is missing; name the output, or print values with --format csv");
  const std::string to = given.empty() ? "-" : given;
  extract_destination out{.to = to, .names = parse_template(to)};
  const std::string ending = std::filesystem::path(to).extension().string();
  const bool folder = out.names.is_folder();
  if (out.names.several()) out.what = kind::several;
  const bool npz = ending == ".npz" && out.what == kind::file;
  if (npz && (stored || !(format.empty() || format == "npy")))
    throw usage_error("an .npz contains only .npy files; use another OUT for other formats");
  if (npz) out.what = kind::npz;
  const auto form = stored          ? extract_form::stored
                    : folder || npz ? named.value_or(extract_form::npy)
                                    : form_of(format, ending);
  if (!form)
    throw usage_error("'" + to + "' does not name a format; add --format npy, raw, csv, text or json, or --stored");
  out.form = *form;
  if (folder) out.names.add_object_name(extension(out.form));
  return out;
}

extract_writer::extract_writer(const extract_destination& to, const output_options& how, session& run)
    : makes_folders_(to.names.makes_folders()), outputs_(outputs_for(how, run)) {
  if (to.what != extract_destination::kind::npz) return;
  edit::output_set::output& npz = outputs_.open(to.to);
  zip_ = std::make_unique<convert::zip_writer>([&npz](std::span<const std::byte> piece) { npz.write(piece); });
}

void extract_writer::allow(std::span<const std::string> names) {
  if (!zip_)
    for (const std::string& name : names) outputs_.check_overwrite(name, makes_folders_);
}

std::uint64_t extract_writer::write(const std::string& name, const extract_content& content) {
  if (zip_) return write_member(name, content);
  edit::output_set::output* file =
      nullptr;  // created with the first piece, so that an error leaves the file system alone
  const auto opened = [&]() -> edit::output_set::output& {
    return file != nullptr ? *file : *(file = &outputs_.open_distinct(name, makes_folders_));
  };
  try {
    content([&](std::span<const std::byte> piece) { opened().write(piece); });
    return opened().bytes_written();  // creates an empty file if there were no pieces
  } catch (...) {
    if (file != nullptr) outputs_.remove(*file);
    throw;
  }
}

std::uint64_t extract_writer::write_member(const std::string& name, const extract_content& content) {
  std::uint32_t sum = 0;
  std::uint64_t bytes = 0;
  content([&](std::span<const std::byte> piece) {
    sum = convert::crc32(piece, sum);
    bytes += piece.size();
  });
  zip_->begin(name, bytes, sum);
  content([&](std::span<const std::byte> piece) { zip_->write(piece); });
  return bytes;
}

void extract_writer::finish() {
  if (zip_) zip_->finish();
  outputs_.commit();
}

namespace {

std::string name_from_keys(const extract_destination& to, const extracted_object& one, std::uint64_t index) try {
  key_lookup keys(one.in, one.of);
  return to.names.name_for(keys, {.index = index, .archive = one.archive, .message_label = one.message_label});
} catch (const error& why) {
  throw cli_error(why.details().text(), next_step(why.details(), one.archive), one.address);
}

/// Returns the value of the key `name` as a part of a file name; empty without text there.
std::string stored_name(const extracted_object& one) {
  static const metadata_key name("name");
  failure why;  // an object whose keys cannot be read has no name
  key_lookup keys(one.in, one.of);
  const key_result found = keys.find(name, why);
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (why || item == nullptr || item->kind() != cbor_kind::text) return {};
  const std::string text = item->text();
  return text.empty() ? text : edit::file_name_part(text);
}

/// Returns the name of each object if no other member could have it. Otherwise returns the number of its message and
/// the name, if there are several messages, or MESSAGE_OBJECT.
std::vector<std::string> member_names(std::span<const extracted_object> all) {
  const auto label = [](const extracted_object& one) { return std::pair(one.archive, one.message_label); };
  const bool one_message =
      std::all_of(all.begin(), all.end(), [&](const auto& each) { return label(each) == label(all.front()); });
  const bool one_archive =
      std::all_of(all.begin(), all.end(), [&](const auto& each) { return each.archive == all.front().archive; });
  const auto prefix = [&](const extracted_object& one) {
    return (one_archive ? "" : edit::archive_stem(one.archive) + "_") + one.message_label + "_";
  };
  std::vector<std::vector<std::string>> choices;
  core::text_map<std::size_t> uses;
  for (const extracted_object& each : all) {
    std::vector<std::string>& own = choices.emplace_back();
    if (const std::string name = stored_name(each); !name.empty()) {
      own.push_back(name);
      if (!one_message) own.push_back(prefix(each) + name);
    }
    own.push_back(prefix(each) + std::to_string(each.of.index()));
    for (const std::string& choice : own) ++uses[choice];
  }
  std::vector<std::string> out;
  for (const auto& own : choices) {
    const auto unique = std::find_if(own.begin(), own.end(), [&](const std::string& each) { return uses[each] == 1; });
    out.push_back((unique == own.end() ? own.back() : *unique) + ".npy");
  }
  return out;
}

void refuse_equal_names(const extract_destination& to, std::span<const extracted_object> all,
                        const std::vector<std::string>& names) {
  core::text_map<std::size_t, std::string_view> seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [other, first] = seen.emplace(names[i], i);
    if (first) continue;
    const bool is_pattern = to.what == extract_destination::kind::several && !to.names.is_folder();
    const bool same_archive = all[other->second].archive == all[i].archive;
    throw usage_error(fmt::format("'{}' and '{}' would both be written to '{}'{}", all[other->second].address,
                                  all[i].address, names[i],
                                  is_pattern && same_archive ? "; put [@message] and [@object], or other keys, into -o"
                                  : is_pattern ? "; write them to a folder, out/, or extract them in two calls"
                                               : "; extract them in two calls"));
  }
}

}  // namespace

std::vector<std::string> extract_names(const extract_destination& to, std::span<const extracted_object> all) {
  std::vector<std::string> out;
  if (to.what == extract_destination::kind::npz)
    out = member_names(all);
  else if (to.what == extract_destination::kind::several)
    for (std::size_t i = 0; i < all.size(); ++i) out.push_back(name_from_keys(to, all[i], i));
  else
    out.assign(all.size(), to.to);
  refuse_equal_names(to, all, out);
  return out;
}

}  // namespace tgmap::cli
