// SPDX-License-Identifier: Apache-2.0
// An archive of a byte_source gives what the same bytes in a file give, and gives it again after failures. A source
// that answers short, late, with errors or with other bytes changes results, nothing worse.
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <support/counted_source.hpp>
#include <support/survey.hpp>
#include <thread>

#include "support/archives.hpp"
#include "support/require.hpp"
#include "support/seeded_random.hpp"

using namespace tgmap_fuzz;
using tgmap::archive;
using tgmap::failure;
using tgmap_test::counted_source;

namespace {

tgmap::source_costs random_costs(seeded_random& random) {
  return {.gap = random.below(4) == 0 ? 0 : random.below(20000),
          .max_request = random.below(30000),
          .max_requests = static_cast<unsigned>(1 + random.below(5))};
}

failure random_failure(seeded_random& random) {
  switch (random.below(5)) {
    case 0: throw std::runtime_error("a source may throw");
    case 1: throw std::bad_alloc();
    case 2: return {.code = static_cast<tgmap::errc>(1 + random.below(179)), .offset = random.next(), .found = 1};
    case 3: return {.code = tgmap::errc::file_shrank, .expected = random.next(), .found = random.next()};
    default: return {.code = std::make_error_code(std::errc::connection_reset)};
  }
}

/// Changes some bytes of an answer.
void corrupt(std::span<const tgmap::byte_request> ranges, seeded_random& random) {
  for (const tgmap::byte_request& each : ranges)
    for (unsigned k = 0; k < 4; ++k) each.out[random.below(each.out.size())] = std::byte(random.next());
}

/// A source that works for the first requests, and then seldom.
class unreliable_source final : public tgmap::byte_source {
 public:
  unreliable_source(std::shared_ptr<counted_source> from, std::uint64_t seed, bool keeps_bytes)
      : from_(std::move(from)), random_(seed), keeps_bytes_(keeps_bytes) {}

  failure open(std::span<tgmap::opening_request> first, tgmap::source_state& state) override {
    const failure why = from_->open(first, state);
    if (is_healed) return why;
    if (random_.one_in(8)) return random_failure(random_);
    if (!keeps_bytes_) {
      if (random_.one_in(4)) state.size = random_.one_in(3) ? random_.next() : random_.below(state.size + 100);
      if (random_.one_in(4)) state.version += 'x';
      for (tgmap::opening_request& each : first)
        if (random_.one_in(3)) each.filled = random_.one_in(2) ? random_.next() : random_.below(each.out.size() + 1);
    }
    return why;
  }

  failure read(std::span<const tgmap::byte_request> ranges, const std::stop_token& stop) override {
    if (is_healed) return from_->read(ranges, stop);
    switch (random_.below(12)) {
      case 0: return random_failure(random_);
      case 1: std::this_thread::yield(); break;  // late
      case 2:                                    // short: the rest stays zeros
        if (!keeps_bytes_) return {};
        break;
      case 3: {
        const failure why = from_->read(ranges, stop);
        if (!keeps_bytes_) corrupt(ranges, random_);
        return why;
      }
      default: break;
    }
    return from_->read(ranges, stop);
  }

  tgmap::source_costs costs() const noexcept override { return from_->costs(); }
  void will_need(std::span<const tgmap::byte_range>) override {
    if (!is_healed && random_.one_in(20)) throw std::runtime_error("a source may throw");
  }

  bool is_healed = false;

 private:
  std::shared_ptr<counted_source> from_;
  seeded_random random_;
  bool keeps_bytes_;
};

/// Calls everything; nothing is said of the results.
void use(const archive& a, seeded_random& random) {
  failure why;
  (void)a.scan(random.below(1000), {}, why);
  (void)a.nth_from_end(random.below(3), why);
  (void)tgmap_test::survey_of(a);
  (void)a.partition(3, why);
  const archive again = a.reopen(why);
  (void)tgmap_test::survey_of(again);
  (void)a.is_replaced(why);
  (void)tgmap_test::survey_of(a);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  seeded_random random(data);
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const auto healthy = std::make_shared<counted_source>(text, random_costs(random));
  healthy->gives_first = random.one_in(2);
  const std::string expected = tgmap_test::survey_of(in_file(data, tgmap::io_mode::read)).text;
  require_same(tgmap_test::survey_of(archive::from_source(healthy, skip)).text, expected,
               "a source gives what a file gives");

  const auto failing = std::make_shared<unreliable_source>(healthy, random.next(), true);
  failure why;
  if (const archive a = archive::from_source(failing, skip, why); !why) {
    use(a, random);
    failing->is_healed = true;
    require_same(tgmap_test::survey_of(a).text, expected, "an archive is as before after failures of its source");
  }
  require_same(healthy->breach, "", "requests keep the contract");
  const auto lying = std::make_shared<unreliable_source>(healthy, random.next(), false);
  auto options = skip;
  options.max_gaps = 1000;
  options.max_resident_bytes = 1 << 20;
  options.max_decoded_bytes = 1 << 24;
  options.offset = random.one_in(4) ? random.below(size + 1) : 0;
  if (const archive a = archive::from_source(lying, options, why); !why) {
    if (a.size_bytes() > 4 * size + 1000) return 0;  // a search for messages in that many zeros takes long
    use(a, random);
  }
  return 0;
}
