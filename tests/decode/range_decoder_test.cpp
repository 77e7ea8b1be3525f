// SPDX-License-Identifier: Apache-2.0
// An object that is decoded in small pieces, in any order, equals the result of one thread.
#include "decode/range_decoder.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <thread>
#include <vector>

#include <support/manifest_file.hpp>
#include "decode/plan.hpp"

using namespace tgmap_test;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(range_decoder_test)

namespace {

/// An executor that runs pieces in another order, on threads of its own.
class disorderly final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 2; }
  void run(std::size_t count, task task) noexcept override {
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    pieces += count;
    const auto half = [&](std::size_t from) {
      for (std::size_t i = from; i < count; i += 2) task.run(task.context, order[i]);
    };
    std::thread other(half, 1);
    half(0);
    other.join();
  }
  std::size_t pieces = 0;

 private:
  std::mt19937 random_{3};
};

struct tally {
  std::size_t objects = 0, pieces = 0;
  std::map<std::string, std::size_t> cut;  ///< objects with several pieces, by compression
};

void check_object(const tgmap::object& o, std::size_t block, tally& count) {
  tgmap::failure why;
  const tgmap::tensor whole = o.decode({}, why);
  if (why || whole.size() == 0) return;
  tgmap::decode::plan plan;
  BOOST_TEST_REQUIRE(!plan_for(o, o.descriptor(), plan));
  tgmap::decode::range_decoder decoder(plan, o, {});
  tgmap::core::scratch blob, masks;
  BOOST_TEST_REQUIRE(!decoder.open(tgmap::decode::reading::whole_in_parts, blob, masks));
  if (decoder.whole_only()) return;
  disorderly threads;
  bytes out(whole.bytes().size(), '?');
  const auto to = std::as_writable_bytes(std::span(out));
  why = decoder.decode_all(to, threads, block);
  BOOST_TEST(!why, why.text());
  BOOST_TEST(std::ranges::equal(to, whole.bytes()));
  ++count.objects;
  count.pieces += threads.pieces;
  if (threads.pieces > 1) ++count.cut[std::string(to_string_view(plan.descriptor.compression))];
}

tally check_all(const std::filesystem::path& directory, tgmap::io_mode mode, std::size_t block) {
  tally out;
  for (const json& one : manifest_of(directory)) {
    const std::string file = one.at("file");
    BOOST_TEST_CONTEXT(file) {
      const tgmap::archive a(directory / file, {.io = mode, .damage = tgmap::on_damage::skip});
      for (std::size_t i = 0; i < one.at("messages").size(); ++i) {
        const tgmap::message m = a[i];
        const std::size_t objects = one["messages"][i].value("objects", json::array()).size();
        for (std::size_t j = 0; j < objects; ++j)
          BOOST_TEST_CONTEXT("message " << i << ", object " << j) check_object(m[j], block, out);
      }
    }
  }
  BOOST_TEST_MESSAGE(out.objects << " objects in " << out.pieces << " pieces");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_in_the_tree) {
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read})
    for (const std::size_t block : {64, 1000}) BOOST_TEST(check_all(test_data(), mode, block).pieces > 100u);
}

BOOST_AUTO_TEST_CASE(all_shared_files) {
  const auto shared = shared_data_or_skip("pieces of 581 reference files");
  if (!shared) return;
  const tally count = check_all(*shared / "data" / "tgm" / "reference", tgmap::io_mode::map, 128);
  BOOST_TEST(count.objects > 2000u);
  for (const auto& codec : tgmap::codecs()) {
    const bool in_pieces =
        codec.compression == tgmap::compression::szip || codec.compression == tgmap::compression::zfp;
    if (in_pieces && codec.is_available) BOOST_TEST(count.cut.contains(std::string(codec.name)), codec.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
