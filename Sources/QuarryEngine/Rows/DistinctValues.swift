/// Some of the different values of a column.
public struct DistinctValues: Hashable, Sendable {
  /// The values in SQLite's order, without NULL.
  public var values: [DatabaseValue]
  /// Whether these are all that there are (with the prefix that was asked for).
  public var isComplete: Bool

  /// Makes a list of values.
  public init(values: [DatabaseValue], isComplete: Bool) {
    self.values = values
    self.isComplete = isComplete
  }
}

extension RowReader {
  /// Some of the different values of a column of the set's source, whatever the set keeps of it: to offer while a filter is written.
  ///
  ///     SELECT kind FROM main.events WHERE kind > 'click' ORDER BY kind LIMIT 1    -- by an index, value after value
  ///     SELECT DISTINCT kind FROM (SELECT kind FROM main.events LIMIT 10000) …    -- without one, among some rows
  ///
  /// - Parameters:
  ///   - column: the column's name.
  ///   - prefix: what the values begin with as texts, without regard to the case of ASCII letters.
  ///   - limit: the greatest number of values.
  /// - Throws: `DatabaseError`, as where there is no such column; `CancellationError`.
  public func distinctValues(of column: String, prefix: String = "", limit: Int = 100) async throws -> DistinctValues {
    try await backgroundWork.run { [self] in
      try await background.read { [self] database in
        try database.distinctValues(of: column, in: rowSet.source, prefix: prefix, limit: max(0, limit))
      }
    }
  }
}

extension Database {
  /// Some of the different values of a column of a source.
  func distinctValues(of column: String, in source: RowSet.Source, prefix: String, limit: Int) throws -> DistinctValues {
    let search = try ValueSearch(column, of: source, prefix: prefix, limit: limit, in: self)
    return try search.isServed(by: self) ? search.step(in: self) : search.sample(in: self)
  }
}

/// A search for the different values of a column.
private struct ValueSearch {
  /// The source, as it stands after FROM.
  let source: String
  let column: String
  let prefix: String
  let limit: Int
  /// What the rows are read by from the other end; nil where they come from one end only.
  let reverse: String?
  /// Whether the values are compared without regard to case, so that one range holds all that begin with the prefix.
  let ignoresCase: Bool

  /// The greatest number of values that are looked at by steps.
  static let stepLimit = 5000
  /// The number of rows of a sample.
  static let sampleLimit = 10_000

  init(_ column: String, of source: RowSet.Source, prefix: String, limit: Int, in database: Database) throws {
    (self.column, self.prefix, self.limit) = (SQLIdentifier.quoted(column), prefix, limit)
    switch source {
    case .query(let sql, let arguments):
      self.source = "(\(RowSet.filledIn(try database.makeStatement(sql: sql).sql, with: arguments))\n)"
      (reverse, ignoresCase) = (nil, false)
    case .returned(let rows):
      self.source = "(\(rows.query))"
      (reverse, ignoresCase) = (nil, false)
    case .table(let reference):
      let schema = try database.tableSchema(reference)
      guard schema.column(named: column) != nil else {
        throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such column: \(column)")
      }
      self.source = schema.entry.reference.sql
      reverse = KeysetRows(schema, in: database)?.order.everything(.backward).order
      let index = schema.indexes.first { $0.terms.first?.column?.isSameIdentifier(as: column) == true }
      ignoresCase = index?.terms.first?.collation.isSameIdentifier(as: "NOCASE") == true
    }
  }

  // MARK: By an index

  /// Whether an index leads from one value to the next.
  func isServed(by database: Database) throws -> Bool {
    guard reverse != nil else { return false }
    let plan = try QueryPlan(of: nextValue(">", isBounded: false), in: database)
    return plan.details.allSatisfy { $0.hasPrefix("SEARCH ") }
  }

  private func nextValue(_ comparator: String, isBounded: Bool) -> String {
    "SELECT \(column) FROM \(source) WHERE \(column) \(comparator) ?" + (isBounded ? " AND \(column) < ?" : "")
      + " ORDER BY \(column) LIMIT 1"
  }

