public import QuarryEngine

/// The syntax tree of a filter text, whose nodes have ranges in the UTF-8 of the text.
///
/// Trees are equal if they have the same meaning, regardless of ranges. Parentheses belong to a node's range but are not nodes.
public struct FilterSyntax: Hashable, Sendable {
  /// The kinds of nodes.
  public indirect enum Kind: Hashable, Sendable {
    /// A value: `12`, `'text'`, `null`.
    case literal(FilterLiteral)
    /// A column, by its name.
    case column(String)
    /// `j.a.b`: the value at a path in a JSON column.
    case path(String, JSONPath)
    /// `AlbumId.ArtistId.Name`: a column of the row to which foreign keys lead.
    case related([String])
    /// `AlbumId.data.user`: the value at a path in a JSON column of the row to which foreign keys lead.
    case relatedPath([String], JSONPath)
    /// `sum(InvoiceLine.Quantity)`: an aggregate over the rows that refer to the row.
    case aggregate(FilterAggregate)
    /// A parameter as written: `:name`, `?3`.
    case parameter(String)
    /// `-x`.
    case negation(FilterSyntax)
    /// `+x`: the value without the type of its column.
    case plus(FilterSyntax)
    /// `x collate nocase`.
    case collated(FilterSyntax, String)
    /// `x + y`, and the other arithmetic operations.
    case arithmetic(ArithmeticSymbol, FilterSyntax, FilterSyntax)
    /// `x || y`, with any number of texts.
    case concatenation([FilterSyntax])
    /// `j -> '$.a'`, `j ->> '$.a'`: JSON or a value extracted from JSON by a path, a key or an index.
    case extraction(JSONExtraction.Kind, FilterSyntax, FilterSyntax)
    /// `length(x)`: a function's name and its operands.
    case call(String, [FilterSyntax])
    /// `cast(x as integer)`.
    case cast(FilterSyntax, ColumnSchema.Affinity)
    /// `x = y`, `x < y` and similar comparisons.
    case comparison(FilterComparison, FilterSyntax, FilterSyntax)
    /// `x is y`, `x is not y`.
    case identity(FilterSyntax, FilterSyntax, isNegated: Bool)
    /// `x between y and z`.
    case between(FilterSyntax, FilterSyntax, FilterSyntax, isNegated: Bool)
    /// `x in (y, z)`.
    case membership(FilterSyntax, [FilterSyntax], isNegated: Bool)
    /// `x like y`, `x glob y`, `x =~ y`.
    case pattern(PatternMatch.Kind, FilterSyntax, FilterSyntax, escape: FilterSyntax?, isNegated: Bool)
    /// `x ~ y`, `x ^= y` and similar matches.
    case match(FilterMatch, FilterSyntax, FilterSyntax)
    /// `f match 'words'`: words in a full-text table or one of its columns.
    case fullText(FilterSyntax, FilterSyntax)
    /// A text to search for in every text column: `green day`, `~ 'green day'`.
    case anywhere(FilterSyntax)
    /// `not x`.
    case not(FilterSyntax)
    /// `x and y`, with any number of terms.
    case all([FilterSyntax])
    /// `x or y`, with any number of terms.
    case any([FilterSyntax])
    /// A part that could not be parsed, whose error has been reported.
    case invalid
  }

  /// The kind of the node.
  public var kind: Kind
  /// The range of the node, in bytes of UTF-8.
  public var range: Range<Int>

  /// Creates a node.
  public init(_ kind: Kind, range: Range<Int> = 0..<0) {
    self.kind = kind
    self.range = range
  }

  /// Returns whether both have the same meaning.
  public static func == (left: FilterSyntax, right: FilterSyntax) -> Bool { left.kind == right.kind }

  /// Hashes the kind of the node, not its range.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// A literal in a filter text.
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
  /// `2024-01-31`, `2024-01-31 12:30`, as written; also `2024-01`, which is a subtraction unless its other operand is a date.
  case date(String)
  /// `true` or `false`.
  case truth(Bool)
}

/// A comparison of two values, as written.
public enum FilterComparison: String, Hashable, Sendable, CaseIterable {
  /// Equal, as in SQL.
  case equal = "="
  /// Not equal, as in SQL: excludes rows whose value is NULL.
  case different = "<>"
  /// Not equal, as people expect: includes rows whose value is NULL.
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

/// A search for one text in another, ignoring ASCII case.
public enum FilterMatch: String, Hashable, Sendable, CaseIterable {
  /// Contains the other text.
  case contains = "~"
  /// Does not contain the other text; includes rows whose value is NULL.
  case lacks = "!~"
  /// Begins with the other text.
  case starts = "^="
  /// Ends with the other text.
  case ends = "$="
}

extension FilterSyntax {
  /// Creates the syntax of a result column by its name: a column of the source, a computed column, or the text of one without a name,
  /// such as `data.user.name`.
  public init(named name: String, in columns: FilterColumns) {
    self.init(.column(name))
    if let column = columns.named(name) { kind = .column(column.name) } else if let value = Self.value(name, in: columns) { kind = value }
  }

  private static func value(_ text: String, in columns: FilterColumns) -> Kind? {
    var parser = FilterParser(Array(text.utf8), columns: columns)
    guard let value = parser.wholeValue(), parser.errors.isEmpty, !value.isLiteral else { return nil }
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

  /// Whether it is a path in a JSON column: `data.user`.
  public var isPath: Bool {
    switch kind {
    case .path, .relatedPath: true
    default: false
    }
  }

  /// Whether it is a column, or a path to one.
  var isName: Bool {
    switch kind {
    case .column, .path, .related, .relatedPath: true
    default: false
    }
  }

  /// The column or path after a minus sign, which writes a descending sort key.
  var negatedName: FilterSyntax? {
    if case .negation(let operand) = kind, operand.isName { operand } else { nil }
  }

  var isFullText: Bool { if case .fullText = kind { true } else { false } }

  /// The terms joined by `and` at the top, including those in parentheses.
  var topTerms: [FilterSyntax] {
    if case .all(let terms) = kind { terms.flatMap(\.topTerms) } else { [self] }
  }

  /// The terms joined by `and` at the top of the tree; the tree itself if there is only one term.
  public var terms: [FilterSyntax] {
    if case .all(let terms) = kind { terms } else { [self] }
  }
}
