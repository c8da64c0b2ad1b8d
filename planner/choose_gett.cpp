// The packed matrix-product strategy: which labels are batch, m, n and k, and the tiles.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "build.h"

namespace einloom {

namespace {

std::int64_t stride_of(const Access& access, int label) {
  for (std::size_t m = 0; m < access.labels.size(); ++m) {
    if (access.labels[m] == label) return access.desc.strides[m];
  }
  return 0;
}

bool has(const Access& access, int label) {
  return std::find(access.labels.begin(), access.labels.end(), label) != access.labels.end();
}

struct Roles {
  std::vector<int> batch, m, n, k;
  bool clean = true;  // no label of another kind
};

void sort_by_stride(std::vector<int>& labels, const Access& access) {
  std::stable_sort(labels.begin(), labels.end(),
                   [&](int a, int b) { return std::abs(stride_of(access, a)) > std::abs(stride_of(access, b)); });
}

Roles roles_of(const Local& local, const Access& a, const Access& b) {
  Roles roles;
  for (int l = 0; l < static_cast<int>(local.ids.size()); ++l) {
    const bool in_a = has(a, l), in_b = has(b, l), in_c = has(local.output, l);
    if (in_a && in_b) {
      (in_c ? roles.batch : roles.k).push_back(l);
    } else if (in_c && in_a != in_b) {
      (in_a ? roles.m : roles.n).push_back(l);
    } else {
      roles.clean = false;
    }
  }
  sort_by_stride(roles.batch, local.output);
  sort_by_stride(roles.m, local.output);
  sort_by_stride(roles.n, local.output);
  sort_by_stride(roles.k, a);
  return roles;
}

double size_of_group(const Local& local, const std::vector<int>& labels) {
  double size = 1;
  for (const int l : labels) size *= static_cast<double>(local.extents[static_cast<std::size_t>(l)]);
  return size;
}

// The output's smallest stride belongs in n, the direction of the vectors.
bool should_swap(const Local& local, const Roles& roles) {
  const auto least = [&](const std::vector<int>& labels) {
    std::int64_t smallest = INT64_MAX;
    for (const int l : labels) smallest = std::min(smallest, std::abs(stride_of(local.output, l)));
    return smallest;
  };
  return least(roles.m) < least(roles.n);
}

std::int64_t round_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t whole(double size) { return static_cast<std::int64_t>(std::min(size, 9e18)); }

int lanes(DType compute, const Target& target) {
  return std::max(1, target.vector_bytes / static_cast<int>(size_of(real_of(compute))));
}

void choose_tiles(Gett& gett, const Local& local, const Target& target) {
  const bool complex = is_complex(local.compute);
  const int vector = lanes(local.compute, target);
  const auto bytes = static_cast<std::int64_t>(size_of(local.compute));
  const std::int64_t m = std::max<std::int64_t>(1, whole(size_of_group(local, gett.m)));
  const std::int64_t n = std::max<std::int64_t>(1, whole(size_of_group(local, gett.n)));
  const std::int64_t k = std::max<std::int64_t>(1, whole(size_of_group(local, gett.k)));
  const std::int64_t batch = std::max<std::int64_t>(1, whole(size_of_group(local, gett.batch)));
  const bool many = target.vector_registers >= 32;
  gett.nr = n <= vector ? vector : 2 * vector;
  gett.mr = static_cast<int>(std::min<std::int64_t>(complex ? (many ? 6 : 3) : (many ? 12 : 6), m));
  // Measured: long panels pay although one of B exceeds the first cache, for each tile of C is then read and written
  // less often.
  const std::int64_t most_k = bytes > 8 ? 256 : 512;
  gett.kc = std::min(k, round_up(ceil_div(k, ceil_div(k, most_k)), 8));
  const std::int64_t most_m = std::max<std::int64_t>(gett.mr, target.l2 / 2 / (gett.kc * bytes) / gett.mr * gett.mr);
  // As many row blocks as the units can share evenly.
  std::int64_t blocks = ceil_div(m, most_m);
  const std::int64_t units = std::max(1, target.units);
  if (batch < 4 * units) {
    const std::int64_t wanted = round_up(batch * blocks, units) / batch;
    blocks = std::max(blocks, std::min(wanted, ceil_div(m, gett.mr)));
  }
  gett.mc = round_up(ceil_div(m, blocks), gett.mr);
  const std::int64_t panel = std::clamp<std::int64_t>(target.l3 / 4, 2 << 20, 8 << 20);
  const std::int64_t most_n = std::max<std::int64_t>(gett.nr, panel / (gett.kc * bytes) / gett.nr * gett.nr);
  gett.nc = std::min(round_up(ceil_div(n, ceil_div(n, most_n)), gett.nr), round_up(n, gett.nr));
}

}  // namespace

bool gett_legal(const Local& local) {
  if (local.inputs.size() != 2 || local.diagonal || local.output.desc.sparse) return false;
  if (local.inputs[0].desc.sparse || local.inputs[1].desc.sparse) return false;
  if (std::find(local.extents.begin(), local.extents.end(), 0) != local.extents.end()) return false;
  const Semiring s = local.semiring;
  if (is_complex(local.compute) && s != Semiring::plus_times) return false;
  if (local.compute == DType::boolean && (s == Semiring::min_plus || s == Semiring::max_plus)) return false;
  const Roles roles = roles_of(local, local.inputs[0], local.inputs[1]);
  return roles.clean && !roles.m.empty() && !roles.n.empty() && !roles.k.empty();
}

bool gett_worthwhile(const Local& local, const Target& target) {
  if (!gett_legal(local)) return false;
  const Roles roles = roles_of(local, local.inputs[0], local.inputs[1]);
  double m = size_of_group(local, roles.m), n = size_of_group(local, roles.n);
  if (should_swap(local, roles)) std::swap(m, n);
  const double k = size_of_group(local, roles.k);
  return m >= 4 && n >= std::max(2, lanes(local.compute, target) / 2) && k >= 4 && m * n * k >= 32768;
}

Step gett_step(const Local& local, const Target& target) {
  Step step;
  step.strategy = Strategy::gett;
  step.inputs = local.inputs;
  Roles roles = roles_of(local, step.inputs[0], step.inputs[1]);
  if (should_swap(local, roles)) {
    std::swap(step.inputs[0], step.inputs[1]);
    roles = roles_of(local, step.inputs[0], step.inputs[1]);
  }
  step.gett.batch = roles.batch, step.gett.m = roles.m, step.gett.n = roles.n, step.gett.k = roles.k;
  choose_tiles(step.gett, local, target);
  const double leaves = size_of_group(local, roles.batch) * size_of_group(local, roles.m) *
                        size_of_group(local, roles.n) * size_of_group(local, roles.k);
  step.flops = leaves * flops_per_leaf(2, true, local.compute);
  step.bytes = bytes_of(local.inputs[0].desc) + bytes_of(local.inputs[1].desc) + bytes_of(local.output.desc);
  step.nnz_out = cells_of(local.output.desc.extents);
  step.note = "packed panels, register-blocked";
  return step;
}

}  // namespace einloom
