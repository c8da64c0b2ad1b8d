// Einloom's public interface: tensors, contexts, einsum, compiled programs, files.
//
// A call such as ctx.einsum("ij,jk->ik", {A, B}) plans the contraction, generates and compiles a kernel for exactly
// that problem, runs it, and keeps plan and kernel for the next call. Operands are dense (any strides) or sparse (any
// level formats). Every failure throws einloom::Error; after one, the objects involved are unchanged or destroyable.
// Context and Program may be used by many threads at once; a Tensor may be read by many threads.
//
//   namespace el = einloom;
//   el::Context ctx;
//   auto C = ctx.einsum("ij,jk->ik", {A, B});
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/dtype.h"
#include "frontend/error.h"
#include "frontend/semiring.h"
#include "frontend/tensor_desc.h"

namespace einloom {

struct Storage;      // runtime/storage.h
struct ProgramImpl;  // runtime/program.h
struct ContextImpl;  // runtime/context.h

// A handle to a dense or sparse tensor. Copies share one buffer; buffers are immutable except through einsum_into,
// run(…, out) and mutable_data(). Indices are counted from 0.
class Tensor {
 public:
  Tensor();  // a 0-D f64 zero

  // The caller's memory, not owned: it must outlive every handle. Strides in elements, any sign; row-major when
  // omitted. `data` addresses element (0, ..., 0). Throws when data is misaligned for T, or null with a non-zero
  // element count.
  template <class T>
  static Tensor view(T* data, std::vector<std::int64_t> extents,
                     std::optional<std::vector<std::int64_t>> strides = {}) {
    return view_raw(dtype_of<std::remove_const_t<T>>::value, const_cast<void*>(static_cast<const void*>(data)),
                    std::move(extents), std::move(strides), std::is_const_v<T>);
  }
  static Tensor view_raw(DType type, void* data, std::vector<std::int64_t> extents,
                         std::optional<std::vector<std::int64_t>> strides = {}, bool read_only = false);

  // A row-major copy of `values`, whose count must be the product of the extents.
  template <class T>
  static Tensor from(std::vector<std::int64_t> extents, const std::vector<T>& values) {
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<char> bytes(values.begin(), values.end());
      return from_raw(DType::boolean, std::move(extents), bytes.data(), bytes.size());
    } else {
      return from_raw(dtype_of<T>::value, std::move(extents), values.data(), values.size());
    }
  }
  template <class T>
  static Tensor from(std::vector<std::int64_t> extents, std::initializer_list<T> values) {
    return from(std::move(extents), std::vector<T>(values));
  }
  static Tensor from_raw(DType type, std::vector<std::int64_t> extents, const void* values, std::size_t count);

  static Tensor zeros(DType type, std::vector<std::int64_t> extents);
  static Tensor scalar(double value) { return from<double>({}, {value}); }

  // A sparse tensor from coordinates: `coords` holds nnz rows of one index a mode, in any order; repeats are summed
  // under the semiring's reduction, explicit zeros are kept. Throws naming the first coordinate out of range.
  template <class I, class T>
  static Tensor coo(std::vector<std::int64_t> extents, std::int64_t nnz, const I* coords, const T* values,
                    Format format = csf(), Semiring semiring = Semiring::plus_times) {
    static_assert(std::is_same_v<I, std::int32_t> || sizeof(I) == 8, "coordinates are 32- or 64-bit integers");
    return coo_raw(dtype_of<T>::value, std::move(extents), nnz, coords, sizeof(I) == 8, values, std::move(format),
                   semiring);
  }
  template <class I, class T>
  static Tensor coo(std::vector<std::int64_t> extents, std::int64_t nnz, const std::vector<I>& coords,
                    const std::vector<T>& values, Format format = csf(), Semiring semiring = Semiring::plus_times) {
    check_coo_sizes(extents.size(), nnz, coords.size(), values.size());
    return coo(std::move(extents), nnz, coords.data(), values.data(), std::move(format), semiring);
  }
  static Tensor coo_raw(DType type, std::vector<std::int64_t> extents, std::int64_t nnz, const void* coords, bool wide,
                        const void* values, Format format, Semiring semiring);

