// SPDX-License-Identifier: Apache-2.0
#include "index_file/open_file.hpp"

namespace tgmap::index_file {

namespace {

constexpr int max_links = 40;  // the limit of Linux

bool is_link(const failure& why) noexcept { return why.code == std::errc::too_many_symbolic_link_levels; }

/// Opens a file. Follows its links one by one, since each belongs to somebody.
io::file follow(std::filesystem::path path, const owner_check& check, failure& why) {
  for (int links = 0;; ++links) {
    why = {};
    io::file out = io::file::open_at_once(path, true, why);
    if (!is_link(why) || links == max_links) return out;
    why = {};
    const io::symbolic_link link = io::read_link(path, why);
    if (!why) why = check(link.owner);
    if (why) return {};
    path = path.parent_path() / link.target;
  }
}

}  // namespace

io::file open_file(const std::filesystem::path& path, const owner_check& check, failure& why) {
  why = {};
  io::file out = check ? follow(path, check, why) : io::file::open_at_once(path, false, why);
  // A socket cannot be opened.
  const failure other_kind{.code = errc::not_an_index};
  if (why.code == std::errc::no_such_device_or_address) why = other_kind;
  io::file_kind kind{};
  std::uint64_t size = 0;
  std::uint32_t owner = 0;
  if (!why) why = out.stat(kind, size, &owner);
  if (!why && kind != io::file_kind::regular) why = other_kind;
  if (!why && check) why = check(owner);
  return why ? io::file() : std::move(out);
}

}  // namespace tgmap::index_file
