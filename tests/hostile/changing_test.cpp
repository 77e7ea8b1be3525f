// SPDX-License-Identifier: Apache-2.0
// Another program changes the bytes under the mapping: other answers or errors, nothing worse.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/numbered.hpp>
#include <support/survey.hpp>
#include <support/temporary.hpp>
#include <thread>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(changing_test)

namespace {

/// A file mapped for writing, as by a producer that fills in lengths.
class scribbled {
 public:
  scribbled(const std::filesystem::path& path, std::size_t size) : size_(size) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    BOOST_REQUIRE(descriptor >= 0);
    at_ = static_cast<unsigned char*>(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
    ::close(descriptor);
    BOOST_REQUIRE(at_ != MAP_FAILED);
  }
  ~scribbled() { ::munmap(at_, size_); }
  scribbled(const scribbled&) = delete;
  scribbled& operator=(const scribbled&) = delete;

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(at_, size_)); }

  /// Writes one byte atomically, so that only the checks of the reader are tested.
  void set(std::size_t i, unsigned char to) { std::atomic_ref(at_[i]).store(to, std::memory_order_relaxed); }

 private:
  unsigned char* at_;
  std::size_t size_;
};

bytes many_objects() {
  message_spec spec;
  spec.index = where::header;
  for (unsigned n = 0; n < 40; ++n) spec.objects.push_back(bytes_object(payload_of(n, 30)));
  return message(spec);
}

}  // namespace

BOOST_AUTO_TEST_CASE(eight_readers_while_every_byte_changes) {
  const temporary_directory temporary;
  const bytes data = several(0, 20, 60) + many_objects() + several(20, 5, 400);
  const auto path = temporary.file("a.tgm", data);
  scribbled file(path, data.size());
  std::atomic<bool> over{false};
  std::atomic<unsigned> surveys{0};
  std::vector<std::jthread> readers;
  for (unsigned t = 0; t < 8; ++t)
    readers.emplace_back([&, t] {
      const tgmap::archive shared(path, {.io = tgmap::io_mode::map, .damage = tgmap::on_damage::skip});
      while (!over) {
        const tgmap::archive fresh(path,
                                   {.io = t % 2 ? tgmap::io_mode::map : tgmap::io_mode::read,
                                    .damage = tgmap::on_damage::skip,
                                    .lookup = t % 4 < 2 ? tgmap::object_lookup::index : tgmap::object_lookup::walk});
        (void)survey_of(fresh);
        (void)survey_of(shared);  // uses the caches, while the bytes have changed
        (void)survey_of(tgmap::archive::from_memory(file.bytes(), tgmap::memory::may_change));
        ++surveys;
      }
    });
  std::minstd_rand random(1);
  while (surveys < 400) {
    const std::size_t i = random() % data.size();
    file.set(i, random() % 3 ? static_cast<unsigned char>(random()) : random() % 2 ? 0xff : 0);
    if (random() % 2) file.set(i, static_cast<unsigned char>(data[i]));
  }
  over = true;
  readers.clear();
  for (std::size_t i = 0; i < data.size(); ++i) file.set(i, static_cast<unsigned char>(data[i]));
  const auto end = survey_of(tgmap::archive(path, {.io = tgmap::io_mode::map}));
  BOOST_TEST(end.whole);
  BOOST_TEST(end.messages == 26u);
}

BOOST_AUTO_TEST_CASE(a_producer_that_fills_in_lengths) {
  // A streamed message gets its length, in the preamble and in the postamble, while it is read.
  const temporary_directory temporary;
  const bytes data = numbered_stream(1);
  const auto path = temporary.file("a.tgm", data);
  scribbled file(path, data.size());
  const bytes length = big_endian(data.size(), 8);
  std::atomic<bool> over{false};
  std::jthread producer([&] {
    while (!over) {
      for (std::size_t i = 0; i < 8; ++i) file.set(data.size() - 16 + i, static_cast<unsigned char>(length[i]));
      for (std::size_t i = 0; i < 8; ++i) file.set(16 + i, static_cast<unsigned char>(length[i]));
      for (std::size_t i = 0; i < 8; ++i) file.set(16 + i, 0);
      for (std::size_t i = 0; i < 8; ++i) file.set(data.size() - 16 + i, 0);
    }
  });
  for (unsigned n = 0; n < 2000; ++n) {
    const tgmap::archive archive(path, {.io = tgmap::io_mode::map, .damage = tgmap::on_damage::skip});
    tgmap::failure why;
    for (std::size_t i = 0, count = archive.size(why); i < count; ++i)
      BOOST_REQUIRE(archive[i].length() <= data.size());
  }
  over = true;
}

BOOST_AUTO_TEST_SUITE_END()
