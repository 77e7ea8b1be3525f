// SPDX-License-Identifier: Apache-2.0
// Reading structure reads no page that holds only payload.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "failing_pread.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(payload_pages_test)

namespace {

constexpr std::uint64_t page = 4096;

/// Messages whose parts end anywhere on their pages.
bytes fields(writing how, unsigned version) {
  bytes out;
  for (unsigned n = 0; n < 24; ++n) {
    message_spec spec;
    spec.version = version;
    spec.writing = how;
    for (unsigned k = 0; k < 4; ++k) {
      spec.objects.push_back(bytes_object(payload_of(n + k, 60'000 + 1'111 * n + 333 * k)));
      spec.base.push_back(cbor::map({cbor::key("n", cbor::unsigned_integer(n))}));
    }
    out += message(spec);
  }
  return out;
}

/// Pages with nothing but payload, as [first, end).
std::vector<std::pair<std::uint64_t, std::uint64_t>> payload_pages(const bytes& data) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  const auto archive = tgmap::archive::from_memory(span_of(data));
  for (const tgmap::message& m : archive)
    for (std::size_t j = 0; j < m.size(); ++j) {
      const std::uint64_t begin = m[j].payload_offset(), end = begin + m[j].payload_size();
      out.emplace_back((begin + page - 1) / page, end / page);
    }
  return out;
}

/// Returns the payload pages of the archive that `use` reads.
template <class F>
std::size_t fetched(const bytes& data, F&& use) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", data), {.io = tgmap::io_mode::read});
  const auto payloads = payload_pages(data);
  std::vector<read_range> reads;
  record_reads(&reads);
  use(archive);
  record_reads(nullptr);
  std::size_t out = 0;
  for (const auto& [first, behind] : payloads)
    for (const read_range& r : reads)
      for (std::uint64_t p = r.offset / page; r.size > 0 && p <= (r.offset + r.size - 1) / page; ++p)
        out += p >= first && p < behind ? 1U : 0U;
  return out;
}

struct use {
  std::string_view name;
  void (*run)(const tgmap::message&);
};

const use uses[] = {
    {"finding it", [](const tgmap::message&) {}},
    {"size", [](const tgmap::message& m) { static_cast<void>(m.size()); }},
    {"objects",
     [](const tgmap::message& m) {
       for (std::size_t j = 0; j < 4; ++j) static_cast<void>(m[j]);
     }},
    {"descriptors",
     [](const tgmap::message& m) {
       for (std::size_t j = 0; j < 4; ++j) static_cast<void>(m[j].descriptor());
     }},
    {"metadata",
     [](const tgmap::message& m) {
       for (std::size_t j = 0; j < 4; ++j) static_cast<void>(m[j].metadata().find("n"));
     }},
    {"frames",
     [](const tgmap::message& m) {
       for (const tgmap::frame& f : m.frames()) static_cast<void>(f.stored_hash());
     }},
};

}  // namespace

BOOST_AUTO_TEST_CASE(structure_is_read_without_payload) {
  for (const unsigned version : {2u, 3u})
    for (const writing how : {writing::buffered, writing::streamed}) {
      const bytes data = fields(how, version);
      for (const auto& [name, run] : uses) {
        const std::size_t pages = fetched(data, [&, run = run](const tgmap::archive& archive) {
          for (const tgmap::message& m : archive) run(m);
        });
        BOOST_TEST(pages == 0u, name << ", version " << version << (how == writing::streamed ? ", streamed: " : ": ")
                                     << pages << " pages of payload");
      }
    }
}

BOOST_AUTO_TEST_CASE(the_counter_counts_payload_pages) {
  const bytes data = fields(writing::buffered, 3);
  BOOST_TEST(fetched(data, [](const tgmap::archive& archive) { static_cast<void>(archive[3][1].payload()); }) > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
