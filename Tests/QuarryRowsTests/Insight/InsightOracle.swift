import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// What plain SQL says of random rows: tables with and without rowids, a view and a query, with values of all storage classes.
struct InsightOracle {
  static let names = ["a", "b", "c", "d", "e"]
  static let sources: [RowSet.Source] =
    ["t", "w", "v"].map { .table(TableReference(name: $0)) }
    + [.query(sql: "SELECT a, b, c, d, e FROM t WHERE id % 3 <> :rest", arguments: [.integer(1)])]

  private static let values = [
    "NULL", "0", "-0.0", "1", "1.0", "-1", "0.5", "9007199254740992", "9007199254740993", "9007199254740993.0", "-9007199254740993",
    "9223372036854775807", "9223372036854775808.0", "-9223372036854775808", "9e999", "-9e999", "1e300", "-1e-300", "''", "' '", "'a'",
    "'A'", "'a '", "'1'", "'1.5'", "'é'", "'ā'", "'aāb'", "'日本語'", "'𝄞'", "'a𝄟'", "'\u{FFFD}'", "CAST(x'ff' AS TEXT)",
    "CAST(x'610062' AS TEXT)", "'2024-05-01'",
    "'2024-05-02T10:00:00'", "x''", "x'00'", "x'61'", "x'31'",
  ]

  let queue: DatabaseQueue
  let connections: ReadConnections

