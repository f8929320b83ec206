extension StatementArguments {
  /// Creates positional arguments from a sequence of optional values.
  ///
  /// ```swift
  /// let values: [(any DatabaseValueConvertible)?] = ["foo", 1, nil]
  /// try db.execute(sql: "INSERT INTO t VALUES (?, ?, ?)", arguments: StatementArguments(values))
  /// // INSERT INTO t VALUES ('foo', 1, NULL)
  /// ```
  public init<Values: Sequence>(_ values: Values) where Values.Element == (any DatabaseValueConvertible)? {
    positional = Array(values)
    named = []
  }

  /// Creates positional arguments from an array of optional values, which may be an empty literal.
  ///
  /// ```swift
  /// let arguments = StatementArguments([])
  /// ```
  public init(_ values: [(any DatabaseValueConvertible)?]) {
    positional = values
    named = []
  }

  /// Creates positional arguments from a sequence of values.
  ///
  /// ```swift
  /// let values = ["foo", "bar"]
  /// try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: StatementArguments(values))
  /// // INSERT INTO t VALUES ('foo', 'bar')
  /// ```
  public init<Values: Sequence>(_ values: Values) where Values.Element: DatabaseValueConvertible {
    positional = values.map { $0 }
    named = []
  }

  /// Creates positional arguments from any array; nil unless all its elements are ``DatabaseValueConvertible``.
  ///
  /// ```swift
  /// let values: [Any] = ["foo", 1]
  /// let arguments = StatementArguments(values)  // ["foo", 1]
  /// ```
  @_disfavoredOverload
  public init?(_ array: [Any]) {
    var values: [Argument] = []
    for element in array {
      guard let value = element as? any DatabaseValueConvertible else { return nil }
      values.append(value)
    }
    self.init(values)
  }

  /// Creates named arguments from a dictionary, in the order of their names.
  ///
  /// ```swift
  /// let values: [String: (any DatabaseValueConvertible)?] = ["firstName": nil, "lastName": "Miller"]
  /// try db.execute(sql: "INSERT INTO t VALUES (:firstName, :lastName)", arguments: StatementArguments(values))
  /// // INSERT INTO t VALUES (NULL, 'Miller')
  /// ```
  public init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
    positional = []
    named = dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Creates named arguments from a sequence of names and values.
  ///
  /// ```swift
  /// let values: [(String, (any DatabaseValueConvertible)?)] = [("firstName", nil), ("lastName", "Miller")]
  /// let arguments = StatementArguments(values)  // ["firstName": NULL, "lastName": "Miller"]
  /// ```
  ///
  /// A duplicate name is an error when a statement uses the arguments.
  public init<Pairs: Sequence>(_ pairs: Pairs) where Pairs.Element == (String, (any DatabaseValueConvertible)?) {
    positional = []
    named = Array(pairs)
  }

  /// Creates named arguments from a sequence of names and values of one type.
  ///
  /// ```swift
  /// let arguments = StatementArguments([("score", 41), ("level", 3)])  // ["score": 41, "level": 3]
  /// ```
  ///
  /// A duplicate name is an error when a statement uses the arguments.
  public init<Pairs: Sequence, Value: DatabaseValueConvertible>(_ pairs: Pairs) where Pairs.Element == (String, Value) {
    positional = []
    named = pairs.map { ($0.0, $0.1) }
  }

  /// Creates named arguments from any dictionary; nil unless all keys are strings and all values are ``DatabaseValueConvertible``.
  ///
  /// ```swift
  /// let values: [AnyHashable: Any] = ["name": "Arthur", "score": 41]
  /// let arguments = StatementArguments(values)  // ["name": "Arthur", "score": 41]
  /// ```
  @_disfavoredOverload
  public init?(_ dictionary: [AnyHashable: Any]) {
    var values: [String: Argument] = [:]
    for (key, element) in dictionary {
      guard let name = key.base as? String, let value = element as? any DatabaseValueConvertible else { return nil }
      values[name] = .some(value)
    }
    self.init(values)
  }

  /// Creates named arguments from a row, named after its columns; of several columns with the same name, the leftmost is used.
  ///
  /// ```swift
  /// let insert = try db.makeStatement(sql: "INSERT INTO archive (name, score) VALUES (:name, :score)")
  /// let rows = try Row.fetchAll(db, sql: "SELECT name, score FROM player")
  /// try insert.execute(rows.map { try StatementArguments($0) })
  /// ```
  ///
  /// - Throws: `SQLITE_MISMATCH` for a text that is not valid UTF-8.
  public init(_ row: Row) throws {
    self.init()
    for (index, name) in row.columnNames.enumerated() where row.index(ofColumn: name) == index {
      named.append((name, try row.databaseValue(at: index)))
    }
  }
}
