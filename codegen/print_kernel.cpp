#include <fmt/format.h>

#include "frontend/text.h"
#include "kernel.h"

namespace einloom {

const char* name(Op op) {
  static const char* const names[] = {
      "constant",   "begin",       "end",   "argument", "var",        "load",        "add",    "sub",
      "mul",        "fma",         "div",   "rem",      "minimum",    "maximum",     "both",   "either",
      "shift_left", "shift_right", "equal", "less",     "less_equal", "negate_bool", "select", "convert",
      "splat",      "search",      "block", "loop",     "loop_while", "branch",      "let",    "store",
      "reduce",     "append",      "sort",  "leave",    "comment"};
  return names[static_cast<std::size_t>(op)];
}

namespace {

const char* symbol(Op op) {
  switch (op) {
    case Op::add:
      return "+";
    case Op::sub:
      return "-";
    case Op::mul:
      return "*";
    case Op::div:
      return "/";
    case Op::rem:
      return "%";
    case Op::both:
      return "&";
    case Op::either:
      return "|";
    case Op::shift_left:
      return "<<";
    case Op::shift_right:
      return ">>";
    case Op::equal:
      return "==";
    case Op::less:
      return "<";
    case Op::less_equal:
      return "<=";
    default:
      return nullptr;
  }
}

class Printer {
 public:
  explicit Printer(const Kernel& k) : k_(k) {}

  std::string run() {
    for (const Buffer& b : k_.buffers) w_.line(buffer_text(b));
    for (const Entry& e : k_.entries) {
      w_.line(fmt::format("entry {}(begin, end):", e.name));
      body(e.body);
    }
    if (k_.outer_count != 1) w_.line(fmt::format("rounds {}", k_.outer_count));
    for (const Phase& p : k_.phases) {
      const char* cut = p.partition == Phase::Partition::none     ? ""
                        : p.partition == Phase::Partition::extent ? " over an extent"
                                                                  : " over nodes";
      w_.line(fmt::format("phase {}: {} chunks{}", k_.entries[static_cast<std::size_t>(p.entry)].name, p.chunks, cut));
    }
    return w_.take();
  }

 private:
  const Node& node(Id id) const { return k_.nodes[static_cast<std::size_t>(id)]; }
  const std::string& buffer(std::int64_t i) const { return k_.buffers[static_cast<std::size_t>(i)].name; }

  static std::string type_text(Type t) {
    return t.lanes == 1 ? std::string(einloom::name(t.dtype)) : fmt::format("{}x{}", einloom::name(t.dtype), t.lanes);
  }

  static std::string buffer_text(const Buffer& b) {
    static const char* const roles[] = {"input", "index", "output", "scratch", "shared", "stack", "registers"};
    std::string text = fmt::format("{} {} {}", roles[static_cast<int>(b.role)], type_text(b.type), b.name);
    if (b.length) text += fmt::format("[{}]", b.length);
    return text;
  }

  std::string value(Id id) const {
    const Node& n = node(id);
    switch (n.op) {
      case Op::constant:
        if (!is_float(n.type.dtype)) return fmt::format("{}", n.imm);
        return is_complex(n.type.dtype) ? fmt::format("({}{:+}i)", n.re, n.im) : fmt::format("{:#}", n.re);
      case Op::begin:
        return "begin";
      case Op::end:
        return "end";
      case Op::argument:
        return fmt::format("arg{}", n.imm);
      case Op::var:
        return fmt::format("v{}", n.imm);
      case Op::load:
        return n.type.lanes == 1 ? fmt::format("{}[{}]", buffer(n.imm), value(n.args[0]))
                                 : fmt::format("{}[{} : {}]", buffer(n.imm), value(n.args[0]), n.type.lanes);
      case Op::search:
        return fmt::format("search.{}({}, {}, {}, {})", name(n.how), buffer(n.imm), value(n.args[0]), value(n.args[1]),
                           value(n.args[2]));
      case Op::convert:
        return fmt::format("{}({})", type_text(n.type), value(n.args[0]));
      case Op::splat:
        return fmt::format("splat{}({})", n.type.lanes, value(n.args[0]));
      default:
        break;
    }
    if (const char* s = symbol(n.op)) return fmt::format("({} {} {})", value(n.args[0]), s, value(n.args[1]));
    std::string text = std::string(name(n.op)) + "(";
    for (std::size_t i = 0; i < n.args.size(); ++i) text += (i ? ", " : "") + value(n.args[i]);
    return text + ")";
  }

  void body(Id id) {
    w_.in();
    statement(id);
    w_.out();
  }

  void statement(Id id) {
    static const char* const bindings[] = {"for", "unroll for", "vector for", "parallel for"};
    const Node& n = node(id);
    switch (n.op) {
      case Op::block:
        for (Id s : n.args) statement(s);
        break;
      case Op::loop: {
        const std::int64_t step = node(n.args[2]).imm;
        w_.line(fmt::format("{} v{} in {}..{}{}:", bindings[static_cast<int>(n.binding)], n.imm, value(n.args[0]),
                            value(n.args[1]), step == 1 ? "" : fmt::format(" by {}", step)));
        body(n.args[3]);
        break;
      }
      case Op::loop_while:
        w_.line(fmt::format("while {}:", value(n.args[0])));
        body(n.args[1]);
        break;
      case Op::branch:
        w_.line(fmt::format("if {}:", value(n.args[0])));
        body(n.args[1]);
        if (n.args.size() > 2) {
          w_.line("else:");
          body(n.args[2]);
        }
        break;
      case Op::let:
        w_.line(fmt::format("v{} = {}", n.imm, value(n.args[0])));
        break;
      case Op::store:
        w_.line(fmt::format("{}[{}] = {}", buffer(n.imm), value(n.args[0]), value(n.args[1])));
        break;
      case Op::reduce:
        w_.line(
            fmt::format("{}[{}] {}= {}", buffer(n.imm), value(n.args[0]), einloom::name(n.semiring), value(n.args[1])));
        break;
      case Op::append: {
        std::string keys;
        for (std::size_t i = 2; i < n.args.size(); ++i) keys += ", " + value(n.args[i]);
        w_.line(fmt::format("append(sink {}, {}{})", value(n.args[0]), value(n.args[1]), keys));
        break;
      }
      case Op::sort:
        w_.line(fmt::format("sort({}, {})", buffer(n.imm), value(n.args[0])));
        break;
      case Op::leave:
        w_.line("leave");
        break;
      case Op::comment:
        w_.line("# " + k_.comments[static_cast<std::size_t>(n.imm)]);
        break;
      default:
        break;
    }
  }

  const Kernel& k_;
  Writer w_;
};

}  // namespace

std::string to_string(const Kernel& kernel) { return Printer(kernel).run(); }

}  // namespace einloom
