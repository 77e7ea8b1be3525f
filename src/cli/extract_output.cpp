// SPDX-License-Identifier: Apache-2.0
#include "cli/extract_output.hpp"

#include <filesystem>
#include <system_error>

#include "cli/complaint.hpp"
#include "convert/zlib.hpp"

namespace tgmap::cli {

namespace {

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
                        "' stands for nothing; there are [@message] and [@object]");
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

extract_destination extract_destination::parse(const std::string& to, const std::string& format, bool stored) {
  refuse_other_marks(to);
  const std::string ending = std::filesystem::path(to).extension().string();
  const bool folder = is_folder(to), marked = to.find(mark) != to.npos;
  if (folder && marked) throw usage_error("a folder takes no [@message] and [@object]; put them into names of files");
  const bool npz = ending == ".npz" && !folder && !marked;
  if (npz && (stored || format == "raw"))
    throw usage_error("an .npz holds .npy files only; give OUT another name for --format raw or --stored");
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
    throw usage_error("'" + to + "' does not say in which format to write; add --format npy, --format raw or --stored");
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
  output_set::output& npz = outputs_.at(to.to);
  zip_ = std::make_unique<convert::zip_writer>([&npz](std::span<const std::byte> piece) { npz.write(piece); });
}

void extract_writer::allow(std::span<const std::string> names) {
  if (!zip_)
    for (const std::string& name : names) outputs_.allow(name);
}

std::uint64_t extract_writer::write(const std::string& name, const extract_content& content) {
  if (zip_) return write_member(name, content);
  output_set::output* file = nullptr;  // made with the first piece: a refusal must not touch the file system
  const auto opened = [&]() -> output_set::output& {
    return file != nullptr ? *file : *(file = &outputs_.distinct(name));
  };
  try {
    content([&](std::span<const std::byte> piece) { opened().write(piece); });
    return opened().bytes();  // of nothing, too
  } catch (...) {
    if (file != nullptr) outputs_.drop(*file);
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
