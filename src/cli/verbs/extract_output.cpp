// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/extract_output.hpp"

#include <filesystem>
#include <system_error>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/selector.hpp"
#include "convert/zlib.hpp"

namespace tgmap::cli {

namespace {

std::optional<std::size_t> number_of(const archive& in, const message& m, const target& what, bool numbered,
                                     session& run) {
  if (const auto known = m.index(); known || !numbered || what.offset) return known;
  scan_all(in, what, run);  // the message was found from the end
  return m.index();
}

void find_in(const sliced_target& from, const selector& choose, bool numbered, std::size_t most, extract_objects& out,
             session& run) {
  const target& what = from.address;
  const archive in = open_archive(what, run);
  out.pins.push_back(in.pin());  // first, since kept objects outlive an error below
  tally sum;
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    out.objects.push_back(m[object.value()]);
    out.origins.push_back({&from, number_of(in, m, what, numbered, run)});
    return out.objects.size() < most;
  };
  for_each_message(in, what, run, [&](const message& m) {
    if (what.one_message() && m.version() == 1) m.size();  // throws: the user named a message that cannot be read
    choose.look_at(what, m, take, sum);
    return sum.more;
  });
  choose.report(what, in, sum, run);
}

constexpr std::string_view mark = "[@", message_mark = "[@message]", object_mark = "[@object]";

bool is_folder(const std::string& to) {
  std::error_code ignored;
  return to.ends_with('/') || std::filesystem::is_directory(to, ignored);
}

void refuse_other_marks(const std::string& to) {
  for (std::size_t at = to.find(mark); at != to.npos; at = to.find(mark, at + 1)) {
    const std::string_view rest = std::string_view(to).substr(at);
    if (!rest.starts_with(message_mark) && !rest.starts_with(object_mark))
      throw usage_error("'" + std::string(rest.substr(0, rest.find(']') + 1)) + "' in '" + to +
                        "' has no meaning; use [@message] and [@object]");
  }
}

void replace(std::string& in, std::string_view what, const std::string& by) {
  for (std::size_t at = in.find(what); at != in.npos; at = in.find(what, at + by.size()))
    in.replace(at, what.size(), by);
}

std::string_view extension(extract_form form) {
  switch (form) {
    case extract_form::raw: return ".raw";
    case extract_form::stored: return ".bin";
    default: return ".npy";
  }
}

}  // namespace

std::string extract_objects::message_label(std::size_t i) const {
  const auto& number = origins[i].message;
  return number ? std::to_string(*number) : "@" + std::to_string(objects[i].frame().message().offset());
}

std::string extract_objects::name(std::size_t i) const {
  return origins[i].from->address.file + (origins[i].message ? ":" : "") + message_label(i) + ":" +
         std::to_string(objects[i].index());
}

extract_objects find_objects(std::span<const sliced_target> targets, const selection_options& chosen, bool numbered,
                             std::size_t most, session& run) {
  const selector choose(chosen);
  extract_objects out;
  for (const sliced_target& each : targets)
    if (out.objects.size() < most)
      run.report.guard(each.address.file, [&] { find_in(each, choose, numbered, most, out, run); });
  return out;
}

extract_destination extract_destination::parse(const std::string& to, const std::string& format, bool stored) {
  refuse_other_marks(to);
  const std::string ending = std::filesystem::path(to).extension().string();
  const bool folder = is_folder(to), marked = to.find(mark) != to.npos;
  if (folder && marked) throw usage_error("a folder cannot contain [@message] or [@object]; use them in a file name");
  const bool npz = ending == ".npz" && !folder && !marked;
  if (npz && (stored || format == "raw"))
    throw usage_error("an .npz contains only .npy files; use another OUT with --format raw or --stored");
  extract_destination out{.to = to,
                          .what = folder   ? extract_destination::kind::folder
                                  : marked ? extract_destination::kind::pattern
                                           : extract_destination::kind::file};
  if (stored)
    out.form = extract_form::stored;
  else if (format == "raw" || (format.empty() && !folder && ending == ".raw"))
    out.form = extract_form::raw;
  else if (npz)
    out.what = extract_destination::kind::npz;
  else if (format.empty() && ending != ".npy" && !folder)
    throw usage_error("'" + to + "' does not name a format; add --format npy, --format raw or --stored");
  return out;
}

std::string extract_destination::name_of(const extract_objects& all, std::size_t i) const {
  if (what == extract_destination::kind::file) return to;
  const std::string message = all.message_label(i), object = std::to_string(all.objects[i].index());
  std::string out = to;
  if (what == extract_destination::kind::pattern) {
    replace(out, message_mark, message);
    replace(out, object_mark, object);
    return out;
  }
  const std::string name = message + "_" + object + std::string(extension(form));
  return what == extract_destination::kind::folder ? (std::filesystem::path(to) / name).string() : name;
}

extract_writer::extract_writer(const extract_destination& to, const output_options& how, session& run)
    : outputs_(how, run) {
  if (to.what == extract_destination::kind::folder) {
    std::error_code problem;
    std::filesystem::create_directories(to.to, problem);
    if (problem) throw file_error(problem.value(), to.to);
  }
  if (to.what != extract_destination::kind::npz) return;
  output_set::output& npz = outputs_.open(to.to);
  zip_ = std::make_unique<convert::zip_writer>([&npz](std::span<const std::byte> piece) { npz.write(piece); });
}

void extract_writer::allow(std::span<const std::string> names) {
  if (!zip_)
    for (const std::string& name : names) outputs_.check_overwrite(name);
}

std::uint64_t extract_writer::write(const std::string& name, const extract_content& content) {
  if (zip_) return write_member(name, content);
  output_set::output* file = nullptr;  // created with the first piece, so that an error leaves the file system alone
  const auto opened = [&]() -> output_set::output& {
    return file != nullptr ? *file : *(file = &outputs_.open_distinct(name));
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

}  // namespace tgmap::cli
