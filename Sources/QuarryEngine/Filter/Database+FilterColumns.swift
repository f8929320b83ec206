extension Database {
  /// Returns the columns of a table or view as a filter names them, a few rows telling what its dates are stored as.
  ///
  /// ```swift
  /// // CREATE TABLE event (at DATETIME); INSERT INTO event VALUES (1609459200)
  /// let columns = try db.filterColumns(of: db.tableSchema(TableReference(name: "event")))
  /// try Filter.compile("at = 2021-01-01", columns: columns).sqlText?.queryString
  /// // ((at >= 1609459200) AND (at < 1609545600))
  /// ```
  ///
  /// The rows are the first and, where there is a rowid, the last. A view that takes long to give its first is not waited for: its dates are
  /// taken for texts.
  public func filterColumns(of table: TableSchema) -> FilterColumns {
    let columns = FilterColumns(table)
    let dates = columns.all.filter { $0.type == .date && !$0.holdsTimes }.map(\.name)
    guard !dates.isEmpty else { return columns }
    var sample = rows(of: dates, in: table, order: "")
    if let rowID = columns.tieBreakers.first, !table.entry.isWithoutRowID {
      sample += rows(of: dates, in: table, order: " ORDER BY \(identifier: rowID) DESC")
    }
    return columns.storingDates { column in
      dates.firstIndex(of: column.name).flatMap { index in DateStorage(sample: sample.lazy.map { $0[index] }) }
    }
  }

  private static let sampleSize = 50
  /// Thousands of instructions of SQLite's virtual machine: a few milliseconds.
  private static let sampleSteps = 50

  /// Returns the values of some columns in a few rows, texts and blobs without their content; none where reading fails or takes long.
  ///
  ///     SELECT iif(typeof(at) IN ('text', 'blob'), '', at) FROM main.event ORDER BY rowid DESC LIMIT 50
  private func rows(of columns: [String], in table: TableSchema, order: SQLText) -> [[DatabaseValue]] {
    let values = columns.map { "iif(typeof(\(identifier: $0)) IN ('text', 'blob'), '', \(identifier: $0))" as SQLText }
    let sql: SQLText = "SELECT \(values.joined(by: ", ")) FROM \(table.entry.reference.sqlText)\(order) LIMIT \(Self.sampleSize)"
    var rows: [[DatabaseValue]] = []
    var looks = 0
    let isTooLong = {
      looks += 1
      return looks > Self.sampleSteps
    }
    try? withProgress(every: 1000, isTooLong) {
      try scan(sql) { statement in
        rows.append(try columns.indices.map { try statement.wholeValue(at: $0) })
        return true
      }
    }
    return rows
  }
}
