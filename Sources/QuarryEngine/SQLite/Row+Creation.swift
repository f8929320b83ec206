extension Row: ExpressibleByDictionaryLiteral {
  /// Creates a row of columns and their values.
  ///
  /// ```swift
  /// let row: Row = ["name": "Arthur", "score": 41]
  /// print(row)  // Prints [name:"Arthur" score:41]
  /// ```
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    self.init(elements)
  }

  /// Creates a row of columns and their values, in their order.
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

  /// Creates a row of columns and their values, in the order of the names.
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
