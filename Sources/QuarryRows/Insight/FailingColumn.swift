package import QuarryEngine

/// A search for the column whose value cannot be computed, after an error has ended the reading of rows.
///
///     SELECT total, price FROM main.bad LIMIT 1 OFFSET 299
struct FailingColumn {
  /// The SQL before SELECT, with the values of its own parameters.
  var before: SQLText = ""
  var arguments: [DatabaseValue] = []
  /// The SQL after FROM.
  var source: SQLText
  /// The number of rows before the one that cannot be read.
  var offset: Int
  /// The error that ended the reading.
  var error: DatabaseError

  /// Returns the first column that fails in the row with the same error, found by bisection.
  ///
  /// Returns nil if no single column fails, for example because the row itself cannot be read, or because SQLite reads the rows of one
  /// column in another order.
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

  /// Returns whether values of the row fail with the same error.
  private func fails(_ values: [SQLText], in database: Database) -> Bool {
    // If rows are sorted, all of them are computed before the first is returned; with a LIMIT, SQLite would skip some.
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
  /// Returns an error that ended the reading of a query, with its place: see ``located(in:column:after:)``.
  ///
  /// - Parameters:
  ///   - sql: The query, with the values of its parameters.
  ///   - rows: The number of rows returned before.
  package func located(inQuery sql: String, _ arguments: [DatabaseValue], after rows: Int, _ database: Database) -> DatabaseError {
    let set = RowSet(.query(sql: sql, arguments: arguments))
    guard isOfRows, let query = try? database.makeStatement(sql: sql) else { return located(in: set, after: rows) }
    let subquery = InsightRows.Subquery(query, arguments)
    let failing = FailingColumn(before: subquery.before, arguments: subquery.arguments, source: subquery.name, offset: rows, error: self)
    return located(in: set, column: failing.name(of: subquery.columns.map { InsightColumn($0) }, in: database), after: rows)
  }

  /// Whether the error is about the rows, and not about an interruption, a lock or a lack of space.
  var isOfRows: Bool {
    switch resultCode {
    case Self.SQLITE_INTERRUPT, Self.SQLITE_BUSY, Self.SQLITE_ABORT, Self.SQLITE_FULL, Self.SQLITE_NOMEM: false
    default: true
    }
  }
}
