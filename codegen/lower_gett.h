// Gett: what the files lower_gett*.cpp share. Private to codegen.
//
// C[m,n] = reduce over k of combine(A[m,k], B[k,n]), once a batch element; m, n, k and batch are groups of labels. The
// group's index runs over its labels with the last one fastest. Panels of A (mr rows) and B (nr columns) are copied
// into contiguous memory, k-major, padded to full width, and multiplied by a micro-kernel that keeps a tile of mr x nr
// results in registers. Springer and Bientinesi, arXiv 1607.00145; blocking as in BLIS.
//
// Two shapes. Shared: a round is one (batch, block of n, block of k); its first phase packs B for everyone, its second
// gives each task a block of m. Own: one phase, a task is one (batch, block of m, block of n) and packs all it needs
// itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "builder.h"
#include "planner/target.h"

namespace einloom::gett {

enum Operand { A = 0, B = 1, C = 2 };

// Labels that act as one index. Strides are in elements, 0 where the operand lacks the label.
struct Group {
  struct Mode {
    std::int64_t extent = 1;
    std::int64_t stride[3] = {0, 0, 0};
  };
  std::vector<Mode> modes;  // last one fastest
  std::int64_t size = 1;

  bool linear() const { return modes.size() < 2; }
  std::int64_t inner_stride(Operand x) const { return modes.empty() ? 0 : modes.back().stride[x]; }
  std::int64_t inner_extent() const { return modes.empty() ? 1 : modes.back().extent; }
};
Group make_group(const Step& step, const std::vector<int>& labels);

// Element types and block sizes of one kernel.
struct Sizes {
  bool shared = false;                  // which of the two shapes
  int mr = 1, nr = 1, lanes = 1;        // lanes divides nr
  std::int64_t mc = 1, nc = 1, kc = 1;  // multiples of mr, of nr
  std::int64_t m_blocks = 1, n_blocks = 1, k_blocks = 1;
  std::int64_t splits = 1;  // shared: tasks a block of m, each `split` columns of the round's block
  std::int64_t split = 1;   // columns, a multiple of nr
};
// `partial`: sums over blocks of k are kept apart from C, for every row and a block's columns.
Sizes choose_sizes(const Step& step, const Target& target, DType element, bool partial, std::int64_t batch,
                   std::int64_t m, std::int64_t n, std::int64_t k);

// Offsets of a run of a group's indices in one operand: linear ones are computed, others tabulated in scratch.
class Offsets {
 public:
  Offsets() = default;
  Offsets(Builder& b, const Group& group, Operand operand, std::int64_t capacity, const std::string& table_name);
  void start(Builder& b, Id first, Id count);  // the run is [first, first + count)
  Id at(Builder& b, Id i) const;               // offset of index first + i

 private:
  const Group* group_ = nullptr;
  Operand operand_ = A;
  int table_ = -1;
  Id first_ = -1;
};
Id offset_of(Builder& b, const Group& group, Operand operand, Id index);

struct Value {
  Id re = -1, im = -1;
};  // im: complex only

class Lowering {
 public:
  Lowering(const Step& step, const Target& target);
  Kernel run();

 private:
  // What a task works on: all of it values of enclosing loops.
  struct Block {
    Id batch_a = -1, batch_b = -1, batch_c = -1;  // offsets of the batch element
    Id m0 = -1, rows = -1;                        // rows of the block
    Id n0 = -1, cols = -1;                        // columns
    Id k_block = -1, k_count = -1;
    int packed_b = -1;  // buffer, and where the block's first panel is in it
    Id packed_b_at = -1;
    Id strip_at = -1;  // first tile of the block in the buffer of partial sums
  };

  void shared_shape();
  void own_shape();
  void nothing();
  void set_batch(Block& block, Id batch);
  Id k_count(Id k_block);
  void multiply(const Block& block);

  // lower_gett_pack.cpp: `width` rows of group `rows` of operand x, starting at `first`, `valid` of them real.
  struct Side {
    Operand operand;
    const Group* group;
    int width;
  };
  void pack_panels(const Side& side, const Block& block, int buffer, Id base, Id first, Id count);
  void pack_panel(const Side& side, const Block& block, int buffer, Id base, Id first, Id valid);
  void pack_along_k(const Block& block, int buffer, Id base, Id valid);
  Value load_input(Operand operand, Id offset, int lanes);
  void store_packed(const Side& side, int buffer, Id at, const Value& value);

  // lower_gett_tile.cpp
  void tile(const Block& block, Id row, Id col, Id a_at, Id b_at, Id strip_at);
  void start_sums(const Block& block, Id strip_at);
  void micro_kernel(const Block& block, Id a_at, Id b_at);
  void rank_one_update(const Block& block, Id a_at, Id b_at);
  void finish_tile(const Block& block, Id row, Id col, Id strip_at);
  enum class Old { none, add, scaled };  // what becomes of the old result
  Value finish(Value sum, Old old, const std::function<Value()>& load_old);
  void by_round(const Block& block, const std::function<void(Old)>& body);
  void store_full(const Block& block, Id row, Id col, Old old);
  void store_edge(const Block& block, Id row, Id col);
  void store_vector(Id at, const Value& sum, int lanes, Old old);
  void store_scalar(Id at, const Value& sum, Old old);
  Id runs_on(const Group& group, Id index, Id count);
  int piece_of(const Group& group) const;

  const Step& step_;
  Kernel kernel_;
  Builder b_;
  Group batch_, m_, n_, k_;
  bool lifted_ = false;         // booleans computed as 32-bit integers
  DType element_ = DType::f64;  // real type that panels and sums hold
  DType final_ = DType::f64;    // type in which alpha and beta are applied
  int parts_ = 1;               // 2: complex, real and imaginary parts in separate rows
  Sizes s_;
  bool direct_ = true;       // partial sums over blocks of k are kept in C itself
  int k_run_ = 1;            // A's panels: elements of a row that lie together
  bool vector_out_ = false;  // C is real and unit-stride along n
  int in_[2] = {-1, -1}, out_ = -1, packed_a_ = -1, packed_b_ = -1, strip_ = -1, sums_ = -1, b_row_ = -1, tile_ = -1;
  Offsets a_rows_, a_k_, b_cols_, b_k_, c_rows_, c_cols_;
};

}  // namespace einloom::gett
