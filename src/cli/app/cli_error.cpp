// SPDX-License-Identifier: Apache-2.0
#include "cli/app/cli_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <tgmap/bridge/errc.hpp>
#include <tgmap/zio/errc.hpp>

#include "core/phrases.hpp"

namespace tgmap::cli {

namespace {

std::string for_system_error(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG: return "check the name";
    case EEXIST:
    case EISDIR: return "choose another name";
    case EACCES:
    case EPERM: return "check the permissions of the file and of its directories";
    case EMFILE:
    case ENFILE: return "allow more open files (ulimit -n)";
    case EFBIG: return "allow larger files (ulimit -f)";
    case ENOSPC:
    case EDQUOT: return "make room and try again";
    default: return "check the disk, or the network file system, that holds it";
  }
}

std::string for_zio(zio::errc what, std::string_view file) {
  switch (what) {
    case zio::errc::bad_prefix:
    case zio::errc::bad_level:
    case zio::errc::bad_coordinates:
    case zio::errc::too_few_parts: return "get the file again from its source: it is not one frame of a ZIO message";
    case zio::errc::part_exceeds_frame: return "get the file again from its source: it is cut off or damaged";
    case zio::errc::part_too_large: return "send it with `tgmap send`, which has no such limit";
    case zio::errc::bad_label:
    case zio::errc::label_too_deep:
    case zio::errc::bad_tens:
    case zio::errc::part_missing:
    case zio::errc::part_size:
    case zio::errc::bad_order:
    case zio::errc::bad_packing: return "ask the sender, or store the parts as bytes with `tgmap tens import`";
    case zio::errc::no_counterpart: return "add --raw-words, or run `tgmap convert` first";
    case zio::errc::bad_endpoint: return "write it as tcp://HOST:PORT, ipc://PATH or inproc://NAME";
    case zio::errc::insecure_endpoint: return "add --curve-key, or bind to 127.0.0.1 or ipc://FILE";
    case zio::errc::bad_curve_key: return "make a pair of keys with `tgmap tens keys`";
    case zio::errc::peer_gone:
    case zio::errc::timed_out:
    case zio::errc::flow_refused: return "check that the other end is running and ready, and try again";
    case zio::errc::stopped: return "run the command again to continue";
    case zio::errc::flow_protocol:
    case zio::errc::flow_credit:
      return "check the program at the other end: it does not follow the FLOW protocol of ZIO";
    case zio::errc::message_limit: return "add a larger --max-message";
    case zio::errc::zmq_failed: return "check the address and the limits of the system, and try again";
    case zio::errc::zmq_absent: return "install libzmq";
  }
  return fmt::format("run `tgmap validate {}` to see all that is wrong with it", file);
}

std::string for_grib(bridge::errc what) {
  switch (what) {
    case bridge::errc::message_too_large: return "import it through the library, with a higher limit";
    case bridge::errc::predefined_bitmap: return "give the field a bitmap of its own with the tools of its centre";
    case bridge::errc::padded_stream: return "pack it again without that flag, with `grib_set -r -s ccsdsFlags=14`";
    case bridge::errc::no_sections: return "only objects that `tgmap import grib` made can be exported";
    case bridge::errc::bad_sections: return "import the GRIB again";
    case bridge::errc::packing_changed:
    case bridge::errc::values_changed:
    case bridge::errc::shape_changed: return "export an archive whose values were not changed since the import";
    case bridge::errc::eccodes_absent:
      return "install ecCodes, in Debian libeccodes0; run `tgmap doctor` to see what is found";
    case bridge::errc::eccodes_failed: return "see what `grib_dump` says of it; a newer ecCodes may know its template";
    case bridge::errc::not_identical: return "leave out --no-original; the data is kept then";
    case bridge::errc::inexact_values: return "leave out --exact to accept values that differ in their last bits";
    case bridge::errc::keys_edited:
      return "undo the edit of the keys, or change the GRIB with `grib_set` and import it again";
    default: return "get the file again from its source, or ask its producer";
  }
}

/// Returns the next step for a folder that was given for an archive. A Zarr store is a folder.
std::string next_step_of_folder(const std::string& folder) {
  for (const char* const each : {"zarr.json", ".zgroup", ".zarray"})
    if (std::error_code none; std::filesystem::exists(std::filesystem::path(folder) / each, none))
      return "it is a Zarr store: save its arrays with numpy.save, and pack them with `tgmap create`";
  return "name the archives in the directory";
}

}  // namespace