  const TensorDesc& desc() const;
  DType dtype() const { return desc().dtype; }
  const std::vector<std::int64_t>& extents() const { return desc().extents; }
  int order() const { return desc().order(); }
  bool sparse() const { return desc().sparse; }
  std::int64_t nnz() const { return desc().nnz(); }

  // Dense: address of element (0, ..., 0). Sparse: the values. Throws if T is not the element type.
  template <class T>
  const T* data() const {
    return static_cast<const T*>(data_raw(dtype_of<T>::value));
  }
  template <class T>
  T* mutable_data() {
    return static_cast<T*>(mutable_raw(dtype_of<T>::value));
  }  // throws on a read-only view
  template <class T>
  T item() const {
    return *data<T>();
  }  // of a tensor with one element
  const void* data_raw() const;
  const void* data_raw(DType expected) const;
  void* mutable_raw(DType expected);

  Tensor to_dense(Semiring semiring = Semiring::plus_times) const;  // row-major; what is left out becomes the identity
  Tensor to_sparse(Format format = csf(),
                   Semiring semiring = Semiring::plus_times) const;  // a dense tensor drops identities
  Tensor to_dtype(DType type) const;
  Tensor contiguous() const;                            // dense, row-major; itself if it is already
  Tensor permute(const std::vector<int>& order) const;  // dense: a view with its modes reordered
  // The stored coordinates, nnz rows of one index a mode, in storage order, and the values in the same order.
  std::vector<std::int64_t> coordinates() const;
  // Norm (Frobenius) and sum of the stored values, in f64 (complex: the sum's real part).
  double norm() const;
  double sum() const;

  const std::shared_ptr<Storage>& storage() const { return storage_; }  // for the other rooms
  explicit Tensor(std::shared_ptr<Storage> storage) : storage_(std::move(storage)) {}

 private:
  static void check_coo_sizes(std::size_t order, std::int64_t nnz, std::size_t coords, std::size_t values);
  std::shared_ptr<Storage> storage_;
};

// Options of a call; names are those of the command line. Everything has a default.
struct Options {
  std::complex<double> alpha = 1;  // result = alpha * contraction + beta * out
  std::complex<double> beta = 0;   // needs an output to accumulate into; beta = 0 never reads it
  Layout out_format = Layout::dense;
  std::optional<DType> dtype = {};  // element type of the result
  std::optional<Semiring> semiring = {};
  bool broadcast = false;         // extent 1 broadcasts against a named label
  bool write_diagonal = false;    // a label repeated in the output writes a diagonal
  std::string path = "auto";      // auto, optimal, greedy, or "(0,1),(0,1)"
  std::string strategy = "auto";  // auto, or the name of a strategy (docs/strategies.md)
  std::int64_t memory_limit = 0;  // bytes of intermediates; 0: no limit
  bool no_cache = false;          // plan and compile afresh, keep nothing
};

using Operands = std::span<const Tensor>;

// What a run cost; see Context::last... for the command's report.
struct RunStats {
  double plan_us = 0;           // parse, bind and plan
  double compile_ms = 0;        // generate, compile and load
  const char* cache = "none";   // "memory", "miss", "none" (no generated kernel ran)
  double flops = 0, bytes = 0;  // the plan's estimate
  std::int64_t peak_bytes = 0;  // intermediates and workspace
};

// A compiled contraction. A cheap handle; run() may be called by many threads at once.
class Program {
 public:
  // Operands must match the descriptors it was compiled for: types, extents, formats; strides and non-zero counts of
  // sparse operands may differ. Returns the result, or writes it into the dense `out` (the result's shape, a type that
  // holds it, any strides). A sparse result is made anew: `out` then becomes a handle to it.
  Tensor run(Operands operands) const;
  Tensor run(std::initializer_list<Tensor> operands) const { return run(Operands(operands.begin(), operands.size())); }
  void run(Operands operands, Tensor& out) const;
  void run(std::initializer_list<Tensor> operands, Tensor& out) const {
    run(Operands(operands.begin(), operands.size()), out);
  }

