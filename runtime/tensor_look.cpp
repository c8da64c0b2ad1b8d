// Coordinates, norm and sum.
#include <algorithm>
#include <cmath>
#include <complex>

#include "runtime/elements.h"
#include "runtime/levels_walk.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

// Sums term(value) over fixed chunks, so that the result does not depend on the number of threads.
template <class F>
double chunked(const Tensor& tensor, F&& term) {
  const Tensor flat = tensor.sparse() ? tensor : tensor.contiguous();
  const std::int64_t count = flat.nnz();
  constexpr std::int64_t chunk = 1 << 14;
  const std::int64_t chunks = count / chunk + (count % chunk != 0 ? 1 : 0);
  std::vector<double> parts(static_cast<std::size_t>(chunks), 0);
  visit_type(flat.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* const data = static_cast<const T*>(flat.data_raw());
    parallel_for(chunks, 4, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) {
        double part = 0;
        for (std::int64_t i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) {
          const auto w = widen(data[i]);
          if constexpr (is_complex_v<std::remove_const_t<decltype(w)>>) {
            part += term(static_cast<double>(w.real()), static_cast<double>(w.imag()));
          } else {
            part += term(static_cast<double>(w), 0.0);
          }
        }
        parts[static_cast<std::size_t>(c)] = part;
      }
    });
  });
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

}  // namespace

std::vector<std::int64_t> Tensor::coordinates() const {
  const TensorDesc& d = desc();
  const auto modes = static_cast<std::size_t>(d.order());
  const std::int64_t rows = d.sparse ? d.nnz() : checked_product(d.extents, "the size of a dense tensor");
  const std::int64_t count = checked_mul(rows, d.order(), "the number of coordinates");
  check_memory(checked_mul(count, 8, "the size of the coordinates"), "a list of coordinates");
  std::vector<std::int64_t> out(static_cast<std::size_t>(count));
  if (d.sparse) {
    walk_positions(*storage_, [&](std::int64_t p, const std::vector<std::int64_t>& at) {
      for (std::size_t l = 0; l < modes; ++l) {
        out[static_cast<std::size_t>(p) * modes + static_cast<std::size_t>(d.format.order[l])] = at[l];
      }
    });
    return out;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t rest = row;
    for (std::size_t m = modes; m-- > 0;) {
      out[static_cast<std::size_t>(row) * modes + m] = rest % d.extents[m];
      rest /= d.extents[m];
    }
  }
  return out;
}

double Tensor::norm() const {
  const double plain = chunked(*this, [](double re, double im) { return re * re + im * im; });
  if (std::isfinite(plain) && plain > 1e-290) return std::sqrt(plain);
  // Squares left the range: once more with the largest magnitude taken out.
  double largest = 0;
  bool whole = true;
  const Tensor flat = sparse() ? *this : contiguous();
  visit_type(flat.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (std::int64_t i = 0; i < flat.nnz(); ++i) {
      const double x =
          static_cast<double>(std::abs(std::complex<double>(widen(static_cast<const T*>(flat.data_raw())[i]))));
      whole = whole && std::isfinite(x);
      largest = std::max(largest, x);
    }
  });
  if (!whole || largest == 0) return std::sqrt(plain);
  return largest * std::sqrt(chunked(*this, [&](double re, double im) {
           return (re / largest) * (re / largest) + (im / largest) * (im / largest);
         }));
}

double Tensor::sum() const {
  return chunked(*this, [](double re, double) { return re; });
}

}  // namespace einloom
