// SPDX-License-Identifier: Apache-2.0
// All samples of ecCodes, and variants of them that its tools make, are read as ecCodes reads them.
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <support/rounds.hpp>
#include <support/temporary.hpp>

#include "bridge/grib/sections/grid_shape.hpp"
#include "bridge/grib/sections/message_finder.hpp"
#include "bridge/grib/sections/packing.hpp"
#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::failure;

namespace {

// Returns the output of a command; nothing if it fails or prints nothing.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  std::string out;
  char piece[4096];
  for (std::size_t count = 0; (count = std::fread(piece, 1, sizeof piece, pipe)) > 0;) out.append(piece, count);
  return ::pclose(pipe) == 0 ? out : "";
}

// Returns the folder of ecCodes' samples; empty if its tools are not here.
std::filesystem::path samples_folder() {
  std::string path = output_of("codes_info -s && grib_get -V >/dev/null && grib_filter -V >/dev/null");
  while (path.ends_with('\n')) path.pop_back();
  if (path.empty()) BOOST_TEST_MESSAGE("SKIPPED: the samples of ecCodes (its tools are not installed)");
  return path;
}

const std::string keys =
    "edition,referenceValue,binaryScaleFactor,decimalScaleFactor,bitsPerValue,numberOfCodedValues,numberOfValues,"
    "numberOfDataPoints,"
    "Ni,Nj,"
    "jPointsAreConsecutive,packingType,offsetSection1,offsetSection2,offsetSection3,offsetSection4,offsetSection5,"
    "offsetSection6,offsetSection7,totalLength";

// Compares single fields in files with what ecCodes says of them. Returns how many.
std::size_t compare(const std::vector<std::filesystem::path>& files) {
  std::string command = "grib_get -f -F %.17g -p " + keys;
  for (const auto& each : files) command += " '" + each.string() + "'";
  std::string names = "file number " + keys, table;
  for (char& c : names)
    if (c == ',') c = ' ';
  std::istringstream lines(output_of(command));
  for (const auto& each : files) {
    std::string line;
    BOOST_REQUIRE(std::getline(lines, line));
    table += each.filename().string() + " 0 " + line + "\n";
  }
  std::size_t count = 0;
  for (const expected_field& row : read_expected(names + "\n" + table)) {
    const std::filesystem::path& file = files[count++];
    BOOST_TEST_CONTEXT(file.string()) {
      const bytes content = read_file(file);
      message_finder finder(span_of(content));
      finding message;
      BOOST_REQUIRE((finder.next(message) && !message.message.empty()));
      const field from = fields_of(message.message)[0];
      BOOST_TEST(from.edition == row.integer("edition"));
      BOOST_TEST(message.size == static_cast<std::uint64_t>(row.integer("totalLength")));
      for (unsigned number = 1; number <= (from.edition == 2 ? 7U : 4U); ++number) {
        const auto offset = row.integer_if_any("offsetSection" + std::to_string(number));
        const byte_view section = from.sections[number];
        BOOST_TEST(section.empty() == !offset.has_value(), "section " << number);
        if (offset) BOOST_TEST(section.data() - from.message.data() == *offset);
      }

      failure why;
      const grid_shape grid = read_grid_shape(from, why);
      BOOST_TEST(!why, why.text());
      BOOST_TEST(grid.points == static_cast<std::uint64_t>(row.integer("numberOfDataPoints")));
      const auto columns = row.integer_if_any("Ni"), rows = row.integer_if_any("Nj");
      BOOST_TEST(grid.rank == (columns && rows && *columns * *rows == row.integer("numberOfDataPoints") ? 2u : 1u));
      if (grid.rank == 2) {
        const bool swapped = row.integer_if_any("jPointsAreConsecutive") == 1;
        BOOST_TEST(grid.extents[swapped ? 1 : 0] == static_cast<std::uint64_t>(*rows));
      }
      const packing stored = read_packing(from, why);
      BOOST_TEST(!why, why.text());
      if (why) continue;
      // Of floats with a bitmap in GRIB 1 ecCodes says that none are coded.
      const bool is_old_ieee = stored.kind == packing_kind::ieee && from.edition == 1;
      BOOST_TEST(stored.values ==
                 static_cast<std::uint64_t>(row.integer(is_old_ieee ? "numberOfValues" : "numberOfCodedValues")));
      if (stored.kind == packing_kind::ieee || stored.kind == packing_kind::other) continue;
      BOOST_TEST(stored.reference == row.real("referenceValue"));
      BOOST_TEST(stored.binary_scale == row.integer("binaryScaleFactor"));
      BOOST_TEST(stored.decimal_scale == row.integer("decimalScaleFactor"));
      if (from.edition == 2 || stored.kind != packing_kind::second_order)  // of which ecCodes derives the bits
        BOOST_TEST(stored.bits == static_cast<unsigned>(row.integer("bitsPerValue")));
    }
  }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grib_eccodes)

