public import QuarryEngine
public import QuarryFiles
public import QuarryRows

/// A source of data for a session: tables with their schema, and the rows of row sets.
///
/// ``SQLiteDataSource`` is the data source for SQLite files. Screens use only this protocol. The same screens can therefore show another
/// implementation, such as a cluster or tables in memory:
///
/// ```swift
/// struct Planets: DataSource {
///   func catalog() async throws -> Catalog { … }
///   func schema(of table: TableReference) async throws -> TableSchema { … }
///   func reader(of set: RowSet) throws -> RowReader { RowReader(set, from: PlanetRows(set)) }
///   …
/// }
/// ```
///
/// Optional abilities of a source are roles, each with its own protocol. A screen hides features that need a missing role. A long-running
/// method throws a `CancellationError` when its task is cancelled.
public protocol DataSource: Sendable {
  /// The name of the source in a history: the path of its file.
  var name: String { get }

  // MARK: Schema

  /// Reads the list of tables and views.
  func catalog() async throws -> Catalog
  /// Reads the schema of a table or view.
  func schema(of table: TableReference) async throws -> TableSchema
  /// Reads the foreign keys that refer to a table.
  func references(to table: TableReference) async throws -> [InboundReference]
  /// Reads all tables with the foreign keys between them.
  func schemaGraph() async throws -> SchemaGraph
  /// Returns the columns of a table for a filter.
  func filterColumns(of schema: TableSchema) async throws -> FilterColumns

  // MARK: Rows

  /// Returns a reader of the rows of a set for the screen.
  ///
  /// It sees the uncommitted changes of an open transaction.
  func reader(of set: RowSet) throws -> RowReader
  /// Returns a reader for background reads that do not delay the screen, such as counts and suggested values.
  func backgroundReader(of set: RowSet) throws -> RowReader
  /// Allows a long-running read that a reader has rejected with a ``LongRead``.
  func allowLongRead(of set: RowSet)
  /// Writes rows to a file as displayed.
  ///
  /// The file appears at its path once it is complete.
  ///
  /// - Parameters:
  ///   - reader: The reader of the rows, so that the file contains the rows that it has shown.
  ///   - progress: Called from time to time with the number of rows written.
  /// - Throws: ``OutputFileError`` if the file cannot be written.
  func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary

  // MARK: Roles

  /// The role that runs SQL, or nil if the source does not run statements.
  var statements: (any StatementRunning)? { get }
  /// The role that changes rows, or nil if the source is read-only.
  var edits: (any RowEditing)? { get }
  /// The role that records and undoes commits, or nil if commits are not recorded.
  var commits: (any CommitRecording)? { get }
  /// The role that counts and summarizes data, or nil if the source does not.
  var insight: (any DataInsight)? { get }
  /// The role that checks and mends the file, or nil if the source has none here.
  var health: (any HealthChecking)? { get }
  /// The role that proposes and measures indexes, or nil if the source does not.
  var advice: (any IndexAdvising)? { get }
  /// The role that imports files into tables, or nil if the source does not.
  var files: (any FileImporting)? { get }
  /// The role that creates tables and changes their definitions, or nil if the source does not.
  var designs: (any TableDesigning)? { get }
  /// The role that reports external changes, or nil if there are none.
  var watch: (any SourceWatching)? { get }
}

extension DataSource {
  /// Reads the schema of each table.
  public func schemaGraph() async throws -> SchemaGraph {
    var tables: [SchemaGraph.Table] = []
    for entry in try await catalog().databases.flatMap(\.entries) where entry.hasRowsOfItsOwn {
      tables.append(SchemaGraph.Table(try await schema(of: entry.reference)))
    }
    return SchemaGraph(tables: tables)
  }
  /// Returns the same reader as for the screen.
  public func backgroundReader(of set: RowSet) throws -> RowReader { try reader(of: set) }
  /// Does nothing, for a source whose reads can be cancelled.
  public func allowLongRead(of set: RowSet) {}
  /// Writes the rows of the reader.
  ///
  /// See ``RowReader/export(_:databases:progress:)``.
  public func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    try await reader.export(export, progress: progress)
  }

  /// Nil by default.
  public var statements: (any StatementRunning)? { nil }
  /// Nil by default.
  public var edits: (any RowEditing)? { nil }
  /// Nil by default.
  public var commits: (any CommitRecording)? { nil }
  /// Nil by default.
  public var insight: (any DataInsight)? { nil }
  /// Nil by default.
  public var health: (any HealthChecking)? { nil }
  /// Nil by default.
  public var advice: (any IndexAdvising)? { nil }
  /// Nil by default.
  public var files: (any FileImporting)? { nil }
  /// Nil by default.
  public var designs: (any TableDesigning)? { nil }
  /// Nil by default.
  public var watch: (any SourceWatching)? { nil }
}
