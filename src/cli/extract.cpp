// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include "cli/advice.hpp"
#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"
#include "cli/json.hpp"
#include "cli/output_file.hpp"
#include "cli/same_file.hpp"
#include "cli/verb.hpp"
#include "convert/write.hpp"

namespace tgmap::cli {

namespace {

struct extract_options {
  std::vector<std::string> from;
  std::string to;
  std::string format;
  bool stored = false;
  bool as_stored = false;
  bool json = false;
};

using convert::sink;
using writer = void (*)(const object&, element_order, const sink&);

struct format {
  std::string_view name;  ///< and, behind a dot, the extension that asks for it
  writer write;
};

constexpr std::array formats{format{"npy", convert::write_npy}, format{"raw", convert::write_raw}};

writer writer_for(const extract_options& given) {
  if (given.stored) return [](const object& from, element_order, const sink& to) { convert::copy_payload(from, to); };
  const std::string extension = std::filesystem::path(given.to).extension().string();
  const std::string wanted = given.format.empty() && !extension.empty() ? extension.substr(1) : given.format;
  for (const format& f : formats)
    if (f.name == wanted) return f.write;
  throw usage_error("'" + given.to +
                    "' does not say in which format to write; add --format npy, --format raw or --stored");
}

/// "encoding simple_packing, compression szip": what stands between the payload and its elements.
std::string to_undo(const descriptor& what) {
  std::string out;
  const auto add = [&](std::string_view kind, std::string_view codec) {
    out.append(out.empty() ? "" : ", ").append(kind).append(" ").append(codec);
  };
  if (what.encoding != encoding::none) add("encoding", what.encoding_name.view());
  if (what.filter != filter::none) add("filter", what.filter_name.view());
  if (what.compression != compression::none) add("compression", what.compression_name.view());
  for (const mask& m : what.masks()) add("mask", name(m.kind));
  return out;
}

void refuse_codecs(const object& from) {
  const descriptor what = from.descriptor();
  if (what.plain()) return;
  const failure why{.code = errc::encoded};
  throw complaint("the elements cannot be read: " + to_undo(what) + " would have to be undone", next_step(why, {}));
}

/// Writes to the file, or to standard output. Returns how many bytes.
std::uint64_t write_object(const extract_options& given, writer write, const object& from, session& run) {
  std::uint64_t bytes = 0;
  const element_order order = given.as_stored ? element_order::as_stored : element_order::by_strides;

  std::unique_ptr<output_file> file;  // made with the first piece: a refusal must not touch the file system
  const auto opened = [&]() -> output_file& {
    if (!file) file = std::make_unique<output_file>(given.to);
    return *file;
  };
  const bool to_a_file = given.to != "-";
  write(from, order, [&](std::span<const std::byte> piece) {
    to_a_file ? opened().write(piece) : run.out.write(piece);
    bytes += piece.size();
  });
  if (to_a_file) opened().commit();
  return bytes;
}

void run_extract(const extract_options& given, session& run) {
  if (given.from.size() != 1) throw usage_error("extract takes one object at a time");
  const target what = parse_target(given.from.front());
  const writer write = writer_for(given);
  if (given.json && given.to == "-") throw usage_error("--json and the object cannot both go to standard output");
  run.report.guard(what.file, [&] {
    const archive in = open_archive(what, run);
    if (!what.one_object()) throw usage_error("extract takes one object: FILE:MESSAGE:OBJECT or FILE@OFFSET:OBJECT");
    refuse_to_overwrite(what, given.to);

    const message holder = find_message(in, what);
    const object from = find_object(holder, what);
    if (!given.stored) refuse_codecs(from);
    const std::uint64_t bytes = write_object(given, write, from, run);
    if (given.json) {
      const auto number = holder.index();
      run.out.write(json_line({{"file", what.file},
                               {"message", number ? json(*number) : json()},
                               {"object", from.index()},
                               {"output", given.to},
                               {"bytes", bytes}}));
    }
    tell_of_damage(in, what.file, run);
  });
}

}  // namespace

action declare_extract(CLI::App& app, session& run) {
  const auto given = std::make_shared<extract_options>();
  add_targets(app, given->from, "FILE:MESSAGE:OBJECT or FILE@OFFSET:OBJECT");
  app.add_option("-o,--output", given->to, "The file to write; - is standard output")->required()->type_name("OUT");
  const auto format = app.add_option("--format", given->format, "npy, or raw: the elements alone, in C order")
                          ->check(CLI::IsMember({"npy", "raw"}))
                          ->type_name("FORMAT");
  const auto as_stored =
      app.add_flag("--as-stored", given->as_stored, "Take elements in the order stored, whatever the strides say");
  app.add_flag("--stored", given->stored, "The payload as it lies, whatever has to be undone to read it")
      ->excludes(format)
      ->excludes(as_stored);
  app.add_flag("-j,--json", given->json, "Tell what was written, as one JSON object");
  return [given, &run] { run_extract(*given, run); };
}

}  // namespace tgmap::cli
