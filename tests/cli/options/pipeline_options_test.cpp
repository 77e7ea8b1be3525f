// SPDX-License-Identifier: Apache-2.0
#include "cli/options/pipeline_options.hpp"

#include <boost/test/unit_test.hpp>

#include "cli/app/cli_error.hpp"

BOOST_AUTO_TEST_SUITE(pipelines)

using namespace tgmap;
using tgmap::cli::session;

namespace {

/// Parses the options.
pipeline made(std::vector<std::string> flags) {
  CLI::App parent;
  CLI::App& app = *parent.add_subcommand("verb");
  cli::pipeline_options given;
  session run;
  cli::add_pipeline_options(app, given, run);
  flags.insert(flags.begin(), "verb");
  std::vector<std::string> last_first(flags.rbegin(), flags.rend());
  parent.parse(last_first);
  return cli::make_pipeline(given, run);
}

void refused(const std::vector<std::string>& flags, const std::string& why) {
  try {
    made(flags);
    BOOST_ERROR("taken, though: " << why);
  } catch (const cli::usage_error& thrown) {
    BOOST_TEST(std::string(thrown.what()) == why);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_done_unless_it_is_said) {
  const pipeline none = made({});
  BOOST_TEST((none.encoding == encoding::none && none.filter == filter::none && none.compression == compression::none));
  BOOST_TEST(!none.missing.allow_nan);
  BOOST_TEST(!none.missing.allow_infinity);
}

BOOST_AUTO_TEST_CASE(stages) {
  const pipeline packed = made({"--encoding", "simple_packing", "--bits", "24", "--decimal-scale", "-2", "--filter",
                                "shuffle", "--compression", "zstd", "--compression-level", "-5"});
  BOOST_TEST((packed.encoding == encoding::simple_packing && packed.filter == filter::shuffle));
  BOOST_TEST((packed.compression == compression::zstd));
  BOOST_TEST(packed.packing.bits == 24u);
  BOOST_TEST(packed.packing.decimal_scale == -2);
  BOOST_TEST(packed.zstd_level == -5);
  BOOST_TEST(made({"--encoding", "simple_packing"}).packing.bits == 16u);
  BOOST_TEST(made({"--encoding", "simple_packing", "--max-error", "0.5"}).packing.max_error.value() == 0.5);
  for (const codec_info& each : codecs()) {
    std::vector<std::string> flags{"--compression", std::string(each.name)};
    if (each.compression == compression::zfp) flags.insert(flags.end(), {"--zfp-rate", "8"});
    if (each.compression == compression::sz3) flags.insert(flags.end(), {"--sz3-bound", "1e-3"});
    BOOST_TEST((made(flags).compression == each.compression), each.name);
  }
}

BOOST_AUTO_TEST_CASE(codecs_and_their_numbers) {
  const pipeline blosc = made({"--compression", "blosc2", "--blosc2-codec", "zstd", "--compression-level", "9"});
  BOOST_TEST((blosc.blosc2.codec == blosc2_codec::zstd));
  BOOST_TEST(blosc.blosc2.level == 9);
  const auto zfp = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"--compression", "zfp"});
    return made(flags).zfp;
  };
  BOOST_TEST((zfp({"--zfp-rate", "8.5"}).mode == zfp_mode::fixed_rate));
  BOOST_TEST(zfp({"--zfp-rate", "8.5"}).rate == 8.5);
  BOOST_TEST((zfp({"--zfp-precision", "20"}).mode == zfp_mode::fixed_precision));
  BOOST_TEST(zfp({"--zfp-precision", "20"}).precision == 20u);
  BOOST_TEST((zfp({"--zfp-mode", "fixed_accuracy", "--zfp-tolerance", "1e-3"}).mode == zfp_mode::fixed_accuracy));
  const sz3_options sz3 = made({"--compression", "sz3", "--sz3-mode", "psnr", "--sz3-bound", "80"}).sz3;
  BOOST_TEST((sz3.mode == sz3_bound::psnr));
  BOOST_TEST(sz3.bound == 80.0);
}

