// Kernel: the loop IR, one for every target.
//
// A Kernel is an arena of nodes, a table of buffers and a list of entries. Values are pure expressions, statements have
// an order. Nodes are never shared between two parents that are statements; value nodes may be shared (they are
// evaluated where they are used; use `let` to evaluate once).
//
// Contract (both emitters keep it, verify() checks what can be checked):
// - Index type is i64, arithmetic on it wraps; the planner guarantees that addresses do not overflow. An entry is
// called as
//   entry(begin, end, args): `args` is an array of 8-byte slots described by Kernel::slots; begin/end are chunk
//   numbers.
// - Aliasing: buffers of role input and index never overlap buffers of any other role. Output, shared, scratch do not
// overlap.
// - Order: statements run in program order; a `parallel` or `vector` loop promises that its iterations are independent.
// - Floats: sums and products may be reassociated and contracted to fma; NaN, infinities and signed comparisons keep
// IEEE meaning,
//   min and max propagate NaN. Integers wrap. Bool is 0 or 1, stored in a byte (any non-zero byte loads as 1).
// - f16 and bf16 exist in memory only: a load gives f32, a store rounds to nearest even.
// - Complex values are scalars only (lanes == 1); (a+bi)(c+di) is computed by the four-product rule.
// - A `registers` buffer must be indexed by constants once simplify() has unrolled loops; it never has an address.
// - Out-of-range loads are undefined, so guards are nested branches, never a `both` of a bound and a load.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/plan.h"

