extension Statement {
  /// The current row as an independent copy; nil where there is none.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player")
  /// while try statement.step() {
  ///   print(try statement.currentRow() ?? "")  // Prints [name:"Arthur"]
  /// }
  /// try statement.reset()
  /// ```
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access.
  public func currentRow() throws -> Row? {
    try database.checkAccess()
    return isRunning ? Row(try copyRow()) : nil
  }

  func copyRow() throws -> RowCopy {
    RowCopy(origin: rowOrigin, cells: try cells())
  }

  /// The values of the current row.
  func cells() throws -> [RowCopy.Cell] {
    try (0..<columnCount).map(cell)
  }

  fileprivate func cell(at index: Int) throws -> RowCopy.Cell {
    guard try columnStorageClass(at: index) == .text else { return .value(try columnValue(at: index)) }
    return try withColumnBytes(at: index) { bytes in
      String(sqliteText: bytes).map { .value(.text($0)) } ?? .malformedText([UInt8](bytes))
    }
  }
}

extension Row {
  /// The values of the row, those of a view as they are now.
  var copiedCells: [RowCopy.Cell] {
    get throws {
      if case .copy(let copy) = storage { return copy.cells }
      return try viewedStatement?.cells() ?? []
    }
  }

  /// Binds the value of a column to a parameter, from 1, as it is stored: also a text that is not valid UTF-8.
  func bindValue(at column: Int, to statement: Statement, at index: Int) throws {
    switch try copiedCell(at: column) {
    case .value(let value): try value.bind(to: statement, at: index)
    case .malformedText(let bytes): try bytes.withUnsafeBytes { try statement.bindText($0, at: index) }
    case .unstorable(let error): throw error
    }
  }

  private func copiedCell(at index: Int) throws -> RowCopy.Cell {
    if let statement = try viewedStatement { return try statement.cell(at: index) }
    return try cell(at: index)
  }
}
