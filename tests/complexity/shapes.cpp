// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <support/builder.hpp>
#include <support/forged/hostile.hpp>
#include <utility>

namespace tgmap_test {

namespace {

using std::to_string;

/// Returns a shape that other tests use, too.
shape hostile_shape(std::string_view name) {
  for (const auto* all : {&hostile_to_scans(), &hostile_to_visits()})
    for (const auto& each : *all)
      if (each.name == name) return {each.name, ".tgm", each.make};
  throw std::out_of_range("no hostile shape: " + std::string(name));
}

bytes named(std::size_t i) { return cbor::map({cbor::key("name", cbor::text("n" + to_string(i)))}); }

/// Returns messages of one small object with a unique name.
bytes messages(std::size_t size) {
  bytes out;
  for (std::size_t i = 0; out.size() < size; ++i) {
    message_spec spec;
    spec.objects = {numbers_object<float>("float32", {1, 2, 3})};
    spec.base = {named(i)};
    out += message(spec);
  }
  return out;
}

/// Returns one message of many objects, with index and hashes.
bytes objects(std::size_t size, int version, where index) {
  message_spec spec;
  spec.version = version;
  spec.index = index;
  for (std::size_t i = 0; i < size / 250; ++i) {
    spec.objects.push_back(numbers_object<float>("float32", {1, 2, 3}));
    spec.base.push_back(named(i));
  }
  return message(spec);
}

/// Returns one message: a third of its bytes are objects, the rest are message-wide keys at top level and in a map.
bytes keys_for_all(std::size_t size, int version) {
  message_spec spec;
  spec.version = version;
  std::vector<cbor::pair> wide{cbor::key("version", cbor::integer(version))}, inner;
  for (std::size_t i = 0; i < size / 30; ++i) {
    wide.push_back(cbor::key("key" + to_string(i), cbor::integer(1)));
    inner.push_back(cbor::key("key" + to_string(i), cbor::integer(1)));
  }
  wide.push_back(cbor::key("mars", cbor::map(inner)));
  std::vector<bytes> base;
  for (std::size_t i = 0; i < size / 600; ++i) {
    spec.objects.push_back(numbers_object<float>("float32", {1, 2, 3}));
    base.push_back(cbor::map({cbor::key("i", cbor::integer(static_cast<std::int64_t>(i)))}));
  }
  if (version == 3) {
    spec.extra = wide;
    spec.base = base;
  } else {
    wide.insert(wide.begin(), cbor::key("base", cbor::array(base)));
    spec.header_metadata = cbor::map(wide);
  }
  return message(spec);
}

message_spec spec_of_one_object() {
  message_spec spec;
  spec.objects = {numbers_object<float>("float32", {1, 2, 3})};
  return spec;
}

/// Returns a message of one object with many keys.
bytes keys(std::size_t size) {
  std::vector<cbor::pair> pairs;
  for (std::size_t i = 0; i < size / 10; ++i) pairs.push_back(cbor::key("key" + to_string(i), cbor::integer(1)));
  message_spec spec = spec_of_one_object();
  spec.base = {cbor::map(pairs)};
  return message(spec);
}

/// Returns a message with a long key and short keys in its map. The long key is printed again for each of them.
bytes long_key(std::size_t size, int value) {
  std::vector<cbor::pair> pairs;
  for (std::size_t i = 0; i < size / 16; ++i) pairs.push_back(cbor::key("k" + to_string(i), cbor::integer(value)));
  message_spec spec = spec_of_one_object();
  spec.base = {cbor::map({cbor::key(bytes(size / 2, 'a'), cbor::map(pairs))})};
  return message(spec);
}

/// Returns a message with many keys, whose values are maps nested a hundred deep.
bytes nested_keys(std::size_t size) {
  bytes deep = cbor::integer(1);
  for (int i = 0; i < 100; ++i) deep = cbor::map({cbor::key("d", deep)});
  std::vector<cbor::pair> pairs;
  for (std::size_t i = 0; i < size / (deep.size() + 8); ++i) pairs.push_back(cbor::key("key" + to_string(i), deep));
  message_spec spec = spec_of_one_object();
  spec.base = {cbor::map(pairs)};
  return message(spec);
}

bytes raw_doubles(std::size_t size, bool missing) {
  bytes out;
  for (std::size_t i = 0; out.size() < size; ++i) {
    const auto bits = missing && i % 2 != 0 ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(0.25 * (i % 1000));
    for (int b = 0; b < 8; ++b) out += static_cast<char>(bits >> (8 * b));
  }
  return out;
}

bytes part(std::string_view content) {
  return (content.size() < 255 ? bytes(1, static_cast<char>(content.size())) : "\xff" + big_endian(content.size(), 4)) +
         bytes(content);
}

/// Returns a frame of ZIO with parts of eight bytes, with or without a tensor for each part.
bytes parts(std::size_t size, bool tensors) {
  const std::size_t count = size / (tensors ? 80 : 9);
  std::string list;
  for (std::size_t i = 0; tensors && i < count; ++i)
    list += std::string(i == 0 ? "" : ",") + R"({"dtype":"f","part":)" + to_string(i) +
            R"(,"shape":[2],"word":4,"metadata":{"a":1}})";
  bytes out = part(R"(ZIO0TENS{"TENS":{"tensors":[)" + list + "]}}") + part(bytes(24, '\0'));
  for (std::size_t i = 0; i < count; ++i) out += part("12345678");
  return out;
}

/// Returns a frame of ZIO whose label has a long description of each part, like labels of archives.
bytes parts_with_descriptions(std::size_t size) {
  std::string rests, tensors, payload;
  for (std::size_t i = 0; i < size / 130; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    rests += comma + R"({"base":{"many":[1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3]}})";
    tensors += comma + R"({"dtype":"u","part":)" + to_string(i) + R"(,"shape":[3],"word":1})";
    payload += part("abc");
  }
  return part(R"(ZIO0TENS{"TENS":{"metadata":{"tensogram":{"objects":[)" + rests + R"(]}},"tensors":[)" + tensors +
              "]}}") +
         part(bytes(24, '\0')) + payload;
}

std::string label_keys(std::size_t size) {
  std::string out = R"-({"type":"tensor<float>(key{},x[2])","blocks":{)-";
  for (std::size_t i = 0; out.size() < size; ++i) out += (i == 0 ? "\"k" : ",\"k") + to_string(i) + "\":[1,2]";
  return out + "}}";
}

std::string two_labels(std::size_t size) {
  std::string out = R"-({"type":"tensor<int8>(a{},b{})","cells":[)-";
  for (std::size_t i = 0; out.size() < size; ++i)
    out += std::string(i == 0 ? "" : ",") + R"({"address":{"a":"k)" + to_string(i) + R"(","b":"y"},"value":1})";
  return out + "]}";
}

}  // namespace

const std::vector<shape>& shapes() {
  static const std::vector<shape> all = [] {
    const std::vector<std::string> create{"create",  "--no-sync",  "--dtype", "float64",
                                          "--shape", "{elements}", "{o}",     "{a}"};
    const auto created = [&](std::vector<std::string> options) {
      options.insert(options.begin(), create.begin(), create.end());
      return options;
    };
    std::vector<shape> out{
        {"messages", ".tgm", messages},
        {"objects in an index", ".tgm", [](std::size_t n) { return objects(n, 3, where::header); }},
        {"objects of version 2", ".tgm", [](std::size_t n) { return objects(n, 2, where::footer); }},
        {"keys", ".tgm", keys},
        {"keys of a message after many others", ".tgm", [](std::size_t n) { return messages(n / 2) + keys(n / 2); }},
        {"a long key over short ones",
         ".tgm",
         [](std::size_t n) { return long_key(n, 1); },
         {},
         [](std::size_t n) { return long_key(n, 2); }},
        {"keys inside each other", ".tgm", nested_keys},
        {"keys for all objects", ".tgm", [](std::size_t n) { return keys_for_all(n, 3); }},
        {"keys for all objects of version 2", ".tgm", [](std::size_t n) { return keys_for_all(n, 2); }},
        hostile_shape("free keys and no entries"),
        hostile_shape("objects after frames of unknown types"),
        hostile_shape("objects with preceders"),
        hostile_shape("more entries than objects"),
        hostile_shape("magic words"),
        hostile_shape("preambles that share a chain of frames without end"),
        hostile_shape("sound messages, then damage, by turns"),
        {"runs of missing elements", ".raw", [](std::size_t n) { return raw_doubles(n, true); },
         created({"--allow-nan", "--nan-mask-method", "rle"})},
        {"blocks of szip", ".raw", [](std::size_t n) { return raw_doubles(n, false); },
         created({"--encoding", "simple_packing", "--compression", "szip"})},
        {"parts with tensors", ".frame", [](std::size_t n) { return parts(n, true); }},
        {"parts with long descriptions", ".frame", parts_with_descriptions},
        {"parts without tensors", ".frame", [](std::size_t n) { return parts(n, false); }},
        {"messages of parts",
         ".frame",
         [](std::size_t n) { return parts(n, true); },
         {"tens", "import", "--no-sync", "{a}", "-o", "{o}"}},
        {"labels", ".json", label_keys},
        {"pairs of labels", ".json", two_labels},
        {"an archive of labels", ".json", label_keys, {"constant", "import", "--no-sync", "{a}", "-o", "{o}"}}};
    return out;
  }();
  return all;
}

}  // namespace tgmap_test
