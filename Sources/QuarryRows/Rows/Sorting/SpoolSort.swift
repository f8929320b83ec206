internal import QuarryEngine

/// Sorts rows in a temporary database, into which their sort keys are copied in slices: a statement that sorts keeps writers out to its end.
///
///     SELECT c1 FROM rows ORDER BY c0 COLLATE "NOCASE" DESC, c1 COLLATE "BINARY"
struct SpoolSort {
  private let query: OrderedQuery
  /// The terms of the order, by the columns of the temporary table.
  private let order: KeysetOrder

  /// Makes the sort of a query's rows; nil where it is not known how SQLite compares the texts of a term.
  ///
  /// - Throws: ``DatabaseError``
  init?(_ query: OrderedQuery, in database: Database) throws {
    self.query = query
    var terms = query.order.terms
    for index in terms.indices {
      let isRowID = query.table.keyKind == .rowID && index == query.terms.count
      let rule = try isRowID ? nil : SortTerm(terms[index], of: query.table.reference, in: database).rule
      guard isRowID || rule?.collation != nil else { return nil }
      terms[index].expression = "\(identifier: "c\(index)")"
      terms[index].collation = rule?.collation?.rawValue
    }
    order = KeysetOrder(terms: terms)
  }

  /// Calls `body` with a statement that stands on each row in order, until it returns false; the values of the row's key come first in it.
  ///
  /// No transaction is open while they are sorted.
  func run(in database: Database, _ body: (Statement) throws -> Bool) throws {
    let spool = try RowSpool(width: order.terms.count)
    try spool.queue.withoutTransaction { sorter in
      try sorter.execute(sql: "BEGIN")
      try query.matching.scanInSlices(database, query.order.terms.map(\.expression), [query.table.order.everything(.forward)]) { row in
        try spool.append(row, in: sorter)
        return true
      }
      try sorter.execute(sql: "COMMIT")
      let keys = order.terms[query.terms.count...].map(\.expression).joined(by: ", ")
      try database.pauseReading(goesOn: false) {
        try read("SELECT \(keys) FROM rows ORDER BY \(order.everything(.forward).order)", in: sorter, wantedBy: database, body)
      }
    }
  }

  /// Reads what has been sorted, as long as somebody waits for it.
  private func read(
    _ sql: SQLText, in sorter: Database, wantedBy database: Database, _ body: (Statement) throws -> Bool
  ) throws {
    do {
      try sorter.withProgress(every: OrderedQuery.stepsBetweenLooks) {
        database.cancellation?.isCancelled ?? false
      } during: {
        try sorter.scan(sql, body)
      }
    } catch DatabaseError.SQLITE_INTERRUPT {
      try database.cancellation?.check()
      throw DatabaseError(DatabaseError.SQLITE_INTERRUPT)
    }
  }
}
