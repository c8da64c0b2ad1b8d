// Prints a Kernel as LLVM IR text.
//
// What the IR becomes:
//   entry             define void @einloom_NAME(i64, i64, ptr args): loads the slots, calls the body
//   body              define internal void @einloom_NAME_body(..., ptr noalias buffer...): one parameter a buffer, so
//   LLVM
//                     knows that buffers do not overlap
//   registers[i]      one alloca an element, promoted by SROA
//   complex value     a pair of scalars (real, imaginary); in memory two consecutive elements
//   bool              i1 as a value, i8 in memory
//   f16, bf16         i16 in memory, float as a value
//   loop              a phi and two branches; `vector` and `parallel` ask the loop vectoriser
//   search            a call of one of the internal functions search_METHOD_TYPE
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "emit_llvm_parts.h"
#include "frontend/error.h"
#include "kernel.h"

namespace einloom {

namespace {

struct Val {
  std::string x, y;  // y: imaginary part, complex only
  Type type;
};

class Emitter {
 public:
  explicit Emitter(const Kernel& k) : k_(k) {}

  std::string run(const Target& target) {
    half_instructions_ = target.features.find("+f16c") != std::string::npos;
    for (const Entry& e : k_.entries) entry(e);
    std::string out = fmt::format("target triple = \"{}\"\n\n", target.triple);
    out += text_;
    for (const auto& [how, type] : searches_) out += search_function(how, type);
    for (const std::string& c : conversions_) out += conversion_function(c);
    for (const std::string& d : declarations_) out += d;
    out +=
        "\nattributes #0 = { nounwind }\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.vectorize.enable\", i1 true}\n";
    return out;
  }

 private:
  const Node& node(Id id) const { return k_.nodes[static_cast<std::size_t>(id)]; }
  const Buffer& buffer(std::int64_t i) const { return k_.buffers[static_cast<std::size_t>(i)]; }

  template <class... T>
  void put(fmt::format_string<T...> format, T&&... args) {
    body_ += "  ";
    body_ += fmt::format(format, std::forward<T>(args)...);
    body_ += '\n';
  }
  template <class... T>
  std::string set(fmt::format_string<T...> format, T&&... args) {
    std::string id = fmt::format("%t{}", next_++);
    body_ += "  " + id + " = " + fmt::format(format, std::forward<T>(args)...) + '\n';
    return id;
  }
  std::string label() { return fmt::format("L{}", next_++); }
  void start(const std::string& name) {
    body_ += name + ":\n";
    current_ = name;
  }
  void jump(const std::string& to) { put("br label %{}", to); }

  // ---- entries ----
  void entry(const Entry& e) {
    body_.clear();
    allocas_.clear();
    variables_.clear();
    next_ = 0;
    current_ = "start";
    std::string parameters = "i64 %begin, i64 %end, ptr noalias %args", loads, call = "i64 %begin, i64 %end, ptr %args";
    for (std::size_t i = 0; i < k_.buffers.size(); ++i) {
      const Buffer& b = k_.buffers[i];
      if (b.role == Buffer::Role::stack) {
        allocas_ += fmt::format("  %b{} = alloca [{} x {}], align 64\n", i, b.length * parts(b.type.dtype),
                                memory_scalar(b.type.dtype));
      } else if (b.role == Buffer::Role::registers) {
        for (std::int64_t r = 0; r < b.length; ++r)
          for (int p = 0; p < parts(b.type.dtype); ++p)
            allocas_ += fmt::format("  %b{}_{}{} = alloca {}\n", i, r, p ? "i" : "",
                                    value_type({real_of(b.type.dtype), b.type.lanes}));
      } else {
        loads +=
            fmt::format("  %a{0} = getelementptr i64, ptr %args, i64 {1}\n  %s{0} = load ptr, ptr %a{0}\n", i, b.slot);
        if (b.offset) loads += fmt::format("  %p{0} = getelementptr i8, ptr %s{0}, i64 {1}\n", i, b.offset);
        call += fmt::format(", ptr %{}{}", b.offset ? "p" : "s", i);
        parameters += fmt::format(", ptr noalias {}%b{}", b.role <= Buffer::Role::index ? "readonly " : "", i);
      }
    }
    statement(e.body);
    text_ += fmt::format("define internal void @einloom_{}_body({}) #0 {{\nstart:\n{}{}  ret void\n}}\n\n", e.name,
                         parameters, allocas_, body_);
    text_ += fmt::format(
        "define void @einloom_{0}(i64 %begin, i64 %end, ptr %args) #0 {{\n{1}  call void @einloom_{0}_body({2})\n  ret "
        "void\n}}\n\n",
        e.name, loads, call);
  }

