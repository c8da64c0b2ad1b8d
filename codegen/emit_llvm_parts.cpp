#include "emit_llvm_parts.h"

#include <fmt/format.h>

#include <bit>

namespace einloom {

const char* memory_scalar(DType type) {
  switch (type) {
    case DType::boolean:
      return "i8";
    case DType::i32:
      return "i32";
    case DType::i64:
      return "i64";
    case DType::f16:
    case DType::bf16:
      return "i16";
    case DType::f32:
    case DType::c64:
      return "float";
    default:
      return "double";
  }
}

std::string vector_of(const std::string& scalar, int lanes) {
  return lanes == 1 ? scalar : fmt::format("<{} x {}>", lanes, scalar);
}
std::string memory_type(DType type, int lanes) { return vector_of(memory_scalar(type), lanes); }

std::string value_type(Type type) {
  if (type.dtype == DType::boolean) return vector_of("i1", type.lanes);
  return vector_of(is_half(type.dtype) ? "float" : memory_scalar(type.dtype), type.lanes);
}

std::string suffix(Type type) {
  std::string scalar = type.dtype == DType::boolean        ? "i1"
                       : type.dtype == DType::i32          ? "i32"
                       : type.dtype == DType::i64          ? "i64"
                       : real_of(type.dtype) == DType::f64 ? "f64"
                                                           : "f32";
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
    std::string text = fmt::format("  %{0}_a = getelementptr {1}, ptr %crd, i64 {2}\n  %{0}_r = load {1}, ptr %{0}_a\n",
                                   to, t, position);
    return text + (type == DType::i64 ? fmt::format("  %{0} = add i64 %{0}_r, 0\n", to)
                                      : fmt::format("  %{0} = sext {1} %{0}_r to i64\n", to, t));
  };
  std::string f = fmt::format(
      "define internal i64 @search_{}_{}(ptr noalias readonly %crd, i64 %lo, i64 %hi, i64 %key) alwaysinline nounwind "
      "{{\nstart:\n",
      name(how), name(type));
  if (how == Search::linear) {
    f += "  br label %head\nhead:\n  %p = phi i64 [ %lo, %start ], [ %q, %more ]\n  %in = icmp slt i64 %p, %hi\n"
         "  br i1 %in, label %look, label %done\nlook:\n" +
         load_at("c", "%p") +
         "  %low = icmp slt i64 %c, %key\n  br i1 %low, label %more, label %done\nmore:\n  %q = add nsw i64 %p, 1\n  "
         "br label %head\n"
         "done:\n  ret i64 %p\n}\n\n";
    return f;
  }
  // gallop: find [a, b) with crd[a-1] < key and (b == hi or crd[b] >= key) by doubling; then the same binary search.
  if (how == Search::gallop) {
    f += "  br label %jump\njump:\n  %from = phi i64 [ %lo, %start ], [ %past, %further ]\n  %width = phi i64 [ 1, "
         "%start ], [ %double, %further ]\n"
         "  %left = sub i64 %hi, %from\n  %fits = icmp slt i64 %width, %left\n  br i1 %fits, label %look, label "
         "%search\nlook:\n"
         "  %at = add i64 %from, %width\n  %probe = sub i64 %at, 1\n" +
         load_at("g", "%probe") +
         "  %low = icmp slt i64 %g, %key\n  br i1 %low, label %further, label %found\nfurther:\n  %past = add i64 %at, "
         "0\n"
         "  %double = shl i64 %width, 1\n  br label %jump\nfound:\n  br label %search\nsearch:\n"
         "  %a0 = phi i64 [ %from, %jump ], [ %from, %found ]\n  %b0 = phi i64 [ %hi, %jump ], [ %probe, %found ]\n  "
         "br label %head\n";
  } else {
    f += "  br label %search\nsearch:\n  %a0 = phi i64 [ %lo, %start ]\n  %b0 = phi i64 [ %hi, %start ]\n  br label "
         "%head\n";
  }
  f += "head:\n  %a = phi i64 [ %a0, %search ], [ %a1, %step ]\n  %b = phi i64 [ %b0, %search ], [ %b1, %step ]\n"
       "  %open = icmp slt i64 %a, %b\n  br i1 %open, label %step, label %done\nstep:\n  %sum = add i64 %a, %b\n  %mid "
       "= lshr i64 %sum, 1\n" +
       load_at("m", "%mid") +
       "  %less = icmp slt i64 %m, %key\n  %up = add i64 %mid, 1\n  %a1 = select i1 %less, i64 %up, i64 %a\n"
       "  %b1 = select i1 %less, i64 %b, i64 %mid\n  br label %head\ndone:\n  ret i64 %a\n}\n\n";
  return f;
}

// For processors without conversion instructions, on the bits alone; exact for subnormals, infinities and NaN.
std::string conversion_function(const std::string& name) {
  if (name == "f16_to_float") {
    // The exponent is rebased by a multiplication with 2^112, which is exact and normalises subnormals.
    return "define internal float @f16_to_float(i16 %h) alwaysinline nounwind {\n"
           "  %w = zext i16 %h to i32\n  %m = and i32 %w, 32767\n  %s0 = and i32 %w, 32768\n  %s = shl i32 %s0, 16\n"
           "  %u = shl i32 %m, 13\n  %f = bitcast i32 %u to float\n  %n = fmul float %f, 0x46F0000000000000\n"
           "  %b = bitcast float %n to i32\n  %special = icmp uge i32 %m, 31744\n  %i = or i32 %u, 2139095040\n"
           "  %c = select i1 %special, i32 %i, i32 %b\n  %r = or i32 %c, %s\n  %x = bitcast i32 %r to float\n  ret "
           "float %x\n}\n\n";
  }
  // Below 2^-14 the result is a subnormal: adding 0.5 puts its bits, rounded to nearest even, in the low mantissa.
  // Above, round on the integer. 0x477FF000 is 65520, from where the result is infinity.
  return "define internal i16 @float_to_f16(float %x) alwaysinline nounwind {\n"
         "  %w = bitcast float %x to i32\n  %a = and i32 %w, 2147483647\n  %s0 = lshr i32 %w, 16\n  %s = and i32 %s0, "
         "32768\n"
         "  %f = bitcast i32 %a to float\n  %t = fadd float %f, 5.0e-01\n  %tb = bitcast float %t to i32\n  %sub = sub "
         "i32 %tb, 1056964608\n"
         "  %odd0 = lshr i32 %a, 13\n  %odd = and i32 %odd0, 1\n  %base = sub i32 %a, 939524096\n  %r0 = add i32 "
         "%base, 4095\n"
         "  %r1 = add i32 %r0, %odd\n  %norm = lshr i32 %r1, 13\n  %small = icmp ult i32 %a, 947912704\n"
         "  %v0 = select i1 %small, i32 %sub, i32 %norm\n  %big = icmp uge i32 %a, 1199566848\n  %v1 = select i1 %big, "
         "i32 31744, i32 %v0\n"
         "  %nan = icmp ugt i32 %a, 2139095040\n  %v2 = select i1 %nan, i32 32256, i32 %v1\n  %v = or i32 %v2, %s\n"
         "  %o = trunc i32 %v to i16\n  ret i16 %o\n}\n\n";
}

}  // namespace einloom