std::string next_step(const failure& why, std::string_view file) {
  // Compared by name: builds without ZIO have no function that returns the category.
  if (std::string_view(why.code.category().name()) == "tgmap.zio")
    return for_zio(static_cast<zio::errc>(why.code.value()), file);
  if (std::string_view(why.code.category().name()) == "tgmap.bridge")
    return for_grib(static_cast<bridge::errc>(why.code.value()));
  if (why.code.category() == std::system_category() && why.argument != nullptr &&
      std::string_view(why.argument).find("TMPDIR") != std::string_view::npos)
    return "set TMPDIR to a folder with room for the input, or name a file instead of -";
  if (why.code.category() == std::system_category()) return for_system_error(why.code.value());
  if (why.code.category() != category()) return "try again";

  switch (static_cast<errc>(why.code.value())) {
    case errc::is_directory: return next_step_of_folder(std::string(file));
    case errc::file_shrank: return "try again once nothing writes to it";
    case errc::out_of_memory: return "try again with more memory";
    case errc::decoded_limit:
      return "if you trust the file, allow more with --max-decoded, or --max-memory where given";
    case errc::decoded_total_limit: return "if you trust the file, allow more with --max-total";
    case errc::resident_limit: return "add --io map, or allow more with --max-memory";
    case errc::metadata_limit:
    case errc::object_limit:
    case errc::too_many_gaps: return "open it through the library, with a higher limit in open_options";
    case errc::version_1: return "copy its bytes by offset and length; no release ever read more of version 1";
    case errc::unsupported_strides:
      return "add --as-stored to `tgmap extract` or `tgmap show` to ignore the strides and read in C order";
    case errc::encoded:
    case errc::filtered:
    case errc::compressed:
    case errc::masked:
    case errc::payload_size_mismatch:
    case errc::unknown_codec:
    case errc::bad_parameter:
    case errc::bad_combination: return "use `tgmap extract --stored` to get the payload as stored";
    case errc::codec_absent: return "run `tgmap doctor` to see which library or build option provides it";
    case errc::codec_forbidden: return "open it through the library, with that codec in open_options::codecs";
    case errc::codec_failed:
    case errc::decoded_size_mismatch:
    case errc::bad_mask:
      return fmt::format("run `tgmap validate {}` to see whether it has changed since it was written", file);
    case errc::hash_mismatch:
      return "the bytes changed after they were written: get the file again from its source, or leave out --verify";
    case errc::not_representable: return "keep the elements in their own type";
    case errc::unsupported_dtype: return "choose another pipeline, or convert the elements first";
    case errc::unsupported_sample_bits: return "use --bits 8, 16, 24 or 32, --filter shuffle, or another --compression";
    case errc::non_finite: return "store them as masks with --allow-nan and --allow-inf";
    case errc::reserved_key: return "leave it out; the writer sets it";
    case errc::too_large: return "use another --compression";
    case errc::unsupported_wire_version: return "write --wire 3";
    case errc::unsupported_upgrade: return "run `tgmap upgrade`, which decodes where needed";
    case errc::incomplete_tail: return "wait for its writer, or add --repair to cut off the incomplete message";
    case errc::archive_locked: return "wait until the other writer is done";
    case errc::cannot_lock: return "add --no-lock if nothing else appends to it";
    case errc::archive_changed: return "run it again once nothing else writes to the archive; nothing was lost";
    case errc::not_an_index:
    case errc::unknown_index_version:
    case errc::index_damaged:
    case errc::index_mismatch: return "make the index anew with `tgmap index create`, or add --no-index";
    case errc::no_index: return "make the index with `tgmap index create`";
    case errc::index_not_owned:
      return "if you trust its owner, add --trust-index-of or set TGMAP_TRUST_INDEX_OF; else make an index of your own "
             "with `tgmap index create --cache` and use it with --index-cache";
    case errc::not_a_message: return fmt::format("run `tgmap ls {}` to see where messages begin", file);
    case errc::out_of_range: return fmt::format("run `tgmap ls {}` to see what there is", file);
    default: return fmt::format("run `tgmap validate {}` to see all that is wrong with it", file);
  }
}

std::string next_step_for_storing(const failure& why, std::string_view file) {
  const std::string_view argument = why.argument == nullptr ? "" : why.argument;
  if (why.code == errc::bad_parameter && argument == detail::packed_range)
    return "leave out --encoding; --filter shuffle with --compression zstd also saves room";
  if (why.code == errc::not_representable && argument == detail::packed_error)
    return "raise --max-error, or leave out --encoding";
  if (why.code == errc::bad_parameter) return "change that number, or leave out --filter or --compression";
  if (why.code == errc::bad_combination)
    return "choose another --encoding, --filter or --compression, or leave one out";
  if (why.code == errc::not_representable) return "raise --bits, use --max-error, or leave out --encoding";
  return next_step(why, file);
}

std::optional<cli_error> label_error(const failure& why) {
  if (std::string_view(why.code.category().name()) != "tgmap.zio") return std::nullopt;
  const auto what = static_cast<zio::errc>(why.code.value());
  if (what == zio::errc::bad_label)
    return cli_error("its metadata has text that is not UTF-8, which no label of a ZIO message can have",
                     "correct the metadata with `tgmap set`, or copy the message with `tgmap copy`");
  if (what == zio::errc::label_too_deep)
    return cli_error(fmt::format("its metadata is nested too deep for the label of a ZIO message, which has at most {} "
                                 "levels",
                                 why.expected),
                     "remove the deep keys with `tgmap set`, or copy the message with `tgmap copy`");
  return std::nullopt;
}

}  // namespace tgmap::cli
