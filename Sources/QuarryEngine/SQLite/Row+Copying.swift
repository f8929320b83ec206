extension Statement {
  /// Returns the current row as an independent copy; nil if there is no current row.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT name FROM player")
  /// while try statement.step() {
  ///   print(try statement.currentRow() ?? "")  // Prints [name:"Arthur"]
  /// }
  /// try statement.reset()
  /// ```
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func currentRow() throws -> Row? {
    try database.checkAccess()
    return isRunning ? Row(try copyRow()) : nil
  }

  func copyRow() throws -> RowCopy {
    RowCopy(origin: rowOrigin, cells: try cells())
  }

  /// Returns the values of the current row.
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
  /// The values of the row; for a view, its current values.
  private var copiedCells: [RowCopy.Cell] {
    get throws {
      if case .copy(let copy) = storage { return copy.cells }
      return try viewedStatement?.cells() ?? []
    }
  }

  /// Returns a copy of some columns of the row.
  ///
  /// - Throws: `SQLITE_MISUSE` if the row is a view whose cursor has advanced, `SQLITE_RANGE` if it has fewer columns.
  func copy(of columns: Range<Int>) throws -> Row {
    let whole: RowOrigin
    switch storage {
    case .view(let cursor, _, _): whole = cursor.statement.rowOrigin
    case .copy(let copy): whole = copy.origin
    }
    if columns.upperBound > whole.labels.names.count { throw columnError(columns.upperBound - 1) }
    let labels = ColumnLabels(Array(whole.labels.names[columns]))
    let part = RowOrigin(labels: labels, sql: whole.sql, arguments: whole.arguments)
    return Row(RowCopy(origin: part, cells: try columns.map(copiedCell)))
  }

  /// Binds the stored value of a column to a parameter, from 1, even if it is a text that is not valid UTF-8.
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

extension Row: ExpressibleByDictionaryLiteral {
  /// Creates a row from columns and their values.
  ///
  /// ```swift
  /// let row: Row = ["name": "Arthur", "score": 41]
  /// print(row)  // Prints [name:"Arthur" score:41]
  /// ```
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    self.init(elements)
  }

  /// Creates a row from columns and their values, in order.
  ///
  /// ```swift
  /// let columns: [(String, (any DatabaseValueConvertible)?)] = [("name", "Arthur"), ("score", nil)]
  /// let row = Row(columns)  // [name:"Arthur" score:NULL]
  /// ```
  ///
  /// A value that SQLite cannot store throws when it is read.
  public init<Pairs: Sequence>(_ columns: Pairs) where Pairs.Element == (String, (any DatabaseValueConvertible)?) {
    let columns = Array(columns)
    self.init(RowCopy(origin: RowOrigin(labels: ColumnLabels(columns.map(\.0))), cells: columns.map { RowCopy.Cell($0.1) }))
  }

  /// Creates a row from columns and their values, sorted by name.
  ///
  /// ```swift
  /// let columns: [String: (any DatabaseValueConvertible)?] = ["score": nil, "name": "Arthur"]
  /// let row = Row(columns)  // [name:"Arthur" score:NULL]
  /// ```
  ///
  /// A value that SQLite cannot store throws when it is read.
  public init(_ columns: [String: (any DatabaseValueConvertible)?]) {
    self.init(columns.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}

extension RowCopy.Cell {
  fileprivate init(_ value: (any DatabaseValueConvertible)?) {
    do {
      self = .value(try value?.databaseValue ?? .null)
    } catch {
      self = .unstorable(error as? DatabaseError ?? DatabaseError(DatabaseError.SQLITE_MISMATCH, "\(error)"))
    }
  }
}

extension Row: Hashable {
  /// Returns whether both rows have the same columns with the same values, in the same order.
  ///
  /// ```swift
  /// let rows = try Row.fetchSet(db, sql: "SELECT team, name FROM player")
  /// ```
  ///
  /// Stored values are compared, so that 1 and 1.0 differ. Names that differ in case are different. A row whose cursor has advanced has no
  /// values to compare, and equals only itself.
  public static func == (lhs: Row, rhs: Row) -> Bool {
    lhs.identity == rhs.identity
  }

  /// Hashes the columns and their values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }

  private enum Identity: Hashable {
    case cells([String], [RowCopy.Cell])
    case left(ObjectIdentifier, step: Int)
  }

  private var identity: Identity {
    switch storage {
    case .copy(let copy): .cells(columnNames, copy.cells)
    case .view(let cursor, _, let step):
      if let cells = try? copiedCells { .cells(columnNames, cells) } else { .left(ObjectIdentifier(cursor), step: step) }
    }
  }
}

extension Row: CustomStringConvertible {
  /// The columns with their values, such as `[two:2 foo:"foo" one:1]`.
  public var description: String {
    let cells = (0..<count).map { index -> String in
      let value = try? databaseValue(at: index).description
      let bytes = value == nil ? try? DatabaseValue.blob(bytes(at: index) ?? []).description : nil
      return "\(columnNames[index]):\(value ?? bytes ?? "?")"
    }
    return "[" + cells.joined(separator: " ") + "]"
  }
}
