package import QuarryEngine

/// Tells which column it is whose value cannot be had, after the reading of rows has ended with an error.
///
///     SELECT total, price FROM main.bad LIMIT 1 OFFSET 299
struct FailingColumn {
  /// What stands before SELECT, with the values of its own parameters.
  var before: SQLText = ""
  var arguments: [DatabaseValue] = []
  /// What stands after FROM.
  var source: SQLText
  /// How many rows come before the one that cannot be read.
  var offset: Int
  /// The error at which the reading ended.
  var error: DatabaseError

  /// Returns the first of some columns that fails in the row as the reading did, by halves; nil where it is not one column that does, as
  /// where the row itself cannot be had, or where SQLite reads the rows of one column in another order.
  func name(of columns: [InsightColumn], in database: Database) -> String? {
    guard columns.count > 1 else { return columns.first?.name }
    guard !fails(["NULL"], in: database) else { return nil }
    var rest = columns[...]
    while rest.count > 1 {
      let half = rest.prefix(rest.count / 2)
      rest = fails(half.map(\.expression), in: database) ? half : rest.dropFirst(half.count)
    }
    return rest.first.flatMap { fails([$0.expression], in: database) ? $0.name : nil }
  }

  /// Returns whether values of the row cannot be had for the same reason.
  private func fails(_ values: [SQLText], in database: Database) -> Bool {
    // Where rows are sorted each of them is made before the first comes; a LIMIT would have SQLite pass over some.
    let place: SQLText = offset == 0 ? "" : " LIMIT 1 OFFSET \(raw: String(offset))"
    let sql: SQLText = "\(before)SELECT \(values.joined(by: ", ")) FROM \(source)\(place)"
    do {
      _ = try RowSequence(sql: sql, arguments: arguments, columns: []).makeCursor(in: database).step()
      return false
    } catch let failure as DatabaseError {
      return failure.resultCode == error.resultCode
    } catch {
      return false
    }
  }
}

extension DatabaseError {
  /// Returns an error that ended the reading of a query, with where that was: see ``located(in:column:after:)``.
  ///
  /// - Parameters:
  ///   - sql: The query, with the values of its parameters.
  ///   - rows: How many rows it gave before.
  package func located(inQuery sql: String, _ arguments: [DatabaseValue], after rows: Int, _ database: Database) -> DatabaseError {
    let set = RowSet(.query(sql: sql, arguments: arguments))
    guard isOfRows, let query = try? database.makeStatement(sql: sql) else { return located(in: set, after: rows) }
    let subquery = InsightRows.Subquery(query, arguments)
    let failing = FailingColumn(before: subquery.before, arguments: subquery.arguments, source: subquery.name, offset: rows, error: self)
    return located(in: set, column: failing.name(of: subquery.columns.map { InsightColumn($0) }, in: database), after: rows)
  }

  /// Whether it says something of the rows, and not that their reading was stopped, had to wait or has no more room.
  var isOfRows: Bool {
    switch resultCode {
    case Self.SQLITE_INTERRUPT, Self.SQLITE_BUSY, Self.SQLITE_ABORT, Self.SQLITE_FULL, Self.SQLITE_NOMEM: false
    default: true
    }
  }
}
