public import QuarryEngine

/// What a filter text says, as a tree whose nodes know where in the UTF-8 of the text they stand.
///
/// Two trees are equal where they say the same, wherever they stand. Parentheses are in a node's range and make no node.
public struct FilterSyntax: Hashable, Sendable {
  /// What a node says.
  public indirect enum Kind: Hashable, Sendable {
    /// A value: `12`, `'text'`, `null`.
    case literal(FilterLiteral)
    /// A column, by its name.
    case column(String)
    /// `j.a.b`: what lies at a path in a column of JSON.
    case path(String, JSONPath)
    /// A parameter as written: `:name`, `?3`.
    case parameter(String)
    /// `-x`.
    case negation(FilterSyntax)
    /// `+x`: the value without the type of its column.
    case plus(FilterSyntax)
    /// `x collate nocase`.
    case collated(FilterSyntax, String)
    /// `x + y`, and the other operations on numbers.
    case arithmetic(ArithmeticSymbol, FilterSyntax, FilterSyntax)
    /// `x || y`, with as many texts as there are.
    case concatenation([FilterSyntax])
    /// `j -> '$.a'`, `j ->> '$.a'`: JSON or a value out of JSON, by a path, a key or a place.
    case extraction(JSONExtraction.Kind, FilterSyntax, FilterSyntax)
    /// `length(x)`: a function's name and its operands.
    case call(String, [FilterSyntax])
    /// `cast(x as integer)`.
    case cast(FilterSyntax, ColumnSchema.Affinity)
    /// `x = y`, `x < y` and the like.
    case comparison(FilterComparison, FilterSyntax, FilterSyntax)
    /// `x is y`, `x is not y`.
    case identity(FilterSyntax, FilterSyntax, isNegated: Bool)
    /// `x between y and z`.
    case between(FilterSyntax, FilterSyntax, FilterSyntax, isNegated: Bool)
    /// `x in (y, z)`.
    case membership(FilterSyntax, [FilterSyntax], isNegated: Bool)
    /// `x like y`, `x glob y`, `x =~ y`.
    case pattern(PatternMatch.Kind, FilterSyntax, FilterSyntax, escape: FilterSyntax?, isNegated: Bool)
    /// `x ~ y`, `x ^= y` and the like.
    case match(FilterMatch, FilterSyntax, FilterSyntax)
    /// `f match 'words'`: words in a full-text table or one of its columns.
    case fullText(FilterSyntax, FilterSyntax)
    /// A text looked for in every text column: `green day`, `~ 'green day'`.
    case anywhere(FilterSyntax)
    /// `not x`.
    case not(FilterSyntax)
    /// `x and y`, with as many terms as there are.
    case all([FilterSyntax])
    /// `x or y`, with as many terms as there are.
    case any([FilterSyntax])
    /// What could not be read, and has been reported.
    case invalid
  }

  /// What the node says.
  public var kind: Kind
  /// Where it stands, in bytes of UTF-8.
  public var range: Range<Int>

  /// Makes a node.
  public init(_ kind: Kind, range: Range<Int> = 0..<0) {
    self.kind = kind
    self.range = range
  }

  /// Returns whether both say the same.
  public static func == (left: FilterSyntax, right: FilterSyntax) -> Bool { left.kind == right.kind }

  /// Hashes what is said, not where.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// A value as a filter text writes it.
public enum FilterLiteral: Hashable, Sendable {
  /// `null`.
  case null
  /// `12`, `0x1f`.
  case integer(Int64)
  /// `1.5`, `1e3`.
  case real(Double)
  /// `'text'`, without its quotes.
  case text(String)
  /// `x'00ff'`.
  case blob([UInt8])
  /// `2024-01-31`, `2024-01-31 12:30`, as written; and `2024-01`, which is a difference beside anything but a date.
  case date(String)
  /// `true` or `false`.
  case truth(Bool)
}

/// A comparison of two values, as it is written.
public enum FilterComparison: String, Hashable, Sendable, CaseIterable {
  /// Equal, as SQL's.
  case equal = "="
  /// SQL's own, which drops rows whose value is NULL.
  case different = "<>"
  /// The one that people mean: it keeps rows whose value is NULL.
  case unlike = "!="
  /// Less.
  case less = "<"
  /// Less or equal.
  case atMost = "<="
  /// Greater.
  case greater = ">"
  /// Greater or equal.
  case atLeast = ">="
}

/// How a text is looked for in another, without regard to ASCII case.
public enum FilterMatch: String, Hashable, Sendable, CaseIterable {
  /// The other is in it.
  case contains = "~"
  /// It keeps rows whose value is NULL.
  case lacks = "!~"
  /// It begins with the other.
  case starts = "^="
  /// It ends with the other.
  case ends = "$="
}

extension FilterSyntax {
  /// Makes a column of its name in a result: one of the source, or else what lies at a path in one, as `data.user.name` is named.
  public init(named name: String, in columns: FilterColumns) {
    self.init(.column(name))
    if let column = columns.named(name) { kind = .column(column.name) } else if let path = Self.path(name, in: columns) { kind = path }
  }

  private static func path(_ text: String, in columns: FilterColumns) -> Kind? {
    var parser = FilterParser(Array(text.utf8), columns: columns)
    guard let value = parser.wholeValue(), parser.errors.isEmpty, case .path = value.kind else { return nil }
    return value.kind
  }

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

  /// Whether it is a path in a column of JSON: `data.user`.
  public var isPath: Bool { if case .path = kind { true } else { false } }

  /// Whether it is a column, or a path in one.
  var isName: Bool {
    switch kind {
    case .column, .path: true
    default: false
    }
  }

  /// The column or path after a minus, as the key of a descending order is written.
  var negatedName: FilterSyntax? {
    if case .negation(let operand) = kind, operand.isName { operand } else { nil }
  }

  var isFullText: Bool { if case .fullText = kind { true } else { false } }

  /// The terms that `and` joins at the top, those in parentheses too.
  var topTerms: [FilterSyntax] {
    if case .all(let terms) = kind { terms.flatMap(\.topTerms) } else { [self] }
  }

  /// The terms that `and` joins at the top of the tree: the tree itself where there is one.
  public var terms: [FilterSyntax] {
    if case .all(let terms) = kind { terms } else { [self] }
  }
}
