extension Database {
  /// Returns the columns of a table or view as a filter names them, a few rows telling how dates are stored in them.
  ///
  /// ```swift
  /// // CREATE TABLE event (at DATETIME); INSERT INTO event VALUES (1609459200)
  /// let columns = try db.filterColumns(of: db.tableSchema(TableReference(name: "event")))
  /// try Filter.compile("at = 2021-01-01", columns: columns).sqlText?.queryString
  /// // ((at >= 1609459200) AND (at < 1609545600))
  /// ```
  ///
  /// The rows are the first and, for columns of dates where there is a rowid, the last. A view that takes long to give its first is not waited for: its dates are
  /// taken for texts.
  public func filterColumns(of table: TableSchema) -> FilterColumns {
    let columns = FilterColumns(table)
    let isRead = table.entry.kind == .table || table.entry.kind == .view
    let sampled = columns.all.filter { $0.isDate || isRead && $0.mayHoldDates }.map(\.name)
    let dates = columns.all.filter(\.isDate).map(\.name)
    guard !sampled.isEmpty else { return columns }
    let first = rows(of: sampled, in: table, order: "")
    var last: [[DatabaseValue]] = []
    if !dates.isEmpty, let rowID = columns.tieBreakers.first, !table.entry.isWithoutRowID {
      last = rows(of: dates, in: table, order: " ORDER BY \(identifier: rowID) DESC")
    }
    return columns.sampled { column in
      guard let index = sampled.firstIndex(of: column.name) else { return nil }
      let values = first.map { $0[index] } + (dates.firstIndex(of: column.name).map { index in last.map { $0[index] } } ?? [])
      return DateSample(values, isDeclared: column.isDate)
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

extension FilterColumn {
  fileprivate var isDate: Bool { type == .date && !holdsTimes }

  /// Whether its values may be numbers that stand for dates.
  fileprivate var mayHoldDates: Bool {
    switch type {
    case .integer, .real, .numeric, .any: !isHidden
    case .date, .text, .blob, .boolean, .null: false
    }
  }
}
