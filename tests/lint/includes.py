#!/usr/bin/env python3
"""Checks that each file includes the standard header of each standard name it uses, itself or through headers of this
project. A compiler does not notice if a name comes through another standard header.

Run from the root of the checkout.
"""

import functools
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
NAME = re.compile(r"\bstd::(ranges::|filesystem|chrono|this_thread|numbers|execution)?(\w+)?")

# Header: the names that require it. If several headers declare a name, any of them is enough.
NAMES = {
    "algorithm": """adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range fill fill_n
        find find_end find_first_of find_if find_if_not for_each generate includes inplace_merge is_heap is_sorted
        lexicographical_compare lower_bound make_heap max max_element merge min min_element minmax minmax_element
        mismatch move_backward next_permutation none_of nth_element partial_sort partition partition_point pop_heap
        push_heap remove_if replace reverse rotate search set_difference set_intersection set_union shuffle sort
        sort_heap stable_partition stable_sort transform unique unique_copy upper_bound""",
    "array": "array to_array",
    "atomic": "atomic atomic_ref atomic_signal_fence atomic_thread_fence atomic_flag memory_order_acq_rel memory_order_acquire "
              "memory_order_relaxed memory_order_release memory_order_seq_cst",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_one countl_zero countr_one countr_zero endian has_single_bit popcount "
           "rotl rotr",
    "cctype": "isalnum isalpha isdigit isprint isspace tolower toupper",
    "cerrno": "",
    "charconv": "chars_format from_chars to_chars from_chars_result to_chars_result",
    "chrono": "chrono",
    "cmath": "abs cbrt ceil copysign cos exp exp2 fabs floor fma fmod frexp hypot ilogb isfinite isinf isnan ldexp lerp log log10 "
             "log2 lround llround nan nextafter pow remainder rint round signbit sin sqrt tan trunc",
    "compare": "partial_ordering strong_ordering weak_ordering is_eq is_gt is_gteq is_lt is_lteq is_neq",
    "complex": "complex",
    "concepts": "convertible_to floating_point integral invocable same_as signed_integral unsigned_integral derived_from "
                "constructible_from predicate",
    "condition_variable": "condition_variable condition_variable_any",
    "csignal": "sig_atomic_t signal raise",
    "cstddef": "byte max_align_t nullptr_t ptrdiff_t size_t to_integer",
    "cstdint": "int16_t int32_t int64_t int8_t intmax_t intptr_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t",
    "cstdio": "FILE fclose ferror fflush fopen fprintf fputs fread fwrite printf putchar puts rename snprintf tmpfile",
    "cstdlib": "_Exit abort atexit calloc exit free getenv malloc realloc strtod strtol strtoul strtoull system",
    "cstring": "memchr memcmp memcpy memmove memset strcmp strerror strlen strncmp",
    "ctime": "strftime time time_t timespec tm",
    "deque": "deque",
    "exception": "current_exception exception exception_ptr make_exception_ptr rethrow_exception terminate uncaught_exceptions",
    "filesystem": "filesystem",
    "fstream": "fstream ifstream ofstream",
    "functional": "bind_front equal_to function greater greater_equal hash identity invoke less less_equal mem_fn not_fn plus ref "
                  "cref reference_wrapper",
    "future": "async future launch promise",
    "initializer_list": "initializer_list",
    "iostream": "cerr cin clog cout",
    "iterator": "advance back_inserter begin bidirectional_iterator_tag data default_sentinel default_sentinel_t distance end "
                "forward_iterator_tag input_iterator_tag istreambuf_iterator next ostream_iterator prev "
                "random_access_iterator_tag reverse_iterator size ssize",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "addressof make_shared make_shared_for_overwrite make_unique make_unique_for_overwrite shared_ptr unique_ptr "
              "weak_ptr enable_shared_from_this",
    "mutex": "call_once lock_guard mutex once_flag recursive_mutex scoped_lock unique_lock",
    "new": "align_val_t bad_alloc launder nothrow nothrow_t set_new_handler",
    "numbers": "numbers",
    "numeric": "accumulate gcd inner_product iota lcm midpoint partial_sum reduce",
    "optional": "in_place nullopt nullopt_t optional make_optional",
    "random": "mt19937 mt19937_64 minstd_rand normal_distribution random_device uniform_int_distribution "
              "uniform_real_distribution",
    "set": "multiset set",
    "shared_mutex": "shared_lock shared_mutex",
    "span": "as_bytes as_writable_bytes dynamic_extent span",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "domain_error invalid_argument length_error logic_error out_of_range overflow_error runtime_error",
    "stop_token": "stop_callback stop_source stop_token",
    "string": "basic_string char_traits stod stof stoi stol stoul stoull string to_string u8string",
    "string_view": "basic_string_view string_view u8string_view",
    "system_error": "errc error_category error_code error_condition generic_category is_error_code_enum is_error_condition_enum "
                    "make_error_code make_error_condition system_category system_error",
    "thread": "jthread this_thread thread",
    "tuple": "apply forward_as_tuple ignore make_tuple tie tuple tuple_element_t",
    "type_traits": "add_const_t common_type_t conditional_t decay_t enable_if_t extent_v false_type has_unique_object_representations_v "
                   "integral_constant is_arithmetic_v is_base_of_v is_class_v is_const_v is_constant_evaluated is_convertible_v "
                   "is_copy_constructible_v is_default_constructible_v is_enum_v is_floating_point_v is_integral_v "
                   "is_invocable_r_v is_invocable_v is_lvalue_reference_v is_move_constructible_v "
                   "is_nothrow_default_constructible_v is_nothrow_invocable_v is_nothrow_move_constructible_v is_same "
                   "is_same_v is_signed_v is_standard_layout_v is_trivially_copyable_v is_unsigned_v is_void_v make_signed_t "
                   "make_unsigned_t remove_const_t remove_cv_t remove_cvref_t remove_pointer_t remove_reference_t true_type "
                   "type_identity_t underlying_type_t void_t",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "as_const cmp_equal cmp_greater cmp_greater_equal cmp_less cmp_less_equal declval exchange forward in_range "
               "index_sequence index_sequence_for integer_sequence make_index_sequence make_pair move pair swap unreachable",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
HEADERS = {}
for header, names in NAMES.items():
    for word in names.split():
        HEADERS.setdefault(word, set()).add(header)

# Standard headers that a standard header includes, by specification or in every library.
GIVES = {
    "abs": {"cstdlib"}, "begin": {"array", "string", "vector", "span", "string_view", "map", "set"},
    "byte": set(), "exception": {"stdexcept", "system_error", "new"}, "hash": {"string", "string_view", "memory", "optional"},
    "errc": {"charconv"}, "initializer_list": {"array", "vector", "string", "map", "set", "utility", "optional"},
    "less": {"map", "set"}, "move": {"algorithm"}, "nullptr_t": set(), "pair": {"map", "unordered_map"},
    "size_t": {"cstring", "cstdio", "cstdlib", "ctime", "string", "span", "vector", "array", "string_view"},
    "ptrdiff_t": {"iterator", "span", "vector"}, "string": {"filesystem", "sstream"}, "string_view": {"string"},
    "swap": {"algorithm"}, "time_t": {"chrono"}, "partial_ordering": {"string"}, "strong_ordering": {"string"},
    "back_inserter": set(), "remove": set(), "char_traits": {"string_view"}, "tuple": {"map"}, "copy": set(),
    "runtime_error": {"system_error"},
}
for word in ("begin", "end", "data", "size", "ssize"):
    GIVES[word] = GIVES["begin"]


def text_of(path):
    return path.read_text(encoding="utf-8")


@functools.lru_cache(None)
def includes(path):
    """Standard headers that the file names, and files of this project that it includes."""
    standard, ours = set(), set()
    for angle, quote in INCLUDE.findall(text_of(path)):
        found = None
        if angle:
            found = next((p for p in [pathlib.Path("include") / angle] if p.is_file()), None)
        else:
            candidates = [path.parent / quote] + [pathlib.Path(r) / quote for r in ("src", "tests", "fuzz", "bench", "include")]
            found = next((p for p in candidates if p.is_file()), None)
        if found:
            ours.add(found.resolve())
        elif angle:
            standard.add(angle)
    return standard, ours


def reachable(path):
    """Every standard header named in the file or in a header of this project that it includes."""
    seen, left, headers = set(), [path.resolve()], set()
    while left:
        file = left.pop()
        if file in seen:
            continue
        seen.add(file)
        standard, ours = includes(file)
        headers |= standard
        left += ours
    return headers


def used(path):
    """Standard names that the file uses: name and line."""
    text = COMMENT_OR_STRING.sub(lambda m: "\n" * m[0].count("\n"), text_of(path))
    out = {}
    for match in NAME.finditer(text):
        outer, inner = match.groups()
        name = outer if outer and outer != "ranges::" else inner
        if name and name in HEADERS:
            out.setdefault(name, text.count("\n", 0, match.start()) + 1)
    return out


def main():
    files = sorted(p for root in ("include", "src", "docs") for p in pathlib.Path(root).rglob("*.[ch]pp"))
    faults = 0
    for path in files:
        headers = reachable(path)
        missing = {}
        for name, line in used(path).items():
            if not headers & (HEADERS[name] | GIVES.get(name, set())):
                missing.setdefault(sorted(HEADERS[name])[0], []).append((line, name))
        for header, places in sorted(missing.items()):
            faults += 1
            line, name = min(places)
            print(f"{path}:{line}: std::{name} needs #include <{header}>")
    print(f"includes: {len(files)} files, {faults} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
