#include "tests/support/array.h"

#include <algorithm>
#include <cstring>

namespace einloom::test {

std::size_t count_of(const std::vector<std::int64_t>& extents) {
  std::size_t count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
  return count;
}

bool next_index(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& extents) {
  for (std::size_t m = extents.size(); m-- > 0;) {
    if (++index[m] < extents[m]) return true;
    index[m] = 0;
  }
  return false;
}

Array make_array(DType dtype, std::vector<std::int64_t> extents) {
  Array array;
  array.dtype = dtype;
  array.extents = std::move(extents);
  const std::size_t count = count_of(array.extents);
  array.values.assign(count, 0.0);
  array.ints.assign(count, 0);
  return array;
}

void Array::set(std::size_t at, std::complex<double> value) {
  std::complex<double> memory;
  store(dtype, &memory, 0, value, static_cast<std::int64_t>(value.real()));
  values[at] = load(dtype, &memory, 0);
  ints[at] = load_int(dtype, &memory, 0);
}

void Array::set_int(std::size_t at, std::int64_t value) {
  std::complex<double> memory;
  store(dtype, &memory, 0, static_cast<double>(value), value);
  values[at] = load(dtype, &memory, 0);
  ints[at] = load_int(dtype, &memory, 0);
}

namespace {

template <class T>
void put(void* base, std::int64_t index, T value) {
  std::memcpy(static_cast<char*>(base) + index * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

template <class T>
T get(const void* base, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

}  // namespace

void store(DType dtype, void* base, std::int64_t index, std::complex<double> value, std::int64_t integer) {
  const auto real = static_cast<float>(value.real());
  switch (dtype) {
    case DType::boolean:
      return put<unsigned char>(base, index, value != 0.0 || integer != 0);
    case DType::i32:
      return put(base, index, static_cast<std::int32_t>(integer));
    case DType::i64:
      return put(base, index, integer);
    case DType::f16:
      return put(base, index, to_f16(real).bits);
    case DType::bf16:
      return put(base, index, to_bf16(real).bits);
    case DType::f32:
      return put(base, index, real);
    case DType::f64:
      return put(base, index, value.real());
    case DType::c64:
      return put(base, index, std::complex<float>(value));
    case DType::c128:
      return put(base, index, value);
  }
}

std::complex<double> load(DType dtype, const void* base, std::int64_t index) {
  switch (dtype) {
    case DType::f16:
      return to_float(f16{get<std::uint16_t>(base, index)});
    case DType::bf16:
      return to_float(bf16{get<std::uint16_t>(base, index)});
    case DType::f32:
      return get<float>(base, index);
    case DType::f64:
      return get<double>(base, index);
    case DType::c64:
      return std::complex<double>(get<std::complex<float>>(base, index));
    case DType::c128:
      return get<std::complex<double>>(base, index);
    default:
      return static_cast<double>(load_int(dtype, base, index));
  }
}

std::int64_t load_int(DType dtype, const void* base, std::int64_t index) {
  switch (dtype) {
    case DType::boolean:
      return get<unsigned char>(base, index);
    case DType::i32:
      return get<std::int32_t>(base, index);
    case DType::i64:
      return get<std::int64_t>(base, index);
    default:
      return 0;
  }
}

Held dense_tensor(const Array& array, const Placement& placement) {
  const std::size_t order = array.extents.size();
  std::vector<std::int64_t> strides(order);
  std::int64_t span = 1, first = placement.offset;
  for (std::size_t k = order; k-- > 0;) {
    const std::size_t mode = placement.order.empty() ? k : static_cast<std::size_t>(placement.order[k]);
    const std::int64_t gap = placement.gap.empty() ? 1 : placement.gap[mode];
    strides[mode] = gap * span;
    if (gap < 0) first -= strides[mode] * std::max<std::int64_t>(array.extents[mode] - 1, 0);
    if (gap != 0) span *= std::abs(gap) * std::max<std::int64_t>(array.extents[mode], 1);
  }
  Held held;
  held.bytes = static_cast<std::size_t>(span + placement.offset) * size_of(array.dtype);
  held.memory.resize(held.bytes / sizeof(held.memory[0]) + 1);
  char* const base = reinterpret_cast<char*>(held.memory.data());
  std::memset(base, array.dtype == DType::boolean ? 1 : 0xff, held.memory.size() * sizeof(held.memory[0]));
  std::vector<std::int64_t> index(order, 0);
  for (std::size_t at = 0; at < array.size(); ++at) {
    std::int64_t place = first;
    for (std::size_t m = 0; m < order; ++m) place += index[m] * strides[m];
    store(array.dtype, base, place, array.values[at], array.ints[at]);
    next_index(index, array.extents);
  }
  held.tensor = Tensor::view_raw(array.dtype, base + first * static_cast<std::int64_t>(size_of(array.dtype)),
                                 array.extents, strides);
  return held;
}

Tensor sparse_tensor(const Array& array, const Format& format, Semiring semiring, Random* random) {
  struct Entry {
    std::size_t at;
    std::int64_t part;  // 0: the value, 1: zero, for the second of a pair under plus-times
  };
  std::vector<Entry> entries;
  for (std::size_t at = 0; at < array.size(); ++at) {
    if (!array.present.empty() && !array.present[at]) continue;
    entries.push_back({at, 0});
    if (random != nullptr && chance(*random, 0.1)) entries.push_back({at, semiring == Semiring::plus_times ? 1 : 0});
  }
  if (random != nullptr) std::shuffle(entries.begin(), entries.end(), *random);
  const std::size_t order = array.extents.size();
  std::vector<std::int64_t> coords(entries.size() * order);
  std::vector<std::complex<double>> memory(entries.size() + 1);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    auto rest = static_cast<std::int64_t>(entries[e].at);
    for (std::size_t m = order; m-- > 0;) {
      coords[e * order + m] = rest % array.extents[m];
      rest /= array.extents[m];
    }
    const bool zero = entries[e].part != 0;
    store(array.dtype, memory.data(), static_cast<std::int64_t>(e), zero ? 0.0 : array.values[entries[e].at],
          zero ? 0 : array.ints[entries[e].at]);
  }
  return Tensor::coo_raw(array.dtype, array.extents, static_cast<std::int64_t>(entries.size()), coords.data(), true,
                         memory.data(), format, semiring);
}

namespace {

void read_sparse(const Tensor& tensor, Array& array, std::string& fault) {
  const std::size_t order = array.extents.size();
  array.present.assign(array.size(), 0);
  const std::vector<std::int64_t> coords = tensor.coordinates();
  if (coords.size() != static_cast<std::size_t>(tensor.nnz()) * order) fault = "coordinates() does not hold nnz rows";
  const std::vector<int>& modes = tensor.desc().format.order;
  std::vector<std::int64_t> last;
  for (std::int64_t e = 0; e < tensor.nnz() && fault.empty(); ++e) {
    std::size_t at = 0;
    std::vector<std::int64_t> key(order);
    for (std::size_t m = 0; m < order; ++m) {
      const std::int64_t c = coords[static_cast<std::size_t>(e) * order + m];
      if (c < 0 || c >= array.extents[m]) fault = "a coordinate is out of range";
      at = at * static_cast<std::size_t>(array.extents[m]) + static_cast<std::size_t>(c);
    }
    if (!fault.empty()) return;
    for (std::size_t l = 0; l < order; ++l) {
      key[l] = coords[static_cast<std::size_t>(e) * order + static_cast<std::size_t>(modes[l])];
    }
    if (array.present[at]) fault = "a coordinate stands twice";
    if (e > 0 && !(last < key)) fault = fault.empty() ? "coordinates are not sorted" : fault;
    last = key;
    array.present[at] = 1;
    array.values[at] = load(array.dtype, tensor.data_raw(), e);
    array.ints[at] = load_int(array.dtype, tensor.data_raw(), e);
  }
}

}  // namespace

Array read_tensor(const Tensor& tensor, std::string* fault) {
  Array array = make_array(tensor.dtype(), tensor.extents());
  std::string problem;
  if (tensor.sparse()) {
    read_sparse(tensor, array, problem);
  } else {
    std::vector<std::int64_t> index(array.extents.size(), 0);
    const std::vector<std::int64_t>& strides = tensor.desc().strides;
    for (std::size_t at = 0; at < array.size(); ++at) {
      std::int64_t place = 0;
      for (std::size_t m = 0; m < index.size(); ++m) place += index[m] * strides[m];
      array.values[at] = load(array.dtype, tensor.data_raw(), place);
      array.ints[at] = load_int(array.dtype, tensor.data_raw(), place);
      next_index(index, array.extents);
    }
  }
  if (fault != nullptr) *fault = problem;
  return array;
}

bool identical(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.extents() != b.extents() || a.sparse() != b.sparse()) return false;
  const Array x = read_tensor(a), y = read_tensor(b);
  if (x.present != y.present || x.ints != y.ints) return false;
  return x.size() == 0 || std::memcmp(x.values.data(), y.values.data(), x.size() * sizeof(x.values[0])) == 0;
}

}  // namespace einloom::test
