public import QuarryEngine

/// Distinct values of a column.
public struct DistinctValues: Hashable, Sendable {
  /// The values in SQLite's order, without NULL.
  public var values: [DatabaseValue]
  /// Whether no other values have the requested prefix.
  public var isComplete: Bool

  /// Creates a list of values.
  public init(values: [DatabaseValue], isComplete: Bool) {
    self.values = values
    self.isComplete = isComplete
  }
}

extension DistinctValues {
  /// Reads some distinct values of a column of a source.
  init(of column: String, in source: RowSet.Source, prefix: String, limit: Int, on database: Database) throws {
    let search = try ValueSearch(column, of: source, prefix: prefix, limit: limit, in: database)
    self = try search.isServed(by: database) ? search.step(in: database) : search.sample(in: database)
  }

  /// Returns the statement that finds values of a table among its first and last rows.
  package static func sample(of column: String, in table: TableReference, prefix: String, limit: Int, on database: Database) throws
    -> SQLText
  {
    try ValueSearch(column, of: .table(table), prefix: prefix, limit: limit, in: database).sampleSQL
  }
}

/// A search for the distinct values of a column.
private struct ValueSearch {
  /// The source as written after FROM, with the values of a query's own parameters.
  let source: SQLText
  let arguments: [DatabaseValue]
  let column: SQLText
  let prefix: String
  let limit: Int
  /// The order that reads the rows from their end; nil if they can only be read from their beginning.
  let reverse: SQLText?
  /// Whether the values are compared without regard to case, so that one range contains all values with the prefix.
  let ignoresCase: Bool

  /// The maximum number of values examined in steps.
  static let stepLimit = 5000
  /// The number of rows of a sample.
  static let sampleLimit = 10_000

  init(_ column: String, of source: RowSet.Source, prefix: String, limit: Int, in database: Database) throws {
    (self.column, self.prefix, self.limit) = ("\(identifier: column)", prefix, limit)
    switch source {
    case .query(let sql, let arguments):
      let query = QuerySource(try database.makeStatement(sql: sql), arguments: arguments)
      (self.source, self.arguments) = (query.sql, query.arguments)
      (reverse, ignoresCase) = (nil, false)
    case .returned(let rows):
      (self.source, arguments) = ("(\(rows.query))", [])
      (reverse, ignoresCase) = (nil, false)
    case .table(let reference):
      let schema = try database.tableSchema(reference)
      guard schema.column(named: column) != nil else {
        throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such column: \(column)")
      }
      (self.source, arguments) = (schema.entry.reference.sqlText, [])
      reverse = KeysetRows(schema, in: database)?.order.everything(.backward).order
      let index = schema.indexes.first { $0.terms.first?.column?.isSameIdentifier(as: column) == true }
      ignoresCase = index?.terms.first?.collation.isSameIdentifier(as: "NOCASE") == true
    }
  }

  // MARK: By an index

  /// Returns whether an index leads from one value to the next.
  func isServed(by database: Database) throws -> Bool {
    guard reverse != nil else { return false }
    let plan = try QueryPlan(of: nextValue(after: .null, isInclusive: false, before: nil), in: database)
    return plan.details.allSatisfy { $0.hasPrefix("SEARCH ") }
  }

  private func nextValue(after last: DatabaseValue, isInclusive: Bool, before end: DatabaseValue?) -> SQLText {
    let start: SQLText = isInclusive ? "\(column) >= \(last)" : "\(column) > \(last)"
    let bounds: SQLText = end.map { "\(start) AND \(column) < \($0)" } ?? start
    return "SELECT \(column) FROM \(source) WHERE \(bounds) ORDER BY \(column) LIMIT 1"
  }