  /// Goes from one value to the next.
  func step(in database: Database) throws -> DistinctValues {
    var found = DistinctValues(values: [], isComplete: true)
    var steps = 0
    for range in ranges {
      var last = range.start
      var comparator = range.comparator
      let end = range.end.map { [$0] } ?? []
      while let value = try value(nextValue(comparator, isBounded: range.end != nil), [last] + end, in: database) {
        steps += 1
        guard found.values.count < limit, steps <= Self.stepLimit else {
          found.isComplete = false
          return found
        }
        if range.isOfTexts, !value.isText {
          // A column of numbers takes a bound that is written as one for a number, before which no text lies.
          (last, comparator) = (.text(""), ">")
          continue
        }
        if prefix.isEmpty || value.isWritten(with: prefix), !range.isOfTexts || !found.values.contains(value) { found.values.append(value) }
        (last, comparator) = (value, ">")
      }
    }
    return found
  }

  private func value(_ sql: String, _ arguments: [DatabaseValue], in database: Database) throws -> DatabaseValue? {
    var value: DatabaseValue?
    try database.scan(sql, arguments) { statement in
      value = try statement.wholeValue(at: 0)
      return false
    }
    return value
  }

  private struct ValueRange {
    var start: DatabaseValue
    var comparator: String
    var end: DatabaseValue?
    /// Whether only texts are looked for.
    var isOfTexts: Bool
  }

  /// The ranges in which values with the prefix lie: numbers, and texts in the cases in which they are likely to be written.
  private var ranges: [ValueRange] {
    let least = DatabaseValue.real(-.infinity)
    guard !prefix.isEmpty else { return [ValueRange(start: least, comparator: ">=", end: nil, isOfTexts: false)] }
    let isNumeric = prefix.first.map { $0.isNumber || "+-.".contains($0) } ?? false
    let numbers = isNumeric ? [ValueRange(start: least, comparator: ">=", end: .text(""), isOfTexts: false)] : []
    let cases = ignoresCase ? [prefix] : Set([prefix, prefix.lowercased(), prefix.uppercased(), prefix.capitalized]).sorted()
    return numbers + cases.map { ValueRange(start: .text($0), comparator: ">=", end: .text($0 + "\u{10FFFF}"), isOfTexts: true) }
  }

  // MARK: Among some rows

  /// Looks at the first rows and the last.
  func sample(in database: Database) throws -> DistinctValues {
    let value = "value of the column"
    let name = SQLIdentifier.quoted(value)
    let half = Self.sampleLimit / 2
    var rows = "SELECT * FROM (SELECT \(column) AS \(name) FROM \(source) LIMIT \(reverse == nil ? Self.sampleLimit : half))"
    if let reverse { rows += " UNION ALL SELECT * FROM (SELECT \(column) FROM \(source) ORDER BY \(reverse) LIMIT \(half))" }
    let sql =
      "SELECT DISTINCT \(name) FROM (\(rows)) WHERE \(name) LIKE ? ESCAPE '\\' AND typeof(\(name)) <> 'blob' ORDER BY \(name) LIMIT ?"
    var found = DistinctValues(values: [], isComplete: false)
    try database.scan(sql, [.text(prefix.likePattern + "%"), .integer(Int64(limit))]) { statement in
      try found.values.append(statement.wholeValue(at: 0))
      return true
    }
    return found
  }
}

extension DatabaseValue {
  fileprivate var isText: Bool {
    if case .text = self { true } else { false }
  }

  /// Whether the value, as it is written, begins with a text; no NULL and no blob does.
  func isWritten(with prefix: String) -> Bool {
    switch self {
    case .null, .blob: false
    case .integer(let value): String(value).hasPrefix(prefix)
    case .real(let value): String(value).hasPrefix(prefix)
    case .text(let text): text.lowercased().hasPrefix(prefix.lowercased())
    }
  }
}

extension String {
  /// The text in a pattern of LIKE, to stand for itself.
  fileprivate var likePattern: String {
    String(flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
  }

  /// With its first letter in upper case, and the others as they are.
  fileprivate var capitalized: String {
    prefix(1).uppercased() + dropFirst()
  }
}
