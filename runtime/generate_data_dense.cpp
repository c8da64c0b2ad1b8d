// Dense data: normal elements, and tensors of exact rank in CP, TT and TR form.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "frontend/counted.h"
#include "frontend/error.h"
#include "runtime/generate_data.h"
#include "runtime/memory.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

using Extents = std::vector<std::int64_t>;

// Standard normal numbers; every block of elements has a stream of its own, so that threads can draw at once.
Tensor normal_tensor(std::uint64_t seed, std::uint64_t stream, const Extents& extents, DType type) {
  Tensor out = make_dense(type, extents);
  const std::int64_t count = out.desc().size();
  constexpr std::int64_t block = 1 << 16;
  const auto size = static_cast<std::int64_t>(size_of(type));
  parallel_for((count + block - 1) / block, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      Generator generator(seed, (stream << 40) + static_cast<std::uint64_t>(b) + 1);
      fill_random(generator, type, static_cast<char*>(out.storage()->data) + b * block * size,
                  std::min(block, count - b * block));
    }
  });
  return out;
}

void add_noise(Tensor& tensor, double noise, std::uint64_t seed) {
  if (noise == 0) return;
  const Tensor extra = normal_tensor(seed, 1 << 20, tensor.extents(), DType::f64);
  const double norm = extra.norm(), scale = norm == 0 ? 0 : noise * tensor.norm() / norm;
  double* const out = tensor.mutable_data<double>();
  const double* const from = extra.data<double>();
  parallel_for(tensor.desc().size(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] += scale * from[i];
  });
}

void check_type(const Spec& spec, DType type) {
  if (!is_float(type))
    spec.fail(fmt::format("{} data of {} would be rounded to nothing: take a floating type", spec.kind(), name(type)));
}

// left (rows x inner) times core (inner x columns), all row-major.
Tensor multiply(const Tensor& left, const Tensor& core, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  Tensor out = make_dense(DType::f64, {rows, columns});
  const double *const a = left.data<double>(), *const b = core.data<double>();
  double* const c = out.mutable_data<double>();
  parallel_for(rows, std::max<std::int64_t>(1, (1 << 14) / std::max<std::int64_t>(1, inner * columns)),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   std::fill(c + i * columns, c + (i + 1) * columns, 0.0);
                   for (std::int64_t k = 0; k < inner; ++k) {
                     for (std::int64_t j = 0; j < columns; ++j)
                       c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
                   }
                 }
               });
  return out;
}

Tensor reshaped(const Tensor& tensor, const Extents& extents) {
  auto storage = std::make_shared<Storage>(*tensor.storage());
  storage->desc = dense_desc(tensor.dtype(), extents);
  return Tensor(std::move(storage));
}

}  // namespace

Tensor generate_dense(Spec& spec, DType type) {
  const Extents extents = spec.shape();
  const std::uint64_t seed = spec.seed();
  spec.finish();
  return normal_tensor(seed, 0, extents, type);
}

Tensor generate_cp(Spec& spec, DType type) {
  check_type(spec, type);
  const Extents extents = spec.shape();
  const std::int64_t rank = spec.integer("rank", 1);
  const double noise = spec.real("noise", 0, 0);
  const std::uint64_t seed = spec.seed();
  spec.finish();
  std::vector<Tensor> factors;
  for (std::size_t m = 0; m < extents.size(); ++m)
    factors.push_back(normal_tensor(seed, m + 1, {extents[m], rank}, DType::f64));
  Tensor out = make_dense(DType::f64, extents);
  const std::size_t last = extents.size() - 1;
  const std::int64_t inner = extents[last], rows = out.desc().size() == 0 ? 0 : out.desc().size() / inner;
  double* const data = out.mutable_data<double>();
  parallel_for(rows, 16, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> weight(static_cast<std::size_t>(rank));
    for (std::int64_t row = begin; row < end; ++row) {
      std::fill(weight.begin(), weight.end(), 1.0);
      for (std::int64_t m = static_cast<std::int64_t>(last) - 1, rest = row; m >= 0; --m) {
        const std::int64_t extent = extents[static_cast<std::size_t>(m)];
        const double* const factor = factors[static_cast<std::size_t>(m)].data<double>() + rest % extent * rank;
        for (std::size_t r = 0; r < weight.size(); ++r) weight[r] *= factor[r];
        rest /= extent;
      }
      for (std::int64_t j = 0; j < inner; ++j) {
        const double* const factor = factors[last].data<double>() + j * rank;
        double sum = 0;
        for (std::size_t r = 0; r < weight.size(); ++r) sum += weight[r] * factor[r];
        data[row * inner + j] = sum;
      }
    }
  });
  add_noise(out, noise, seed);
  return out.to_dtype(type);
}

// Core k is ranks[k] x extent x ranks[k + 1]; a ring closes with the first rank, a train begins and ends with 1.
Tensor generate_train(Spec& spec, DType type, bool ring) {
  check_type(spec, type);
  const Extents extents = spec.shape();
  Extents ranks;
  if (spec.has("ranks") || ring || extents.size() > 1) ranks = spec.integers("ranks");
  const std::size_t modes = extents.size();
  if (ranks.size() != (ring ? modes : modes - 1)) {
    spec.fail(fmt::format("a shape of {} calls for {}, {} given", counted(modes, "mode"),
                          counted(ring ? modes : modes - 1, "rank"), ranks.size()));
  }
  if (!ring) ranks.insert(ranks.begin(), 1);
  ranks.push_back(ranks[0]);
  const double noise = spec.real("noise", 0, 0);
  const std::uint64_t seed = spec.seed();
  spec.finish();
  const std::int64_t closing = ranks[0];
  // left: (closing, product of the extents so far, rank), grown core by core.
  Tensor left =
      reshaped(normal_tensor(seed, 1, {closing, extents[0], ranks[1]}, DType::f64), {closing * extents[0], ranks[1]});
  std::int64_t rows = checked_mul(closing, extents[0], "a train of cores");
  for (std::size_t m = 1; m < modes; ++m) {
    const std::int64_t columns = checked_mul(extents[m], ranks[m + 1], "a core");
    const Tensor core = normal_tensor(seed, m + 1, {ranks[m], columns}, DType::f64);
    left = multiply(left, core, rows, ranks[m], columns);
    rows = checked_mul(rows, extents[m], "a train of cores");
  }
  // Now (closing, elements, closing): the trace over the closing rank.
  Tensor out = make_dense(DType::f64, extents);
  const std::int64_t count = out.desc().size();
  double* const data = out.mutable_data<double>();
  for (std::int64_t i = 0; i < count; ++i) {
    double sum = 0;
    for (std::int64_t r = 0; r < closing; ++r) sum += left.data<double>()[(r * count + i) * closing + r];
    data[i] = sum;
  }
  add_noise(out, noise, seed);
  return out.to_dtype(type);
}

}  // namespace einloom
