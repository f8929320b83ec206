public import QuarryEngine
internal import Synchronization

/// The first and the last row of some that follow one another.
public struct RowRange: Hashable, Sendable {
  /// The key of the first row.
  public var first: RowKey
  /// The key of the last row.
  public var last: RowKey

  /// Makes a range; both rows are in it.
  public init(from first: RowKey, through last: RowKey) {
    self.first = first
    self.last = last
  }
}

/// What becomes of rows that come one after the other, as the text of a file.
package protocol RowWriting: AnyObject {
  /// Writes a row of as many values as there are columns.
  func write(_ values: [DatabaseValue]) throws
  /// Writes a row of so many values, each of which `lend` lends by its index, from 0.
  func write(count: Int, _ lend: (Int, (BorrowedValue) -> Void) throws -> Void) throws
  /// Writes the row on which a statement stands, from where SQLite keeps it; columns beyond those that are written are passed over.
  func write(_ statement: Statement) throws
  /// Ends what is written, and returns its size in bytes.
  func finish() throws -> Int
}

/// What a row source writes rows to, on any thread, one row after the other.
public final class RowOutput: Sendable {
  private let state: Mutex<State>
  private let progress: @Sendable (RowProgress) -> Void
  private let start = ContinuousClock.now

  private struct State {
    let writer: any RowWriting
    var rows = 0
    var sawChanges = false
  }

  /// The number of rows after which progress is reported.
  private static let reportInterval = 10_000

  /// Makes an output.
  ///
  /// - Parameter progress: Is called now and then with how many rows have been written.
  package init(to writer: sending any RowWriting, _ progress: @escaping @Sendable (RowProgress) -> Void) {
    state = Mutex(State(writer: writer))
    self.progress = progress
  }

  /// Writes a row of as many values as there are columns.
  ///
  /// - Throws: What the writer throws, as an error of its file.
  public func write(_ values: [DatabaseValue]) throws {
    try write { try $0.write(values) }
  }

  /// Writes a row of as many values as there are columns, each of which `lend` lends by its index, from 0.
  ///
  /// - Throws: What the writer throws, as an error of its file, and what `lend` throws.
  package func write(count: Int, _ lend: (Int, (BorrowedValue) -> Void) throws -> Void) throws {
    try write { try $0.write(count: count, lend) }
  }

  /// Writes the row on which a statement stands, from where SQLite keeps it; columns beyond those that are written are passed over.
  ///
  /// - Throws: What the writer throws, as an error of its file; ``DatabaseError``.
  public func write(_ statement: Statement) throws {
    try write { try $0.write(statement) }
  }

  /// Takes note that others have written to the file that the rows come from.
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

  /// Ends what is written, and returns the number of rows, the size in bytes, and whether others have written meanwhile.
  package func finish() throws -> (rows: Int, bytes: Int, sawChanges: Bool) {
    try state.withLock { state in (state.rows, try state.writer.finish(), state.sawChanges) }
  }
}
