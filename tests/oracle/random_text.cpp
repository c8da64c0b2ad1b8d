// A random problem as the expression the library is given, and as a line a person can reproduce it from.
#include <sstream>

#include "tests/oracle/random_case.h"

namespace einloom::test {

namespace {

std::string term_of(const std::vector<int>& labels) {
  std::string text;
  bool dots = false;
  for (const int label : labels) {
    if (label < ellipsis_label) {
      text += static_cast<char>('a' + label);
    } else if (!dots) {
      text += "...";
      dots = true;
    }
  }
  return text;
}

std::string brackets(const char* name, const std::vector<int>& labels) {
  static const char* const names[] = {"row", "col", "k", "depth", "x1", "y_2", "left", "right"};
  std::string text = std::string(name) + "[";
  for (std::size_t i = 0; i < labels.size(); ++i) text += (i > 0 ? "," : "") + std::string(names[labels[i]]);
  return text + "]";
}

std::string index_text(const RandomCase& c) {
  static const char* const assigns[] = {"=", "min=", "max=", "max=", "or="};
  static const char* const combines[] = {" * ", " + ", " + ", " * ", " and "};
  const auto semiring = static_cast<std::size_t>(c.semiring);
  std::string text = brackets("Out", c.output) + " " + assigns[semiring] + " ";
  for (std::size_t o = 0; o < c.operands.size(); ++o) {
    text += (o > 0 ? combines[semiring] : "") + brackets(("T" + std::to_string(o)).c_str(), c.operands[o].labels);
  }
  return text;
}

std::string shape(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (const std::int64_t extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

void placement(std::ostream& out, const Placement& p) {
  if (!p.order.empty()) {
    out << " order";
    for (const int mode : p.order) out << ' ' << mode;
  }
  if (!p.gap.empty()) {
    out << " gaps";
    for (const std::int64_t gap : p.gap) out << ' ' << gap;
  }
  if (p.offset != 0) out << " offset " << p.offset;
}

}  // namespace

std::string text_of(const RandomCase& c) {
  if (c.form == Form::index) return index_text(c);
  std::string text;
  for (std::size_t o = 0; o < c.operands.size(); ++o) text += (o > 0 ? "," : "") + term_of(c.operands[o].labels);
  return c.form == Form::implicit ? text : text + "->" + term_of(c.output);
}

std::string describe(const RandomCase& c) {
  std::ostringstream out;
  out << "'" << text_of(c) << "'" << (c.form == Form::interleaved ? " (interleaved)" : "");
  for (const RandomOperand& operand : c.operands) {
    out << "  [" << shape(c.shape_of(operand)) << " " << name(operand.dtype);
    if (operand.sparse) {
      out << " " << to_string(operand.format) << " density " << operand.density;
    } else {
      placement(out, operand.placement);
    }
    out << "]";
  }
  out << "  " << name(c.semiring) << " -> " << name(c.options.out_format) << " "
      << name(c.into ? c.out_dtype : c.result());
  if (c.options.dtype) out << " dtype=" << name(*c.options.dtype);
  if (c.options.path != "auto") out << " path=" << c.options.path;
  if (c.options.strategy != "auto") out << " strategy=" << c.options.strategy;
  if (c.options.memory_limit != 0) out << " memory_limit=" << c.options.memory_limit;
  if (c.options.broadcast) out << " broadcast";
  if (c.options.write_diagonal) out << " write_diagonal";
  if (c.into) {
    out << " into alpha=" << c.options.alpha << " beta=" << c.options.beta;
    placement(out, c.out_placement);
  }
  if (c.large_ints) out << " large integers";
  out << " data_seed=" << c.data_seed;
  return out.str();
}

}  // namespace einloom::test