  // ---- memory ----
  std::string address(std::int64_t number, const std::string& index, int part = 0) {
    const Buffer& b = buffer(number);
    const char* element = memory_scalar(b.type.dtype);
    if (!is_complex(b.type.dtype)) return set("getelementptr {}, ptr %b{}, i64 {}", element, number, index);
    std::string at = set("getelementptr {{ {0}, {0} }}, ptr %b{1}, i64 {2}, i32 {3}", element, number, index, part);
    return at;
  }

  std::string register_name(std::int64_t number, Id index, int part) {
    const Node& n = node(index);
    if (n.op != Op::constant || n.imm < 0 || n.imm >= buffer(number).length)
      throw Error::internal(
          fmt::format("register array {} is indexed by something other than a constant in range", buffer(number).name));
    return fmt::format("%b{}_{}{}", number, n.imm, part ? "i" : "");
  }

  Val load(const Node& n) {
    const Buffer& b = buffer(n.imm);
    Val v;
    v.type = n.type;
    const int count = parts(b.type.dtype);
    std::string index = b.role == Buffer::Role::registers ? "" : value(n.args[0]).x;
    for (int p = 0; p < count; ++p) {
      std::string& part = p ? v.y : v.x;
      if (b.role == Buffer::Role::registers)
        part = set("load {}, ptr {}", value_type({real_of(n.type.dtype), n.type.lanes}),
                   register_name(n.imm, n.args[0], p));
      else
        part = from_memory(b.type.dtype, n.type.lanes, address(n.imm, index, p));
    }
    return v;
  }

  std::string from_memory(DType stored, int lanes, const std::string& at) {
    const int align = static_cast<int>(size_of(real_of(stored)));
    std::string raw = set("load {}, ptr {}, align {}", memory_type(stored, lanes), at, align);
    if (stored == DType::boolean)
      return set("icmp ne {} {}, {}", memory_type(stored, lanes), raw, zero(lanes, "i8", "0"));
    if (stored == DType::f16 && !half_instructions_) {
      conversions_.insert("f16_to_float");
      return each_lane(lanes, raw, "i16", "float", "f16_to_float");
    }
    if (stored == DType::f16) {
      std::string h = set("bitcast {} {} to {}", memory_type(stored, lanes), raw, vector_of("half", lanes));
      return set("fpext {} {} to {}", vector_of("half", lanes), h, vector_of("float", lanes));
    }
    if (stored == DType::bf16) {
      std::string wide = set("zext {} {} to {}", memory_type(stored, lanes), raw, vector_of("i32", lanes));
      std::string up = set("shl {} {}, {}", vector_of("i32", lanes), wide, zero(lanes, "i32", "16"));
      return set("bitcast {} {} to {}", vector_of("i32", lanes), up, vector_of("float", lanes));
    }
    return raw;
  }

