// From parsed rows to packed keys and typed values.
#include <algorithm>
#include <complex>

#include "frontend/error.h"
#include "runtime/elements.h"
#include "runtime/files/table.h"
#include "runtime/levels.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

// The parsed type behind an element type.
template <class T>
using Parsed = std::conditional_t<
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>, std::int64_t,
    std::conditional_t<is_half_v<T> || std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>, float,
                       double>>;

// Element `row` of a piece; a pattern's values are ones.
template <class T>
T value_of(const Rows::Piece& piece, int values, std::int64_t row) {
  using V = Parsed<T>;
  const V* const v = as<V>(piece.values) + row * values;
  const V real = values == 0 ? V(1) : v[0];
  if constexpr (is_complex_v<T>) {
    return T(real, values == 2 ? v[1] : V(0));
  } else if constexpr (std::is_same_v<T, bool>) {
    return real != V(0);
  } else if constexpr (is_half_v<T>) {
    return narrow<T>(real);
  } else {
    return static_cast<T>(real);
  }
}

template <class T>
T mirrored(T x, Mirror mirror) {
  if constexpr (is_complex_v<T>) {
    if (mirror == Mirror::hermitian) return std::conj(x);
  }
  return mirror == Mirror::skew ? negated(x) : x;
}

template <class C>
std::int64_t off_diagonal(const Rows::Piece& piece) {
  std::int64_t n = 0;
  const C* const at = as<C>(piece.coords);
  for (std::int64_t i = 0; i < piece.count; ++i) n += at[2 * i] != at[2 * i + 1] ? 1 : 0;
  return n;
}

template <class C, class T>
void pack_piece(Coo& coo, const Rows::Piece& piece, const RowSyntax& syntax, const std::vector<int>& order,
                Mirror mirror, std::int64_t to) {
  const std::size_t modes = order.size();
  const C* at = as<C>(piece.coords);
  const auto put = [&](std::int64_t row, bool swapped) {
    for (Bytes& keys : coo.keys) as<std::uint64_t>(keys)[row] = 0;
    for (std::size_t l = 0; l < modes; ++l) {
      const KeyLayout::Field f = coo.layout.fields[l];
      const auto mode = static_cast<std::size_t>(order[l]);
      as<std::uint64_t>(coo.keys[static_cast<std::size_t>(f.word)])[row] |=
          static_cast<std::uint64_t>(at[swapped ? 1 - mode : mode]) << f.shift;
    }
  };
  for (std::int64_t i = 0; i < piece.count; ++i, at += modes) {
    const T value = value_of<T>(piece, syntax.values, i);
    put(to, false);
    as<T>(coo.values)[to++] = value;
    if (mirror != Mirror::none && at[0] != at[1]) {
      put(to, true);
      as<T>(coo.values)[to++] = mirrored(value, mirror);
    }
  }
}

}  // namespace

Coo pack_rows(Rows& rows, const RowSyntax& syntax, const std::vector<std::int64_t>& extents, const Format& format,
              Mirror mirror) {
  const auto pieces = static_cast<std::int64_t>(rows.pieces.size());
  std::vector<std::int64_t> offsets(rows.pieces.size() + 1, 0);
  parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      const Rows::Piece& piece = rows.pieces[static_cast<std::size_t>(c)];
      const std::int64_t extra = mirror == Mirror::none ? 0
                                 : rows.wide            ? off_diagonal<std::uint64_t>(piece)
                                                        : off_diagonal<std::uint32_t>(piece);
      offsets[static_cast<std::size_t>(c) + 1] = piece.count + extra;
    }
  });
  for (std::size_t c = 1; c < offsets.size(); ++c) offsets[c] += offsets[c - 1];
  Coo coo = make_coo(key_layout(storage_extents(extents, format.order)), syntax.dtype, offsets.back());
  visit_type(syntax.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) {
        Rows::Piece& piece = rows.pieces[static_cast<std::size_t>(c)];
        const std::int64_t to = offsets[static_cast<std::size_t>(c)];
        if (rows.wide) {
          pack_piece<std::uint64_t, T>(coo, piece, syntax, format.order, mirror, to);
        } else {
          pack_piece<std::uint32_t, T>(coo, piece, syntax, format.order, mirror, to);
        }
        piece = {};
      }
    });
  });
  return coo;
}

Bytes pack_values(const Rows& rows, const RowSyntax& syntax) {
  Bytes out = allocate_elements(rows.count, static_cast<std::int64_t>(size_of(syntax.dtype)), "values");
  visit_type(syntax.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::int64_t to = 0;
    for (const Rows::Piece& piece : rows.pieces) {
      for (std::int64_t i = 0; i < piece.count; ++i) as<T>(out)[to++] = value_of<T>(piece, syntax.values, i);
    }
  });
  return out;
}

}  // namespace einloom
