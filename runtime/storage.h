// Storage: the memory behind a Tensor. Private to the runtime room (and to decomps through interop.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "frontend/key_layout.h"
#include "frontend/tensor_desc.h"
#include "runtime/einloom.h"

namespace einloom {

// Owned bytes, 64-byte aligned, freed (or returned to a pool) by the deleter. allocate() throws Error(memory).
using Bytes = std::shared_ptr<void>;
Bytes allocate(std::int64_t bytes, const char* what);  // 0 bytes give a non-null pointer

// Index arrays of one level, elements of 32 or 64 bits as desc.wide says.
struct LevelArrays {
  Bytes pos;  // compressed, nonunique: nodes of the parent + 1 entries; otherwise null
  Bytes crd;  // compressed, nonunique, singleton: one entry a node; otherwise null
};

struct Storage {
  TensorDesc desc;
  Bytes owner;           // keeps `data` alive; null for a view
  void* data = nullptr;  // dense: element (0,...,0); sparse: values of the last level's positions
  bool read_only = false;
  std::vector<LevelArrays> levels;  // sparse only, one a level
};

Tensor make_dense(DType type, std::vector<std::int64_t> extents);  // uninitialised, row-major, owned
// Smallest and one past the largest byte address a dense tensor touches; equal when it is empty.
std::pair<const char*, const char*> byte_range(const Storage& storage);

// Coordinates and values in structure-of-arrays form: the meeting point of loaders, generated kernels and level
// building. Keys are laid out by key_layout() of frontend/key_layout.h (defined in frontend/key_layout.cpp), word 0
// most significant.
struct Coo {
  KeyLayout layout;
  std::int64_t count = 0;
  std::vector<Bytes> keys;  // `words` arrays of `count` std::uint64_t
  Bytes values;             // count elements
  DType dtype = DType::f64;
  bool sorted = false;  // strictly increasing keys: sorted and distinct
};

// Sorts by key and combines equal keys under the semiring's reduction, in order of appearance (so results repeat).
// Parallel radix sort over the bits in use.
void sort_and_combine(Coo& coo, Semiring semiring);
// Builds the levels of `format` (full) from sorted, distinct keys laid out in its storage order.
Tensor build_levels(const Coo& coo, const std::vector<std::int64_t>& extents, const Format& format, Semiring semiring);
// The other way: keys in the storage order of `format` from any tensor, sparse or dense (a dense one drops identities).
Coo to_coo(const Storage& storage, const Format& format, Semiring semiring);
// The same tensor in another format or mode order.
Tensor reformat(const Tensor& tensor, const Format& format, Semiring semiring);

// The additive identity of a semiring in an element type, as bytes written to `out`.
void write_identity(DType type, Semiring semiring, void* out);
// Fills `count` contiguous elements with it.
void fill_identity(DType type, Semiring semiring, void* data, std::int64_t count);

}  // namespace einloom
