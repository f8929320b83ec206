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

  /// The current row of `cursor`.
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
  }

  let labels: ColumnLabels
  let cells: [Cell]

  init(labels: ColumnLabels, cells: [Cell]) {
    self.labels = labels
    self.cells = cells
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

  /// The index of the leftmost column of that name, in whatever case; nil where there is none.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 1 AS id, 2 AS score, 3 AS id")
  /// row?.index(ofColumn: "ID")  // 0
  /// ```
  public func index(ofColumn name: String) -> Int? { labels.index(of: name) }

  private var labels: ColumnLabels {
    switch storage {
    case .view(let cursor, _, _): cursor.statement.columnLabels
    case .copy(let copy): copy.labels
    }
  }
}

// MARK: - Values

extension Row {
  /// The value of a column, from 0.
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

  /// The value of the leftmost column of that name, in whatever case.
  ///
  /// ```swift
  /// let score = try row["score"] as Int
  /// ```
  ///
  /// - Throws: As ``subscript(_:)-(Int)``.
  public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
    get throws { try self[try requireIndex(of: name)] }
  }

  /// The value of a column as SQLite stores it.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT 'Arthur', 41")
  /// try row?.databaseValue(at: 1)  // .integer(41)
  /// ```
  ///
  /// - Throws: As ``subscript(_:)-(Int)``; `SQLITE_MISMATCH` for a text that is not valid UTF-8, of which ``bytes(at:)`` gives the bytes.
  public func databaseValue(at index: Int) throws -> DatabaseValue { try self[index] }

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

  /// The bytes of a text or blob as they are stored; nil for NULL.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, sql: "SELECT CAST(X'41FF' AS TEXT)")
  /// try row?.bytes(at: 0)  // [65, 255], which is not valid UTF-8
  /// ```
  ///
  /// The corresponding C function is `sqlite3_column_blob`.
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
    case .value(let value): throw conversionError(of: "\(value.storageClass)", to: [UInt8].self, at: index)
    }
  }

  /// How the value of a column is stored.
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
    }
  }
}

// MARK: - Views and copies

extension Row {
  /// The row with values of its own, which outlives the statement.
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
    case .malformedText: throw conversionError(of: "text that is not valid UTF-8", to: Value.self, at: index)
    case .value(let value):
      guard let result = Value.fromDatabaseValue(value) else {
        throw conversionError(of: "\(value.storageClass)", to: Value.self, at: index)
      }
      return result
    }
  }

  private func cell(at index: Int) throws -> RowCopy.Cell {
    guard case .copy(let copy) = storage, copy.cells.indices.contains(index) else {
      throw DatabaseError(DatabaseError.SQLITE_RANGE, "there is no column \(index): the row has \(count)")
    }
    return copy.cells[index]
  }

  private func requireIndex(of name: String) throws -> Int {
    if let index = index(ofColumn: name) { return index }
    throw DatabaseError(DatabaseError.SQLITE_RANGE, "there is no column \(name.debugDescription): the row has \(columnNames)")
  }

  private func conversionError(of what: String, to type: Any.Type, at index: Int) -> DatabaseError {
    .conversion(of: what, to: type, column: columnNames.indices.contains(index) ? columnNames[index] : nil, index: index)
  }
}

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

  fileprivate func copyRow() throws -> RowCopy {
    RowCopy(labels: columnLabels, cells: try (0..<columnCount).map(cell))
  }

  private func cell(at index: Int) throws -> RowCopy.Cell {
    guard try columnStorageClass(at: index) == .text else { return .value(try columnValue(at: index)) }
    return try withColumnBytes(at: index) { bytes in
      String(sqliteText: bytes).map { .value(.text($0)) } ?? .malformedText([UInt8](bytes))
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
