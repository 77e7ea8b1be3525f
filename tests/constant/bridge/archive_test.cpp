// SPDX-License-Identifier: Apache-2.0
// Storing constants in archives, opening them, and archives with invalid constants.
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <support/temporary.hpp>
#include <tgmap/constant/archive.hpp>
#include <tgmap/constant/builder.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "../cases.hpp"

namespace constant = tgmap::constant;
using constant::errc;
using constant::tensor_constant;
using constant::tensor_type;
using nlohmann::json;

namespace {

const tgmap::write_options plain{.provenance = tgmap::provenance::reproducible()};

/// An archive in memory that owns its bytes.
struct stored {
  std::vector<std::byte> bytes;
  tgmap::archive opened;
  explicit stored(std::vector<std::byte> of) : bytes(std::move(of)), opened(tgmap::archive::from_memory(bytes)) {}
  explicit stored(const tgmap::new_message& m) : stored(tgmap::to_bytes(m, plain)) {}
  explicit stored(const tensor_constant& constant) : stored(constant::to_archive(constant).message) {}
  tensor_constant read() const { return constant::from_archive(opened, opened[0]); }
};

const json& samples() {
  static const json all = json::parse(R"j([
    ["tensor()", [{"address": {}, "value": 5}]],
    ["tensor(x[3])", [{"address": {"x": 1}, "value": -2.5}]],
    ["tensor<float>(x[2],y[3])", [{"address": {"x": 1, "y": 2}, "value": "NaN"}]],
    ["tensor<bfloat16>(x[2],y[1])", [{"address": {"x": 1, "y": 0}, "value": 0.5}]],
    ["tensor<int8>(x[5])", [{"address": {"x": 4}, "value": -128}]],
    ["tensor(k{})", []],
    ["tensor<float>(k{},x[2])", []],
    ["tensor(k{})", [{"address": {"k": ""}, "value": 1}]],
    ["tensor<float>(k{})", [{"address": {"k": "b"}, "value": "-Infinity"}, {"address": {"k": "a"}, "value": -0.0}]],
    ["tensor<int8>(b{},a{})", [{"address": {"a": "x", "b": "yz"}, "value": 1},
                               {"address": {"a": "xy", "b": "z"}, "value": 2}]],
    ["tensor<bfloat16>(k{},x[2],y[2])", [{"address": {"k": "né", "x": 1, "y": 0}, "value": 3}]]
  ])j");
  return all;
}

std::string code_of(const tgmap::failure& why) {
  if (why.code.category() == constant::category())
    return std::string(to_string_view(static_cast<errc>(why.code.value())));
  return why.code ? why.code.message() : "";
}

