// TensorDesc: what is known of a tensor without its data.
//
// Dense tensors have strides. Sparse tensors have one level format per storage level and the mode each level stores.
// A level answers fixed questions (iterate, locate, bounds, append), see docs/formats.md for the arrays behind each:
//   dense       every coordinate 0..extent-1 below each parent position; no arrays
//   compressed  pos[parent]..pos[parent+1] delimit the children, crd[p] their coordinates: sorted, distinct
//   nonunique   as compressed, but coordinates may repeat: the head of a COO group
//   singleton   one child a parent position, at the same position: crd[p]
// After a nonunique level the following singleton levels, read together, are sorted and distinct.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dtype.h"

namespace einloom {

enum class Level : std::uint8_t { dense, compressed, nonunique, singleton };
const char* name(Level level);

// The layout of a result: dense (row-major), CSF (all levels compressed) or COO (nonunique, then singletons).
enum class Layout : std::uint8_t { dense, csf, coo };
const char* name(Layout layout);

// How a sparse tensor is stored. `levels` may be empty ("CSF of whatever order"); `order[l]` is the mode stored at
// level l, empty for the natural order.
struct Format {
  std::vector<Level> levels;
  std::vector<int> order;
  bool operator==(const Format&) const = default;
};
Format csf(std::vector<int> order = {});  // all levels compressed
Format coo(std::vector<int> order = {});  // one nonunique level, then singletons
Format csr();                             // dense, compressed
Format csc();                             // dense, compressed over modes 1, 0
// "csf", "coo", "csr", "csc", "dense" (empty levels, returned as all-dense), or one letter a level: d c n s, with
// ":2,0,1" appended for a mode order. Throws Error(input) on anything else. `order` is the number of modes.
Format parse_format(const std::string& text, int order);
std::string to_string(const Format& format);
// The full format for a tensor of `order` modes: fills in levels and order, checks them. Throws Error(input).
Format resolve(Format format, int order);

struct TensorDesc {
  DType dtype = DType::f64;
  std::vector<std::int64_t> extents;  // one a mode
  std::vector<std::int64_t> strides;  // dense only, in elements, any sign; one a mode
  bool sparse = false;
  Format format;                    // sparse only: full (levels and order both given)
  std::vector<std::int64_t> nodes;  // sparse only: number of positions a level
  bool wide = false;                // sparse only: indices are 64-bit instead of 32-bit

  int order() const { return static_cast<int>(extents.size()); }
  std::int64_t size() const;  // product of extents, saturating at INT64_MAX
  std::int64_t nnz() const;   // stored values: size() when dense, nodes.back() when sparse
  bool operator==(const TensorDesc&) const = default;
};

TensorDesc dense_desc(DType dtype, std::vector<std::int64_t> extents);  // row-major strides
TensorDesc dense_desc(DType dtype, std::vector<std::int64_t> extents, std::vector<std::int64_t> strides);
// A sparse tensor known only by its count: nodes are estimated as if coordinates were drawn uniformly.
TensorDesc sparse_desc(DType dtype, std::vector<std::int64_t> extents, std::int64_t nnz, Format format = {});
std::vector<std::int64_t> row_major(const std::vector<std::int64_t>& extents);

// Products and sums of sizes that throw Error(input) instead of wrapping; `what` names the quantity in the message.
std::int64_t checked_mul(std::int64_t a, std::int64_t b, const char* what);
std::int64_t checked_add(std::int64_t a, std::int64_t b, const char* what);
std::int64_t checked_product(const std::vector<std::int64_t>& extents, const char* what);

}  // namespace einloom