  void to_memory(DType stored, int lanes, const std::string& what, const std::string& at) {
    const int align = static_cast<int>(size_of(real_of(stored)));
    std::string raw = what;
    if (stored == DType::boolean) {
      raw = set("zext {} {} to {}", vector_of("i1", lanes), what, memory_type(stored, lanes));
    } else if (stored == DType::f16 && !half_instructions_) {
      conversions_.insert("float_to_f16");
      raw = each_lane(lanes, what, "float", "i16", "float_to_f16");
    } else if (stored == DType::f16) {
      std::string h = set("fptrunc {} {} to {}", vector_of("float", lanes), what, vector_of("half", lanes));
      raw = set("bitcast {} {} to {}", vector_of("half", lanes), h, memory_type(stored, lanes));
    } else if (stored == DType::bf16) {
      raw = round_bf16(lanes, what);
    }
    put("store {} {}, ptr {}, align {}", memory_type(stored, lanes), raw, at, align);
  }

  // Calls a scalar function for every lane.
  std::string each_lane(int lanes, const std::string& x, const char* from, const char* to, const char* function) {
    if (lanes == 1) return set("call {} @{}({} {})", to, function, from, x);
    std::string out = "poison";
    for (int i = 0; i < lanes; ++i) {
      const std::string lane = set("extractelement {} {}, i64 {}", vector_of(from, lanes), x, i);
      const std::string y = set("call {} @{}({} {})", to, function, from, lane);
      out = set("insertelement {} {}, {} {}, i64 {}", vector_of(to, lanes), out, to, y, i);
    }
    return out;
  }

  // Round to nearest even on the bits; NaN stays a (quiet) NaN.
  std::string round_bf16(int lanes, const std::string& what) {
    const std::string i = vector_of("i32", lanes), f = vector_of("float", lanes);
    std::string bits = set("bitcast {} {} to {}", f, what, i);
    std::string high = set("lshr {} {}, {}", i, bits, zero(lanes, "i32", "16"));
    std::string odd = set("and {} {}, {}", i, high, zero(lanes, "i32", "1"));
    std::string half = set("add {} {}, {}", i, odd, zero(lanes, "i32", "32767"));
    std::string sum = set("add {} {}, {}", i, bits, half);
    std::string rounded = set("lshr {} {}, {}", i, sum, zero(lanes, "i32", "16"));
    std::string quiet = set("or {} {}, {}", i, high, zero(lanes, "i32", "64"));
    std::string nan = set("fcmp uno {} {}, {}", f, what, what);
    std::string chosen = set("select {} {}, {} {}, {} {}", vector_of("i1", lanes), nan, i, quiet, i, rounded);
    return set("trunc {} {} to {}", i, chosen, vector_of("i16", lanes));
  }

  void store(std::int64_t number, Id index, const Val& v) {
    const Buffer& b = buffer(number);
    const bool in_register = b.role == Buffer::Role::registers;
    const std::string at = in_register ? "" : value(index).x;
    for (int p = 0; p < parts(b.type.dtype); ++p) {
      const std::string& part = p ? v.y : v.x;
      if (in_register)
        put("store {} {}, ptr {}", value_type({real_of(v.type.dtype), v.type.lanes}), part,
            register_name(number, index, p));
      else
        to_memory(b.type.dtype, v.type.lanes, part, address(number, at, p));
    }
  }

  // ---- values ----
  Val constant(const Node& n) {
    Val v;
    v.type = n.type;
    if (n.type.dtype == DType::boolean)
      v.x = n.imm ? "true" : "false";
    else if (!is_float(n.type.dtype))
      v.x = std::to_string(n.imm);
    else {
      const bool single = real_of(n.type.dtype) == DType::f32;
      v.x = float_text(n.re, single);
      if (is_complex(n.type.dtype)) v.y = float_text(n.im, single);
    }
    return v;
  }