/// Returns the error of reading a message.
std::string verdict(const tgmap::new_message& m) {
  const stored in(m);
  tgmap::failure why;
  const tensor_constant read = constant::from_archive(in.opened, in.opened[0], why);
  return code_of(why ? why : read.validate());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(archives)

BOOST_AUTO_TEST_CASE(stored_constants_are_read_back) {
  for (const json& sample : samples()) {
    const tensor_constant constant = tgmap_test::constant_of(sample[0], sample[1]);
    const stored in(constant);
    const tensor_constant back = in.read();
    BOOST_TEST(tgmap_test::difference(back, tgmap_test::to_case(constant)) == "");
    BOOST_TEST((back.validate().code == std::error_code()));
    // The order of blocks and all bits of cells are kept.
    BOOST_TEST(std::string(reinterpret_cast<const char*>(back.bytes().data()), back.bytes().size()) ==
               std::string(reinterpret_cast<const char*>(constant.bytes().data()), constant.bytes().size()));
    BOOST_TEST((tgmap::to_bytes(constant::to_archive(back).message, plain) == in.bytes));
  }
}

BOOST_AUTO_TEST_CASE(cells_are_not_copied) {
  const tensor_constant constant = tgmap_test::constant_of(
      "tensor<float>(k{},x[2])",
      json::parse(R"([{"address": {"k": "b", "x": 1}, "value": 1}, {"address": {"k": "a", "x": 0}, "value": 2}])"));
  const stored in(constant);
  const tensor_constant back = in.read();
  BOOST_TEST(back.is_borrowed());
  const auto* begin = back.bytes().data();
  BOOST_TEST((begin >= in.bytes.data() && begin < in.bytes.data() + in.bytes.size()));
  BOOST_TEST((back.label(0).data() >= reinterpret_cast<const char*>(in.bytes.data())));
  BOOST_TEST(back.cells<float>().data() == reinterpret_cast<const float*>(begin));
  BOOST_TEST(back.cell({{"k", "a"}, {"x", 0}}) == 2.0);
  BOOST_TEST((back.block<float>(back.find_block("b").value())(1) == 1.f));
}

BOOST_AUTO_TEST_CASE(options_about_types_apply_to_stored_constants) {
  const stored archive(constant::read_json("[1,-2.5]", {.type = tensor_type::parse("tensor(x[2])")}));
  const auto read = [&](const char* type, std::optional<tgmap::dtype> cells, constant::report& found) {
    constant::read_options how{.cell_type = cells};
    if (type != nullptr) how.type = tensor_type::parse(type);
    return constant::from_archive(archive.opened, archive.opened[0], how, found);
  };
  constant::report found;
  BOOST_TEST(read(nullptr, {}, found).type().text() == "tensor(x[2])");
  BOOST_TEST(read("tensor<float>(x[2])", {}, found).type().text() == "tensor<float>(x[2])");
  BOOST_TEST(read("tensor<float>(x[2])", tgmap::dtype::int8, found).cell({{"x", 1}}) == -2.0);
  BOOST_TEST(!found);
  read("tensor(x[3])", {}, found);
  BOOST_TEST((found.first().code == errc::type_mismatch));
  BOOST_TEST(found.problems.at(0).path == "tensor(x[2])");
  const constant::read_options whole{.cell_type = tgmap::dtype::int8, .reject_fractions = true};
  constant::from_archive(archive.opened, archive.opened[0], whole, found);
  BOOST_TEST(found.problems.at(0).path == "cells[1]");
  BOOST_CHECK_THROW(constant::from_archive(archive.opened, archive.opened[0], whole), constant::error);

  const stored other(tgmap::new_message{});
  constant::from_archive(other.opened, other.opened[0], {}, found);
  BOOST_TEST((found.first().code == errc::not_a_constant));
  BOOST_TEST(json::parse(found.problems.at(0).json()).at("code") == "not_a_constant");
}

BOOST_AUTO_TEST_CASE(problems_are_json) {
  constant::report found;
  constant::read_json("{\n\"values\":[1,\"x\"]}", {.type = tensor_type::parse("tensor(x[2])")}, found);
  const json problem = json::parse(found.problems.at(0).json());
  BOOST_TEST(problem.at("line") == 2);
  BOOST_TEST(problem.at("column") == 13);
  BOOST_TEST(problem.at("offset") == 14);
  BOOST_TEST(problem.at("path") == "values[1]");
  BOOST_TEST(problem.at("text") == found.problems[0].what());
}

BOOST_AUTO_TEST_CASE(objects_are_readable_without_this_component) {
  const stored in(tgmap_test::constant_of(
      "tensor<float>(k{},x[2])",
      json::parse(R"([{"address": {"k": "bc", "x": 1}, "value": 1}, {"address": {"k": "a", "x": 0}, "value": 2}])")));
  const tgmap::message m = in.opened[0];
  BOOST_TEST(m.size() == 4u);
  BOOST_TEST(m.metadata().get<std::string_view>("vespa.type").value() == "tensor<float>(k{},x[2])");
  BOOST_TEST(m.metadata().get<std::string_view>("vespa.dimensions[0]").value() == "k");
  BOOST_TEST(m.metadata().get<std::string_view>("vespa.dimensions[1]").value() == "x");
  BOOST_TEST(m.base(0).get<std::string_view>("vespa.role").value() == "cells");
  BOOST_TEST(m.base(0).get<std::string_view>("vespa.dimensions[0]").value() == "(blocks)");
  const auto cells = m[0].view<float>();
  BOOST_TEST((cells.shape()[0] == 2u && cells.shape()[1] == 2u));
  BOOST_TEST((cells(0, 1) == 1.f && cells(1, 0) == 2.f));
  BOOST_TEST(m.base(1).get<std::string_view>("vespa.role").value() == "labels");
  const auto text = m[1].view<std::uint8_t>().values();
  BOOST_TEST(std::string(text.begin(), text.end()) == "bca");
  const auto offsets = m[2].view<std::uint64_t>().values();
  BOOST_TEST((std::vector<std::uint64_t>(offsets.begin(), offsets.end()) == std::vector<std::uint64_t>{0, 2, 3}));
}

BOOST_AUTO_TEST_CASE(compressed_and_swapped_objects_are_decoded) {
  const tensor_constant constant = tgmap_test::constant_of(
      "tensor<float>(k{},x[2])",
      json::parse(R"([{"address": {"k": "bc", "x": 1}, "value": 1}, {"address": {"k": "a", "x": 0}, "value": 2}])"));
  const constant::stored_constant as = constant::to_archive(constant);
  tgmap::new_message changed = as.message;
  for (auto& each : changed.objects) std::get<tgmap::new_object>(each).stored_byte_order = tgmap::byte_order::big;
  const stored in(changed);
  const tensor_constant back = in.read();
  BOOST_TEST(!back.is_borrowed());
  BOOST_TEST(tgmap_test::difference(back, tgmap_test::to_case(constant)) == "");
  BOOST_TEST((back.validate().code == std::error_code()));
}

BOOST_AUTO_TEST_CASE(messages_without_a_constant_are_errors) {
  const tensor_constant constant = tgmap_test::constant_of(
      "tensor<float>(k{},x[2])",
      json::parse(R"([{"address": {"k": "bc", "x": 1}, "value": 1}, {"address": {"k": "a", "x": 0}, "value": 2}])"));
  const constant::stored_constant as = constant::to_archive(constant);
  const auto changed = [&](auto&& change) {
    tgmap::new_message m = as.message;
    change(m);
    return verdict(m);
  };
  const auto object = [](tgmap::new_message& m, std::size_t i) -> tgmap::new_object& {
    return std::get<tgmap::new_object>(m.objects.at(i));
  };
  BOOST_TEST(changed([](auto&) {}) == "");
  BOOST_TEST(changed([](auto& m) { m.extra = tgmap::cbor_value::map(); }) == "not_a_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa", 7); }) == "not_a_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.type", 7); }) == "not_a_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.type", "tensor(k{)"); }) == "bad_dimension");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.type", "tensor<float>(x[2])"); }) == "bad_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.type", "tensor(k{},x[2])"); }) == "bad_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.type", "tensor<float>(k{},x[3])"); }) == "bad_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.type", "tensor<float>(k{})"); }) == "bad_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.type", "tensor<float>(j{},k{},x[2])"); }) == "bad_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.erase("vespa.seed"); }) == "bad_constant");
  BOOST_TEST(changed([](auto& m) { m.extra.set("vespa.seed", 7); }) == "bad_constant");  // lookups fail
  BOOST_TEST(changed([](auto& m) { m.objects.pop_back(); }) == "bad_constant");
  BOOST_TEST(changed([](auto& m) { m.objects.push_back(m.objects[0]); }) == "bad_constant");
  BOOST_TEST(changed([&](auto& m) { object(m, 1).dtype = tgmap::dtype::int8; }) == "bad_constant");
  BOOST_TEST(changed([&](auto& m) { object(m, 1).shape = {3, 1}; }) == "bad_constant");
  const std::uint64_t offsets[] = {0, 2, 3, 3};
  const auto with_offsets = [&](std::span<const std::uint64_t> all) {
    return changed([&](auto& m) {
      object(m, 2).data = std::as_bytes(all);
      object(m, 2).shape = {all.size()};
    });
  };
  BOOST_TEST(with_offsets(std::span(offsets).first(3)) == "");
  BOOST_TEST(with_offsets(offsets) == "bad_constant");
  for (const std::vector<std::uint64_t>& each :
       {std::vector<std::uint64_t>{0, 2, 4}, {2, 0, 3}, {0, UINT64_MAX, 3}, {UINT64_MAX, UINT64_MAX, UINT64_MAX}})
    BOOST_TEST(with_offsets(each) == "bad_constant");
}