  /// Makes rows of random values, most of them rare or most of them frequent, in a database of some encoding.
  init(rows: Int, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let encoding = ["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"].randomElement(using: &random) ?? "UTF-8"
    // Bytes that are a text in one encoding are another, or none, in the others.
    let values = encoding == "UTF-8" ? Self.values : Self.values.filter { !$0.hasPrefix("CAST") }
    let pool = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in values.randomElement(using: &random) }
    let spread = [3, 50, 100_000].randomElement(using: &random) ?? 3
    func value(_ random: inout SplitMix) -> String {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: "\(Int.random(in: -spread...spread, using: &random))"
      case 1: "\(Int.random(in: -spread...spread, using: &random)).25"
      case 2: "'text \(Int.random(in: 0...spread, using: &random))'"
      case 3: "'20\(Int.random(in: 10...29, using: &random))-0\(Int.random(in: 1...9, using: &random))-11'"
      default: pool.randomElement(using: &random) ?? "NULL"
      }
    }
    queue = try makeDatabase(
      "PRAGMA encoding = '\(encoding)'",
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT COLLATE NOCASE, c REAL, d NUMERIC, e INTEGER)",
      "CREATE TABLE w(a, b TEXT COLLATE NOCASE, c REAL, d NUMERIC, e INTEGER, id PRIMARY KEY) WITHOUT ROWID",
      "CREATE VIEW v AS SELECT a, b || '' AS b, c, d, e FROM t WHERE id % 2 = 0")
    connections = ReadConnections(foreground: queue, background: queue)
    try queue.write { db in
      for id in 0..<rows {
        let list = Self.names.map { _ in value(&random) }.joined(separator: ", ")
        try db.execute(sql: "INSERT INTO t VALUES (\(id * 3), \(list)); INSERT INTO w SELECT a, b, c, d, e, id FROM t WHERE id = \(id * 3)")
      }
    }
  }

  static func filter(_ random: inout SplitMix) -> RowFilter? {
    let (a, b, c) = (Column<DatabaseValue>("a"), Column<String?>("b"), Column<Double?>("c"))
    return [nil, nil, RowFilter(b.like("%a%")), RowFilter(c > 0), RowFilter(a != .integer(1)), RowFilter(b == "no such")]
      .randomElement(using: &random) ?? nil
  }

  /// Returns the collation of a column.
  static func collation(of column: String, in source: RowSet.Source) -> TextCollation {
    column == "b" && source != .table(TableReference(name: "v")) ? .nocase : .binary
  }

  /// Returns the rows of a set for which conditions hold, as they stand after FROM.
  private func from(_ set: RowSet, _ conditions: [RowFilter]) -> SQLText {
    let conditions = [SQLText("1")] + conditions.map(\.sqlText)
    return "(SELECT * FROM (\(set.sqlText)) WHERE \(conditions.joined(by: " AND ")))"
  }

  /// Counts by GROUP BY, in SQLite's order of values.
  ///
  /// - Parameter isBinary: Whether texts are told apart by their bytes, and not by the column's collation.
  func counts(_ column: String, in set: RowSet, where conditions: [RowFilter] = [], isBinary: Bool = false) throws -> [ValueCount] {
    let value: SQLText = isBinary ? "\(identifier: column) COLLATE BINARY" : "\(identifier: column)"
    return try rows("SELECT \(identifier: column), count(*) FROM \(from(set, conditions)) GROUP BY \(value) ORDER BY \(value)") {
      statement in
      let value: CountedValue =
        switch try statement.storedValue(at: 0) {
        case .value(let value): .value(value)
        case .rawText(let bytes): .rawText(bytes)
        }
      return ValueCount(value, Int(try statement.columnInteger(at: 1)))
    }
  }

  /// Returns what is told of a column, but for histogram, frequent values and remarks.
  func profile(_ column: String, in set: RowSet) throws -> ColumnProfile {
    let (v, source) = ("\(identifier: column)" as SQLText, from(set, []))
    let number: SQLText = "typeof(\(v)) IN ('integer', 'real')"
    let length: SQLText = "CASE WHEN typeof(\(v)) IN ('text', 'blob') THEN length(\(v)) END"
    let sql: SQLText = """
      SELECT count(*), count(*) - count(\(v)), total(typeof(\(v)) = 'integer'), total(typeof(\(v)) = 'real'), total(typeof(\(v)) = 'text'),
        total(typeof(\(v)) = 'blob'), total(\(v) COLLATE BINARY = '' OR \(v) = x''), min(\(v)), max(\(v)),
        avg(CASE WHEN \(number) THEN \(v) END), min(\(length)), max(\(length)) FROM \(source)
      """
    var profile = ColumnProfile(name: column)
    _ = try rows(sql) { statement in
      func count(_ index: Int) throws -> Int { Int(try statement.columnInteger(at: index)) }
      (profile.rows, profile.nulls, profile.integers, profile.reals) = try (count(0), count(1), count(2), count(3))
      (profile.texts, profile.blobs, profile.empty) = try (count(4), count(5), count(6))
      (profile.min, profile.max) = try (statement.wholeValue(at: 7), statement.wholeValue(at: 8))
      if case .real(let mean) = try statement.columnValue(at: 9) { profile.mean = mean }
      profile.minLength = try statement.columnValue(at: 10) == .null ? nil : count(10)
      profile.maxLength = try statement.columnValue(at: 11) == .null ? nil : count(11)
    }
    let numbers = profile.integers + profile.reals
    let quartiles = try [1, 2, 3].map { quarter -> Quartile? in
      let offset = (numbers * quarter + 3) / 4 - 1
      return try rows("SELECT \(v) FROM \(source) WHERE \(number) ORDER BY \(v) LIMIT 1 OFFSET \(max(0, offset))") { statement in
        Quartile(try statement.columnValue(at: 0))
      }.first
    }
    (profile.p25, profile.p50, profile.p75) = (quartiles[0], quartiles[1], quartiles[2])
    profile.distinct = .exact(try counts(column, in: set, isBinary: true).count { $0.value != .value(.null) })
    return profile
  }

  private func rows<Value>(_ sql: SQLText, _ make: (Statement) throws -> Value) throws -> [Value] {
    try queue.read { db in
      var values: [Value] = []
      try db.scan(sql) { statement in
        values.append(try make(statement))
        return true
      }
      return values
    }
  }
}

extension DatabaseValue {
  /// Returns the one value that stands for all that SQLite holds equal to it.
  func normalized(_ collation: TextCollation = .binary) -> DatabaseValue {
    switch self {
    case .real(let real): Int64(exactly: real).map { .integer($0) } ?? self
    case .text(let text): collation == .nocase ? .text(text.asciiLowercased) : self
    case .null, .integer, .blob: self
    }
  }
}

extension ValueCount {
  func normalized(_ collation: TextCollation = .binary) -> ValueCount {
    value.value.map { ValueCount(.value($0.normalized(collation)), count) } ?? self
  }
}
