// Element types as C++ types, for code written once over all of them. Private to the runtime room.
#pragma once

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "frontend/dtype.h"
#include "frontend/error.h"
#include "frontend/semiring.h"

namespace einloom {

template <class T>
struct Tag {
  using type = T;
};

// Calls f(Tag<T>) for the C++ type of `type`.
template <class F>
decltype(auto) visit_type(DType type, F&& f) {
  switch (type) {
    case DType::boolean:
      return f(Tag<bool>{});
    case DType::i32:
      return f(Tag<std::int32_t>{});
    case DType::i64:
      return f(Tag<std::int64_t>{});
    case DType::f16:
      return f(Tag<f16>{});
    case DType::bf16:
      return f(Tag<bf16>{});
    case DType::f32:
      return f(Tag<float>{});
    case DType::f64:
      return f(Tag<double>{});
    case DType::c64:
      return f(Tag<std::complex<float>>{});
    case DType::c128:
      return f(Tag<std::complex<double>>{});
  }
  throw Error::internal("an element type out of range");
}

// Calls f(Tag<T>) for an unsigned type of `bytes` bytes: 1, 2, 4, 8 or 16. For moving elements without looking at them.
struct Sixteen {
  std::uint64_t low, high;
};
template <class F>
decltype(auto) visit_size(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(Tag<std::uint8_t>{});
    case 2:
      return f(Tag<std::uint16_t>{});
    case 4:
      return f(Tag<std::uint32_t>{});
    case 8:
      return f(Tag<std::uint64_t>{});
    default:
      return f(Tag<Sixteen>{});
  }
}

template <class T>
inline constexpr bool is_complex_v = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <class T>
inline constexpr bool is_half_v = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

// The type an element is computed in: f32 for the halves, otherwise itself.
template <class T>
auto widen(T x) {
  if constexpr (is_half_v<T>) {
    return to_float(x);
  } else {
    return x;
  }
}
template <class T, class C>
T narrow(C x) {
  if constexpr (std::is_same_v<T, f16>) {
    return to_f16(x);
  } else if constexpr (std::is_same_v<T, bf16>) {
    return to_bf16(x);
  } else {
    return x;
  }
}

// -x; integers wrap, a bool stays.
template <class T>
T negated(T x) {
  if constexpr (std::is_same_v<T, bool>) {
    return x;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(x));
  } else {
    return narrow<T>(-widen(x));
  }
}

// The additive identity in a computing type. Refuses an order on complex numbers.
template <class C>
C identity_of(Semiring semiring) {
  if (semiring == Semiring::plus_times || semiring == Semiring::or_and) return C{};
  if constexpr (is_complex_v<C>) {
    throw Error::input(std::string("the semiring ") + name(semiring) +
                       " needs an order, which complex numbers do not have");
  } else {
    using L = std::numeric_limits<C>;
    if (semiring == Semiring::min_plus) return L::has_infinity ? L::infinity() : L::max();
    if (semiring == Semiring::max_plus) return L::has_infinity ? static_cast<C>(-L::infinity()) : L::lowest();
    return C{};
  }
}

// The reduction of a semiring. Integers wrap; a NaN stays; bool under plus-times is or.
template <class C>
C reduce(Semiring semiring, C a, C b) {
  if (semiring == Semiring::or_and) return a != C{} || b != C{} ? C(1) : C{};
  if constexpr (is_complex_v<C>) {
    return a + b;
  } else if constexpr (std::is_same_v<C, bool>) {
    return semiring == Semiring::min_plus ? (a && b) : (a || b);
  } else {
    if (semiring == Semiring::min_plus) return b < a || b != b ? b : a;
    if (semiring != Semiring::plus_times) return a < b || b != b ? b : a;
    if constexpr (std::is_integral_v<C>) {
      using U = std::make_unsigned_t<C>;
      return static_cast<C>(static_cast<U>(a) + static_cast<U>(b));
    } else {
      return a + b;
    }
  }
}

}  // namespace einloom
