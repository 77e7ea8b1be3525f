// Makes fifty calls that are wrong and prints the error that each gives.
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <limits>
#include <span>
#include <tgmap/adapters/mdspan.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace {

using tgmap::cbor_value;
using tgmap::errc;

tgmap::new_object matrix() {
  static const std::vector<float> numbers{0, 1, 2, 3, 4, 5};
  return tgmap::new_object::of(numbers, {2, 3});
}

// Two messages, each of a plain matrix of float and of a packed one of double.
const tgmap::archive& sample() {
  static const tgmap::archive data = [] {
    static const std::vector<double> numbers{0, 1, 2, 3, 4, 5};
    auto packed = tgmap::new_object::of(numbers, {2, 3});
    packed.base = cbor_value::map({{"name", "packed"}});
    packed.pipeline.encoding = tgmap::encoding::simple_packing;
    tgmap::new_message message;
    message.objects.assign({matrix(), packed});
    tgmap::memory_sink memory;
    tgmap::writer out(memory);
    out.write(message);
    out.write(message);
    return tgmap::archive::from_memory(memory.release());
  }();
  return data;
}

tgmap::object plain() { return sample()[0][0]; }
tgmap::object packed() { return sample()[0][1]; }

void write(const tgmap::new_object& object, const tgmap::write_options& options = {}) {
  tgmap::new_message message;
  message.objects.emplace_back(object);
  static_cast<void>(tgmap::to_bytes(message, options));
}

void write_through(const tgmap::pipeline& pipeline) {
  auto object = matrix();
  object.pipeline = pipeline;
  write(object);
}

void write_number(double number) {
  const std::array<double, 1> numbers{number};
  write(tgmap::new_object::of(numbers));
}

template <class Call>
void stream(const Call& call) {
  tgmap::memory_sink memory;
  tgmap::stream_writer out(memory);
  call(out);
}

struct wrong_use {
  const char* name;
  errc expected;
  void (*call)();
};

