// LoopNest: the state of lowering one `loops` step. Private to codegen; lower_loops.cpp writes the loops,
// lower_results.cpp what happens to their values.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "builder.h"
#include "frontend/key_layout.h"

namespace einloom {

class LoopNest {
 public:
  LoopNest(const Step& step, Kernel& kernel);
  void run();

 private:
  struct InputLevel {
    Level kind = Level::dense;
    int label = 0;
    std::int64_t extent = 0;
    int pos = -1, crd = -1;  // buffers
    bool spans = false;      // in a COO group with levels to come: a coordinate covers a range of positions
  };
  struct Input {
    int values = -1;  // buffer
    std::vector<InputLevel> levels;
  };
  struct Cursor {
    std::size_t next = 0;   // level to resolve
    Id position = -1;       // reached at the level before
    bool is_range = false;  // inside a COO group: [lo, hi) instead
    Id lo = -1, hi = -1;
  };
  using Cursors = std::vector<Cursor>;
  struct Following {
    std::size_t input;
    Search how;
    Id lo, hi;
    int cursor;  // register holding where the last search stopped, or -1
  };

  // lower_loops.cpp
  void add_input(int k);
  Id dense_offset(const Access& access, const std::vector<Id>& coordinates);
  bool complete(int k, const Cursors& cursors) const;
  Id take_values(Id product, std::vector<bool>& taken, const Cursors& cursors);
  std::pair<Id, Id> children(const InputLevel& level, const Cursor& cursor);
  Id coordinate_at(const InputLevel& level, Id position);
  Cursor descend(const InputLevel& level, const Cursor& from, Id p, Id hi, Id coordinate, Id segment_end);
  void resolve(std::size_t k, Cursors cursors, const std::function<void(Cursors)>& then);
  void nest(std::size_t depth, Cursors cursors, Id product, std::vector<bool> taken);
  void at_depth(std::size_t depth, const Cursors& cursors, Id product, const std::vector<bool>& taken);
  void inner(std::size_t depth, const Cursors& cursors, Id product, const std::vector<bool>& taken);
  void loop(std::size_t depth, const Cursors& cursors, Id product, const std::vector<bool>& taken);
  void match(const std::vector<Following>& following, std::size_t i, std::size_t depth, Cursors cursors, Id product,
             const std::vector<bool>& taken);

  // lower_results.cpp
  void finish(Id value);            // value: of the compute type, all output labels bound
  Id scaled(Id value, DType type);  // alpha * value
  Id with_old(Id value, DType type, Id offset);
  void store_result(Id value, Id offset);  // conversion, alpha and beta, store
  Id complex_or_real(Slot::Kind re, Slot::Kind im, DType type);
  void append_row(Id value, const std::vector<Id>& level_coordinates);
  std::vector<Id> row_key(const std::vector<Id>& level_coordinates);
  void write_initialise();
  void prepare_partial();
  void clear_partial();
  void write_merge();
  void prepare_workspace();
  void clear_workspace();
  void flush_workspace();
  Id linear(const std::vector<Id>& coordinates, const std::vector<std::int64_t>& extents);

  const Step& step_;
  Builder b_;
  std::vector<Input> inputs_;
  std::vector<Id> coordinates_;  // of each step label, -1 while unbound
  int out_ = -1;                 // dense result's buffer
  std::vector<int> out_levels_;  // sparse result: label of each storage level
  KeyLayout keys_;
  std::size_t output_depth_ = 0;  // loops up to and including the last output label's
  std::size_t flush_depth_ = 0;   // workspace: loops up to and including the last label outside it
  Id chunk_ = -1, chunk_first_ = -1, chunk_last_ = -1;
  bool summing_ = false, in_workspace_ = false;
  int sum_ = -1, any_ = -1;  // registers
  int parts_ = -1;           // partial: shared buffer
  std::int64_t part_size_ = 0;
  int space_ = -1, used_ = -1, list_ = -1, list_count_ = -1;  // workspace: values, flags, indices, their number
  std::int64_t space_size_ = 0;
};

}  // namespace einloom
