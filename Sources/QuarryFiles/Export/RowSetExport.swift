internal import QuarryEngine
public import QuarryRows

/// Rows of a set that are to be written to a file: what is seen on a screen, or a part of it.
///
/// ```swift
/// let export = RowSetExport(columns: [0, 1], format: .csv, table: "Track", path: "tracks.csv")
/// let summary = try await source.export(export, of: reader) { print($0.rows) }
/// ```
public struct RowSetExport: Hashable, Sendable {
  /// The indexes of the columns among those of the reader, from 0, in the order in which they are written.
  public var columns: [Int]
  /// The rows; nil for all.
  public var range: RowRange?
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
    columns: [Int], range: RowRange? = nil, format: ExportFormat, table: String = "result", path: String, isReplacing: Bool = false
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
    let output = RowOutput(to: try RowFile(export, columns: kept.map { all[$0].name }, databases: databases), progress)
    try await write(kept, export.range, to: output)
    try Task.checkCancellation()
    let (rows, bytes, sawChanges) = try output.finish()
    return ExportSummary(rows: rows, bytes: bytes, sawChanges: sawChanges)
  }
}

extension RowSetColumn {
  /// Whether an INSERT can give it a value.
  fileprivate var isInsertable: Bool { computed == nil && schema?.generation == nil }
}

/// A file that rows are written to in the format of an export.
private final class RowFile: RowWriting {
  private let exporter: RowExporter
  private let file: OutputFile

  init(_ export: RowSetExport, columns: [String], databases: [String]) throws {
    file = try OutputFile(path: export.path, databases: databases, isReplacing: export.isReplacing, isPlain: export.isPlain)
    exporter = RowExporter(export.format, columns: columns, table: export.table, to: file.write(_:))
  }

  func write(_ values: [DatabaseValue]) throws { try exporter.write(values) }

  func write(count: Int, _ lend: (Int, (BorrowedValue) -> Void) throws -> Void) throws { try exporter.write(0..<count, lend) }

  func write(_ statement: Statement) throws { try exporter.write(statement) }

  func finish() throws -> Int {
    try exporter.finish()
    try file.finish()
    return file.count
  }
}