const std::array<wrong_use, 50> wrong_uses{{
    // Reaching messages and objects
    {"message of a default archive", errc::no_archive,
     [] {
       const tgmap::archive none;
       none[0];
     }},
    {"message 2 of two", errc::out_of_range, [] { sample()[2]; }},
    {"third message from the end of two", errc::out_of_range, [] { sample().nth_from_end(2); }},
    {"offset inside a message", errc::not_a_message, [] { sample().at_offset(8); }},
    {"offset behind the archive", errc::out_of_range, [] { sample().at_offset(1'000'000); }},
    {"object of a default message", errc::no_archive, [] { tgmap::message()[0]; }},
    {"object 2 of two", errc::out_of_range, [] { sample()[0][2]; }},
    {"metadata of object 2 of two", errc::out_of_range, [] { sample()[0].base(2); }},
    {"payload of a default object", errc::no_archive, [] { static_cast<void>(tgmap::object().payload()); }},
    {"text as an archive", errc::damaged, [] { tgmap::archive::from_memory(std::vector(100, std::byte{'x'})).size(); }},
    {"a folder as an archive", errc::is_directory, [] { tgmap::archive("."); }},
    {"CBOR depth of 5000", errc::invalid_option,
     [] { tgmap::archive::from_memory(std::vector<std::byte>(), {.max_cbor_depth = 5000}); }},

    // Views and reads
    {"view of another type", errc::dtype_mismatch, [] { plain().view<double>(); }},
    {"view of packed elements", errc::encoded, [] { packed().view<double>(); }},
    {"index beyond an extent", errc::out_of_range, [] { plain().view<float>().at(2, 0); }},
    {"one index of a matrix", errc::out_of_range, [] { plain().view<float>().at(0); }},
    {"mdspan of another rank", errc::too_many_dimensions, [] { tgmap::as_mdspan<3>(plain().view<float>()); }},
    {"read behind a payload", errc::read_past_end,
     [] {
       std::array<std::byte, 100> out{};
       plain().read(0, out);
     }},
    {"read behind an archive", errc::read_past_end,
     [] {
       std::array<std::byte, 100> out{};
       sample().read(sample().size_bytes(), out);
     }},

    // Decoding
    {"decode into too little memory", errc::invalid_option,
     [] {
       std::array<float, 5> out{};
       plain().decode_into(std::span(out));
     }},
    {"decode into another type", errc::dtype_mismatch,
     [] {
       std::array<double, 6> out{};
       plain().decode_into(std::span(out));
     }},
    {"convert into too much memory", errc::invalid_option,
     [] {
       std::array<int, 7> out{};
       plain().decode_as_into<int>(out);
     }},
    {"view of a tensor as another type", errc::dtype_mismatch,
     [] {
       const tgmap::tensor field = plain().decode();
       field.view<int>();
     }},
    {"range behind the elements", errc::out_of_range, [] { plain().decode_range(4, 3); }},
    {"slab outside the shape", errc::out_of_range,
     [] {
       plain().decode_slab({{0, 0}, {3, 3}});
     }},
    {"slab of another rank", errc::invalid_option,
     [] {
       plain().decode_slab({{0}, {2}});
     }},
    {"slab with a stride of 0", errc::invalid_option,
     [] {
       plain().decode_slab({{0, 0}, {2, 3}, {1, 0}});
     }},
    {"fewer outputs than objects", errc::invalid_option,
     [] {
       const std::array<tgmap::object, 1> objects{plain()};
       tgmap::decode_many(objects, {});
     }},

    // Metadata and selections
    {"text as a number", errc::wrong_kind, [] { packed().metadata().find("name")->as<int>(); }},
    {"300 as a byte", errc::value_out_of_range, [] { static_cast<void>(cbor_value(300).view().as<std::uint8_t>()); }},
    {"key of an item that is no map", errc::wrong_kind, [] { cbor_value(1).set("a", 2); }},
    {"empty path", errc::bad_key, [] { cbor_value::map().set("", 2); }},
    {"element that is not there", errc::bad_key,
     [] {
       cbor_value::map({{"a", cbor_value::array({1})}}).set("a[5]", 2);
     }},
    {"key of no property", errc::bad_key, [] { tgmap::metadata_key("@colour"); }},
    {"selection without an operator", errc::bad_selection, [] { tgmap::selection("mars.step"); }},
    {"selection with an open quote", errc::bad_selection, [] { tgmap::selection("name='packed"); }},

    // Writing
    {"shape of more elements", errc::payload_size_mismatch,
     [] {
       auto object = matrix();
       object.shape = {3, 3};
       write(object);
     }},
    {"strides outside the elements", errc::invalid_strides,
     [] {
       auto object = matrix();
       object.strides = {4, 1};
       write(object);
     }},
    {"NaN without a mask", errc::non_finite, [] { write_number(std::numeric_limits<double>::quiet_NaN()); }},
    {"a key that the library writes", errc::reserved_key,
     [] {
       auto object = matrix();
       object.base.set("_reserved_", 1);
       write(object);
     }},
    {"keys that are no map", errc::wrong_kind,
     [] {
       auto object = matrix();
       object.base = 1;
       write(object);
     }},
    {"simple_packing of float", errc::unsupported_dtype,
     [] { write_through({.encoding = tgmap::encoding::simple_packing}); }},
    {"a filter that is not known", errc::unknown_codec, [] { write_through({.filter = tgmap::filter::other}); }},
    {"payloads aligned to 12", errc::invalid_option, [] { write(matrix(), {.payload_alignment = 12}); }},
    {"version 1", errc::invalid_option, [] { write(matrix(), {.version = 1}); }},
    {"elements before their object", errc::call_out_of_order,
     [] { stream([](auto& out) { out.append_elements(std::array{1.0F}); }); }},
    {"elements of another type", errc::dtype_mismatch,
     [] {
       stream([](auto& out) {
         out.begin_object(matrix());
         out.append_elements(std::array{1.0});
       });
     }},
    {"an object with elements missing", errc::payload_size_mismatch,
     [] {
       stream([](auto& out) {
         out.begin_object(matrix());
         out.end_object();
       });
     }},
    {"a stream of compressed elements", errc::not_streamable,
     [] {
       stream([](auto& out) {
         auto object = matrix();
         object.pipeline.filter = tgmap::filter::shuffle;
         out.begin_object(object);
       });
     }},
    {"finished twice", errc::call_out_of_order,
     [] {
       stream([](auto& out) {
         out.finish();
         out.finish();
       });
     }},
}};

}  // namespace

int main() try {
  std::size_t as_expected = 0;
  for (const wrong_use& use : wrong_uses) try {
      use.call();
      std::cout << use.name << ": no error\n";
    } catch (const tgmap::error& e) {
      const bool is_expected = e.code() == use.expected;
      std::cout << use.name << ": " << (is_expected ? to_string_view(use.expected) : e.what()) << '\n';
      as_expected += is_expected;
    }
  std::cout << as_expected << " of " << wrong_uses.size() << " as expected\n";
  return as_expected == wrong_uses.size() ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
