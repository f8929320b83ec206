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
/// Columns are accessed by their index from 0, or by their name, ignoring case. If several columns have the same name, the leftmost is
/// used.
///
/// A row of a cursor is a view of the statement. It is valid until the cursor advances; after that, reading it throws `SQLITE_MISUSE`.
/// ``copy()`` returns a row that outlives the statement. The rows returned by `fetchAll` and `fetchOne` are copies.
public struct Row: @unchecked Sendable {
  // Sendable because a copy never changes, and a view rejects every thread except the one that uses its connection.
  @usableFromInline
  enum Storage {
    /// The cursor, which ends the run when it is released, and its statement.
    ///
    /// The cursor retains the statement, because retaining it for each value would cost more than reading the value.
    case view(RowCursor, Unmanaged<Statement>, step: Int)
    case copy(RowCopy)
  }

  @usableFromInline let storage: Storage

  /// Creates a view of the current row of `cursor`.
  init(viewing cursor: RowCursor) {
    storage = .view(cursor, .passUnretained(cursor.statement), step: cursor.statement.stepCount)
  }

  init(_ copy: RowCopy) {
    storage = .copy(copy)
  }
}

/// The copied values of a row.
@usableFromInline
final class RowCopy: Sendable {
  /// A value as SQLite stores it, even if a `String` cannot represent it.
  enum Cell: Hashable, Sendable {
    case value(DatabaseValue)
    /// A text that is not valid UTF-8.
    case malformedText([UInt8])
    /// A value of a row created by a program, which SQLite cannot store.
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

/// The origin of rows, shared by all copies of one run: their columns, and the statement for errors.
final class RowOrigin: Sendable {
  let labels: ColumnLabels
  /// The SQL; nil for a row created by a program.
  let sql: String?
  /// The bound values, if errors may contain them.
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

  /// Returns the index of the leftmost column with this name, ignoring case; nil if no column has it.
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
  /// - Throws: `SQLITE_MISMATCH` if the value does not match the type, `SQLITE_RANGE` if the column does not exist, `SQLITE_MISUSE` if the
  ///   row is a view whose cursor has advanced.
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

  /// Returns the value of the leftmost column with this name, ignoring case.
  ///
  /// ```swift
  /// let score = try row["score"] as Int
  /// ```
  ///
  /// - Throws: The same errors as ``subscript(_:)-(Int)``.
  public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    get throws { try self[try requireIndex(of: name)] }
  }

  /// Returns the value of a column as SQLite stores it, if no other type is requested.
  ///
  /// ```swift
  /// let score = try row[1]  // .integer(41)
  /// ```
  ///
  /// - Throws: The same errors as ``databaseValue(at:)``.
  @_disfavoredOverload
  public subscript(_ index: Int) -> DatabaseValue {
    get throws { try databaseValue(at: index) }
  }

  /// Returns the value of the leftmost column with this name as SQLite stores it, if no other type is requested.
  ///
  /// ```swift
  /// let score = try row["score"]  // .integer(41)
  /// ```
  ///
  /// - Throws: The same errors as ``databaseValue(at:)``.
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
  /// - Throws: The same errors as ``subscript(_:)-(Int)``; `SQLITE_MISMATCH` for a text that is not valid UTF-8, whose bytes ``bytes(at:)``
  ///   returns.
  public func databaseValue(at index: Int) throws -> DatabaseValue { try self[index] as DatabaseValue }

  /// All values, from left to right.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 'Arthur', 41")
  /// try row?.databaseValues  // [.text("Arthur"), .integer(41)]
  /// ```
  ///
  /// - Throws: The same errors as ``databaseValue(at:)``.
  public var databaseValues: [DatabaseValue] {
    get throws { try (0..<count).map(databaseValue) }
  }

  /// Returns the bytes of a blob, or of a text as possibly invalid UTF-8; nil for NULL.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT CAST(X'41FF' AS TEXT)")
  /// try row?.bytes(at: 0)  // [65, 255], which is not valid UTF-8
  /// ```
  ///
  /// The corresponding C functions are `sqlite3_column_text` and `sqlite3_column_blob`.
  ///
  /// - Throws: The same errors as ``subscript(_:)-(Int)``; `SQLITE_MISMATCH` for a number.
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

  /// Returns the storage class of the value of a column.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 1.5")
  /// try row?.storageClass(at: 0)  // .real
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_type`.
  ///
  /// - Throws: The same errors as ``subscript(_:)-(Int)``.
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
  /// Returns a copy of the row, which outlives the statement.
  ///
  /// ```swift
  /// let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")
  /// let first = try rows.next()?.copy()
  /// ```
  ///
  /// A copy returns itself.
  ///
  /// - Throws: `SQLITE_MISUSE` if the row is a view whose cursor has advanced.
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
    .misuse("the cursor has moved past this row: use copy() to store a row")
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
      throw columnError(index)
    }
    return copy.cells[index]
  }

  /// Returns the error for a column that does not exist.
  func columnError(_ index: Int) -> DatabaseError {
    error(DatabaseError.SQLITE_RANGE, "there is no column \(index): the row has \(count)")
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

  /// Returns an error with the known details of the statement that returned the row.
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
