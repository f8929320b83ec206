extension Statement {
  /// Runs the statement once for each row of arguments: bind, step and reset in a loop, and NULL to every parameter at its end.
  ///
  /// ```swift
  /// let insert = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
  /// try insert.execute([["Arthur", 41], ["Barbara", 1000]])
  /// // INSERT INTO player (name, score) VALUES ('Arthur', 41)
  /// // INSERT INTO player (name, score) VALUES ('Barbara', 1000)
  /// ```
  ///
  /// The loop ends with the first row that fails. The rows before it stay done as far as the transaction does: in
  /// `write` an error that leaves the closure undoes them all; outside of a transaction each row is one of its
  /// own, which is slow.
  ///
  /// - Throws: ``DatabaseError``, whose ``DatabaseError/rowNumber`` tells the row, from 1.
  @inlinable
  public func execute<Rows: Sequence>(_ rows: Rows) throws where Rows.Element == StatementArguments {
    var number = 0
    do {
      for row in rows {
        number += 1
        try execute(arguments: row)
      }
    } catch var error as DatabaseError {
      error.rowNumber = number
      throw error
    }
    try clearBindings()
  }
}