BOOST_AUTO_TEST_CASE(wrong_tables_are_detected) {
  const tensor_constant constant = tgmap_test::constant_of(
      "tensor<float>(k{})",
      json::parse(R"([{"address": {"k": "a"}, "value": 1}, {"address": {"k": "b"}, "value": 2}])"));
  const constant::stored_constant as = constant::to_archive(constant);
  const std::size_t entries = std::get<tgmap::new_object>(as.message.objects[3]).shape.at(0);
  for (const std::uint64_t entry :
       {std::uint64_t{0}, UINT64_MAX, std::uint64_t{1}, std::uint64_t{0xFFFFFFFF}, std::uint64_t{7}}) {
    const std::vector<std::uint64_t> table(entries, entry);
    tgmap::new_message m = as.message;
    std::get<tgmap::new_object>(m.objects[3]).data = std::as_bytes(std::span(table));
    const stored in(m);
    const tensor_constant read = in.read();
    for (const char* label : {"a", "b", "c", ""}) BOOST_TEST((read.find_block(label).value_or(0) < 2));
    BOOST_TEST((read.validate().code == errc::bad_constant));
  }
}

BOOST_AUTO_TEST_CASE(no_changed_byte_leads_outside_the_archive) {
  const stored in(tgmap_test::constant_of(
      "tensor<int8>(k{},j{},x[2])",
      json::parse(
          R"([{"address": {"k": "bc", "j": "1", "x": 1}, "value": 1}, {"address": {"k": "a", "j": "", "x": 0}, "value": 2}])")));
  std::size_t read = 0;
  for (std::size_t at = 0; at < in.bytes.size(); ++at)
    for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      std::vector<std::byte> bytes = in.bytes;
      bytes[at] ^= static_cast<std::byte>(flip);
      const tgmap::archive opened = tgmap::archive::from_memory(bytes);
      tgmap::failure why;
      const tgmap::message only = opened.at(0, why);
      if (why) continue;
      const tensor_constant got = constant::from_archive(opened, only, why);
      if (why) continue;
      ++read;
      static_cast<void>(got.validate());
      for (std::uint64_t cell = 0; cell < got.size(); ++cell) static_cast<void>(got.value(cell));
      const std::string_view labels[] = {"1", "bc"};
      static_cast<void>(got.find_block(labels));
      for (std::uint64_t block = 0; block < got.blocks(); ++block) {
        tgmap::failure odd;
        static_cast<void>(got.label(block, 0, odd));
        static_cast<void>(got.label(block, 1, odd));
      }
    }
  BOOST_TEST(read > 100u);  // changes of cells, labels and hashes
}

