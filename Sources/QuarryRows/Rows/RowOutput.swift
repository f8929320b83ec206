public import QuarryEngine
internal import Synchronization

/// The first and the last row of a range of consecutive rows.
public struct RowRange: Hashable, Sendable {
  /// The key of the first row.
  public var first: RowKey
  /// The key of the last row.
  public var last: RowKey

  /// Creates a range that includes both rows.
  public init(from first: RowKey, through last: RowKey) {
    self.first = first
    self.last = last
  }
}

/// A writer of rows, one after the other, as the text of a file.
package protocol RowWriting: AnyObject {
  /// Writes a row with one value for each column.
  func write(_ values: [DatabaseValue]) throws
  /// Writes a row of `count` values, which `lend` passes by their index, from 0.
  func write(count: Int, _ lend: (Int, (BorrowedValue) -> Void) throws -> Void) throws
  /// Writes the statement's current row directly from SQLite's memory; surplus columns are ignored.
  func write(_ statement: Statement) throws
  /// Ends the output and returns its size in bytes.
  func finish() throws -> Int
}

/// The output of a row source, which writes rows one after the other, on any thread.
public final class RowOutput: Sendable {
  private let state: Mutex<State>
  private let progress: @Sendable (RowProgress) -> Void
  private let start = ContinuousClock.now

  private struct State {
    let writer: any RowWriting
    var rows = 0
    var sawChanges = false
  }

  /// The number of rows between progress reports.
  private static let reportInterval = 10_000

  /// Creates an output.
  ///
  /// - Parameter progress: Called from time to time with the number of rows written.
  package init(to writer: sending any RowWriting, _ progress: @escaping @Sendable (RowProgress) -> Void) {
    state = Mutex(State(writer: writer))
    self.progress = progress
  }

  /// Writes a row with one value for each column.
  ///
  /// - Throws: Any error of the writer, as an error of its file.
  public func write(_ values: [DatabaseValue]) throws {
    try write { try $0.write(values) }
  }

  /// Writes a row with one value for each column, which `lend` passes by its index, from 0.
  ///
  /// - Throws: Any error of the writer, as an error of its file, and any error of `lend`.
  package func write(count: Int, _ lend: (Int, (BorrowedValue) -> Void) throws -> Void) throws {
    try write { try $0.write(count: count, lend) }
  }

  /// Writes the statement's current row directly from SQLite's memory; surplus columns are ignored.
  ///
  /// - Throws: Any error of the writer, as an error of its file; ``DatabaseError``.
  public func write(_ statement: Statement) throws {
    try write { try $0.write(statement) }
  }

  /// Records that another connection has written to the file of the rows.
  func noteChange() {
    state.withLock { $0.sawChanges = true }
  }

  private func write(_ body: (any RowWriting) throws -> Void) throws {
    let rows = try state.withLock { state in
      try body(state.writer)
      state.rows += 1
      return state.rows
    }
    if rows % Self.reportInterval == 0 { progress(RowProgress(rows: rows, elapsed: ContinuousClock.now - start)) }
  }

  /// Ends the output and returns the number of rows, the size in bytes, and whether another connection has written meanwhile.
  package func finish() throws -> (rows: Int, bytes: Int, sawChanges: Bool) {
    try state.withLock { state in (state.rows, try state.writer.finish(), state.sawChanges) }
  }
}
