internal import CSQLite

/// The values of a row where SQLite keeps them, good until the closure that it is lent to returns.
public struct BorrowedRow {
  private let arguments: UnsafeMutablePointer<OpaquePointer?>
  /// The number of values.
  package let count: Int
  private let sink: Unmanaged<RowSink>

  @inline(__always)
  fileprivate init(_ arguments: UnsafeMutablePointer<OpaquePointer?>, count: Int, _ sink: RowSink) {
    (self.arguments, self.count, self.sink) = (arguments, count, .passUnretained(sink))
  }

  /// Lends all values, from left to right; texts need not end with a NUL.
  ///
  /// - Throws: `SQLITE_NOMEM` where a text cannot be had as UTF-8.
  package func values() throws -> UnsafeBufferPointer<BorrowedValue> {
    try sink._withUnsafeGuaranteedRef { sink in
      try sink.lent.lend(count) { index in
        try BorrowedValue(SQLiteValue(arguments[index], of: sink.connection), isTerminated: false)
      }
    }
  }

  /// Lends the value of a column.
  ///
  /// - Parameter isTerminated: Whether a text is to end with a NUL, which is not counted.
  /// - Throws: `SQLITE_NOMEM` where a text cannot be had as UTF-8.
  @inline(__always)
  package func value(at index: Int, isTerminated: Bool = true) throws -> BorrowedValue {
    return try BorrowedValue(self[index], isTerminated: isTerminated)
  }

  @inline(__always)
  private subscript(index: Int) -> SQLiteValue {
    precondition(index < count)
    return SQLiteValue(arguments[index], of: sink._withUnsafeGuaranteedRef { $0.connection })
  }

  /// Lends the text of a column as LIKE reads it, in UTF-8: a text, and a number as it is written; nil for any other value.
  ///
  /// - Parameter seesNumbers: Whether numbers are written, which takes time.
  /// - Throws: `SQLITE_NOMEM` where a text cannot be had as UTF-8.
  @inline(__always)
  package func text(at index: Int, seesNumbers: Bool) throws -> UnsafeRawBufferPointer? {
    try self[index].searchedText(seesNumbers: seesNumbers)
  }

  /// Lends the bytes of a text as they are stored, with their encoding; nil for any other value.
  ///
  /// - Throws: `SQLITE_NOMEM`
  package func storedText(at index: Int) throws -> (bytes: UnsafeRawBufferPointer, encoding: DatabaseEncoding)? {
    try self[index].storedText()
  }

  /// Returns whether a column has a text.
  package func isText(at index: Int) -> Bool { self[index].storageClass == .text }

  /// Returns whether a column has a number other than 0.
  package func isTrue(at index: Int) -> Bool { self[index].integer != 0 }

  /// Copies a value; a text that is not valid UTF-8, which no `String` can hold, as its bytes.
  package func copy(at index: Int) throws -> DatabaseValue {
    switch try value(at: index) {
    case .text(let bytes): String(sqliteText: bytes).map { .text($0) } ?? .blob(Array(bytes))
    case let other: try DatabaseValue(other)
    }
  }

  /// Returns the integer of a column that has nothing else.
  @inline(__always)
  package func integer(at index: Int) -> Int64 { self[index].integer }
}

/// What takes the rows of a statement while it runs.
///
/// A class to inherit from, since a call of it costs less than one of a closure, which matters where there are ten million of them.
open class RowVisitor {
  /// Makes a visitor.
  public init() {}

  /// Takes a row; the database must not be used meanwhile.
  open func visit(_ row: BorrowedRow) throws {}
}

/// What an SQL function hands the rows of a statement to.
final class RowSink {
  fileprivate var visitor: Unmanaged<RowVisitor>?
  fileprivate var failure: (any Error)?
  fileprivate let connection: OpaquePointer
  /// The values of the row that is being visited, where they have been lent.
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
  /// Visits the values of each row that a statement goes through, without leaving SQLite between two of them: for rows of a few values,
  /// a step for each takes nearly twice as long.
  ///
  ///     SELECT quarry_visit_row(rowid, amount) FROM main.events WHERE kind = ?
  ///
  /// Rows come in no order. The corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// - Parameters:
  ///   - values: What is read of each row.
  ///   - source: What stands after FROM.
  /// - Throws: ``DatabaseError``, or what ``visit(_:)`` throws, after which it is given no more.
  package func visitRows(_ values: [SQLText], from source: SQLText, in database: Database) throws {
    if values.count > Self.argumentLimit { return try stepThroughRows(values, from: source, in: database) }
    try visitRows(in: database) {
      try database.scan("SELECT \(Self.call(values)) FROM \(source)") { _ in true }
    }
  }

  /// How many arguments a function of SQL takes at most.
  private static let argumentLimit = 127

  /// Visits rows of more values than a function of SQL takes.
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

  /// Visits the rows that `scan` makes a statement go through, in which ``call(_:)`` stands.
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

  /// Returns the expression that hands values to the visitor.
  ///
  ///     quarry_visit_row(rowid, amount)
  package static func call(_ values: [SQLText]) -> SQLText {
    "\(identifier: RowSink.function)(\(values.joined(by: ", ")))"
  }
}

extension RowSink {
  fileprivate static let function = "quarry_visit_row"

  /// Returns the sink of a connection, to which its SQL function hands the rows.
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