BOOST_AUTO_TEST_CASE(opening_reads_no_cells) {
  tgmap_test::temporary_directory scratch;
  constant::builder make(tensor_type::parse("tensor<float>(x[1024],y[1024])"));
  make.cells(0)[5] = std::byte{1};
  const tensor_constant constant = make.finish();
  const std::vector<std::byte> bytes = tgmap::to_bytes(constant::to_archive(constant).message, plain);
  tgmap_test::write_file(scratch / "c.tgm", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const tgmap::archive in = tgmap::archive(scratch / "c.tgm");
  const auto faults = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt + used.ru_majflt;
  };
  const auto before = faults();
  const tensor_constant back = constant::from_archive(in, in[0]);
  BOOST_TEST(faults() - before < 100);  // the cells have 1024 pages
  BOOST_TEST((back.is_borrowed() && back.size() == 1024u * 1024u));
  BOOST_TEST((back.bytes()[5] == std::byte{1}));
}

BOOST_AUTO_TEST_CASE(objects_are_converted_to_constants) {
  std::vector<float> cells(6);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<float>(i);
  tgmap::new_message m;
  m.objects.emplace_back(tgmap::new_object::of(std::span<const float>(cells), {2, 3}));
  const std::vector<std::int16_t> numbers{1, -2, 300};
  m.objects.emplace_back(tgmap::new_object::of(std::span<const std::int16_t>(numbers)));
  const stored in(m);
  const std::string sorted[] = {"x", "y"}, other[] = {"y", "x"}, bad[] = {"x", "x"}, one[] = {"n"};
  const auto as = [&](std::size_t object, std::span<const std::string> names, std::optional<tgmap::dtype> type = {}) {
    return constant::from_object(in.opened, in.opened[0][object], names, type);
  };
  const tensor_constant straight = as(0, sorted);
  BOOST_TEST(straight.type().text() == "tensor<float>(x[2],y[3])");
  BOOST_TEST(straight.is_borrowed());
  BOOST_TEST(straight.cell({{"x", 1}, {"y", 2}}) == 5.0);
  const tensor_constant turned = as(0, other);
  BOOST_TEST(turned.type().text() == "tensor<float>(x[3],y[2])");
  BOOST_TEST(turned.cell({{"y", 1}, {"x", 2}}) == 5.0);
  BOOST_TEST(turned.cell({{"y", 0}, {"x", 2}}) == 2.0);
  const tensor_constant widened = as(1, one);
  BOOST_TEST(widened.type().text() == "tensor(n[3])");
  BOOST_TEST(widened.cell({{"n", 2}}) == 300.0);
  BOOST_TEST(as(0, sorted, tgmap::dtype::int8).cell({{"x", 1}, {"y", 2}}) == 5.0);
  const auto fails = [&](std::size_t object, std::span<const std::string> names, std::optional<tgmap::dtype> type) {
    tgmap::failure why;
    constant::from_object(in.opened, in.opened[0][object], names, type, why);
    return code_of(why);
  };
  BOOST_TEST(fails(0, bad, {}) == "repeated_dimension");
  BOOST_TEST(fails(0, one, {}) == make_error_code(tgmap::errc::invalid_option).message());
  BOOST_TEST(fails(1, one, tgmap::dtype::int8) == make_error_code(tgmap::errc::not_representable).message());
  BOOST_TEST(fails(1, one, tgmap::dtype::int16) == "unknown_cell_type");
}

BOOST_AUTO_TEST_SUITE_END()
