// Index notation: "C[row,col] = A[row,k] * B[k,col]". As for einsum strings, no recursion.
#include <fmt/format.h>

#include "grammar.h"
#include "parse_builder.h"

namespace einloom {

namespace {

// What the grammar collects: the terms, the assignment and the combining operators.
struct Statement {
  explicit Statement(std::string_view text) : builder(text) {}
  ExprBuilder builder;
  std::string_view assignment, combination;  // combination: the first of the operators, all being equal
};

}  // namespace

namespace grammar {

namespace {

struct name_head : pegtl::sor<letter, pegtl::one<'_'>> {};
struct name_tail : pegtl::sor<letter, pegtl::one<'_'>, pegtl::digit> {};
struct identifier : pegtl::seq<name_head, pegtl::star<name_tail>> {};
struct tensor : identifier {};
struct index_name : identifier {};
struct index : pegtl::sor<index_name, dots> {};
struct close : pegtl::one<']'> {};
struct more : pegtl::seq<comma, ws, pegtl::must<index>, ws> {};
struct index_list : pegtl::seq<index, ws, pegtl::star<more>, pegtl::must<close>> {};
struct first_index : pegtl::sor<close, index_list> {};
struct brackets : pegtl::seq<pegtl::one<'['>, ws, pegtl::must<first_index>> {};
struct begin_output : pegtl::success {};
struct begin_input : pegtl::success {};
struct result : pegtl::seq<begin_output, pegtl::must<tensor>, ws, pegtl::opt<brackets>> {};
struct factor : pegtl::seq<begin_input, pegtl::must<tensor>, ws, pegtl::opt<brackets>> {};
struct assignment : pegtl::sor<pegtl::one<'='>, pegtl::string<'+', '='>, pegtl::string<'m', 'i', 'n', '='>,
                               pegtl::string<'m', 'a', 'x', '='>, pegtl::string<'o', 'r', '='>> {};
struct combination
    : pegtl::sor<pegtl::one<'*'>, pegtl::one<'+'>, pegtl::seq<pegtl::string<'a', 'n', 'd'>, pegtl::not_at<name_tail>>> {
};
struct end : pegtl::eof {};
struct statement : pegtl::seq<ws, result, ws, pegtl::must<assignment>, ws, factor, ws,
                              pegtl::star<combination, ws, factor, ws>, pegtl::must<end>> {};

template <typename Rule>
struct action : pegtl::nothing<Rule> {};

template <>
struct action<begin_output> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    s.builder.begin_output(s.builder.offset(token_of(in)));
  }
};
template <>
struct action<begin_input> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    s.builder.begin_input(s.builder.offset(token_of(in)));
  }
};
template <>
struct action<tensor> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    const std::string_view token = token_of(in);
    if (token == "and") s.builder.fail("'and' is an operator: a tensor cannot have this name", s.builder.offset(token));
    if (!s.assignment.empty() && token == s.builder.output().name) {
      s.builder.fail(fmt::format("the output {} cannot stand on the right side too", token), s.builder.offset(token));
    }
    s.builder.name(token);
  }
};
template <>
struct action<index_name> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    s.builder.label(token_of(in));
  }
};
template <>
struct action<dots> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    s.builder.dots(token_of(in));
  }
};
template <>
struct action<close> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    s.builder.token_end(token_of(in));
  }
};

bool is_sum(const Statement& s) { return s.assignment == "=" || s.assignment == "+="; }