namespace einloom {

struct Type {
  DType dtype = DType::i64;
  int lanes = 1;
  bool operator==(const Type&) const = default;
};
inline constexpr Type index_type{DType::i64, 1};
inline constexpr Type bool_type{DType::boolean, 1};

using Id = std::int32_t;  // index into Kernel::nodes; -1: none

enum class Op : std::uint8_t {
  // values                  args                      payload
  constant,  //                           imm (integers, bool) or re, im (floats)
  begin,
  end,       //                           the entry's chunk range
  argument,  //                           imm: slot, read as i64, or as f64 (type says which)
  var,       //                           imm: variable number (loop variable or let)
  load,      // index                     imm: buffer; lanes consecutive elements from index
  add,
  sub,
  mul,  // a, b
  fma,  // a, b, c: a*b + c
  div,
  rem,  // a, b: index type only, b > 0, a >= 0
  minimum,
  maximum,  // a, b
  both,
  either,  // a, b: bool and/or, both sides evaluated; integers: bitwise
  shift_left,
  shift_right,  // a, constant b: index type only, logical
  equal,
  less,
  less_equal,   // a, b: bool
  negate_bool,  // a: bool
  select,       // condition, a, b
  convert,      // a: to type.dtype, numeric meaning; to bool: not equal to zero; complex to real is not allowed
  splat,        // a: scalar to all lanes
  search,  // lo, hi, key               imm: buffer, how: Search; first p in [lo, hi) with buffer[p] >= key, else hi
  // statements
  block,       // statements...
  loop,        // begin, end, step, body    imm: variable; binding
  loop_while,  // condition, body
  branch,      // condition, then[, else]
  let,         // value                     imm: variable
  store,       // index, value              imm: buffer; lanes consecutive elements
  reduce,      // index, value              imm: buffer; buffer[index] = reduction(buffer[index], value); semiring
  append,      // chunk, value, key words... one row to sink number `chunk`; ends the entry if there is no room
  sort,        // count                     imm: buffer (scratch, i64): sorts its first `count` elements
  leave,       //                           ends the innermost enclosing loop or loop_while
  comment,     //                           text: imm indexes Kernel::comments
};
const char* name(Op op);

enum class Binding : std::uint8_t {
  serial,
  unroll,
  vector,
  parallel
};  // grid, block, thread are CUDA's and come with it

struct Node {
  Op op = Op::block;
  Type type{};  // of the value; statements leave it alone
  std::vector<Id> args;
  std::int64_t imm = 0;
  double re = 0, im = 0;
  Binding binding = Binding::serial;
  Search how = Search::linear;
  Semiring semiring = Semiring::plus_times;
};

// What a slot of the argument block holds; the runtime fills it.
struct Slot {
  enum class Kind : std::uint8_t {
    values,  // input `input`: address of element (0,...,0), or of the sparse values
    pos,
    crd,     // input `input`, level `level`: address of the index array
    nodes,   // input `input`, level `level`: number of positions, i64
    output,  // address of element (0,...,0) of the dense result
    alpha_re,
    alpha_im,
    beta_re,
    beta_im,        // f64
    bounds,         // address of chunks + 1 i64: chunk c covers [bounds[c], bounds[c+1]) of the partitioned range
    scratch,        // address of this thread's Kernel::scratch_bytes
    shared,         // address of the step's Kernel::shared_bytes, the same for all threads and phases
    sinks,          // address of an array of Sink, one a chunk
    outer,          // i64: which of Kernel::outer_count rounds this is
    sort_function,  // address of void(std::int64_t* first, std::int64_t count)
  };
  Kind kind = Kind::values;
  int input = 0, level = 0;
};

struct Buffer {
  enum class Role : std::uint8_t { input, index, output, scratch, shared, stack, registers };
  Role role = Role::input;
  Type type{};              // lanes > 1 only for registers
  std::int64_t length = 0;  // stack, registers, scratch, shared: elements
  int slot = -1;            // input, index, output: its slot
  std::int64_t offset = 0;  // scratch, shared: bytes from the block's start, 64-byte aligned
  std::string name;         // canonical: "a0", "crd0_1", "out", never a user's text
};

// A growing list of rows of a sparse result: what generated code and the runtime share. Layout is fixed.
struct Sink {
  std::int64_t count = 0, capacity = 0;
  void* values = nullptr;
  // Called when count == capacity. Makes room for at least one more row and may lower count (equal rows combined); what
  // it returns other than 0 tells the kernel to give up at once.
  std::int32_t (*grow)(Sink*) = nullptr;
  std::uint64_t* keys[8] = {};  // one array a key word
  void* owner = nullptr;        // the runtime's
};

struct Entry {
  std::string name;  // "main", "merge", "pack_b"
  Id body = -1;
};

// One parallel pass: entry(begin, end, args) over chunk numbers 0..chunks-1, in ranges of any size, on any threads.
struct Phase {
  int entry = 0;
  std::int64_t chunks = 1;
  enum class Partition : std::uint8_t {
    none,
    extent,
    nodes
  };  // what `bounds` cuts: nothing, 0..extent-1, level-0 positions
  Partition partition = Partition::none;
  std::int64_t extent = 0;
  int input = 0;  // nodes: of this input, in pieces of equal leaves
};

struct Kernel {
  std::vector<Node> nodes;
  std::vector<Buffer> buffers;
  std::vector<Slot> slots;
  std::vector<Entry> entries;
  std::vector<Phase> phases;     // run in order, each finished before the next begins
  std::int64_t outer_count = 1;  // the whole list of phases runs this often, with slot `outer` = 0, 1, ...
  std::int64_t scratch_bytes = 0, shared_bytes = 0;
  int variables = 0;                  // variable numbers in use
  int key_words = 0;                  // sparse result: words of a row's key
  std::vector<std::string> comments;  // canonical text only
};

// Passes and companions. verify() throws Error(internal) naming the node and the rule it breaks.
void verify(const Kernel& kernel);
Kernel simplify(const Kernel& kernel);        // constant folding, unrolling, dead lets
std::string to_string(const Kernel& kernel);  // readable loops: the stage "kernel"

Kernel lower_loops(const Step& step, const Target& target);
Kernel lower_gett(const Step& step, const Target& target);

std::string emit_llvm(const Kernel& kernel, const Target& target);  // LLVM IR text, entries named @einloom_ENTRY

}  // namespace einloom
