/// What could go on where a text ends, as the parser found it.
enum FilterExpectation {
  /// A value; beside another where it is compared.
  case value(beside: FilterSyntax?)
  /// What is looked for in another value, from a place on if a part of it stands there.
  case text(beside: FilterSyntax?, from: Int)
  /// An operator after a value that is no predicate yet.
  case operatorAfter(FilterSyntax)
  /// `and`, `or` after a predicate.
  case joiner
  case words([FilterKeyword])
  case collation
  /// `asc`, `desc` or `nulls` after a key of an order.
  case direction
  /// A type to cast to.
  case type
}