  Val value(Id id) {
    const Node& n = node(id);
    switch (n.op) {
      case Op::constant:
        return constant(n);
      case Op::begin:
        return {"%begin", "", n.type};
      case Op::end:
        return {"%end", "", n.type};
      case Op::argument: {
        std::string at = set("getelementptr i64, ptr %args, i64 {}", n.imm);
        return {set("load {}, ptr {}", value_type(n.type), at), "", n.type};
      }
      case Op::var: {
        auto it = variables_.find(n.imm);
        if (it == variables_.end()) throw Error::internal(fmt::format("variable v{} is used outside its scope", n.imm));
        return it->second;
      }
      case Op::load:
        return load(n);
      case Op::convert:
        return convert(value(n.args[0]), n.type.dtype);
      case Op::splat:
        return splat(value(n.args[0]), n.type.lanes);
      case Op::select: {
        Val c = value(n.args[0]), a = value(n.args[1]), b = value(n.args[2]);
        return each_part(
            n.type,
            [&](const std::string& x, const std::string& y, const std::string& t) {
              return set("select {} {}, {} {}, {} {}", vector_of("i1", c.type.lanes), c.x, t, x, t, y);
            },
            a, b);
      }
      case Op::negate_bool: {
        Val a = value(n.args[0]);
        return {set("xor {} {}, {}", value_type(a.type), a.x, zero(a.type.lanes, "i1", "true")), "", n.type};
      }
      case Op::search: {
        Val lo = value(n.args[0]), hi = value(n.args[1]), key = value(n.args[2]);
        const DType type = buffer(n.imm).type.dtype;
        searches_.insert({n.how, type});
        return {set("call i64 @search_{}_{}(ptr %b{}, i64 {}, i64 {}, i64 {})", name(n.how), name(type), n.imm, lo.x,
                    hi.x, key.x),
                "", n.type};
      }
      case Op::fma: {
        Val a = value(n.args[0]), b = value(n.args[1]), c = value(n.args[2]);
        if (is_complex(n.type.dtype) || !is_float(n.type.dtype))
          return arithmetic(Op::add, arithmetic(Op::mul, a, b), c);
        const std::string t = value_type(n.type), f = declare_float("fma", n.type, 3);
        return {set("call {} @{}({} {}, {} {}, {} {})", t, f, t, a.x, t, b.x, t, c.x), "", n.type};
      }
      default: {
        Val a = value(n.args[0]), b = value(n.args[1]);
        return arithmetic(n.op, a, b);
      }
    }
  }

  template <class F>
  Val each_part(Type type, const F& f, const Val& a, const Val& b) {
    const std::string t = value_type({real_of(type.dtype), type.lanes});
    Val v;
    v.type = type;
    v.x = f(a.x, b.x, t);
    if (is_complex(type.dtype)) v.y = f(a.y, b.y, t);
    return v;
  }

  std::string real_op(const char* op, const std::string& type, const std::string& x, const std::string& y) {
    return set("{} reassoc nsz contract {} {}, {}", op, type, x, y);
  }

  Val arithmetic(Op op, const Val& a, const Val& b) {
    const DType d = a.type.dtype;
    const std::string t = value_type({real_of(d), a.type.lanes});
    Val v;
    v.type = a.type;
    if (op == Op::equal || op == Op::less || op == Op::less_equal) return compare(op, a, b, t);
    if (op == Op::minimum || op == Op::maximum) {
      const bool low = op == Op::minimum;
      std::string f;
      if (is_float(d))
        f = declare_float(low ? "minimum" : "maximum", a.type, 2);
      else
        f = declare(fmt::format("llvm.{}.{}", low ? "smin" : "smax", suffix(a.type)), t, 2);
      v.x = set("call {} @{}({} {}, {} {})", t, f, t, a.x, t, b.x);
      return v;
    }
    if (is_complex(d) && op == Op::mul) {
      std::string rr = real_op("fmul", t, a.x, b.x), ii = real_op("fmul", t, a.y, b.y);
      std::string ri = real_op("fmul", t, a.x, b.y), ir = real_op("fmul", t, a.y, b.x);
      v.x = real_op("fsub", t, rr, ii);
      v.y = real_op("fadd", t, ri, ir);
      return v;
    }
    if (is_float(d)) {
      const char* name = op == Op::add ? "fadd" : op == Op::sub ? "fsub" : "fmul";
      return each_part(
          a.type,
          [&](const std::string& x, const std::string& y, const std::string& type) {
            return real_op(name, type, x, y);
          },
          a, b);
    }
    static const std::map<Op, const char*> names{
        {Op::add, "add"},  {Op::sub, "sub"},   {Op::mul, "mul"},        {Op::div, "udiv"},        {Op::rem, "urem"},
        {Op::both, "and"}, {Op::either, "or"}, {Op::shift_left, "shl"}, {Op::shift_right, "lshr"}};
    auto it = names.find(op);
    if (it == names.end()) throw Error::internal(fmt::format("no LLVM form for {}", name(op)));
    v.x = set("{} {} {}, {}", it->second, t, a.x, b.x);
    return v;
  }

