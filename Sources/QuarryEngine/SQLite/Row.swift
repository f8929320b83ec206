/// A row of a statement's result.
///
/// ```swift
/// let rows = try Row.fetchCursor(db, sql: "SELECT name, score FROM player")
/// while let row = try rows.next() {
///   let name: String = try row["name"]
///   let score = try row[1] as Int?
/// }
/// ```
///
/// Columns are reached by their index from 0, or by their name in whatever case; of two columns of one name, the leftmost is meant.
///
/// A row of a cursor is a view of the statement: it is good until the cursor goes on, and what reads it later throws `SQLITE_MISUSE`.
/// ``copy()`` makes a row that outlives the statement; those that `fetchAll` and `fetchOne` return are copies.
public struct Row: @unchecked Sendable {
  // Sendable because a copy never changes, and a view refuses every thread but the one that has its connection.
  @usableFromInline
  enum Storage {
    /// The cursor, which ends the run when it is released, and its statement, which it keeps: to retain that for each value would cost more
    /// than to read the value.
    case view(RowCursor, Unmanaged<Statement>, step: Int)
    case copy(RowCopy)
  }

  @usableFromInline let storage: Storage

  /// Makes a view of the current row of `cursor`.
  init(viewing cursor: RowCursor) {
    storage = .view(cursor, .passUnretained(cursor.statement), step: cursor.statement.stepCount)
  }

  init(_ copy: RowCopy) {
    storage = .copy(copy)
  }
}

/// A row's values, read and kept.
@usableFromInline
final class RowCopy: Sendable {
  /// A value as SQLite stores it, also where no `String` holds it.
  enum Cell: Hashable, Sendable {
    case value(DatabaseValue)
    /// A text that is not valid UTF-8.
    case malformedText([UInt8])
    /// A value of a row that a program has made, which SQLite cannot store.
    case unstorable(DatabaseError)

    var shown: ShownValue {
      switch self {
      case .value(let value): ShownValue(value)
      case .malformedText(let bytes): bytes.withUnsafeBytes { ShownValue(malformedText: $0) }
      case .unstorable: ShownValue(DatabaseValue.null)
      }
    }
  }

  let origin: RowOrigin
  let cells: [Cell]

  init(origin: RowOrigin, cells: [Cell]) {
    self.origin = origin
    self.cells = cells
  }
}

/// Where rows come from, shared by all copies of one run: their columns, and what errors tell of the statement.
final class RowOrigin: Sendable {
  let labels: ColumnLabels
  /// The SQL; nil for a row that a program has made.
  let sql: String?
  /// The values that were bound, where errors may have them.
  let arguments: StatementArguments?

  init(labels: ColumnLabels, sql: String? = nil, arguments: StatementArguments? = nil) {
    self.labels = labels
    self.sql = sql
    self.arguments = arguments
  }
}

// MARK: - Columns

extension Row {
  /// The number of columns.
  ///
  /// The corresponding C function is `sqlite3_column_count`.
  public var count: Int {
    switch storage {
    case .view(let cursor, _, _): cursor.statement.columnCount
    case .copy(let copy): copy.cells.count
    }
  }

  /// The names of the columns, from left to right.
  ///
  /// The corresponding C function is `sqlite3_column_name`.
  public var columnNames: [String] { labels.names }

  /// Returns the index of the leftmost column of that name, in whatever case; nil where there is none.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 1 AS id, 2 AS score, 3 AS id")
  /// row?.index(ofColumn: "ID")  // 0
  /// ```
  public func index(ofColumn name: String) -> Int? { labels.index(of: name) }

  private var labels: ColumnLabels {
    switch storage {
    case .view(let cursor, _, _): cursor.statement.columnLabels
    case .copy(let copy): copy.origin.labels
    }
  }
}

// MARK: - Values

