public import QuarryEngine

/// A filter text compiled against columns to an expression of the engine; no text is inserted into SQL.
///
/// ```swift
/// let columns = FilterColumns(table)
/// let filter = try Filter.compile("Milliseconds > 300000 and Name ~ love", columns: columns)
/// filter.sqlText?.queryString   // ((Milliseconds > 300000) AND (Name LIKE '%love%'))
/// ```
public struct Filter: Sendable {
  /// The text as written.
  public let text: String
  /// The syntax of the text; nil if it is empty.
  public let syntax: FilterSyntax?
  /// The condition on rows; nil for all rows.
  public let expression: (any QueryExpression<Bool>)?
  /// The parameters, in the order of their first occurrence; the expression can run once each has a value.
  public let parameters: [FilterParameter]
  /// Hints about valid text that may not be intended.
  public let advice: [FilterHint]
  /// The foreign keys by which aggregates find the rows of other tables.
  let childKeys: Set<ChildKey>
  /// Whether the text is a single word that begins a column name, or only a path.
  ///
  /// While it is being typed it may become that name, or a condition on a longer path, and should not be searched for yet.
  public let isBeginningOfName: Bool

  /// The condition as SQL with its arguments; nil for all rows.
  public var sqlText: SQLText? { expression?.sqlText }

  /// Whether every parameter has a value.
  public var isComplete: Bool { parameters.allSatisfy(\.isGiven) }

  /// Compiles a text.
  ///
  /// The value of a parameter `:name` has the key `:name` or `name`; the value of `?3` has the key `3`; the value of `?` has its number, as
  /// counted by SQLite, as its key. Parameters without a value are written unchanged, so that the SQL can be displayed.
  ///
  /// - Throws: All independent errors of the text.
  public static func compile(
    _ text: String, columns: FilterColumns, parameters: [String: DatabaseValue] = [:]
  ) throws(FilterErrors) -> Filter {
    do throws(FilterErrors) {
      return try read(text, columns: columns, parameters: parameters).withProvenAdvice { mended in
        (try? read(mended, columns: columns, parameters: parameters)) != nil
      }
    } catch {
      let columns = columns.withoutNearestNames
      throw error.withProvenOffers(on: text) { (mended) throws(FilterErrors) in
        _ = try read(mended, columns: columns, parameters: parameters)
      }
    }
  }

  /// Returns the filter with only the corrections that have been tested.
  private func withProvenAdvice(_ isRight: (String) -> Bool) -> Filter {
    if advice.allSatisfy(\.replacements.isEmpty) { return self }
    let proven = advice.map { advice in
      var advice = advice
      advice.replacements.removeAll { !isRight($0.applied(to: text)) }
      return advice
    }
    return Filter(
      text: text, syntax: syntax, expression: expression, parameters: parameters, advice: proven, childKeys: childKeys,
      isBeginningOfName: isBeginningOfName)
  }

  private static func read(
    _ text: String, columns: FilterColumns, parameters: [String: DatabaseValue]
  ) throws(FilterErrors) -> Filter {
    var text = text
    let bytes = text.withUTF8 { Array($0) }
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    let syntax = parser.filter()
    var checker = FilterChecker(bytes, columns: columns, values: parameters)
    let expression = syntax.flatMap { checker.filter($0) }
    if let errors = FilterErrors(parser.errors + checker.errors) { throw errors }
    return Filter(
      text: text, syntax: syntax, expression: expression, parameters: checker.parameters.all, advice: checker.advice,
      childKeys: checker.childKeys,
      isBeginningOfName: syntax?.isPath == true || parser.isOneWord && columns.isNamePrefix(text.utf8.filter { !$0.isSQLBlank }))
  }
}

extension FilterSyntax {
  /// Parses a text without checking its types; nil if it is empty.
  ///
  /// The columns distinguish a filter of words (`green day`) from one that names a column, and `"x"` as a column from `"x"` as a text.
  ///
  /// - Throws: All syntax errors.
  public static func parse(_ text: String, columns: FilterColumns) throws(FilterErrors) -> FilterSyntax? {
    let bytes = Array(text.utf8)
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    let syntax = parser.filter()
    if let errors = FilterErrors(parser.errors) { throw errors }
    return syntax
  }
}

extension FilterError {
  static func tooLong(_ bytes: [UInt8]) -> [FilterError] {
    guard bytes.count > FilterParser.longestText else { return [] }
    let sentence = "This text has \(bytes.count) bytes; the maximum is \(FilterParser.longestText)."
    return [FilterError(.tooLong, 0..<bytes.count, sentence)]
  }
}
