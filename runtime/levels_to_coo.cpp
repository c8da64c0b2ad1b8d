// From any tensor back to keys: dense ones by a scan in storage order, sparse ones by walking from leaves to root.
#include <algorithm>
#include <cstring>

#include "frontend/error.h"
#include "runtime/elements.h"
#include "runtime/levels.h"
#include "runtime/levels_walk.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

using Word = std::uint64_t;

void put(Coo& coo, std::size_t level, std::int64_t row, std::int64_t coordinate) {
  const KeyLayout::Field f = coo.layout.fields[level];
  as<Word>(coo.keys[static_cast<std::size_t>(f.word)])[row] |= static_cast<Word>(coordinate) << f.shift;
}

// Visits [begin, end) of a dense tensor in storage order: visit(coordinates, element).
template <class T, class F>
void scan(const TensorDesc& desc, const T* base, const std::vector<int>& order, std::int64_t begin, std::int64_t end,
          F&& visit) {
  const std::size_t levels = order.size();
  std::vector<std::int64_t> at(levels), extent(levels), stride(levels);
  std::int64_t rest = begin, offset = 0;
  for (std::size_t l = levels; l-- > 0;) {
    const auto mode = static_cast<std::size_t>(order[l]);
    extent[l] = desc.extents[mode], stride[l] = desc.strides[mode];
    at[l] = rest % extent[l], rest /= extent[l];
    offset += at[l] * stride[l];
  }
  for (std::int64_t i = begin; i < end; ++i) {
    visit(at, base[offset]);
    for (std::size_t l = levels; l-- > 0;) {
      offset += stride[l];
      if (++at[l] < extent[l]) break;
      offset -= stride[l] * extent[l];
      at[l] = 0;
    }
  }
}

template <class T>
bool is_identity(const T& x, Semiring semiring) {
  const auto wide = widen(x);
  return wide == identity_of<std::remove_const_t<decltype(wide)>>(semiring);
}

template <class T>
Coo from_dense(const Storage& storage, const Format& format, const KeyLayout& layout, Semiring semiring) {
  const TensorDesc& desc = storage.desc;
  const std::int64_t size = checked_product(desc.extents, "the size of a dense tensor");
  if (size == 0) return make_coo(layout, desc.dtype, 0, true);
  const T* const base = static_cast<const T*>(storage.data);
  const std::int64_t chunks = std::clamp<std::int64_t>(size >> 16, 1, 1024);
  const auto first_of = [&](std::int64_t c) { return size / chunks * c + std::min(c, size % chunks); };
  std::vector<std::int64_t> kept(static_cast<std::size_t>(chunks) + 1, 0);
  parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      std::int64_t n = 0;
      scan(desc, base, format.order, first_of(c), first_of(c + 1),
           [&](const auto&, const T& x) { n += is_identity(x, semiring) ? 0 : 1; });
      kept[static_cast<std::size_t>(c) + 1] = n;
    }
  });
  for (std::size_t c = 1; c < kept.size(); ++c) kept[c] += kept[c - 1];
  Coo coo = make_coo(layout, desc.dtype, kept.back(), true);
  parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      std::int64_t row = kept[static_cast<std::size_t>(c)];
      scan(desc, base, format.order, first_of(c), first_of(c + 1), [&](const auto& at, const T& x) {
        if (is_identity(x, semiring)) return;
        for (std::size_t l = 0; l < at.size(); ++l) put(coo, l, row, at[l]);
        as<T>(coo.values)[row++] = x;
      });
    }
  });
  coo.sorted = true;
  return coo;
}

// All stored positions of a sparse tensor, in its own order.
Coo from_sparse(const Storage& storage, const Format& format, const KeyLayout& layout) {
  const TensorDesc& desc = storage.desc;
  Coo coo = make_coo(layout, desc.dtype, desc.nnz(), true);
  std::vector<std::size_t> target(
      format.order.size());  // the level of `format` that holds what each stored level holds
  for (std::size_t l = 0; l < target.size(); ++l) {
    const auto found = std::find(format.order.begin(), format.order.end(), desc.format.order[l]);
    target[l] = static_cast<std::size_t>(found - format.order.begin());
  }
  walk_positions(storage, [&](std::int64_t row, const std::vector<std::int64_t>& at) {
    for (std::size_t l = 0; l < at.size(); ++l) put(coo, target[l], row, at[l]);
  });
  std::memcpy(coo.values.get(), storage.data, static_cast<std::size_t>(coo.count) * size_of(desc.dtype));
  coo.sorted = format.order == desc.format.order;
  return coo;
}

// Without the positions that hold just the identity.
template <class T>
Coo without_fill(const Coo& coo, Semiring semiring) {
  const T* const values = as<T>(coo.values);
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < coo.count; ++i) kept += is_identity(values[i], semiring) ? 0 : 1;
  if (kept == coo.count) return coo;
  Coo out = make_coo(coo.layout, coo.dtype, kept);
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < coo.count; ++i) {
    if (is_identity(values[i], semiring)) continue;
    for (std::size_t w = 0; w < coo.keys.size(); ++w) as<Word>(out.keys[w])[row] = as<Word>(coo.keys[w])[i];
    as<T>(out.values)[row++] = values[i];
  }
  out.sorted = coo.sorted;
  return out;
}

}  // namespace

Coo make_coo(const KeyLayout& layout, DType dtype, std::int64_t count, bool clear) {
  Coo coo;
  coo.layout = layout, coo.dtype = dtype, coo.count = count;
  for (int w = 0; w < layout.words; ++w) {
    coo.keys.push_back(allocate_elements(count, sizeof(Word), "coordinates"));
    if (clear) {
      Word* const keys = as<Word>(coo.keys.back());
      parallel_for(count, 1 << 18,
                   [&](std::int64_t begin, std::int64_t end) { std::fill(keys + begin, keys + end, 0); });
    }
  }
  coo.values = allocate_elements(count, static_cast<std::int64_t>(size_of(dtype)), "values");
  return coo;
}

Coo to_coo(const Storage& storage, const Format& given, Semiring semiring) {
  const TensorDesc& desc = storage.desc;
  const Format format = resolve(given, desc.order());
  const KeyLayout layout = key_layout(storage_extents(desc.extents, format.order));
  return visit_type(desc.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (!desc.sparse) return from_dense<T>(storage, format, layout, semiring);
    Coo coo = from_sparse(storage, format, layout);
    return has_fill(desc.format) ? without_fill<T>(coo, semiring) : coo;
  });
}

Tensor scalar_of(const Coo& coo, Semiring semiring) {
  Tensor out = make_dense(coo.dtype, {});
  write_identity(coo.dtype, semiring, out.storage()->data);
  if (coo.count > 0) std::memcpy(out.storage()->data, coo.values.get(), size_of(coo.dtype));
  return out;
}

Tensor reformat(const Tensor& tensor, const Format& given, Semiring semiring) {
  if (tensor.order() == 0) return tensor.contiguous();
  const Format format = resolve(given, tensor.order());
  if (tensor.sparse() && tensor.desc().format == format) return tensor;
  Coo coo = to_coo(*tensor.storage(), format, semiring);
  sort_and_combine(coo, semiring);
  return build_levels(coo, tensor.extents(), format, semiring);
}

}  // namespace einloom
