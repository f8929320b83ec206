internal import QuarryEngine
public import QuarryRows

/// An export of rows of a set to a file: all rows and columns on a screen, or a part of them.
///
/// ```swift
/// let export = RowSetExport(columns: [0, 1], format: .csv, table: "Track", path: "tracks.csv")
/// let summary = try await source.export(export, of: reader) { print($0.rows) }
/// ```
public struct RowSetExport: Hashable, Sendable {
  /// The indexes of the reader's columns to write, from 0, in the order of the output.
  public var columns: [Int]
  /// The rows, or nil for all.
  public var range: RowRange?
  /// The format of the output.
  public var format: ExportFormat
  /// The table name in INSERT statements.
  public var table: String
  /// The path of the file.
  public var path: String
  /// Whether an existing file may be replaced.
  public var isReplacing: Bool
  /// Whether pipes and devices are rejected.
  ///
  /// A pipe may have no reader, and a terminal is in use.
  public var isPlain = false

  /// Creates an export.
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

/// The result of an export.
public struct ExportSummary: Hashable, Sendable {
  /// The number of rows.
  public var rows: Int
  /// The size of the file in bytes.
  public var bytes: Int
  /// Whether the database was changed externally during the export, so that the rows do not belong to one state.
  public var sawChanges = false
}

extension RowReader {
  /// Writes rows to a file in the order of the set.
  ///
  /// The file appears at its path once it is complete.
  ///
  /// ```swift
  /// let export = RowSetExport(columns: [0, 1], format: .csv, path: "tracks.csv")
  /// let summary = try await reader.export(export) { print("\($0.rows) rows") }
  /// ```
  ///
  /// Generated columns are omitted from INSERT statements, which cannot set their values. A screen calls
  /// ``DataSource/export(_:of:progress:)``, which also protects the files of its databases from being overwritten.
  ///
  /// - Parameters:
  ///   - databases: The paths of files that must not be replaced.
  ///   - progress: Called from time to time with the number of rows written.
  /// - Throws: ``OutputFileError``, ``DatabaseError``, or `CancellationError`. An existing file is then unchanged.
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
  /// Whether an INSERT can set its value.
  fileprivate var isInsertable: Bool { computed == nil && schema?.generation == nil }
}

/// A file that receives rows in the format of an export.
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
