// SPDX-License-Identifier: Apache-2.0
#include "support/archives.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "support/require.hpp"

namespace tgmap_fuzz {

std::string fingerprint(std::span<const std::byte> data) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const std::byte b : data) h = (h ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3u;
  return std::to_string(data.size()) + ":" + std::to_string(h);
}

tgmap::archive in_file(std::span<const std::byte> data, tgmap::io_mode io, tgmap::open_options options) {
  options.io = io;
  const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(file >= 0 && ::write(file, data.data(), data.size()) == static_cast<ssize_t>(data.size()),
          "an anonymous file can be written");
  auto archive = tgmap::archive::from_descriptor(file, options);
  ::close(file);  // the archive has a duplicate
  return archive;
}

std::string description_of(const tgmap::object& o) {
  tgmap::failure why;
  std::string out = std::to_string(o.index()) + " " + std::to_string(o.payload_size()) + " of " +
                    std::to_string(o.payload_and_masks_size()) + " " + fingerprint(o.payload_and_masks(why));
  if (why) out += " " + why.code.message();
  const auto d = o.descriptor(why);
  out += why ? " " + why.code.message() : " " + fingerprint(d.entries.bytes()) + " " + std::to_string(d.element_count);
  const auto metadata = o.metadata(why);
  if (why) out += " " + why.code.message();
  for (const auto& entry : metadata.entries()) out += " " + entry.key + "=" + fingerprint(entry.value.bytes());
  out += std::string(" ") + std::string(to_string_view(o.verify(why)));
  return out + "\n";
}

std::string descriptions_of(const tgmap::message& m) {
  tgmap::failure why;
  const std::size_t count = m.size(why);
  if (why) return why.code.message();
  std::string out;
  for (std::size_t j = 0; j < count; ++j) {
    const auto o = m.at(j, why);
    out += why ? why.code.message() + "\n" : description_of(o);
  }
  return out;
}

}  // namespace tgmap_fuzz
