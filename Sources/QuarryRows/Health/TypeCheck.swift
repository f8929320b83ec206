internal import QuarryEngine

/// Counts the values that contradict the declared types of their columns.
///
///     SELECT count(*), sum(typeof(Total) = 'text'), … FROM main.Invoice
///
/// Tables are read in slices of rowids. STRICT tables cannot contain wrong types.
struct TypeCheck: HealthCheck {
  /// Whether only the first rows of each table are read.
  let isQuick: Bool

  let name = "types"

  /// The number of rows that are read at once, and in all by a quick check.
  private static let slice = 20_000
  /// The maximum number of columns in a statement.
  private static let mostColumns = 100

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    let scope = isQuick ? "in the first \(Plural.grouped(Self.slice)) rows of each table" : "in all rows"
    return try subject.tables.filter { !$0.entry.isStrict }.flatMap { table in
      try part(of: table.entry.reference.name, in: database) {
        let columns = table.columns.compactMap(TypedColumn.init)
        return try stride(from: 0, to: columns.count, by: Self.mostColumns).flatMap { start in
          try results(about: Array(columns[start..<min(start + Self.mostColumns, columns.count)]), of: table, in: database)
        }
      }
    }.orFine(name, "the values match the declared types of their columns, \(scope)")
  }

  private func results(about columns: [TypedColumn], of table: TableSchema, in database: Database) throws -> [HealthResult] {
    let counts = try TypeScan(columns, of: table).counts(in: database, size: Self.slice, isSample: isQuick)
    return columns.enumerated().compactMap { index, column in
      let found = zip(column.wrong, counts.wrong[index]).filter { $0.1 > 0 }
      guard !found.isEmpty else { return nil }
      let values = found.map { "\(Plural.grouped($1)) \($0)" }.joined(separator: " and ")
      let scope = counts.isWhole ? "of \(Plural.of(counts.rows, "row"))" : "in a sample of the first \(Plural.of(counts.rows, "row"))"
      let classes = found.map { "'\($0.0)'" }.joined(separator: ", ")
      return HealthResult(
        name, "\(table.entry.reference.name).\(column.name)", .finding, "\(values) in a column of type \(column.type), \(scope)",
        remedy: .rows("SELECT * FROM \(table.entry.reference.sql) WHERE typeof(\(SQLIdentifier.quoted(column.name))) IN (\(classes))"))
    }
  }
}

/// A column with the storage classes that contradict its type.
private struct TypedColumn {
  let name: String
  let type: String
  let wrong: [String]

  /// Returns nil for a column whose type says nothing certain about its values, such as a date.
  init?(_ column: ColumnSchema) {
    guard !column.isHidden, !column.isRowID, column.problem == nil else { return nil }
    let type = column.declaredType.uppercased()
    let contains = { (parts: [String]) in parts.contains { type.firstRange(of: $0) != nil } }
    switch column.affinity {
    // The names INTERVAL and POINT contain INT by chance.
    case .integer: wrong = contains(["INTERVAL", "POINT", "DATE", "TIME"]) ? [] : ["text", "blob", "real"]
    case .real: wrong = ["text", "blob"]
    case .numeric: wrong = contains(["NUM", "DEC", "MONEY", "CURRENCY", "BOOL"]) ? ["text", "blob"] : []
    case .text: wrong = contains(["BLOB"]) ? [] : ["blob"]
    case .blob: wrong = []
    }
    guard !wrong.isEmpty else { return nil }
    (name, self.type) = (column.name, column.declaredType)
  }
}

/// Counts the storage classes of columns.
private struct TypeScan {
  /// The numbers of values of the wrong classes of each column, among a number of rows.
  struct Counts {
    var rows = 0
    var isWhole = true
    var wrong: [[Int]]
  }

  private let table: TableReference
  /// The name of the rowid; nil for a table that is read at once.
  private let rowID: String?
  private let columns: [TypedColumn]

  init(_ columns: [TypedColumn], of table: TableSchema) {
    (self.columns, self.table) = (columns, table.entry.reference)
    rowID = table.entry.isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { table.column(named: $0) == nil }
  }

  func counts(in database: Database, size: Int, isSample: Bool) throws -> Counts {
    var counts = Counts(wrong: columns.map { $0.wrong.map { _ in 0 } })
    var last: Int64?
    repeat {
      try database.giveWay()
      let before = counts.rows
      last = try add(after: last, limit: rowID == nil && !isSample ? nil : size, to: &counts, in: database)
      if counts.rows - before < size { return counts }
      if isSample {
        counts.isWhole = false
        return counts
      }
    } while last != nil
    return counts
  }

  /// Counts in a slice, and returns its last rowid.
  private func add(after last: Int64?, limit: Int?, to counts: inout Counts, in database: Database) throws -> Int64? {
    let names = columns.indices.map { "\(identifier: "c\($0)")" as SQLText }
    let values = zip(columns, names).map { "\(identifier: $0.name) AS \($1)" as SQLText }
    let key: SQLText = rowID.map { "\(identifier: $0)" } ?? "NULL"
    var source: SQLText = "SELECT \(key) AS r, \(values.joined(by: ", ")) FROM \(table.sqlText)"
    if let last { source.append(" WHERE \(key) > \(last)" as SQLText) }
    if rowID != nil { source.append(" ORDER BY \(key)" as SQLText) }
    if let limit { source.append(" LIMIT \(limit)" as SQLText) }
    let sums = zip(columns, names).flatMap { column, name in column.wrong.map { "total(typeof(\(name)) = \($0))" as SQLText } }
    let sql: SQLText = "SELECT max(r), count(*), \(sums.joined(by: ", ")) FROM (\(source))"
    var (found, end) = (counts, Int64?.none)
    try database.runUndivided {
      try database.scan(sql) { statement in
        found.rows += Int(try statement.columnInteger(at: 1))
        end = try statement.isColumnNull(at: 0) ? nil : statement.columnInteger(at: 0)
        var place = 2
        for column in columns.indices {
          for kind in columns[column].wrong.indices {
            found.wrong[column][kind] += Int(try statement.columnReal(at: place))
            place += 1
          }
        }
        return false
      }
    }
    counts = found
    return end
  }
}
