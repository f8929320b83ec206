internal import QuarryEngine

extension ColumnExpression {
  /// Compiles the text of a computed column, which may begin with a name.
  ///
  /// ```swift
  /// let column = try ColumnExpression.compile(column: "minutes = Milliseconds / 60000.0", columns: columns)
  /// column.name                  // minutes
  /// column.sqlText.queryString   // (Milliseconds / 60000.0)
  /// ```
  ///
  /// - Parameter others: The names of other computed columns, which cannot be used again.
  /// - Throws: All errors of the text, with tested corrections; also if a column has the name already.
  public static func compile(
    column text: String, columns: FilterColumns, except others: [String] = []
  ) throws(FilterErrors) -> ColumnExpression {
    do throws(FilterErrors) {
      return try read(column: text, columns: columns, except: others)
    } catch {
      throw error.withProvenOffers(on: text) { (mended) throws(FilterErrors) in
        _ = try read(column: mended, columns: columns.withoutNearestNames, except: others)
      }
    }
  }

  private static func read(
    column text: String, columns: FilterColumns, except others: [String]
  ) throws(FilterErrors) -> ColumnExpression {
    let bytes = Array(text.utf8)
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    guard let name = parser.takeColumnName() else {
      let column = try compile(&parser, text: text, columns: columns)
      if others.contains(where: { $0.isSameIdentifier(as: text) }) { throw FilterErrors(.repeated(0..<bytes.count, text)) }
      return column
    }
    let fault = name.fault(in: columns, except: others, bytes)
    let rest = bytes[min(parser.token.start, bytes.count)...]
    do throws(FilterErrors) {
      if parser.isAtEnd { throw FilterErrors(.missingExpression(after: name)) }
      let column = try compile(&parser, text: String(decoding: rest, as: UTF8.self), name: name.text, columns: columns)
      if column.sqlText.sql.utf8.count > longestSQL { throw FilterErrors(.tooLongExpression(rest.indices)) }
      if let fault { throw FilterErrors(fault) }
      return column
    } catch {
      throw fault.map { error.adding($0) } ?? error
    }
  }

  /// The maximum number of bytes of SQL: columns that use other computed columns repeat their expressions.
  private static let longestSQL = 65_536

  /// Returns the completions at a caret of the text of a computed column.
  ///
  /// - Parameters:
  ///   - text: The unfinished text.
  ///   - caret: The position of the caret in bytes of UTF-8.
  ///   - columns: The columns available to the expression.
  public static func completions(of text: String, at caret: Int, columns: FilterColumns) -> FilterCompletions {
    var result = FilterCompleter(text, caret: caret, columns: columns).completions { parser in
      _ = parser.takeColumnName()
      _ = parser.wholeValue()
    }
    result.values = nil
    return result
  }

  /// Returns the name at the beginning of the text of a computed column; nil if the text is only an expression.
  public static func name(in text: String, columns: FilterColumns) -> String? {
    var parser = FilterParser(Array(text.utf8), columns: columns)
    return parser.takeColumnName()?.text
  }
}

/// A name before the expression of a computed column.
struct ColumnName: Hashable, Sendable {
  var text: String
  var range: Range<Int>
  /// The range of the equals sign after it.
  var sign: Range<Int>

  /// Returns the error of a name that is missing or taken.
  fileprivate func fault(in columns: FilterColumns, except others: [String], _ bytes: [UInt8]) -> FilterError? {
    if text.allSatisfy(\.isWhitespace) {
      return FilterError(
        .missingValue, sign, "A name is missing before =.", replacements: [FilterReplacement(range.lowerBound..<sign.upperBound, "")])
    }
    let column = columns.named(text)
    func isTaken(_ name: String) -> Bool { columns.named(name) != nil || others.contains { $0.isSameIdentifier(as: name) } }
    guard isTaken(text) else { return nil }
    let free = (2...).lazy.map { "\(text)_\($0)" }.first { !isTaken($0) } ?? text
    let owner = column.map { $0.definition == nil } == true ? "a column of \(columns.tableName ?? "the rows")" : "another computed column"
    return FilterError(
      .takenName, range, "\(column?.name ?? text) is already the name of \(owner).",
      hint: "Choose another name; for a comparison, put the text in parentheses.",
      replacements: [
        FilterReplacement(range, FilterFormatter.name(free)),
        FilterReplacement(0..<bytes.count, "(\(String(decoding: bytes, as: UTF8.self)))"),
      ])
  }
}

extension FilterError {
  fileprivate static func missingExpression(after name: ColumnName) -> FilterError {
    FilterError(.missingValue, name.sign, "An expression is missing after this equals sign.")
  }

  fileprivate static func repeated(_ range: Range<Int>, _ text: String) -> FilterError {
    FilterError(
      .takenName, range, "\(range.count <= 40 ? text : "This column") is shown already.",
      hint: "For a second column, write a name and = before the expression.")
  }

  fileprivate static func tooLongExpression(_ range: Range<Int>) -> FilterError {
    FilterError(
      .tooLong, range, "The computed columns that this one uses make its SQL too long.", hint: "Use fewer computed columns in it.")
  }
}

extension FilterErrors {
  /// Creates the errors of a text with one error.
  fileprivate init(_ error: FilterError) { self.init(first: error, others: []) }

  fileprivate func adding(_ error: FilterError) -> FilterErrors {
    errors.contains(error) ? self : FilterErrors(first: error, others: errors)
  }
}

extension FilterParser {
  /// Parses a name and the equals sign after it; nil if the text does not begin with a name.
  ///
  /// Several words are one name, because no expression begins with them.
  mutating func takeColumnName() -> ColumnName? {
    let end = tokens.firstIndex { !$0.isWordOfName } ?? tokens.count
    guard tokens.indices.contains(end), tokens[end].kind == .symbol(.equal) else { return nil }
    let names = tokens[..<end]
    guard names.allSatisfy({ $0.kind == .word }) || names.count == 1 else { return nil }
    let range = (names.first?.start ?? 0)..<(names.last?.end ?? tokens[end].start)
    let isQuoted = names.count == 1 && names[0].kind != .word
    position = end + 1
    return ColumnName(
      text: isQuoted ? names[0].name(in: bytes) : String(decoding: bytes[range], as: UTF8.self), range: range, sign: tokens[end].range)
  }
}

extension FilterToken {
  fileprivate var isWordOfName: Bool { kind == .word || kind == .quotedName || kind == .bracketedName }
}