  Val compare(Op op, const Val& a, const Val& b, const std::string& t) {
    const bool real = is_float(a.type.dtype);
    const Type out{DType::boolean, a.type.lanes};
    const char* how = op == Op::equal  ? (real ? "oeq" : "eq")
                      : op == Op::less ? (real ? "olt" : "slt")
                                       : (real ? "ole" : "sle");
    Val v{set("{} {} {} {}, {}", real ? "fcmp" : "icmp", how, t, a.x, b.x), "", out};
    if (is_complex(a.type.dtype)) v.x = set("and i1 {}, {}", v.x, set("fcmp {} {} {}, {}", how, t, a.y, b.y));
    return v;
  }

  Val convert(const Val& a, DType to) {
    const DType from = a.type.dtype;
    const int lanes = a.type.lanes;
    Val v;
    v.type = {to, lanes};
    if (from == to) return a;
    if (is_complex(from) && to != DType::boolean && !is_complex(to)) throw Error::internal("complex converts to real");
    if (to == DType::boolean) {
      v.x = not_zero(a.x, from, lanes);
      if (is_complex(from)) v.x = set("or i1 {}, {}", v.x, not_zero(a.y, from, lanes));
      return v;
    }
    v.x = convert_real(a.x, real_of(from), real_of(to), lanes);
    if (is_complex(to)) {
      if (is_complex(from))
        v.y = convert_real(a.y, real_of(from), real_of(to), lanes);
      else
        v.y = float_text(0, to == DType::c64);
    }
    return v;
  }

  std::string not_zero(const std::string& x, DType from, int lanes) {
    const std::string t = value_type({real_of(from), lanes});
    if (is_float(from)) return set("fcmp une {} {}, zeroinitializer", t, x);
    return set("icmp ne {} {}, {}", t, x, lanes == 1 ? "0" : "zeroinitializer");
  }

  std::string convert_real(const std::string& x, DType from, DType to, int lanes) {
    if (from == to) return x;
    const std::string a = value_type({from, lanes}), b = value_type({to, lanes});
    if (from == DType::boolean) return set("{} {} {} to {}", is_float(to) ? "uitofp" : "zext", a, x, b);
    if (is_integer(from) && is_integer(to))
      return set("{} {} {} to {}", from == DType::i32 ? "sext" : "trunc", a, x, b);
    if (is_integer(from)) return set("sitofp {} {} to {}", a, x, b);
    if (is_integer(to)) {
      const std::string f =
          declare(fmt::format("llvm.fptosi.sat.{}.{}", suffix({to, lanes}), suffix({from, lanes})), b, 1, a);
      return set("call {} @{}({} {})", b, f, a, x);
    }
    return set("{} {} {} to {}", to == DType::f64 ? "fpext" : "fptrunc", a, x, b);
  }

  Val splat(const Val& a, int lanes) {
    Val v = each_part(
        {a.type.dtype, lanes},
        [&](const std::string& x, const std::string&, const std::string& t) {
          const std::string scalar = value_type({real_of(a.type.dtype), 1});
          if (x[0] != '%') {
            std::string list = "<";
            for (int i = 0; i < lanes; ++i) list += (i ? ", " : "") + scalar + " " + x;
            return list + ">";
          }
          std::string one = set("insertelement {} poison, {} {}, i64 0", t, scalar, x);
          return set("shufflevector {} {}, {} poison, <{} x i32> zeroinitializer", t, one, t, lanes);
        },
        a, a);
    return v;
  }

