extension Row: Hashable {
  /// Whether both rows have the same columns with the same values, in the same order.
  ///
  /// ```swift
  /// let rows = try Row.fetchSet(db, sql: "SELECT team, name FROM player")
  /// ```
  ///
  /// Values are compared as they are stored: 1 and 1.0 differ, and names by their case too. A row that its cursor has left has no values to
  /// compare, and equals only itself.
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
