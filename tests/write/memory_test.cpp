// SPDX-License-Identifier: Apache-2.0
// A writer allocates nothing from one small message to the next, and keeps no partial results without memory.
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <support/process/failing_new.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(memory_test)

namespace {

struct small_messages {
  std::vector<float> values = std::vector<float>(256, 1.5F);
  std::vector<cbor_value> bases{};
  tgmap::new_message message{};

  small_messages() {
    for (int step = 0; step < 8; ++step)
      bases.push_back(cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}, {"step", step}})}}));
    message.objects.emplace_back(new_object::of(std::span<const float>(values)));
  }

  const tgmap::new_message& next(std::size_t i) {
    values[i % values.size()] += 1;
    std::get<new_object>(message.objects[0]).base = bases[i % bases.size()];
    return message;
  }
};

/// Accepts all bytes and keeps none.
struct null_sink final : tgmap::sink {
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>>) noexcept override { return {}; }
};

/// Returns options with a fixed time. With the clock, the provenance would be encoded again each second.
tgmap::write_options with_fixed_time(int version = 3) {
  return {.version = version, .provenance = {.time = "2026-11-22T05:00:00Z"}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_messages_need_no_allocations) {
  for (const int version : {2, 3}) {
    small_messages in;
    null_sink sink;
    tgmap::writer out(sink, with_fixed_time(version));
    for (std::size_t i = 0; i < 16; ++i) out.write(in.next(i));
    fail_allocations_after(-1);
    for (std::size_t i = 0; i < 1000; ++i) out.write(in.next(i));
    BOOST_TEST(allocations() == 0);
  }
}

BOOST_AUTO_TEST_CASE(packed_messages_need_no_allocations) {
  small_messages in;
  std::vector<double> doubles(256);
  std::iota(doubles.begin(), doubles.end(), 200.0);
  in.message.objects[0] = new_object::of(std::span<const double>(doubles));
  std::get<new_object>(in.message.objects[0]).pipeline.encoding = tgmap::encoding::simple_packing;
  null_sink sink;
  tgmap::writer out(sink, with_fixed_time());
  for (std::size_t i = 0; i < 16; ++i) out.write(in.next(i));
  fail_allocations_after(-1);
  for (std::size_t i = 0; i < 1000; ++i) out.write(in.next(i));
  BOOST_TEST(allocations() == 0);
}

BOOST_AUTO_TEST_CASE(loading_and_rewriting_needs_no_allocations) {
  small_messages in;
  in.message.extra = cbor_value::map({{"title", "demo"}});
  tgmap::memory_sink original;
  tgmap::writer first(original);
  for (std::size_t i = 0; i < 200; ++i) first.write(in.next(i));
  const std::vector<std::byte> bytes = original.release();
  const auto data = tgmap::archive::from_memory(bytes);
  BOOST_TEST(data.size() == 200u);

  null_sink sink;
  tgmap::writer out(sink, with_fixed_time());
  tgmap::stored_message loaded;
  const cbor_value step(12);
  const auto rewrite = [&](std::size_t i) {
    loaded.load(data[i]);
    std::get<tgmap::stored_object>(loaded.content.objects[0]).base.set("mars.step", step);
    out.write(loaded.content);
  };
  for (std::size_t i = 0; i < 16; ++i) rewrite(i);
  fail_allocations_after(-1);
  for (std::size_t i = 16; i < 200; ++i) rewrite(i);
  BOOST_TEST(allocations() == 0);
}

BOOST_AUTO_TEST_CASE(no_partial_results_are_kept_without_memory) {
  small_messages in;
  const tgmap::write_options how{.provenance = tgmap::provenance::reproducible()};
  std::vector<float> others(64, 2.5F);
  tgmap::new_message other;
  other.objects.emplace_back(new_object::of(std::span<const float>(others), {8, 8}));
  other.objects.emplace_back(new_object::of(std::span<const float>(others)));
  std::get<new_object>(other.objects[0]).type = "a type too long to be copied without an allocation";
  const auto wanted = tgmap::to_bytes(other, how), first = tgmap::to_bytes(in.next(0), how);

  bool succeeded = false;
  for (long n = 0; n < 1000 && !succeeded; ++n) {
    tgmap::memory_sink sink;
    tgmap::writer out(sink, how);
    out.write(in.message);
    sink.clear();
    tgmap::failure why;
    fail_allocations_after(n);
    out.write(other, why);
    fail_allocations_after(-1);
    succeeded = !why;
    if (succeeded) continue;
    BOOST_TEST((why.code == tgmap::make_error_code(tgmap::errc::out_of_memory)));
    if (out.messages() != 1 || !sink.bytes().empty()) continue;  // the sink had no memory
    tgmap::failure again;
    out.write(other, again);
    if (again.code == tgmap::make_error_code(tgmap::errc::call_out_of_order)) continue;
    BOOST_TEST(!again);
    BOOST_TEST((sink.bytes() == wanted));
    sink.clear();
    out.write(in.message);
    BOOST_TEST((sink.bytes() == first));
  }
  BOOST_TEST(succeeded);
}

BOOST_AUTO_TEST_SUITE_END()
