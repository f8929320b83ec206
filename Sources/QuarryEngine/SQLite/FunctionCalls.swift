internal import CSQLite

/// A Swift closure called by SQL.
final class ScalarFunction: Sendable {
  // Not sendable, but safe: SQLite calls a function only inside an access.
  private nonisolated(unsafe) let connection: OpaquePointer
  private let body: @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?

  init(_ connection: OpaquePointer, _ body: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?) {
    self.connection = connection
    self.body = body
  }

  func call(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32) {
    FunctionResult.set(context) { try body(FunctionResult.arguments(values, count, of: connection)) }
  }
}

/// Swift closures called by SQL for the rows of a group.
final class AggregateFunction {
  private let connection: OpaquePointer
  private let begin: () -> AggregateRun

  init(_ connection: OpaquePointer, _ begin: @escaping () -> AggregateRun) {
    self.connection = connection
    self.begin = begin
  }

  static func of(_ context: OpaquePointer?) -> AggregateFunction? {
    sqlite3_user_data(context).map { Unmanaged<AggregateFunction>.fromOpaque($0).takeUnretainedValue() }
  }

  func step(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32) {
    // SQLite provides each group with its own memory, which is initially zero.
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let memory = sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self) else {
      return sqlite3_result_error_nomem(context)
    }
    let address = memory.pointee ?? Unmanaged.passRetained(begin()).toOpaque()
    memory.pointee = address
    let run = Unmanaged<AggregateRun>.fromOpaque(address).takeUnretainedValue()
    do {
      try run.step(FunctionResult.arguments(values, count, of: connection))
    } catch {
      FunctionResult.fail(context, error)
    }
  }

  /// Sets the result of a group.
  ///
  /// SQLite calls this for each group that has begun, even if the statement failed.
  func finish(_ context: OpaquePointer?) {
    let memory = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    let begun = memory?.pointee.map { Unmanaged<AggregateRun>.fromOpaque($0).takeRetainedValue() }
    memory?.pointee = nil
    FunctionResult.set(context) { try (begun ?? begin()).result() }
  }
}

/// An aggregate over the rows of one group.
final class AggregateRun {
  let step: ([DatabaseValue]) throws -> Void
  let result: () throws -> (any DatabaseValueConvertible)?

  init(step: @escaping ([DatabaseValue]) throws -> Void, result: @escaping () throws -> (any DatabaseValueConvertible)?) {
    self.step = step
    self.result = result
  }
}

/// The exchange between SQLite and a Swift closure: arguments in one direction, a value or an error in the other.
enum FunctionResult {
  static func arguments(
    _ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32, of connection: OpaquePointer
  ) throws -> [DatabaseValue] {
    guard let values else { return [] }
    return try (0..<Int(count)).map { try DatabaseValue(BorrowedValue(SQLiteValue(values[$0], of: connection))) }
  }

  static func set(_ context: OpaquePointer?, _ body: () throws -> (any DatabaseValueConvertible)?) {
    do {
      set(context, try body()?.databaseValue ?? .null)
    } catch {
      fail(context, error)
    }
  }

  static func fail(_ context: OpaquePointer?, _ error: any Error) {
    let failure = error as? DatabaseError
    // The message comes first; setting the code retains it.
    sqlite3_result_error(context, failure?.message ?? "\(error)", -1)
    sqlite3_result_error_code(context, failure?.extendedResultCode.rawValue ?? SQLITE_ERROR)
  }

  private static func set(_ context: OpaquePointer?, _ value: DatabaseValue) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var text): text.withUTF8 { quarry_result_text_copy(context, $0.baseAddress, UInt64($0.count)) }
    case .blob(let bytes): bytes.withUnsafeBytes { quarry_result_blob_copy(context, $0.baseAddress, UInt64($0.count)) }
    }
  }
}

extension DatabaseValue {
  /// Copies a value in SQLite's memory.
  ///
  /// - Throws: `SQLITE_MISMATCH` for a text that is not valid UTF-8.
  package init(_ borrowed: BorrowedValue) throws {
    switch borrowed {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .blob(let bytes): self = .blob([UInt8](bytes))
    case .text(let bytes):
      guard let text = String(sqliteText: bytes) else {
        throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "text that is not valid UTF-8 cannot be read as String")
      }
      self = .text(text)
    }
  }
}
