extension Fetchable {
  /// What SQL with values yields, one at a time.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, literal: "SELECT * FROM player WHERE score > \(100)")
  /// // SELECT * FROM player WHERE score > 100
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``.
  public static func fetchCursor(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> FetchCursor {
    try fetchCursor(db.makeStatement(literal: literal), arguments: arguments)
  }

  /// All that SQL with values yields.
  ///
  /// ```swift
  /// let players = try Player.fetchAll(db, literal: "SELECT * FROM player WHERE name IN \(["Arthur", "Barbara"])")
  /// // SELECT * FROM player WHERE name IN ('Arthur', 'Barbara')
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchAll(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> [Self] {
    try fetchAll(db.makeStatement(literal: literal), arguments: arguments)
  }

  /// The first that SQL with values yields; nil where it yields nothing.
  ///
  /// ```swift
  /// let player = try Player.fetchOne(db, literal: "SELECT * FROM player WHERE name = \("Arthur")")
  /// // SELECT * FROM player WHERE name = 'Arthur'
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchOne(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> Self? {
    try fetchOne(db.makeStatement(literal: literal), arguments: arguments)
  }
}

extension Fetchable where Self: Hashable {
  /// The set of all that SQL with values yields.
  ///
  /// ```swift
  /// let names = try String.fetchSet(db, literal: "SELECT name FROM player WHERE score > \(100)")
  /// // SELECT name FROM player WHERE score > 100
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where a value does not fit its type.
  public static func fetchSet(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> Set<Self> {
    try fetchSet(db.makeStatement(literal: literal), arguments: arguments)
  }
}

extension DatabaseValueConvertible {
  /// The value in the first column of the first row; nil where there is no row, and for NULL where the type
  /// has no value of its own for it.
  ///
  /// ```swift
  /// let score = try Int.fetchOne(db, literal: "SELECT score FROM player WHERE name = \("Arthur")")
  /// // SELECT score FROM player WHERE name = 'Arthur'
  /// ```
  ///
  /// Arguments are for placeholders that are left open.
  ///
  /// - Throws: ``DatabaseError``: `SQLITE_MISMATCH` where the value does not fit the type.
  public static func fetchOne(
    _ db: Database, literal: SQLText, arguments: StatementArguments? = nil
  ) throws -> Self? {
    try fetchOne(db.makeStatement(literal: literal), arguments: arguments)
  }
}
