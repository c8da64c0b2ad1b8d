// The same numbers in another layout, order or element type.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "frontend/error.h"
#include "runtime/elements.h"
#include "runtime/levels_walk.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

// False when the value has no counterpart in the new type.
template <class To, class From>
bool convert(const From& x, To& out) {
  const auto w = widen(x);
  using W = std::remove_const_t<decltype(w)>;
  using C = decltype(widen(To{}));
  if constexpr (std::is_same_v<To, bool>) {
    out = w != W{};
  } else if constexpr (is_complex_v<W> && is_complex_v<C>) {
    out = To(static_cast<typename To::value_type>(w.real()), static_cast<typename To::value_type>(w.imag()));
  } else if constexpr (is_complex_v<W>) {
    return w.imag() == 0 && convert(w.real(), out);
  } else if constexpr (is_complex_v<C>) {
    out = To(static_cast<typename To::value_type>(w), 0);
  } else if constexpr (std::is_integral_v<C> && std::is_floating_point_v<W>) {
    const W limit = std::ldexp(W(1), static_cast<int>(sizeof(C)) * 8 - 1);
    if (!(w >= -limit && w < limit)) return false;
    out = static_cast<C>(w);
  } else {
    if constexpr (std::is_integral_v<C> && std::is_integral_v<W> && sizeof(C) < sizeof(W)) {
      if (w < std::numeric_limits<C>::lowest() || w > std::numeric_limits<C>::max()) return false;
    }
    out = narrow<To>(static_cast<C>(w));
  }
  return true;
}

template <class To, class From>
void convert_all(const From* from, To* to, std::int64_t count) {
  std::atomic<bool> fits{true};
  parallel_for(count, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    bool ok = true;
    for (std::int64_t i = begin; i < end; ++i) ok &= convert(from[i], to[i]);
    if (!ok) fits.store(false);
  });
  if (!fits.load()) {
    throw Error::input(
        fmt::format("a value of {} has no counterpart in {}", name(dtype_of<From>::value), name(dtype_of<To>::value)));
  }
}

// Copies a strided tensor to row-major memory.
template <class T>
void copy_rows(const TensorDesc& desc, const T* base, T* out) {
  const std::size_t modes = desc.extents.size();
  const std::int64_t inner = modes == 0 ? 1 : desc.extents[modes - 1];
  const std::int64_t step = modes == 0 ? 1 : desc.strides[modes - 1];
  const std::int64_t rows = desc.size() == 0 ? 0 : desc.size() / inner;
  parallel_for(rows, std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(inner, 1)),
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<std::int64_t> at(modes, 0);
                 std::int64_t offset = 0, rest = begin;
                 for (std::size_t m = modes; m-- > 1;) {
                   at[m - 1] = rest % desc.extents[m - 1], rest /= desc.extents[m - 1];
                   offset += at[m - 1] * desc.strides[m - 1];
                 }
                 for (std::int64_t row = begin; row < end; ++row) {
                   for (std::int64_t i = 0; i < inner; ++i) out[row * inner + i] = base[offset + i * step];
                   for (std::size_t m = modes; m-- > 1;) {
                     offset += desc.strides[m - 1];
                     if (++at[m - 1] < desc.extents[m - 1]) break;
                     offset -= desc.strides[m - 1] * desc.extents[m - 1];
                     at[m - 1] = 0;
                   }
                 }
               });
}

void check_permutation(const std::vector<int>& order, int modes) {
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> natural(static_cast<std::size_t>(modes));
  std::iota(natural.begin(), natural.end(), 0);
  if (sorted != natural) {
    throw Error::input(
        fmt::format("the mode order {} does not name each of {} modes once", fmt::join(order, ","), modes));
  }
}

}  // namespace

Tensor Tensor::contiguous() const {
  const TensorDesc& d = desc();
  if (d.sparse) throw Error::input("a sparse tensor has no contiguous form: convert it to dense first");
  if (d.strides == row_major(d.extents)) return *this;
  Tensor out = make_dense(d.dtype, d.extents);
  visit_size(size_of(d.dtype), [&](auto tag) {
    using T = typename decltype(tag)::type;
    copy_rows(d, static_cast<const T*>(storage_->data), static_cast<T*>(out.storage()->data));
  });
  return out;
}

Tensor Tensor::to_dense(Semiring semiring) const {
  const TensorDesc& d = desc();
  if (!d.sparse) return contiguous();
  Tensor out = make_dense(d.dtype, d.extents);
  fill_identity(d.dtype, semiring, out.storage()->data, out.desc().size());
  const std::vector<std::int64_t> strides = storage_extents(out.desc().strides, d.format.order);
  visit_size(size_of(d.dtype), [&](auto tag) {
    using T = typename decltype(tag)::type;
    walk_positions(*storage_, [&](std::int64_t p, const std::vector<std::int64_t>& at) {
      std::int64_t offset = 0;
      for (std::size_t l = 0; l < at.size(); ++l) offset += at[l] * strides[l];
      static_cast<T*>(out.storage()->data)[offset] = static_cast<const T*>(storage_->data)[p];
    });
  });
  return out;
}

Tensor Tensor::to_sparse(Format format, Semiring semiring) const { return reformat(*this, format, semiring); }

Tensor Tensor::to_dtype(DType type) const {
  if (type == dtype()) return *this;
  const Tensor from = sparse() ? *this : contiguous();
  auto storage = std::make_shared<Storage>(*from.storage());
  const std::int64_t count = from.nnz();
  storage->desc.dtype = type;
  storage->owner = allocate_elements(count, static_cast<std::int64_t>(size_of(type)), "a converted tensor");
  storage->data = storage->owner.get();
  storage->read_only = false;
  visit_type(dtype(), [&](auto source) {
    visit_type(type, [&](auto target) {
      using From = typename decltype(source)::type;
      using To = typename decltype(target)::type;
      convert_all(static_cast<const From*>(from.storage()->data), static_cast<To*>(storage->data), count);
    });
  });
  return Tensor(std::move(storage));
}

Tensor Tensor::permute(const std::vector<int>& order) const {
  check_permutation(order, this->order());
  auto storage = std::make_shared<Storage>(*storage_);
  TensorDesc& d = storage->desc;
  std::vector<int> place(order.size());
  for (std::size_t m = 0; m < order.size(); ++m) {
    const auto old = static_cast<std::size_t>(order[m]);
    d.extents[m] = extents()[old];
    if (!d.sparse) d.strides[m] = desc().strides[old];
    place[old] = static_cast<int>(m);
  }
  for (int& mode : d.format.order) mode = place[static_cast<std::size_t>(mode)];
  return Tensor(std::move(storage));
}

}  // namespace einloom