  std::string declare(const std::string& function, const std::string& type, int arguments,
                      const std::string& argument = "") {
    std::string list;
    for (int i = 0; i < arguments; ++i) list += (i ? ", " : "") + (argument.empty() ? type : argument);
    declarations_.insert(fmt::format("declare {} @{}({})\n", type, function, list));
    return function;
  }
  std::string declare_float(const char* name, Type type, int arguments) {
    return declare(fmt::format("llvm.{}.{}", name, suffix(type)), value_type(type), arguments);
  }

  // ---- statements ----
  Val reduced(Semiring semiring, const Val& a, const Val& b) {
    switch (semiring) {
      case Semiring::plus_times:
        return arithmetic(Op::add, a, b);
      case Semiring::min_plus:
        return arithmetic(Op::minimum, a, b);
      case Semiring::or_and:
        return arithmetic(Op::either, a, b);
      default:
        return arithmetic(Op::maximum, a, b);
    }
  }

  void loop(const Node& n) {
    const std::string first = value(n.args[0]).x, last = value(n.args[1]).x, step = std::to_string(node(n.args[2]).imm);
    const std::string head = label(), inside = label(), next = label(), after = label(),
                      i = fmt::format("%v{}_{}", n.imm, next_++);
    const std::string before = current_;
    jump(head);
    start(head);
    const std::string up = fmt::format("%n{}", next_++);
    put("{} = phi i64 [ {}, %{} ], [ {}, %{} ]", i, first, before, up, next);
    put("{0}_c = icmp slt i64 {0}, {1}", i, last);
    put("br i1 {}_c, label %{}, label %{}", i, inside, after);
    start(inside);
    variables_[n.imm] = {i, "", index_type};
    exits_.push_back(after);
    statement(n.args[3]);
    exits_.pop_back();
    jump(next);
    start(next);
    put("{} = add nsw i64 {}, {}", up, i, step);
    put("br label %{}{}", head, n.binding == Binding::vector ? ", !llvm.loop !0" : "");
    start(after);
  }

  void loop_while(const Node& n) {
    const std::string head = label(), inside = label(), after = label();
    jump(head);
    start(head);
    const std::string condition = value(n.args[0]).x;
    put("br i1 {}, label %{}, label %{}", condition, inside, after);
    start(inside);
    exits_.push_back(after);
    statement(n.args[1]);
    exits_.pop_back();
    jump(head);
    start(after);
  }

  void branch(const Node& n) {
    const std::string condition = value(n.args[0]).x, yes = label(), no = label(),
                      after = n.args.size() > 2 ? label() : no;
    put("br i1 {}, label %{}, label %{}", condition, yes, no);
    start(yes);
    statement(n.args[1]);
    jump(after);
    if (n.args.size() > 2) {
      start(no);
      statement(n.args[2]);
      jump(after);
    }
    start(after);
  }

