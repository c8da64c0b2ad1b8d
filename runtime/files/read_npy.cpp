// .npy: elements read straight into the tensor, bytes turned and narrow integers widened where needed.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "frontend/counted.h"
#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/elements.h"
#include "runtime/files/files.h"
#include "runtime/files/npy_header.h"
#include "runtime/memory.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

struct Element {
  DType type;             // what it becomes
  std::int64_t size;      // bytes in the file
  bool is_signed = true;  // of integers that are widened
};

// The element type behind NumPy's letters, without the byte order.
Element element_of(const Input& input, const std::string& descr) {
  const std::string_view code = std::string_view(descr).substr(std::min<std::size_t>(1, descr.size()));
  static constexpr std::pair<std::string_view, Element> known[] = {
      {"b1", {DType::boolean, 1}},    {"i1", {DType::i32, 1}},        {"i2", {DType::i32, 2}},
      {"u1", {DType::i32, 1, false}}, {"u2", {DType::i32, 2, false}}, {"u4", {DType::i64, 4, false}},
      {"i4", {DType::i32, 4}},        {"i8", {DType::i64, 8}},        {"f2", {DType::f16, 2}},
      {"f4", {DType::f32, 4}},        {"f8", {DType::f64, 8}},        {"c8", {DType::c64, 8}},
      {"c16", {DType::c128, 16}},     {"V2", {DType::bf16, 2}},
  };
  for (const auto& [name, element] : known) {
    if (code == name) return element;
  }
  if (!code.empty() && code[0] == 'O') input.fail("holds Python objects (pickles), which are not accepted");
  input.fail(
      fmt::format("holds elements of type '{}': accepted are bool, i32, i64, f16, bf16 (V2), f32, f64, c64, c128 and "
                  "the integers that fit those (int8, int16, uint8, uint16, uint32)",
                  descr));
}

template <class U>
void turn(U* data, std::int64_t count) {
  parallel_for(count, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      U x = data[i], y = 0;
      for (std::size_t b = 0; b < sizeof(U); ++b)
        y = static_cast<U>(static_cast<U>(y << 8) | (x & 0xFF)), x = static_cast<U>(x >> 8);
      data[i] = y;
    }
  });
}

// Turns the bytes of `count` units of `size` bytes.
void turn_bytes(void* data, std::int64_t count, std::int64_t size) {
  if (size == 2) turn(static_cast<std::uint16_t*>(data), count);
  if (size == 4) turn(static_cast<std::uint32_t*>(data), count);
  if (size == 8) turn(static_cast<std::uint64_t*>(data), count);
}

template <class From, class To>
void widen_integers(const void* from, void* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) static_cast<To*>(to)[i] = static_cast<To>(static_cast<const From*>(from)[i]);
}

void widen_integers(const Element& e, const void* from, void* to, std::int64_t count) {
  if (e.size == 1) {
    e.is_signed ? widen_integers<std::int8_t, std::int32_t>(from, to, count)
                : widen_integers<std::uint8_t, std::int32_t>(from, to, count);
  } else if (e.size == 2) {
    e.is_signed ? widen_integers<std::int16_t, std::int32_t>(from, to, count)
                : widen_integers<std::uint16_t, std::int32_t>(from, to, count);
  } else {
    widen_integers<std::uint32_t, std::int64_t>(from, to, count);
  }
}

std::vector<std::int64_t> column_major(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> reversed(extents.rbegin(), extents.rend());
  std::vector<std::int64_t> strides = row_major(reversed);
  std::reverse(strides.begin(), strides.end());
  return strides;
}

}  // namespace

Tensor read_npy(const Input& input) {
  const NpyHeader header = read_npy_header(input);
  const Element element = element_of(input, header.descr);
  const char order = header.descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=')
    input.fail(fmt::format("has an unknown byte order in '{}'", header.descr));
  const bool turned = order == '>' && std::endian::native == std::endian::little;
  std::int64_t count = 0, bytes = 0;
  try {
    count = checked_product(header.shape, "the size of an array");
    bytes = checked_mul(count, element.size, "the size of an array in bytes");
    row_major(header.shape), column_major(header.shape);
  } catch (const Error& error) {
    input.fail(error.message());
  }
  if (bytes != input.size() - header.data) {
    input.fail(fmt::format("has {} of data, but shape {} of '{}' needs {}", counted(input.size() - header.data, "byte"),
                           shape_text(header.shape), header.descr, bytes));
  }
  auto storage = std::make_shared<Storage>();
  storage->desc =
      dense_desc(element.type, header.shape, header.fortran ? column_major(header.shape) : row_major(header.shape));
  const auto kept = static_cast<std::int64_t>(size_of(element.type));
  storage->owner = allocate_elements(count, kept, input.path().c_str());
  storage->data = storage->owner.get();
  Bytes raw = kept == element.size ? storage->owner : allocate(bytes, input.path().c_str());
  parallel_for(bytes, 1 << 22, [&](std::int64_t begin, std::int64_t end) {
    input.read(header.data + begin, static_cast<char*>(raw.get()) + begin, end - begin);
  });
  if (turned) {
    const std::int64_t parts = is_complex(element.type) ? 2 : 1;
    turn_bytes(raw.get(), count * parts, element.size / parts);
  }
  if (kept != element.size) widen_integers(element, raw.get(), storage->data, count);
  if (element.type == DType::boolean) {
    auto* const b = static_cast<unsigned char*>(storage->data);
    for (std::int64_t i = 0; i < count; ++i) b[i] = b[i] != 0 ? 1 : 0;
  }
  return Tensor(std::move(storage));
}

}  // namespace einloom
