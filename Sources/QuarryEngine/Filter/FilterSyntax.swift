/// What a filter text says, as a tree whose nodes know where in the UTF-8 of the text they stand.
///
/// Two trees are equal where they say the same, wherever they stand. Parentheses are in a node's range and make no node.
public struct FilterSyntax: Hashable, Sendable {
  public indirect enum Kind: Hashable, Sendable {
    case literal(FilterLiteral)
    case column(String)
    /// A parameter as written: `:name`, `?3`.
    case parameter(String)
    case negation(FilterSyntax)
    /// `+x`: the value without the type of its column.
    case plus(FilterSyntax)
    case collated(FilterSyntax, String)
    case arithmetic(ArithmeticSymbol, FilterSyntax, FilterSyntax)
    case concatenation([FilterSyntax])
    case call(String, [FilterSyntax])
    case cast(FilterSyntax, ColumnSchema.Affinity)
    case comparison(FilterComparison, FilterSyntax, FilterSyntax)
    case identity(FilterSyntax, FilterSyntax, isNegated: Bool)
    case between(FilterSyntax, FilterSyntax, FilterSyntax, isNegated: Bool)
    case membership(FilterSyntax, [FilterSyntax], isNegated: Bool)
    case pattern(PatternMatch.Kind, FilterSyntax, FilterSyntax, escape: FilterSyntax?, isNegated: Bool)
    case match(FilterMatch, FilterSyntax, FilterSyntax)
    /// A text looked for in every text column: `green day`, `~ 'green day'`.
    case anywhere(FilterSyntax)
    case not(FilterSyntax)
    case all([FilterSyntax])
    case any([FilterSyntax])
    /// What could not be read, and has been reported.
    case invalid
  }

  public var kind: Kind
  /// Where it stands, in bytes of UTF-8.
  public var range: Range<Int>

  public init(_ kind: Kind, range: Range<Int> = 0..<0) {
    self.kind = kind
    self.range = range
  }

  public static func == (left: FilterSyntax, right: FilterSyntax) -> Bool { left.kind == right.kind }

  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// A value as a filter text writes it.
public enum FilterLiteral: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  case date(String)
  case truth(Bool)
}

/// A comparison of two values, as it is written.
public enum FilterComparison: String, Hashable, Sendable, CaseIterable {
  case equal = "="
  /// SQL's own, which drops rows whose value is NULL.
  case different = "<>"
  /// The one that people mean: it keeps rows whose value is NULL.
  case unlike = "!="
  case less = "<"
  case atMost = "<="
  case greater = ">"
  case atLeast = ">="
}

/// How a text is looked for in another, without regard to ASCII case.
public enum FilterMatch: String, Hashable, Sendable, CaseIterable {
  case contains = "~"
  /// It keeps rows whose value is NULL.
  case lacks = "!~"
  case starts = "^="
  case ends = "$="
}

extension FilterSyntax {
  var isLiteral: Bool {
    if case .literal = kind { true } else { false }
  }

  var text: String? {
    if case .literal(.text(let text)) = kind { text } else { nil }
  }

  var isNull: Bool { kind == .literal(.null) }

  var columnName: String? {
    if case .column(let name) = kind { name } else { nil }
  }

  /// The terms that `and` joins at the top of the tree: the tree itself where there is one.
  public var terms: [FilterSyntax] {
    if case .all(let terms) = kind { terms } else { [self] }
  }
}