template <>
struct action<assignment> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    s.assignment = token_of(in);
    s.builder.leave_output();
  }
};
template <>
struct action<combination> {
  template <typename In>
  static void apply(const In& in, Statement& s) {
    const std::string_view token = token_of(in);
    const std::size_t at = s.builder.offset(token);
    if (is_sum(s) && token == "+") {
      s.builder.fail(fmt::format("a sum of terms ({} + ...) is not supported: the right side of '{}' is one product",
                                 s.builder.inputs().back().name, s.assignment),
                     at);
    }
    if (!s.combination.empty() && token != s.combination) {
      s.builder.fail(fmt::format("'{}' after '{}': the right side is one product, its operators are all equal", token,
                                 s.combination),
                     at);
    }
    const char* const allowed = is_sum(s)                ? "'*'"
                                : s.assignment == "min=" ? "'+'"
                                : s.assignment == "max=" ? "'+' or '*'"
                                                         : "'and'";
    if (std::string_view(allowed).find(fmt::format("'{}'", token)) == std::string_view::npos) {
      s.builder.fail(fmt::format("'{}' goes with {}, not with '{}'", s.assignment, allowed, token), at);
    }
    s.combination = token;
  }
};

template <typename Rule>
constexpr const char* expected = "an index expression";
template <>
constexpr const char* expected<tensor> = "a tensor";
template <>
constexpr const char* expected<index> = "an index";
template <>
constexpr const char* expected<first_index> = "an index or ']'";
template <>
constexpr const char* expected<close> = "',' or ']'";
template <>
constexpr const char* expected<assignment> = "an assignment (=, +=, min=, max= or or=)";
template <>
constexpr const char* expected<end> = "an operator (*, + or and) or the end";

// Frequent slips get their own words; `wanted` is what the grammar could take.
std::string fault(const Statement& s, std::size_t at, std::string_view wanted) {
  const std::string_view text = s.builder.text(), rest = text.substr(at);
  const char c = rest.empty() ? '\0' : rest[0];
  const bool inside = wanted.find("index") != std::string_view::npos || wanted.find("']'") != std::string_view::npos;
  if (c >= '0' && c <= '9' && inside) return "a number is not an index: an index is a name";
  if (c >= '0' && c <= '9') return "a number is not a tensor: factors are given by alpha";
  if (inside && !rest.empty() && std::string_view("+-*/").find(c) != std::string_view::npos) {
    return fmt::format("'{}' inside brackets: an index is a name alone", c);
  }
  if (c == '(' && !inside && wanted == expected<tensor>)
    return "parentheses are not supported: the right side is one product";
  if (c == '(') return "'(': indices stand in square brackets";
  if (wanted == expected<assignment> && rest.size() > 1 && rest[1] == '=') {
    return fmt::format("unknown assignment '{}=': expected =, +=, min=, max= or or=", found_at(text, at).substr(1, 1));
  }
  if (wanted == expected<assignment> && c == ',')
    return "expected an assignment, found ',': an einsum string has no '[' or '='";
  if (wanted == expected<end> && (c == '=' || rest.substr(0, 2) == "+=")) return "a second assignment";
  if (wanted == expected<end> && rest.substr(0, 1).find_first_of("-/%@^&|<>") == 0) {
    return fmt::format("operator '{}' is not supported: expected *, + or and", c);
  }
  return fmt::format("expected {}, found {}", wanted, found_at(text, at));
}

template <typename Rule>
struct control : pegtl::normal<Rule> {
  template <typename In>
  [[noreturn]] static void raise(const In& in, Statement& s) {
    const auto at = static_cast<std::size_t>(in.current() - s.builder.text().data());
    s.builder.fail(fault(s, at, expected<Rule>), at);
  }
};

}  // namespace

}  // namespace grammar

Expr parse_index(std::string_view text) {
  grammar::Input in(text.data(), text.data() + text.size(), "");
  Statement s(text);
  grammar::pegtl::parse<grammar::statement, grammar::action, grammar::control>(in, s);
  Expr expr = s.builder.finish();
  expr.names_semiring = true;
  expr.accumulate = s.assignment == "+=";
  if (s.assignment == "min=") expr.semiring = Semiring::min_plus;
  if (s.assignment == "max=") expr.semiring = s.combination == "*" ? Semiring::max_times : Semiring::max_plus;
  if (s.assignment == "or=") expr.semiring = Semiring::or_and;
  return expr;
}

}  // namespace einloom