BOOST_AUTO_TEST_CASE(flags_of_stages_that_are_not_there) {
  refused({"--bits", "8"}, "--bits needs --encoding simple_packing");
  refused({"--max-error", "8"}, "--max-error needs --encoding simple_packing");
  refused({"--compression", "lz4", "--compression-level", "3"},
          "--compression-level needs --compression zstd or blosc2");
  refused({"--blosc2-codec", "lz4"}, "--blosc2-codec needs --compression blosc2");
  refused({"--compression", "sz3", "--zfp-rate", "8"}, "--zfp-rate needs --compression zfp");
  refused({"--sz3-mode", "abs"}, "--sz3-mode needs --compression sz3");
}

BOOST_AUTO_TEST_CASE(lossy_codecs_need_a_precision) {
  refused({"--compression", "zfp"}, "zfp needs a precision");
  refused({"--compression", "zfp", "--zfp-rate", "8", "--zfp-precision", "8"}, "zfp takes only one precision");
  refused({"--compression", "zfp", "--zfp-mode", "fixed_rate", "--zfp-tolerance", "8"},
          "--zfp-mode does not match the given precision");
  refused({"--compression", "sz3"}, "sz3 needs an error bound");
  refused({"--encoding", "simple_packing", "--bits", "8", "--max-error", "1"},
          "--bits and --max-error both set the number of bits");
}

BOOST_AUTO_TEST_CASE(words_that_there_are_not) {
  BOOST_CHECK_THROW(made({"--compression", "gzip"}), CLI::ParseError);
  BOOST_CHECK_THROW(made({"--encoding", "packing"}), CLI::ParseError);
  BOOST_CHECK_THROW(made({"--nan-mask-method", "bogus"}), CLI::ParseError);
}

BOOST_AUTO_TEST_CASE(missing_elements) {
  const missing_options all = made({"--allow-nan", "--allow-inf", "--nan-mask-method", "auto", "--pos-inf-mask-method",
                                    "rle", "--neg-inf-mask-method", "none", "--small-mask-threshold", "0"})
                                  .missing;
  BOOST_TEST((all.allow_nan && all.allow_infinity));
  BOOST_TEST(!all.nan.has_value());
  BOOST_TEST((all.positive_infinity == mask_method::rle && all.negative_infinity == mask_method::none));
  BOOST_TEST(all.small_mask_bytes == 0u);
}

BOOST_AUTO_TEST_CASE(numbers_that_no_codec_takes) {
  const std::vector<std::string> packed{"--encoding", "simple_packing"};
  const auto with = [](std::vector<std::string> flags, const std::string& flag, const std::string& number) {
    flags.insert(flags.end(), {flag + "=" + number});
    return flags;
  };
  for (const char* number : {"65", "99"})
    refused(with(packed, "--bits", number), std::string("--bits ") + number + " is out of range");
  for (const char* number : {"309", "-309"})
    refused(with(packed, "--decimal-scale", number), std::string("--decimal-scale ") + number + " is out of range");
  for (const char* number : {"-1", "nan", "inf"})
    refused(with(packed, "--max-error", number), std::string("--max-error ") + number + " is out of range");
  refused({"--compression", "zstd", "--compression-level=99"}, "--compression-level 99 is out of range");
  refused({"--compression", "blosc2", "--compression-level=10"}, "--compression-level 10 is out of range");
  refused({"--compression", "blosc2", "--compression-level=-1"}, "--compression-level -1 is out of range");
  for (const char* number : {"-5", "nan", "0", "65"})
    refused({"--compression", "zfp", std::string("--zfp-rate=") + number},
            std::string("--zfp-rate ") + number + " is out of range");
  refused({"--compression", "zfp", "--zfp-precision=0"}, "--zfp-precision 0 is out of range");
  refused({"--compression", "zfp", "--zfp-tolerance=0"}, "--zfp-tolerance 0 is out of range");
  refused({"--compression", "sz3", "--sz3-bound=-1"}, "--sz3-bound -1 is out of range");

  BOOST_TEST(made(with(packed, "--bits", "64")).packing.bits == 64u);
  BOOST_TEST(made(with(packed, "--decimal-scale", "-308")).packing.decimal_scale == -308);
  BOOST_TEST(made(with(packed, "--max-error", "0")).packing.max_error.value() == 0);
  BOOST_TEST(made({"--compression", "zstd", "--compression-level=22"}).zstd_level == 22);
  BOOST_TEST(made({"--compression", "blosc2", "--compression-level=9"}).blosc2.level == 9);
  BOOST_TEST(made({"--compression", "zfp", "--zfp-rate=64"}).zfp.rate == 64);
}

BOOST_AUTO_TEST_SUITE_END()
