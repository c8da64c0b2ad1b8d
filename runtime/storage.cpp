// Dense storage and the identities of semirings.
#include "runtime/storage.h"

#include <algorithm>
#include <cstring>

#include "frontend/error.h"
#include "runtime/elements.h"
#include "runtime/memory.h"
#include "runtime/parallel.h"

namespace einloom {

Tensor make_dense(DType type, std::vector<std::int64_t> extents) {
  auto storage = std::make_shared<Storage>();
  storage->desc = dense_desc(type, std::move(extents));
  const std::int64_t count = checked_product(storage->desc.extents, "the size of a dense tensor");
  storage->owner = allocate_elements(count, static_cast<std::int64_t>(size_of(type)), "a dense tensor");
  storage->data = storage->owner.get();
  return Tensor(std::move(storage));
}

std::pair<const char*, const char*> byte_range(const Storage& storage) {
  const auto* const base = static_cast<const char*>(storage.data);
  const TensorDesc& desc = storage.desc;
  const auto size = static_cast<std::int64_t>(size_of(desc.dtype));
  if (desc.sparse) return {base, base + desc.nnz() * size};
  std::int64_t low = 0, high = 0;
  for (std::size_t m = 0; m < desc.extents.size(); ++m) {
    if (desc.extents[m] == 0) return {base, base};
    const std::int64_t reach = checked_mul(desc.extents[m] - 1, desc.strides[m], "the reach of a stride");
    (reach < 0 ? low : high) = checked_add(reach < 0 ? low : high, reach, "the reach of the strides");
  }
  low = checked_mul(low, size, "the reach of the strides in bytes");
  high = checked_mul(checked_add(high, 1, "the reach of the strides"), size, "the reach of the strides in bytes");
  return {base + low, base + high};
}

void write_identity(DType type, Semiring semiring, void* out) {
  visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T value = narrow<T>(identity_of<decltype(widen(T{}))>(semiring));
    std::memcpy(out, &value, sizeof(T));
  });
}

void fill_identity(DType type, Semiring semiring, void* data, std::int64_t count) {
  visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T value = narrow<T>(identity_of<decltype(widen(T{}))>(semiring));
    T* const out = static_cast<T*>(data);
    parallel_for(count, 1 << 18,
                 [&](std::int64_t begin, std::int64_t end) { std::fill(out + begin, out + end, value); });
  });
}

}  // namespace einloom
