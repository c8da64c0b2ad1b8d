// Elementwise steps that read across the grain of the result: both unit-stride labels are cut into tiles, so that every
// cache line fetched is used before it is dropped. Cutting is the inverse of folding: one mode becomes two.
#include <algorithm>
#include <cmath>
#include <optional>

#include "nest_model.h"

namespace einloom {

namespace {

constexpr std::int64_t least_tile = 8, most_tile = 32;
constexpr double least_cells = 4096;

std::optional<std::size_t> mode_of(const Access& access, int label) {
  const auto at = std::find(access.labels.begin(), access.labels.end(), label);
  if (at == access.labels.end()) return std::nullopt;
  return static_cast<std::size_t>(at - access.labels.begin());
}

std::optional<int> unit_label(const Access& access) {
  for (std::size_t m = 0; m < access.labels.size(); ++m) {
    if (std::abs(access.desc.strides[m]) == 1) return access.labels[m];
  }
  return std::nullopt;
}

// The largest tile that divides the extent; 0 where there is none worth having.
std::int64_t tile_of(std::int64_t extent) {
  for (std::int64_t tile = most_tile; tile >= least_tile; --tile) {
    if (extent % tile == 0) return extent == 0 ? 0 : tile;
  }
  return 0;
}

// The label then counts tiles; the label given back counts within one.
int cut(Local& local, int label, std::int64_t tile) {
  const auto l = static_cast<std::size_t>(label);
  const int inner = static_cast<int>(local.ids.size());
  local.ids.push_back(local.ids[l] < 0 ? local.ids[l] : -1 - local.ids[l]);
  local.ids[l] = local.ids.back();
  local.names.push_back(local.names[l] + "'");
  local.extents.push_back(tile);
  local.extents[l] /= tile;
  const auto apply = [&](Access& a) {
    const std::optional<std::size_t> m = mode_of(a, label);
    if (!m) return;
    const std::int64_t stride = a.desc.strides[*m];
    a.desc.extents[*m] /= tile;
    a.desc.strides[*m] *= tile;  // no larger than the reach of the mode that was
    a.labels.push_back(inner);
    a.desc.extents.push_back(tile);
    a.desc.strides.push_back(stride);
  };
  for (Access& a : local.inputs) apply(a);
  apply(local.output);
  return inner;
}

}  // namespace

std::optional<Nest> tile_transpose(Local& local, const Problem& problem) {
  const Access& out = local.output;
  if (local.diagonal || out.desc.sparse || out.labels.size() != local.ids.size()) return std::nullopt;
  const std::optional<int> written = unit_label(out);
  if (!written) return std::nullopt;
  for (const Access& in : local.inputs) {
    if (in.desc.sparse) return std::nullopt;
  }
  for (const Access& in : local.inputs) {
    const std::optional<int> read = unit_label(in);
    if (!read || *read == *written || !mode_of(in, *written)) continue;
    // One cut is enough to keep the lines of the other tensor in cache; two keep the pages few as well.
    const std::int64_t rows = tile_of(local.extents[static_cast<std::size_t>(*read)]);
    const std::int64_t columns = tile_of(local.extents[static_cast<std::size_t>(*written)]);
    if ((rows == 0 && columns == 0) || cells_of(local.extents) < least_cells) return std::nullopt;
    const int outer_read = *read, outer_written = *written;
    std::vector<int> order;
    for (int l = 0; l < static_cast<int>(local.ids.size()); ++l) {
      const bool kept = (l == outer_read && (rows == 0 || rows == local.extents[static_cast<std::size_t>(l)])) ||
                        (l == outer_written && (columns == 0 || columns == local.extents[static_cast<std::size_t>(l)]));
      if (!kept) order.push_back(l);
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return std::abs(out.desc.strides[*mode_of(out, a)]) > std::abs(out.desc.strides[*mode_of(out, b)]);
    });
    const auto inner_of = [&](int label, std::int64_t tile) {
      const bool whole = tile == 0 || tile == local.extents[static_cast<std::size_t>(label)];
      return whole ? label : cut(local, label, tile);
    };
    const int inner_read = inner_of(outer_read, rows), inner_written = inner_of(outer_written, columns);
    // The outermost loop is shared by the units: the longest serves best where the natural one is short.
    if (!order.empty() && local.extents[static_cast<std::size_t>(order[0])] < 2 * problem.target.units) {
      const auto longest = std::max_element(order.begin(), order.end(), [&](int a, int b) {
        return local.extents[static_cast<std::size_t>(a)] < local.extents[static_cast<std::size_t>(b)];
      });
      std::rotate(order.begin(), longest, longest + 1);
    }
    // An uncut label runs outside the tile of the other.
    if (columns == 0) {
      order.insert(order.end(), {inner_written, inner_read});
    } else {
      order.insert(order.end(), {inner_read, inner_written});
    }
    NestModel model(local, problem);
    Nest nest = model.nest(order, std::vector<bool>(local.inputs.size(), false));
    nest.note = "read and written in tiles";
    nest.seconds = std::max(nest.bytes / problem.target.bytes_per_second,
                            nest.leaves * 1e-9 / std::min(nest.chunks, problem.target.units));
    return nest;
  }
  return std::nullopt;
}

}  // namespace einloom