BOOST_AUTO_TEST_CASE(every_sample_is_read) {
  const auto folder = samples_folder();
  if (folder.empty()) return;
  std::vector<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(folder))
    if (read_file(each.path()).starts_with("GRIB")) files.push_back(each.path());
  BOOST_TEST(files.size() > 100u);
  BOOST_TEST(compare(files) == files.size());
}

BOOST_AUTO_TEST_CASE(variants_of_samples_are_read) {
  const auto folder = samples_folder();
  if (folder.empty()) return;
  const temporary_directory temporary;
  // Waves with a level of noise, in as many points as the samples have.
  const auto values = [](std::size_t count, bool has_gaps) {
    std::string out = "set values={";
    for (std::size_t i = 0; i < count; ++i)
      out += (i == 0 ? "" : ",") +
             (has_gaps && i % 5 == 2 ? "9999" : std::to_string(250 + i % 61 * 0.75 + i * 37 % 19 * 0.01));
    return out + "};\n";
  };
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::string& sample, const std::string& rules) {
    const auto script = temporary.path() / "rules", out = temporary.path() / (std::to_string(files.size()) + ".grib");
    write_file(script, rules + "write;\n");
    output_of("grib_filter -o '" + out.string() + "' '" + script.string() + "' '" +
              (folder / (sample + ".tmpl")).string() + "'");
    if (std::filesystem::exists(out) && read_file(out).starts_with("GRIB")) files.push_back(out);
  };
  for (const std::string edition : {"1", "2"}) {
    for (const std::string sample :
         {"regular_ll_sfc_grib", "regular_ll_pl_grib", "rotated_ll_pl_grib", "polar_stereographic_pl_grib"})
      for (const bool has_gaps : {false, true}) {
        const std::string bitmap = has_gaps ? "set bitmapPresent=1; set missingValue=9999;\n" : "";
        for (const int bits : {5, 12, 31, 2, 8, 10, 11, 13, 16, 20, 32}) {
          if (bits == 2 && !all_rounds_wanted()) break;
          const std::string rules = bitmap + "set bitsPerValue=" + std::to_string(bits) + ";\n";
          add(sample + edition, rules + values(496, has_gaps));
          if (edition == "2")
            add(sample + edition, "set packingType=\"grid_ccsds\";\n" + rules + values(496, has_gaps));
        }
        for (const std::string scale : {"-2", "1", "3"})
          add(sample + edition,
              bitmap + "set decimalScaleFactor=" + scale + "; set bitsPerValue=16;\n" + values(496, has_gaps));
        for (const std::string kind : {"grid_second_order", "grid_jpeg", "grid_ieee", "grid_simple_log_preprocessing"})
          add(sample + edition, "set packingType=\"" + kind + "\";\n" + bitmap + values(496, has_gaps));
      }
    for (const std::string scanning :
         {"iScansNegatively", "jScansPositively", "jPointsAreConsecutive", "alternativeRowScanning"})
      add("regular_ll_sfc_grib" + edition, "set " + scanning + "=1; set bitsPerValue=12;\n" + values(496, false));
    for (const int points : {1, 2, 3, 7, 9})  // all kinds of padding
      for (const int bits : {1, 3, 7, 12})
        add("regular_ll_sfc_grib" + edition, "set Ni=" + std::to_string(points) + "; set Nj=3; set bitsPerValue=" +
                                                 std::to_string(bits) + ";\n" + values(3 * points, false));
    add("reduced_gg_pl_32_grib" + edition, "set bitsPerValue=14;\n" + values(6114, false));
    add("reduced_gg_pl_32_grib" + edition,
        "set bitmapPresent=1; set missingValue=9999; set bitsPerValue=9;\n" + values(6114, true));
  }
  BOOST_TEST(files.size() > (all_rounds_wanted() ? 280u : 110u));
  BOOST_TEST(compare(files) == files.size());
}

BOOST_AUTO_TEST_SUITE_END()