  void append(const Node& n) {
    int sinks = -1;
    for (std::size_t i = 0; i < k_.slots.size(); ++i)
      if (k_.slots[i].kind == Slot::Kind::sinks) sinks = static_cast<int>(i);
    if (sinks < 0) throw Error::internal("append without a sinks slot");
    Val chunk = value(n.args[0]), v = value(n.args[1]);
    std::string at = set("getelementptr i64, ptr %args, i64 {}", sinks);
    std::string base = set("load ptr, ptr {}", at);
    std::string offset = set("mul i64 {}, {}", chunk.x, sizeof(Sink));
    std::string sink = set("getelementptr i8, ptr {}, i64 {}", base, offset);
    std::string before = set("load i64, ptr {}", sink);
    std::string capacity = set("load i64, ptr {}", field(sink, offsetof(Sink, capacity)));
    std::string full = set("icmp eq i64 {}, {}", before, capacity);
    const std::string grow = label(), give_up = label(), ready = label();
    put("br i1 {}, label %{}, label %{}", full, grow, ready);
    start(grow);
    std::string function = set("load ptr, ptr {}", field(sink, offsetof(Sink, grow)));
    std::string failed = set("icmp ne i32 {}, 0", set("call i32 {}(ptr {})", function, sink));
    put("br i1 {}, label %{}, label %{}", failed, give_up, ready);
    start(give_up);
    put("ret void");
    start(ready);
    std::string count = set("load i64, ptr {}", sink);  // growing may have combined rows
    std::string values = set("load ptr, ptr {}", field(sink, offsetof(Sink, values)));
    const char* element = memory_scalar(v.type.dtype);
    for (int p = 0; p < parts(v.type.dtype); ++p) {
      std::string to = is_complex(v.type.dtype)
                           ? set("getelementptr {{ {0}, {0} }}, ptr {1}, i64 {2}, i32 {3}", element, values, count, p)
                           : set("getelementptr {}, ptr {}, i64 {}", element, values, count);
      to_memory(v.type.dtype, 1, p ? v.y : v.x, to);
    }
    for (std::size_t w = 2; w < n.args.size(); ++w) {
      Val key = value(n.args[w]);
      std::string array = set("load ptr, ptr {}", field(sink, offsetof(Sink, keys) + 8 * (w - 2)));
      put("store i64 {}, ptr {}", key.x, set("getelementptr i64, ptr {}, i64 {}", array, count));
    }
    put("store i64 {}, ptr {}", set("add i64 {}, 1", count), sink);
  }
  std::string field(const std::string& sink, std::size_t offset) {
    return set("getelementptr i8, ptr {}, i64 {}", sink, offset);
  }

  void statement(Id id) {
    const Node& n = node(id);
    switch (n.op) {
      case Op::block:
        for (Id s : n.args) statement(s);
        return;
      case Op::loop:
        return loop(n);
      case Op::loop_while:
        return loop_while(n);
      case Op::branch:
        return branch(n);
      case Op::let: {
        Val v = value(n.args[0]);
        variables_[n.imm] = v;
        return;
      }
      case Op::store:
        return store(n.imm, n.args[0], value(n.args[1]));
      case Op::reduce: {
        Val v = value(n.args[1]);
        Node old;
        old.op = Op::load;
        old.type = v.type;
        old.args = {n.args[0]};
        old.imm = n.imm;
        return store(n.imm, n.args[0], reduced(n.semiring, load(old), v));
      }
      case Op::append:
        return append(n);
      case Op::sort: {
        for (std::size_t i = 0; i < k_.slots.size(); ++i) {
          if (k_.slots[i].kind != Slot::Kind::sort_function) continue;
          std::string count = value(n.args[0]).x;
          std::string f = set("load ptr, ptr {}", set("getelementptr i64, ptr %args, i64 {}", i));
          put("call void {}(ptr %b{}, i64 {})", f, n.imm, count);
          return;
        }
        throw Error::internal("sort without a sort_function slot");
      }
      case Op::leave:
        jump(exits_.back());
        start(label());  // what follows is never reached
        return;
      case Op::comment:
        body_ += "  ; " + k_.comments[static_cast<std::size_t>(n.imm)] + "\n";
        return;
      default:
        throw Error::internal(fmt::format("{} stands where a statement is expected", name(n.op)));
    }
  }

  const Kernel& k_;
  std::string text_, body_, allocas_, current_;
  std::map<std::int64_t, Val> variables_;
  std::vector<std::string> exits_;
  std::set<std::pair<Search, DType>> searches_;
  std::set<std::string> declarations_, conversions_;
  bool half_instructions_ = false;  // the processor converts f16 itself
  int next_ = 0;
};

}  // namespace

std::string emit_llvm(const Kernel& kernel, const Target& target) { return Emitter(kernel).run(target); }

}  // namespace einloom
