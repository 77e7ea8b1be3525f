// SPDX-License-Identifier: Apache-2.0
// Later views of an object, whose element layout is cached, equal the first one.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <filesystem>
#include <string>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::stride_policy;

BOOST_AUTO_TEST_SUITE(remembered_test)

namespace {

struct answer {
  const void* data = nullptr;
  std::vector<std::uint64_t> shape{};
  std::vector<std::int64_t> strides{};
  tgmap::failure why{};

  bool operator==(const answer& b) const {
    return data == b.data && shape == b.shape && strides == b.strides && why.code == b.why.code &&
           why.offset == b.why.offset && why.expected == b.why.expected && why.found == b.why.found &&
           why.message == b.why.message && why.object == b.why.object;
  }
};

template <class T>
answer view_of(const tgmap::object& object, stride_policy order) {
  answer out;
  const auto view = object.view<T>(order, out.why);
  out.data = view.data();
  out.shape.assign(view.shape().begin(), view.shape().end());
  out.strides.assign(view.strides().begin(), view.strides().end());
  return out;
}

/// Everything that can be asked of a new handle.
std::vector<answer> answers(const tgmap::archive& archive, std::size_t i, std::size_t j) {
  std::vector<answer> out;
  for (const auto order : {stride_policy::apply, stride_policy::ignore}) {
    out.push_back(view_of<float>(archive[i][j], order));
    out.push_back(view_of<double>(archive[i][j], order));
    out.push_back(view_of<std::uint8_t>(archive[i][j], order));
    out.push_back(view_of<std::int32_t>(archive[i][j], order));
    out.push_back(view_of<std::int64_t>(archive[i][j], order));
    out.push_back(view_of<std::complex<float>>(archive[i][j], order));
  }
  return out;
}

/// Asks three times, and in an archive where the strides are applied last. Returns the number of views.
std::size_t views_of(const tgmap::archive& archive, const std::string& name) {
  std::size_t views = 0;
  const tgmap::archive other = archive.reopen();
  for (std::size_t i = 0; i < archive.size(); ++i) {
    tgmap::failure none;
    for (std::size_t j = 0, count = archive[i].size(none); j < count; ++j) {
      if (tgmap::failure why; static_cast<void>(archive[i].at(j, why)), why) continue;
      const auto first = answers(archive, i, j);
      for (int again = 0; again < 2; ++again)
        if (answers(archive, i, j) != first) BOOST_ERROR(name << ": another view of message " << i << " object " << j);
      static_cast<void>(view_of<float>(other[i][j], stride_policy::ignore));
      auto turned = answers(other, i, j);
      for (std::size_t k = 0; k < first.size(); ++k) {
        if (!first[k].why) ++views;
        if (!first[k].why && archive.mode() == tgmap::io_mode::map) turned[k].data = first[k].data;  // another mapping
      }
      if (turned != first)
        BOOST_ERROR(name << ": message " << i << " object " << j << " depends on what was asked first");
    }
  }
  return views;
}

std::size_t views_in(const std::filesystem::path& folder) {
  std::size_t views = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".tgm") {
      tgmap::archive archive(entry.path(), {.damage = tgmap::on_damage::skip});
      views += views_of(archive, entry.path().filename());
    }
  return views;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_test_data) { BOOST_TEST(views_in(test_data()) > 10u); }

BOOST_AUTO_TEST_CASE(files_of_the_reference) {
  if (const auto shared = shared_data_or_skip("views asked for again"))
    BOOST_TEST(views_in(*shared / "data/tgm") > 100u);
}

BOOST_AUTO_TEST_CASE(objects_that_differ_in_one_number) {
  const auto made = [](const auto& change) {
    object_spec object = numbers_object("float32", {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
    object.shape = {2, 3};
    object.strides = {3, 1};
    change(object);
    return object;
  };
  message_spec spec;
  spec.objects = {made([](object_spec&) {}),
                  made([](object_spec& o) {
                    o.strides = {1, 2};
                  }),
                  made([](object_spec& o) {
                    o.shape = {3, 2}, o.strides = {2, 1};
                  }),
                  made([](object_spec& o) { o.shape = {6}, o.strides = {1}; }),
                  made([](object_spec& o) {
                    o.strides = {7, 1};
                  }),
                  made([](object_spec& o) { o.dtype = "int32"; }),
                  made([](object_spec& o) { o.byte_order = "big"; }),
                  made([](object_spec& o) { o.payload.pop_back(); }),
                  made([](object_spec& o) { o.compression = "lz4"; }),
                  made([](object_spec&) {})};
  const auto bytes = message(spec);
  const auto archive = tgmap::archive::from_memory(span_of(bytes));
  BOOST_TEST(views_of(archive, "one message") == 13u);
  const auto turned = archive[0][1].view<float>();
  BOOST_TEST(turned(1, 0) == 2.0F);
  BOOST_TEST(archive[0][1].view<float>(stride_policy::ignore)(1, 0) == 4.0F);
  BOOST_TEST(archive[0][9].view<float>()(1, 2) == 6.0F);
  TGMAP_THROWS(archive[0][4].view<float>(), errc::unsupported_strides);
  BOOST_TEST(archive[0][4].view<float>(stride_policy::ignore)(1, 2) == 6.0F);
}

BOOST_AUTO_TEST_SUITE_END()
