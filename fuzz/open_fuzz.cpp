// SPDX-License-Identifier: Apache-2.0
// A whole archive: visits everything, in memory and mapped, by index and by walk, and compares what each says.
#include <sys/mman.h>
#include <unistd.h>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tgmap/tgmap.hpp>

#include "../tests/support/survey.hpp"

namespace {

using namespace tgmap_test;

void require(bool holds) {
  if (!holds) std::abort();
}

/// What an archive in a file says; the file is memory and has no name.
survey survey_of_file(std::span<const std::byte> data, tgmap::io_mode io) {
  static const int file = ::memfd_create("open_fuzz", MFD_CLOEXEC);
  require(file >= 0 && ::ftruncate(file, 0) == 0);
  require(::pwrite(file, data.data(), data.size(), 0) == static_cast<ssize_t>(data.size()));
  return survey_of(tgmap::archive::from_descriptor(file, {.io = io, .damage = tgmap::on_damage::skip}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto archive = tgmap::archive::from_memory(data, {.damage = tgmap::on_damage::skip});
  require(broken_invariant(archive).empty());
  const survey indexed = survey_of(archive);
  require(indexed.text.find("contradicts") == std::string::npos);
  require(indexed.text.find("differs") == std::string::npos);
  const survey walked = survey_of(
      tgmap::archive::from_memory(data, {.damage = tgmap::on_damage::skip, .lookup = tgmap::object_lookup::walk}));
  require(!indexed.whole || !walked.whole || indexed.text == walked.text);
  (void)survey_of(tgmap::archive::from_memory(data));
  require(survey_of_file(data, tgmap::io_mode::map).text == indexed.text);
  require(survey_of_file(data, tgmap::io_mode::read).bodies == indexed.bodies);  // views: what it reads is aligned
  return 0;
}