  /// Finds the values one after the other with an index.
  func step(in database: Database) throws -> DistinctValues {
    var found = DistinctValues(values: [], isComplete: true)
    var steps = 0
    for range in ranges {
      var last = range.start
      var isInclusive = true
      while let value = try value(nextValue(after: last, isInclusive: isInclusive, before: range.end), in: database) {
        steps += 1
        guard found.values.count < limit, steps <= Self.stepLimit else {
          found.isComplete = false
          return found
        }
        if range.isOfTexts, !value.isText {
          // A numeric column converts a bound that looks like a number, and no text comes before a number.
          (last, isInclusive) = (.text(""), false)
          continue
        }
        if prefix.isEmpty || value.isWritten(with: prefix), !range.isOfTexts || !found.values.contains(value) { found.values.append(value) }
        (last, isInclusive) = (value, false)
      }
    }
    return found
  }

  private func value(_ sql: SQLText, in database: Database) throws -> DatabaseValue? {
    var value: DatabaseValue?
    try database.scan(sql) { statement in
      value = try statement.wholeValue(at: 0)
      return false
    }
    return value
  }

  private struct ValueRange {
    var start: DatabaseValue
    var end: DatabaseValue?
    /// Whether only texts are searched.
    var isOfTexts: Bool
  }

  /// The ranges of values with the prefix: numbers, and texts in likely combinations of case.
  private var ranges: [ValueRange] {
    let least = DatabaseValue.real(-.infinity)
    guard !prefix.isEmpty else { return [ValueRange(start: least, end: nil, isOfTexts: false)] }
    let isNumeric = prefix.first.map { $0.isNumber || "+-.".contains($0) } ?? false
    let numbers = isNumeric ? [ValueRange(start: least, end: .text(""), isOfTexts: false)] : []
    let cases = ignoresCase ? [prefix] : Set([prefix, prefix.lowercased(), prefix.uppercased(), capitalizedPrefix]).sorted()
    return numbers + cases.map { ValueRange(start: .text($0), end: .text($0 + "\u{10FFFF}"), isOfTexts: true) }
  }

  /// The prefix with its first letter in upper case.
  private var capitalizedPrefix: String { prefix.prefix(1).uppercased() + prefix.dropFirst() }

  // MARK: Among some rows

  /// The LIKE pattern of values with the prefix.
  private var likePattern: String { String(prefix.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] }) + "%" }

  /// The statement that finds values among the first and last rows.
  var sampleSQL: SQLText {
    let name: SQLText = "\(identifier: "value of the column")"
    let half = Self.sampleLimit / 2
    var rows: SQLText = "SELECT * FROM (SELECT \(column) AS \(name) FROM \(source) LIMIT \(reverse == nil ? Self.sampleLimit : half))"
    if let reverse {
      rows.append(" UNION ALL SELECT * FROM (SELECT \(column) FROM \(source) ORDER BY \(reverse) LIMIT \(half))" as SQLText)
    }
    return """
      SELECT DISTINCT \(name) FROM (\(rows)) \
      WHERE \(name) LIKE \(likePattern) ESCAPE '\\' AND typeof(\(name)) <> 'blob' ORDER BY \(name) LIMIT \(limit)
      """
  }

  /// Finds values among the first and last rows.
  func sample(in database: Database) throws -> DistinctValues {
    let cursor = try RowSequence(sql: sampleSQL, arguments: arguments, columns: []).makeCursor(in: database)
    var found = DistinctValues(values: [], isComplete: false)
    while try cursor.step() { try found.values.append(cursor.wholeValue(at: 0)) }
    return found
  }
}

extension DatabaseValue {
  fileprivate var isText: Bool {
    if case .text = self { true } else { false }
  }

  /// Returns whether the value as a text begins with a prefix; always false for NULL and blobs.
  package func isWritten(with prefix: String) -> Bool {
    switch self {
    case .null, .blob: false
    case .integer(let value): String(value).hasPrefix(prefix)
    case .real(let value): String(value).hasPrefix(prefix)
    case .text(let text): text.lowercased().hasPrefix(prefix.lowercased())
    }
  }
}
