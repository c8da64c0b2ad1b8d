#include "emit_llvm_parts.h"

#include <fmt/format.h>

#include <bit>

namespace einloom {

const char* memory_scalar(DType type) {
  switch (type) {
    case DType::boolean: return "i8";
    case DType::i32: return "i32";
    case DType::i64: return "i64";
    case DType::f16:
    case DType::bf16: return "i16";
    case DType::f32:
    case DType::c64: return "float";
    default: return "double";
  }
}

std::string vector_of(const std::string& scalar, int lanes) { return lanes == 1 ? scalar : fmt::format("<{} x {}>", lanes, scalar); }
std::string memory_type(DType type, int lanes) { return vector_of(memory_scalar(type), lanes); }

std::string value_type(Type type) {
  if (type.dtype == DType::boolean) return vector_of("i1", type.lanes);
  return vector_of(is_half(type.dtype) ? "float" : memory_scalar(type.dtype), type.lanes);
}

std::string suffix(Type type) {
  std::string scalar = type.dtype == DType::boolean ? "i1" : type.dtype == DType::i32 ? "i32" : type.dtype == DType::i64 ? "i64"
                       : real_of(type.dtype) == DType::f64 ? "f64" : "f32";
  return type.lanes == 1 ? scalar : fmt::format("v{}{}", type.lanes, scalar);
}

std::string zero(int lanes, const char* scalar, const char* value) {
  if (lanes == 1) return value;
  std::string list = "<";
  for (int i = 0; i < lanes; ++i) list += fmt::format("{}{} {}", i ? ", " : "", scalar, value);
  return list + ">";
}

std::string float_text(double value, bool single) {
  if (single) value = static_cast<double>(static_cast<float>(value));
  return fmt::format("0x{:016X}", std::bit_cast<std::uint64_t>(value));
}

std::string search_function(Search how, DType type) {
  const std::string t = memory_scalar(type);
  // load_at(name, position): %name = crd[position] as i64
  auto load_at = [&](const std::string& to, const std::string& position) {
    std::string text = fmt::format("  %{0}_a = getelementptr {1}, ptr %crd, i64 {2}\n  %{0}_r = load {1}, ptr %{0}_a\n", to, t, position);
    return text + (type == DType::i64 ? fmt::format("  %{0} = add i64 %{0}_r, 0\n", to) : fmt::format("  %{0} = sext {1} %{0}_r to i64\n", to, t));
  };
  std::string f = fmt::format("define internal i64 @search_{}_{}(ptr noalias readonly %crd, i64 %lo, i64 %hi, i64 %key) alwaysinline nounwind {{\nstart:\n",
                              name(how), name(type));
  if (how == Search::linear) {
    f += "  br label %head\nhead:\n  %p = phi i64 [ %lo, %start ], [ %q, %more ]\n  %in = icmp slt i64 %p, %hi\n"
         "  br i1 %in, label %look, label %done\nlook:\n" + load_at("c", "%p") +
         "  %low = icmp slt i64 %c, %key\n  br i1 %low, label %more, label %done\nmore:\n  %q = add nsw i64 %p, 1\n  br label %head\n"
         "done:\n  ret i64 %p\n}\n\n";
    return f;
  }
  // gallop: find [a, b) with crd[a-1] < key and (b == hi or crd[b] >= key) by doubling; then the same binary search.
  if (how == Search::gallop) {
    f += "  br label %jump\njump:\n  %from = phi i64 [ %lo, %start ], [ %past, %further ]\n  %width = phi i64 [ 1, %start ], [ %double, %further ]\n"
         "  %left = sub i64 %hi, %from\n  %fits = icmp slt i64 %width, %left\n  br i1 %fits, label %look, label %search\nlook:\n"
         "  %at = add i64 %from, %width\n  %probe = sub i64 %at, 1\n" + load_at("g", "%probe") +
         "  %low = icmp slt i64 %g, %key\n  br i1 %low, label %further, label %found\nfurther:\n  %past = add i64 %at, 0\n"
         "  %double = shl i64 %width, 1\n  br label %jump\nfound:\n  br label %search\nsearch:\n"
         "  %a0 = phi i64 [ %from, %jump ], [ %from, %found ]\n  %b0 = phi i64 [ %hi, %jump ], [ %probe, %found ]\n  br label %head\n";
  } else {
    f += "  br label %search\nsearch:\n  %a0 = phi i64 [ %lo, %start ]\n  %b0 = phi i64 [ %hi, %start ]\n  br label %head\n";
  }
  f += "head:\n  %a = phi i64 [ %a0, %search ], [ %a1, %step ]\n  %b = phi i64 [ %b0, %search ], [ %b1, %step ]\n"
       "  %open = icmp slt i64 %a, %b\n  br i1 %open, label %step, label %done\nstep:\n  %sum = add i64 %a, %b\n  %mid = lshr i64 %sum, 1\n" +
       load_at("m", "%mid") +
       "  %less = icmp slt i64 %m, %key\n  %up = add i64 %mid, 1\n  %a1 = select i1 %less, i64 %up, i64 %a\n"
       "  %b1 = select i1 %less, i64 %b, i64 %mid\n  br label %head\ndone:\n  ret i64 %a\n}\n\n";
  return f;
}

}  // namespace einloom