extension Row {
  /// Returns the value of a column, from 0.
  ///
  /// ```swift
  /// let score: Int = try row[1]
  /// let perhaps = try row[1] as Int?
  /// ```
  ///
  /// The corresponding C functions are `sqlite3_column_int64` and its siblings.
  ///
  /// - Throws: `SQLITE_MISMATCH` where the value does not fit the type, `SQLITE_RANGE` where there is no such column, `SQLITE_MISUSE`
  ///   where the row is a view whose cursor went on.
  @inlinable
  public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    get throws {
      guard case .view(_, let statement, let step) = storage else { return try convert(at: index) }
      return try statement._withUnsafeGuaranteedRef { statement in
        guard statement.stepCount == step else { throw leftError }
        return try Value.decode(from: statement, at: index)
      }
    }
  }

  /// Returns the value of the leftmost column of that name, in whatever case.
  ///
  /// ```swift
  /// let score = try row["score"] as Int
  /// ```
  ///
  /// - Throws: As ``subscript(_:)-(Int)``.
  public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    get throws { try self[try requireIndex(of: name)] }
  }

  /// Returns the value of a column as SQLite stores it, where no other type is asked for.
  ///
  /// ```swift
  /// let score = try row[1]  // .integer(41)
  /// ```
  ///
  /// - Throws: As ``databaseValue(at:)``.
  @_disfavoredOverload
  public subscript(_ index: Int) -> DatabaseValue {
    get throws { try databaseValue(at: index) }
  }

  /// Returns the value of the leftmost column of that name as SQLite stores it, where no other type is asked for.
  ///
  /// ```swift
  /// let score = try row["score"]  // .integer(41)
  /// ```
  ///
  /// - Throws: As ``databaseValue(at:)``.
  @_disfavoredOverload
  public subscript(_ name: String) -> DatabaseValue {
    get throws { try databaseValue(at: try requireIndex(of: name)) }
  }

  /// Returns the value of a column as SQLite stores it.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 'Arthur', 41")
  /// try row?.databaseValue(at: 1)  // .integer(41)
  /// ```
  ///
  /// - Throws: As ``subscript(_:)-(Int)``; `SQLITE_MISMATCH` for a text that is not valid UTF-8, of which ``bytes(at:)`` gives the bytes.
  public func databaseValue(at index: Int) throws -> DatabaseValue { try self[index] as DatabaseValue }

  /// All values, from left to right.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 'Arthur', 41")
  /// try row?.databaseValues  // [.text("Arthur"), .integer(41)]
  /// ```
  ///
  /// - Throws: As ``databaseValue(at:)``.
  public var databaseValues: [DatabaseValue] {
    get throws { try (0..<count).map(databaseValue) }
  }

  /// Returns the bytes of a text, as UTF-8 that need not be valid, or of a blob; nil for NULL.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT CAST(X'41FF' AS TEXT)")
  /// try row?.bytes(at: 0)  // [65, 255], which is not valid UTF-8
  /// ```
  ///
  /// The corresponding C functions are `sqlite3_column_text` and `sqlite3_column_blob`.
  ///
  /// - Throws: As ``subscript(_:)-(Int)``; `SQLITE_MISMATCH` for a number.
  public func bytes(at index: Int) throws -> [UInt8]? {
    if let statement = try viewedStatement {
      return try statement.isColumnNull(at: index) ? nil : statement.withColumnBytes(at: index) { [UInt8]($0) }
    }
    switch try cell(at: index) {
    case .malformedText(let bytes), .value(.blob(let bytes)): return bytes
    case .value(.text(let text)): return Array(text.utf8)
    case .value(.null): return nil
    case .value: throw conversionError(to: [UInt8].self, at: index)
    case .unstorable(let error): throw error
    }
  }

  /// Returns how the value of a column is stored.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 1.5")
  /// try row?.storageClass(at: 0)  // .real
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_type`.
  ///
  /// - Throws: As ``subscript(_:)-(Int)``.
  public func storageClass(at index: Int) throws -> DatabaseValue.StorageClass {
    if let statement = try viewedStatement { return try statement.columnStorageClass(at: index) }
    return switch try cell(at: index) {
    case .malformedText: .text
    case .value(let value): value.storageClass
    case .unstorable(let error): throw error
    }
  }
}

// MARK: - Views and copies

extension Row {
  /// Returns the row with values of its own, which outlives the statement.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")
  /// let first = try rows.next()?.copy()
  /// ```
  ///
  /// The copy of a copy is itself.
  ///
  /// - Throws: `SQLITE_MISUSE` where the row is a view whose cursor went on.
  public func copy() throws -> Row {
    guard let statement = try viewedStatement else { return self }
    return Row(try statement.copyRow())
  }

  /// The statement whose current row this is; nil for a copy.
  var viewedStatement: Statement? {
    get throws {
      guard case .view(let cursor, _, let step) = storage else { return nil }
      guard cursor.statement.stepCount == step else { throw leftError }
      return cursor.statement
    }
  }

  @usableFromInline
  var leftError: DatabaseError {
    .misuse("the row was left behind by its cursor: copy() makes one that can be kept")
  }

  @usableFromInline
  func convert<Value: DatabaseValueConvertible>(at index: Int) throws -> Value {
    switch try cell(at: index) {
    case .malformedText: throw conversionError(to: Value.self, at: index)
    case .value(let value):
      guard let result = Value.fromDatabaseValue(value) else {
        throw conversionError(to: Value.self, at: index)
      }
      return result
    case .unstorable(let error): throw error
    }
  }

  func cell(at index: Int) throws -> RowCopy.Cell {
    guard case .copy(let copy) = storage, copy.cells.indices.contains(index) else {
      throw error(DatabaseError.SQLITE_RANGE, "there is no column \(index): the row has \(count)")
    }
    return copy.cells[index]
  }

  func requireIndex(of name: String) throws -> Int {
    if let index = index(ofColumn: name) { return index }
    throw error(DatabaseError.SQLITE_RANGE, "there is no column \(name.debugDescription): the row has \(columnNames)")
  }

  private func conversionError(to type: Any.Type, at index: Int) -> DatabaseError {
    guard case .copy(let copy) = storage else { return leftError }
    let row = copy.cells.map(\.shown)
    return error(DatabaseError.SQLITE_MISMATCH, DatabaseError.conversion(of: row[index], to: type, at: index, columnNames, row))
  }

  /// Makes the error with what is known of the statement that has yielded the row.
  private func error(_ code: ResultCode, _ message: String) -> DatabaseError {
    switch storage {
    case .view(let cursor, _, _): return cursor.statement.error(code, message)
    case .copy(let copy):
      var error = DatabaseError(code, message, sql: copy.origin.sql)
      error.arguments = copy.origin.arguments.flatMap { $0.isEmpty ? nil : $0.description }
      return error
    }
  }
}
