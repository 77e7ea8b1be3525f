// SPDX-License-Identifier: Apache-2.0
// Checks that keys and selections read no payload: its pages are not readable here.
#include <sys/mman.h>
#include <unistd.h>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <support/selection_samples.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(unread_payloads)

namespace {

/// A `protected_archive` is a copy of an archive in memory in which the pages within payloads are not readable. A page
/// at each end of a payload stays readable, because reads of structure may share it.
class protected_archive {
 public:
  explicit protected_archive(const bytes& data) : size_(data.size()) {
    memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    BOOST_TEST_REQUIRE(memory_ != MAP_FAILED);
    std::memcpy(memory_, data.data(), size_);
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const auto archive = open(data);
    for (const tgmap::message& m : archive)
      for (std::size_t j = 0; j < m.size(); ++j) {
        const std::uint64_t begin = (m[j].payload_offset() / page + 2) * page;
        const std::uint64_t end = ((m[j].payload_offset() + m[j].payload_size()) / page - 1) * page;
        if (begin >= end) continue;
        protected_bytes_ += end - begin;
        BOOST_TEST_REQUIRE(::mprotect(static_cast<char*>(memory_) + begin, end - begin, PROT_NONE) == 0);
      }
  }
  ~protected_archive() { ::munmap(memory_, size_); }
  protected_archive(const protected_archive&) = delete;
  protected_archive& operator=(const protected_archive&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(memory_), size_}; }
  std::uint64_t protected_bytes() const { return protected_bytes_; }

 private:
  void* memory_ = nullptr;
  std::size_t size_;
  std::uint64_t protected_bytes_ = 0;
};

tgmap_test::bytes large_messages() {
  tgmap_test::bytes out;
  for (const auto how : {writing::buffered, writing::streamed})
    for (const bool cbor_first : {false, true}) {
      object_spec large = bytes_object(payload_of(1, 300000));
      large.cbor_first = cbor_first;
      out += message({.objects = {large, large},
                      .writing = how,
                      .base = {cbor::map({cbor::key("mars", mars("2t", 6))}), cbor::map({})}});
    }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(matching_reads_no_payload) {
  const protected_archive memory(large_messages());
  BOOST_TEST(memory.protected_bytes() > 2000000u);
  const auto archive = tgmap::archive::from_memory(memory.bytes());
  const tgmap::selection wanted(
      "mars.param=2t and mars.step=0..12 and not has nothing and dtype=uint8 and shape[0]>1 and @stored=300000 and "
      "@decoded=300000 and @payload>0 and has hash and @index_location!=none and @objects=2 and has @masks");
  std::size_t messages = 0, objects = 0;
  for (const tgmap::message& m : archive) {
    messages += wanted.matches(m) ? 1 : 0;
    for (std::size_t j = 0; j < 2; ++j) objects += wanted.matches(m, m[j]) ? 1 : 0;
    BOOST_TEST(tgmap::key_lookup(m).nearest_key("mars.parm") == "mars.param");
  }
  BOOST_TEST(messages == 4u);
  BOOST_TEST(objects == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
