internal import QuarryEngine

/// A sort of rows in a temporary database, to which their sort keys are copied in slices, because a sorting statement blocks writers until
/// its end.
///
///     SELECT c1 FROM rows ORDER BY c0 COLLATE "NOCASE" DESC, c1 COLLATE "BINARY"
struct SpoolSort {
  private let query: OrderedQuery
  /// The terms of the order, as columns of the temporary table.
  private let order: KeysetOrder

  /// Creates the sort of a query's rows; nil if it is unknown how SQLite compares the texts of a term.
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

  /// Calls `body` with a statement on each row in order, until it returns false; the values of the row's key come first.
  ///
  /// No transaction is open while the rows are sorted.
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

  /// Reads the sorted rows as long as a caller waits for them.
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
