// SPDX-License-Identifier: Apache-2.0
// However bytes are arranged, a scan reads each of them a few times at most.
#include <fstream>
#include <functional>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

#include "internal_state.hpp"

using namespace tgmap_test;

namespace {

/// Bytes this process has asked the system for so far, by any call that reads; 0 where the system does not count.
std::uint64_t bytes_read() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  for (std::uint64_t value = 0; counts >> name >> value;)
    if (name == "rchar:") return value;
  return 0;
}

constexpr std::size_t kib = 1024, mib = 1024 * kib;

bytes preamble(std::uint64_t length) {
  return bytes(magic) + big_endian(3, 2) + bytes(6, '\0') + big_endian(length, 8);
}
bytes frame_start(std::uint64_t length) {
  return "FR" + big_endian(9, 2) + big_endian(1, 2) + bytes(2, '\0') + big_endian(length, 8);
}
bytes small_frame() {
  return "FR" + big_endian(1, 2) + big_endian(1, 2) + bytes(2, '\0') + big_endian(28, 8) + bytes(8, '\0') + "ENDF";
}
bytes repeated(const bytes& piece, std::size_t size) {
  bytes out;
  out.reserve(size + piece.size());
  while (out.size() < size) out += piece;
  return out;
}

/// Half of preambles, each with a first frame that ends where the other half begins, by `end`; then frames without end.
bytes shared_chain(std::size_t size, const bytes& end, unsigned every = 1) {
  bytes out;
  for (std::size_t n = 0; out.size() < size / 2; ++n)
    out += n % every == 0 ? preamble(0) + frame_start(size / 2 + 40 + 8 - out.size() - 24) : bytes(40, 'x');
  out.resize(size / 2 + 40, 'x');
  out += end;
  const bytes frame = small_frame() + bytes(4, '\0');
  return out + repeated(frame, size - out.size());
}

struct hostile {
  const char* what;
  std::function<bytes(std::size_t)> make;
};

const hostile all[] = {
    {"preambles that share a chain of frames without end", [](std::size_t n) { return shared_chain(n, "    ENDF"); }},
    {"preambles that share a frame without its end", [](std::size_t n) { return shared_chain(n, "    NODF"); }},
    {"few such preambles", [](std::size_t n) { return shared_chain(n, "    ENDF", 100); }},
    {"a sound archive before them",
     [](std::size_t n) { return repeated(numbered(1), n / 2) + shared_chain(n / 2, "    ENDF"); }},
    {"streams cut behind a frame", [](std::size_t n) { return repeated(preamble(0) + small_frame(), n); }},
    {"streams cut behind a frame, and padding",
     [](std::size_t n) { return repeated(preamble(0) + small_frame() + bytes(60000, 'p'), n); }},
    {"padding that looks like everything",
     [](std::size_t n) { return repeated(preamble(0) + small_frame() + repeated("F3TENDF3", 60000), n); }},
    {"streams of nothing", [](std::size_t n) { return repeated(preamble(0), n); }},
    {"magic words", [](std::size_t n) { return repeated(bytes(magic), n); }},
    {"preambles that end far away",
     [](std::size_t n) {
       bytes out;
       while (out.size() < n) out += preamble(48 + (out.size() * 0x9e3779b97f4a7c15u >> 20) % (n - out.size() + 1));
       return out;
     }},
    {"one byte between messages", [](std::size_t n) { return repeated(numbered(1) + "j", n); }},
    {"sound messages, then damage, by turns",
     [](std::size_t n) { return repeated(numbered_archive(200) + "junk", n); }},
    {"frames that begin like frames",
     [](std::size_t n) { return preamble(0) + repeated(frame_start(40) + bytes(20, 'F') + "ENDF", n); }},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_scan_reads_each_byte_a_few_times_at_most) {
  if (bytes_read() == 0) {
    BOOST_TEST_MESSAGE("the system does not count");
    return;
  }
  const temporary_directory temporary;
  for (const auto& [what, make] : all)
    for (const std::size_t size : {64 * kib, 1 * mib, 8 * mib}) {
      const bytes data = make(size);
      const tgmap::archive archive(temporary.file("hostile.tgm", data),
                                   {.io = tgmap::io_mode::read, .damage = tgmap::on_damage::skip});
      const std::uint64_t before = bytes_read();
      tgmap::failure why;
      BOOST_TEST_CONTEXT(what << ", " << size / kib << " KiB") {
        BOOST_TEST(archive.scan(UINT64_MAX, {}, why).complete);
        TGMAP_SUCCEEDED(why);
        BOOST_TEST(bytes_read() - before <= 8 * data.size() + mib / 2);
      }
    }
}

// By bytes looked at where they lie nothing counts; but work that grew with the square would take hours here.
BOOST_AUTO_TEST_CASE(sixty_four_mebibytes_are_a_matter_of_seconds) {
  for (const auto& [what, make] : all) {
    const bytes data = make(64 * mib);
    const auto archive = open_skipping(data);
    BOOST_TEST_CONTEXT(what) { BOOST_TEST(archive.scan().complete); }
  }
}
