extension Statement {
  /// Runs the statement for each row of arguments, and finally binds NULL to every parameter.
  ///
  /// ```swift
  /// let insert = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
  /// try insert.execute([["Arthur", 41], ["Barbara", 1000]])
  /// // INSERT INTO player (name, score) VALUES ('Arthur', 41)
  /// // INSERT INTO player (name, score) VALUES ('Barbara', 1000)
  /// ```
  ///
  /// The loop ends with the first row that fails. The preceding rows remain if their transaction does: in `write`, an error thrown by the
  /// closure undoes them all. Outside a transaction, each row has its own transaction, which is slow.
  ///
  /// - Throws: ``DatabaseError`` with the ``DatabaseError/rowNumber``, from 1.
  @inlinable
  public func execute<Rows: Sequence>(_ rows: Rows) throws where Rows.Element == StatementArguments {
    try forEach(rows) { (row: consuming StatementArguments) in try execute(arguments: consume row) }
  }

  /// Runs the statement for each row, after binding the row's values as ``bind(_:)`` does.
  ///
  /// ```swift
  /// let rows = try source.read { try Row.fetchAll($0, sql: "SELECT name, score FROM player") }
  /// let insert = try db.makeStatement(sql: "INSERT INTO player (name, score) VALUES (?, ?)")
  /// try insert.execute(rows)
  /// ```
  ///
  /// Errors are handled as in ``execute(_:)-(Rows)`` with arguments.
  ///
  /// - Throws: ``DatabaseError`` with the ``DatabaseError/rowNumber``, from 1.
  @inlinable @_disfavoredOverload
  public func execute<Rows: Sequence>(_ rows: Rows) throws where Rows.Element == Row {
    try forEach(rows) { row in
      try reset()
      try bind(row)
      try execute()
    }
  }

  // Inlinable in other modules, so that the loop is specialized for the type of their rows. Each row is given away: arguments that the loop
  // retained would be copied before their values can be bound in place.
  @inlinable
  func forEach<Rows: Sequence>(_ rows: Rows, _ body: (consuming Rows.Element) throws -> Void) throws {
    var number = 0
    do {
      var rows = rows.makeIterator()
      while let row = rows.next() {
        number += 1
        try body(consume row)
      }
    } catch var error as DatabaseError {
      error.rowNumber = number
      throw error
    }
    try clearBindings()
  }

  /// Binds the stored values of a row.
  ///
  /// ```swift
  /// let select = try db.makeStatement(sql: "SELECT name, score FROM player")
  /// let insert = try db.makeStatement(sql: "INSERT INTO archive (name, score) VALUES (:name, :score)")
  /// while try select.step(), let row = try select.currentRow() {
  ///   try insert.bind(row)
  ///   try insert.execute()
  /// }
  /// ```
  ///
  /// If parameters have names, each uses the column with its name, and other columns are ignored. If no parameter has a name, the columns
  /// are used from left to right, and their number must match.
  ///
  /// - Throws: `SQLITE_MISUSE` if a column is missing, or if there are too many columns; otherwise the same errors as
  ///   ``bind(_:at:)-(Value,_)``.
  public func bind(_ row: Row) throws {
    try database.checkAccess()
    // The row's values replace all arguments.
    binding.arguments = StatementArguments()
    if binding.state == .pending || binding.state == .pendingUnchecked { binding.state = .unset }
    let open = parameterNames.indices.filter { binding.givenValues[$0 + 1] == nil }
    let names = open.map { parameterNames[$0] }
    let columns = names.allSatisfy { $0.bare == nil } ? try inOrder(row, names.count) : try names.map { try column(of: row, for: $0) }
    for (parameter, column) in zip(open, columns) { try row.bindValue(at: column, to: self, at: parameter + 1) }
  }

  private func inOrder(_ row: Row, _ count: Int) throws -> [Int] {
    guard row.count == count else { throw DatabaseError.misuse("wrong number of statement arguments: \(row.count)", sql: sql) }
    return Array(0..<count)
  }

  private func column(of row: Row, for parameter: ParameterName) throws -> Int {
    guard let name = parameter.bare else {
      throw DatabaseError.misuse("a row must have values either for named or for unnamed parameters, not for both", sql: sql)
    }
    guard let column = row.index(ofColumn: name) else { throw DatabaseError.misuse("missing statement argument: \(name)", sql: sql) }
    return column
  }
}