  std::string explain() const;  // the path report
  // One stage as text: "expr", "contraction", "path", "plan", "kernel", "stages", "source", "asm". Throws on another
  // name.
  std::string stage(std::string_view name) const;
  std::string explain_json() const;
  RunStats stats() const;  // of the build; flops, bytes and peak of a run

  explicit Program(std::shared_ptr<ProgramImpl> impl) : impl_(std::move(impl)) {}
  const std::shared_ptr<ProgramImpl>& impl() const { return impl_; }

 private:
  std::shared_ptr<ProgramImpl> impl_;
};

// An operand with integer label ids, for the interleaved form.
struct Indexed {
  Tensor tensor;
  std::vector<std::int64_t> labels;
};

// Owns devices, pools, caches and default options. Thread-safe; copies share everything. Not usable in a child after
// fork.
class Context {
 public:
  struct Config {
    int threads = 0;
  };  // 0: EINLOOM_THREADS, otherwise all cores
  Context();
  explicit Context(Config config);

  Tensor einsum(std::string_view expr, Operands operands, const Options& options = {});
  Tensor einsum(std::string_view expr, std::initializer_list<Tensor> operands, const Options& options = {}) {
    return einsum(expr, Operands(operands.begin(), operands.size()), options);
  }
  Tensor einsum(std::initializer_list<Indexed> operands, std::vector<std::int64_t> output,
                const Options& options = {}) {
    return einsum(std::span<const Indexed>(operands.begin(), operands.size()), &output, options);
  }
  // With output == nullptr: labels seen once, sorted.
  Tensor einsum(std::span<const Indexed> operands, const std::vector<std::int64_t>* output,
                const Options& options = {});

  // out = alpha * contraction + beta * out. `out` is dense, any strides, its own type (at least the result's); it must
  // not overlap an operand or itself.
  void einsum_into(Tensor& out, std::string_view expr, Operands operands, const Options& options = {});
  void einsum_into(Tensor& out, std::string_view expr, std::initializer_list<Tensor> operands,
                   const Options& options = {}) {
    einsum_into(out, expr, Operands(operands.begin(), operands.size()), options);
  }

  Program compile(std::string_view expr, std::span<const TensorDesc> operands, const Options& options = {});
  Program compile(std::string_view expr, std::initializer_list<TensorDesc> operands, const Options& options = {}) {
    return compile(expr, std::span<const TensorDesc>(operands.begin(), operands.size()), options);
  }

  // For Program::run(operands, out) with an output like `output`: dense, and read when beta is not 0.
  Program compile(std::string_view expr, std::span<const TensorDesc> operands, const TensorDesc& output,
                  const Options& options);

  int threads() const;
  struct Stats {
    std::uint64_t plan_hits, plan_misses, kernel_hits, kernel_misses;
  };
  Stats stats() const;
  std::string device_text() const;  // the CPU as a Target, a line a fact
  std::string device_json() const;

  const std::shared_ptr<ContextImpl>& impl() const { return impl_; }

 private:
  std::shared_ptr<ContextImpl> impl_;
};

// Files. The format is the extension: .npy .npz .tns .mtx .csv, text forms also with .gz. Errors name file and line.
struct ReadOptions {
  std::vector<std::int64_t> shape;           // extents, for .tns and .csv; empty: inferred
  std::optional<Format> format;              // how to store sparse data; default CSF
  std::optional<DType> dtype;                // convert while reading
  Semiring semiring = Semiring::plus_times;  // under which repeats are combined
};
Tensor read(const std::string& path, const ReadOptions& options = {});
void write(const std::string& path, const Tensor& tensor);  // appears whole, by rename, or not at all

// Seeded synthetic data as the command's `gen` makes it: "random:50x50:nnz=1000:seed=1", "dense:64x64:seed=1", ...
std::vector<Tensor> generate_data(const std::string& spec, std::optional<DType> dtype = {});

const char* version();
std::string
cache_directory();  // where kernels are kept on disk: EINLOOM_CACHE_DIR, $XDG_CACHE_HOME/einloom or ~/.cache/einloom

}  // namespace einloom
