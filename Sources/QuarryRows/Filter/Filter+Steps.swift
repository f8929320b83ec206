public import QuarryEngine

/// Changes of a filter text by commands in a grid.
extension Filter {
  /// Returns the condition that matches rows with this value in a column, or rows without it.
  ///
  /// NULL is treated like any other value: excluding `'x'` includes rows with NULL.
  ///
  ///     Filter.term("Country", .text("it's"), in: columns)                   // Country = 'it''s'
  ///     Filter.term("Country", .null, isExcluded: true, in: columns)         // Country is not null
  ///     Filter.term("Order", .integer(3), isExcluded: true, in: columns)     // Order != 3
  ///     Filter.term("OrderDate", .text("1997-01-31"), in: columns)           // OrderDate is '1997-01-31'
  ///     Filter.term("data.user", .text("Ada"), in: columns)                  // data.user = 'Ada'
  ///
  /// A date is compared with `is`, because `=` would also match all times of that day.
  public static func term(
    _ column: String, _ value: DatabaseValue, isExcluded: Bool = false, in columns: FilterColumns
  ) -> FilterSyntax {
    term(FilterSyntax(named: column, in: columns), value, isExcluded: isExcluded, in: columns)
  }

  /// Returns the condition that matches rows in which an expression has this value, or rows in which it does not.
  ///
  ///     Filter.term(price, .integer(3), in: columns)   // Data.price = 3
  public static func term(
    _ operand: FilterSyntax, _ value: DatabaseValue, isExcluded: Bool = false, in columns: FilterColumns
  ) -> FilterSyntax {
    let column = operand.columnName.flatMap { columns.named($0) } ?? FilterColumn("", type: .any)
    if value == .null { return FilterSyntax(.identity(operand, FilterSyntax(.literal(.null)), isNegated: isExcluded)) }
    if column.type == .date, let literal = exactLiteral(value, for: column) {
      return FilterSyntax(.identity(operand, FilterSyntax(.literal(literal)), isNegated: isExcluded))
    }
    if let literal = literal(value, for: column.type) {
      return FilterSyntax(.comparison(isExcluded ? .unlike : .equal, operand, FilterSyntax(.literal(literal))))
    }
    let stored = storedTerm(operand, value)
    return isExcluded ? FilterSyntax(.not(stored)) : stored
  }

  /// Returns the value as a literal of the column's type; nil if that is not possible.
  private static func literal(_ value: DatabaseValue, for type: ExpressionType) -> FilterLiteral? {
    switch (value, type) {
    case (.integer(let value), .boolean): value == 0 || value == 1 ? .truth(value == 1) : nil
    case (.integer(let value), .integer), (.integer(let value), .real), (.integer(let value), .numeric),
      (.integer(let value), .any):
      .integer(value)
    case (.real(let value), .integer), (.real(let value), .real), (.real(let value), .numeric),
      (.real(let value), .any):
      .real(value)
    case (.text(let text), .text), (.text(let text), .any): .text(text)
    case (.blob(let bytes), .blob), (.blob(let bytes), .any): .blob(bytes)
    default: nil
    }
  }

  /// Returns the value as a literal for `is` with a date column; nil for a number if the dates are texts.
  private static func exactLiteral(_ value: DatabaseValue, for column: FilterColumn) -> FilterLiteral? {
    switch value {
    case .text(let text): .text(text)
    case .integer(let value) where column.dates.isNumeric: .integer(value)
    case .real(let value) where column.dates.isNumeric: .real(value)
    default: nil
    }
  }

  /// Returns the condition for a value that does not match the column's type, but may be stored in its rows.
  ///
  ///     typeof(Milliseconds) = 'text' and cast(Milliseconds as text) = 'unknown'
  private static func storedTerm(_ column: FilterSyntax, _ value: DatabaseValue) -> FilterSyntax {
    let (literal, name, affinity): (FilterLiteral, String, ColumnSchema.Affinity) =
      switch value {
      case .null: (.null, "null", .blob)
      case .integer(let value): (.integer(value), "integer", .numeric)
      case .real(let value): (.real(value), "real", .numeric)
      case .text(let text): (.text(text), "text", .text)
      case .blob(let bytes): (.blob(bytes), "blob", .blob)
      }
    let storage = FilterSyntax(.call("typeof", [column]))
    let cast = FilterSyntax(.cast(column, affinity))
    return FilterSyntax(
      .all([
        FilterSyntax(.comparison(.equal, storage, FilterSyntax(.literal(.text(name))))),
        FilterSyntax(.comparison(.equal, cast, FilterSyntax(.literal(literal)))),
      ]))
  }

  /// Returns a text with an additional term: `text and term`.
  ///
  /// The text is unchanged, except that a top-level `or` is enclosed in parentheses, and words become `~ 'words'`.
  ///
  ///     Filter.text("a = 1 or b = 2", adding: term, in: columns)   // (a = 1 or b = 2) and c = 3
  ///     Filter.text("green day", adding: term, in: columns)        // ~ 'green day' and c = 3
  ///
  /// - Throws: The errors of the text, to which nothing can be added then.
  public static func text(_ text: String, adding term: FilterSyntax, in columns: FilterColumns) throws(FilterErrors) -> String {
    guard let syntax = try FilterSyntax.parse(text, columns: columns) else { return termText(term, isAlone: true) }
    let bytes = Array(text.utf8)
    let source = String(decoding: bytes[syntax.range], as: UTF8.self)
    let first =
      switch syntax.kind {
      case .any where !isParenthesized(syntax, bytes): "(\(source))"
      case .anywhere where !source.hasPrefix("~"): FilterFormatter.string(syntax)
      default: source
      }
    return "\(first) and \(termText(term, isAlone: false))"
  }

  /// Returns a term as written next to `and`, or alone: in parentheses if it would otherwise not be parsed as one term.
  static func termText(_ term: FilterSyntax, isAlone: Bool) -> String {
    let text = FilterFormatter.string(term)
    return switch term.kind {
    case .all: "(\(text))"
    case .any: isAlone ? text : "(\(text))"
    default: text
    }
  }

  /// Returns whether one pair of parentheses encloses the whole node.
  private static func isParenthesized(_ node: FilterSyntax, _ bytes: [UInt8]) -> Bool {
    guard case .any(let terms) = node.kind, let first = terms.first else { return false }
    return first.range.lowerBound > node.range.lowerBound
  }

  /// Returns a text without the last term joined by `and` at its top; empty if there is only one term.
  ///
  ///     Filter.text("a = 1 and b = 2", droppingLastTermIn: columns)       // a = 1
  ///     Filter.text("(a >= 1 and a < 2)", droppingLastTermIn: columns)   // nothing: parentheses enclose a single term
  ///
  /// - Throws: The errors of the text.
  public static func text(_ text: String, droppingLastTermIn columns: FilterColumns) throws(FilterErrors) -> String {
    guard let terms = try FilterSyntax.parse(text, columns: columns)?.separateTerms, terms.count > 1 else { return "" }
    let start = terms[0].range.lowerBound
    return String(decoding: Array(text.utf8)[start..<terms[terms.count - 2].range.upperBound], as: UTF8.self)
  }
}
