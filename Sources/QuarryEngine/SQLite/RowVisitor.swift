internal import CSQLite

/// The values of a row in SQLite's memory, valid until the closure that receives it returns.
public struct BorrowedRow {
  private let arguments: UnsafeMutablePointer<OpaquePointer?>
  /// The number of values.
  package let count: Int
  private let sink: Unmanaged<RowSink>

  @inline(__always)
  fileprivate init(_ arguments: UnsafeMutablePointer<OpaquePointer?>, count: Int, _ sink: RowSink) {
    (self.arguments, self.count, self.sink) = (arguments, count, .passUnretained(sink))
  }

  /// Returns all values from left to right; texts may lack a NUL terminator.
  ///
  /// - Throws: `SQLITE_NOMEM` if a text cannot be converted to UTF-8.
  package func values() throws -> UnsafeBufferPointer<BorrowedValue> {
    try sink._withUnsafeGuaranteedRef { sink in
      try sink.lent.lend(count) { index in
        try BorrowedValue(SQLiteValue(arguments[index], of: sink.connection), isTerminated: false)
      }
    }
  }

  /// Returns the value of a column, without copying it.
  ///
  /// - Parameter isTerminated: Whether a text must end with a NUL, which is not counted.
  /// - Throws: `SQLITE_NOMEM` if a text cannot be converted to UTF-8.
  @inline(__always)
  package func value(at index: Int, isTerminated: Bool = true) throws -> BorrowedValue {
    return try BorrowedValue(self[index], isTerminated: isTerminated)
  }

  @inline(__always)
  private subscript(index: Int) -> SQLiteValue {
    precondition(index < count)
    return SQLiteValue(arguments[index], of: sink._withUnsafeGuaranteedRef { $0.connection })
  }

  /// Returns the text of a column in UTF-8 as LIKE reads it: a text, or the text form of a number; nil for any other value.
  ///
  /// - Parameter seesNumbers: Whether numbers are converted, which takes time.
  /// - Throws: `SQLITE_NOMEM` if a text cannot be converted to UTF-8.
  @inline(__always)
  package func text(at index: Int, seesNumbers: Bool) throws -> UnsafeRawBufferPointer? {
    try self[index].searchedText(seesNumbers: seesNumbers)
  }

  /// Returns the bytes of a text as stored, with their encoding; nil for any other value.
  ///
  /// - Throws: `SQLITE_NOMEM`
  package func storedText(at index: Int) throws -> (bytes: UnsafeRawBufferPointer, encoding: DatabaseEncoding)? {
    try self[index].storedText()
  }

  /// Returns whether the value of a column is a text.
  package func isText(at index: Int) -> Bool { self[index].storageClass == .text }

  /// Returns whether the value of a column is a number other than 0.
  package func isTrue(at index: Int) -> Bool { self[index].integer != 0 }

  /// Copies a value; a text that is not valid UTF-8 is copied as its bytes, because a `String` cannot represent it.
  package func copy(at index: Int) throws -> DatabaseValue {
    switch try value(at: index) {
    case .text(let bytes): String(sqliteText: bytes).map { .text($0) } ?? .blob(Array(bytes))
    case let other: try DatabaseValue(other)
    }
  }

  /// Returns the integer of a column that contains only integers.
  @inline(__always)
  package func integer(at index: Int) -> Int64 { self[index].integer }
}

/// A visitor of the rows of a running statement.
///
/// It is a base class because a method call costs less than a closure call, which matters for ten million rows.
open class RowVisitor {
  /// Creates a visitor.
  public init() {}

  /// Visits a row; the database must not be used meanwhile.
  open func visit(_ row: BorrowedRow) throws {}
}

/// The receiver to which an SQL function passes the rows of a statement.
final class RowSink {
  fileprivate var visitor: Unmanaged<RowVisitor>?
  fileprivate var failure: (any Error)?
  fileprivate let connection: OpaquePointer
  /// The borrowed values of the current row.
  @exclusivity(unchecked) fileprivate var lent = BorrowedValues()

  fileprivate init(_ connection: OpaquePointer) {
    self.connection = connection
  }

  @inline(__always)
  fileprivate func visit(_ row: BorrowedRow, _ context: OpaquePointer?) {
    do {
      try visitor?._withUnsafeGuaranteedRef { try $0.visit(row) }
    } catch {
      failure = error
      sqlite3_result_error_code(context, SQLITE_ABORT)
    }
  }
}

extension RowVisitor {
  /// Visits the values of each row of a statement without leaving SQLite between rows; stepping takes nearly twice as long for rows with
  /// few values.
  ///
  ///     SELECT quarry_visit_row(rowid, amount) FROM main.events WHERE kind = ?
  ///
  /// The order of the rows is undefined. The corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// - Parameters:
  ///   - values: The expressions read from each row.
  ///   - source: The SQL after FROM.
  /// - Throws: ``DatabaseError``, or an error of ``visit(_:)``, which ends the visit.
  package func visitRows(_ values: [SQLText], from source: SQLText, in database: Database) throws {
    if values.count > Self.argumentLimit { return try stepThroughRows(values, from: source, in: database) }
    try visitRows(in: database) {
      try database.scan("SELECT \(Self.call(values)) FROM \(source)") { _ in true }
    }
  }

  /// The maximum number of arguments of an SQL function.
  private static let argumentLimit = 127

  /// Visits rows with more values than an SQL function accepts.
  private func stepThroughRows(_ values: [SQLText], from source: SQLText, in database: Database) throws {
    var borrowed = [OpaquePointer?](repeating: nil, count: values.count)
    let sink = RowSink(database.connection)
    try database.scan("SELECT \(values.joined(by: ", ")) FROM \(source)") { statement in
      for index in borrowed.indices { borrowed[index] = sqlite3_column_value(statement.sqliteStatement, Int32(truncatingIfNeeded: index)) }
      try borrowed.withUnsafeMutableBufferPointer { values in
        guard let start = values.baseAddress else { return }
        try visit(BorrowedRow(start, count: values.count, sink))
      }
      return true
    }
  }

  /// Visits the rows of the statement that `scan` runs, which must contain ``call(_:)``.
  package func visitRows(in database: Database, _ scan: () throws -> Void) throws {
    let sink = try RowSink.installed(in: database)
    sink.visitor = .passUnretained(self)
    defer { (sink.visitor, sink.failure) = (nil, nil) }
    do {
      try withExtendedLifetime(self) { try scan() }
    } catch {
      throw sink.failure ?? error
    }
  }

  /// Returns the SQL expression that passes values to the visitor.
  ///
  ///     quarry_visit_row(rowid, amount)
  package static func call(_ values: [SQLText]) -> SQLText {
    "\(identifier: RowSink.function)(\(values.joined(by: ", ")))"
  }
}

extension RowSink {
  fileprivate static let function = "quarry_visit_row"

  /// Returns the sink of a connection, which receives the rows from the SQL function.
  fileprivate static func installed(in database: Database) throws -> RowSink {
    if let sink = database.rowSink { return sink }
    let sink = RowSink(database.connection)
    let code = sqlite3_create_function_v2(
      database.connection, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passUnretained(sink).toOpaque(), nil,
      { context, count, values in
        guard let address = sqlite3_user_data(context), let values else { return }
        Unmanaged<RowSink>.fromOpaque(address)._withUnsafeGuaranteedRef { sink in
          sink.visit(BorrowedRow(values, count: Int(count), sink), context)
        }
      }, { sqlite3_result_null($0) }, nil)
    guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code)) }
    database.rowSink = sink
    return sink
  }
}
