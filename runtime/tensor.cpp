// Making tensors and looking into them.
#include <fmt/format.h>

#include <cstring>

#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/elements.h"
#include "runtime/storage.h"

namespace einloom {

namespace {

std::size_t alignment_of(DType type) {
  return visit_type(type, [](auto tag) { return alignof(typename decltype(tag)::type); });
}

}  // namespace

Tensor::Tensor() : storage_(zeros(DType::f64, {}).storage()) {}

Tensor Tensor::view_raw(DType type, void* data, std::vector<std::int64_t> extents,
                        std::optional<std::vector<std::int64_t>> strides, bool read_only) {
  auto storage = std::make_shared<Storage>();
  storage->desc =
      strides ? dense_desc(type, std::move(extents), std::move(*strides)) : dense_desc(type, std::move(extents));
  storage->data = data;
  storage->read_only = read_only;
  const std::int64_t count = checked_product(storage->desc.extents, "the size of a dense tensor");
  if (data == nullptr && count > 0) {
    throw Error::input(fmt::format("a view of shape {} was given a null pointer", shape_text(storage->desc.extents)));
  }
  if (count > 0 && reinterpret_cast<std::uintptr_t>(data) % alignment_of(type) != 0) {
    throw Error::input(fmt::format("a view's address is not aligned for {}: a multiple of {} bytes is needed",
                                   name(type), alignment_of(type)));
  }
  byte_range(*storage);  // throws when offsets overflow
  return Tensor(std::move(storage));
}

Tensor Tensor::from_raw(DType type, std::vector<std::int64_t> extents, const void* values, std::size_t count) {
  const TensorDesc desc = dense_desc(type, extents);
  if (static_cast<std::uint64_t>(checked_product(desc.extents, "the size of a dense tensor")) != count) {
    throw Error::input(fmt::format("a tensor of shape {} has {} elements, but {} values were given",
                                   shape_text(desc.extents), desc.size(), count));
  }
  Tensor out = make_dense(type, std::move(extents));
  if (count > 0) std::memcpy(out.storage()->data, values, count * size_of(type));
  return out;
}

Tensor Tensor::zeros(DType type, std::vector<std::int64_t> extents) {
  Tensor out = make_dense(type, std::move(extents));
  fill_identity(type, Semiring::plus_times, out.storage()->data, out.desc().size());
  return out;
}

void Tensor::check_coo_sizes(std::size_t order, std::int64_t nnz, std::size_t coords, std::size_t values) {
  if (nnz < 0) throw Error::input(fmt::format("{} non-zeros: a count cannot be negative", nnz));
  const auto count = static_cast<std::uint64_t>(nnz);
  if (values != count)
    throw Error::input(fmt::format("{} non-zeros were announced, but {} values were given", nnz, values));
  if (order == 0 ? coords != 0 : (coords / order != count || coords % order != 0)) {
    throw Error::input(fmt::format("{} non-zeros of {} modes need {} x {} coordinates, but {} were given", nnz, order,
                                   nnz, order, coords));
  }
}

const TensorDesc& Tensor::desc() const {
  if (!storage_) throw Error::input("this tensor was moved from and holds nothing");
  return storage_->desc;
}

const void* Tensor::data_raw() const {
  desc();
  return storage_->data;
}

void* Tensor::mutable_raw(DType expected) {
  void* const data = const_cast<void*>(data_raw(expected));
  if (storage_->read_only) throw Error::input("this tensor is a read-only view: its elements cannot be changed");
  return data;
}

const void* Tensor::data_raw(DType expected) const {
  if (dtype() != expected) {
    throw Error::input(fmt::format("a tensor of {} was asked for its elements as {}", name(dtype()), name(expected)));
  }
  return storage_->data;
}

}  // namespace einloom
