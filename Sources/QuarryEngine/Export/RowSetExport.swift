internal import Synchronization

/// Rows of a set that are to be written to a file: what is seen on a screen, or a part of it.
///
/// ```swift
/// let export = RowSetExport(columns: [0, 1], format: .csv, table: "Track", path: "tracks.csv")
/// let summary = try await source.export(export, of: reader) { print($0.rows) }
/// ```
public struct RowSetExport: Hashable, Sendable {
  /// The first and the last row of some that follow one another.
  public struct Range: Hashable, Sendable {
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

  /// The indexes of the columns among those of the reader, from 0, in the order in which they are written.
  public var columns: [Int]
  /// The rows; nil for all.
  public var range: Range?
  /// The form that the rows take.
  public var format: ExportFormat
  /// The table that INSERT statements name.
  public var table: String
  /// Where the file is to be.
  public var path: String
  /// Whether a file that is there may be replaced.
  public var isReplacing: Bool
  /// Whether pipes and devices are refused: a pipe may have no reader, and a terminal shows something else.
  public var isPlain = false

  /// Makes an export.
  public init(
    columns: [Int], range: Range? = nil, format: ExportFormat, table: String = "result", path: String, isReplacing: Bool = false
  ) {
    self.columns = columns
    self.range = range
    self.format = format
    self.table = table
    self.path = path
    self.isReplacing = isReplacing
  }
}

/// What an export has written.
public struct ExportSummary: Hashable, Sendable {
  /// The number of rows.
  public var rows: Int
  /// The size of the file in bytes.
  public var bytes: Int
  /// Whether others have written to the database meanwhile, so that not all rows are of one state of it.
  public var sawChanges = false
}

extension RowReader {
  /// Writes rows to a file, in the order of the set; the file appears once it is whole.
  ///
  /// ```swift
  /// let export = RowSetExport(columns: [0, 1], format: .csv, path: "tracks.csv")
  /// let summary = try await reader.export(export) { print("\($0.rows) rows") }
  /// ```
  ///
  /// Columns that a table computes are left out of INSERT statements, which cannot give them a value. A screen asks
  /// ``DataSource/export(_:of:progress:)``, which also keeps the files of its databases from being written over.
  ///
  /// - Parameters:
  ///   - databases: The paths of files that must not be replaced.
  ///   - progress: Is called now and then with how many rows have been written.
  /// - Throws: ``OutputFileError``, ``DatabaseError``, or `CancellationError`; then the place of the file is as it was.
  public func export(
    _ export: RowSetExport, databases: [String] = [], progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    let all = try await columns()
    let kept = export.columns.filter { all.indices.contains($0) && (export.format != .sql || all[$0].isInsertable) }
    let output = try RowOutput(export, columns: kept.map { all[$0].name }, databases: databases, progress)
    try await write(kept, export.range, to: output)
    try Task.checkCancellation()
    return try output.finish()
  }
}

extension RowSetColumn {
  /// Whether an INSERT can give it a value.
  fileprivate var isInsertable: Bool { computed == nil && schema?.generation == nil }
}

/// What a row source writes rows to, on any thread, one row after the other.
public final class RowOutput: Sendable {
  private let state: Mutex<State>
  private let progress: @Sendable (RowProgress) -> Void
  private let start = ContinuousClock.now

  private struct State {
    let exporter: RowExporter
    let file: OutputFile
    var rows = 0
    var sawChanges = false
  }

  /// The number of rows after which progress is reported.
  private static let reportInterval = 10_000

  fileprivate init(
    _ export: RowSetExport, columns: [String], databases: [String], _ progress: @escaping @Sendable (RowProgress) -> Void
  ) throws {
    let file = try OutputFile(path: export.path, databases: databases, isReplacing: export.isReplacing, isPlain: export.isPlain)
    let exporter = RowExporter(export.format, columns: columns, table: export.table, to: file.write(_:))
    state = Mutex(State(exporter: exporter, file: file))
    self.progress = progress
  }

  /// Writes a row of as many values as there are columns.
  ///
  /// - Throws: ``OutputFileError``
  public func write(_ values: [DatabaseValue]) throws {
    try write { try $0.write(values) }
  }

  /// Writes a row of as many values as there are columns, each of which `lend` lends.
  ///
  /// - Throws: ``OutputFileError``, and what `lend` throws.
  func write<Values: Collection>(_ values: Values, _ lend: (Values.Element, (BorrowedValue) -> Void) throws -> Void) throws {
    try write { try $0.write(values, lend) }
  }

  /// Writes the row on which a statement stands, from where SQLite keeps it; columns beyond those that are written are passed over.
  ///
  /// - Throws: ``OutputFileError``, ``DatabaseError``.
  public func write(_ statement: Statement) throws {
    try write { try $0.write(statement) }
  }

  /// Takes note that others have written to the file that the rows come from.
  func noteChange() {
    state.withLock { $0.sawChanges = true }
  }

  private func write(_ body: (RowExporter) throws -> Void) throws {
    let rows = try state.withLock { state in
      try body(state.exporter)
      state.rows += 1
      return state.rows
    }
    if rows % Self.reportInterval == 0 { progress(RowProgress(rows: rows, elapsed: ContinuousClock.now - start)) }
  }

  fileprivate func finish() throws -> ExportSummary {
    try state.withLock { state in
      try state.exporter.finish()
      try state.file.finish()
      return ExportSummary(rows: state.rows, bytes: state.file.count, sawChanges: state.sawChanges)
    }
  }
}
