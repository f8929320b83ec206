public import QuarryEngine
public import QuarryFiles
public import QuarryRows

/// Where the data of a session comes from: tables with their schema, and the rows of row sets.
///
/// ``SQLiteDataSource`` is the one for SQLite files. A screen asks a data source and nothing else, so that another conformer, of a cluster
/// or of tables in memory, is shown by the same screens:
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
/// What else a source can do are its roles, each a protocol of its own. A screen offers nothing that needs a role which the source does not
/// have. A method that takes long ends with a `CancellationError` when its task is cancelled.
public protocol DataSource: Sendable {
  /// What a history calls the source: the path of its file.
  var name: String { get }

  // MARK: Schema

  /// Reads which tables and views there are.
  func catalog() async throws -> Catalog
  /// Reads what is known of a table or view.
  func schema(of table: TableReference) async throws -> TableSchema
  /// Reads which foreign keys refer to a table.
  func references(to table: TableReference) async throws -> [InboundReference]
  /// Returns the columns of a table as a filter names them.
  func filterColumns(of schema: TableSchema) async throws -> FilterColumns

  // MARK: Rows

  /// Makes what reads the rows of a set for the screen; while a transaction is open, what it has changed is seen in them.
  func reader(of set: RowSet) throws -> RowReader
  /// Makes what reads rows beside those on the screen, which wait for none of it: counts, values to be offered.
  func backgroundReader(of set: RowSet) throws -> RowReader
  /// Lets rows be read of which a reader says by a ``LongRead`` that this may take long.
  func allowLongRead(of set: RowSet)
  /// Writes rows to a file, as they are shown; it appears once it is whole.
  ///
  /// - Parameters:
  ///   - reader: The reader of the rows, so that what is written is what it has shown.
  ///   - progress: Is called now and then with how many rows have been written.
  /// - Throws: ``OutputFileError`` where the file cannot be written.
  func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary

  // MARK: Roles

  /// Runs SQL; nil where the source takes none.
  var statements: (any StatementRunning)? { get }
  /// Changes rows; nil where they are only read.
  var edits: (any RowEditing)? { get }
  /// Keeps a record of what is committed, and takes it back; nil where nothing is recorded.
  var commits: (any CommitRecording)? { get }
  /// Finds out what the data is like; nil where nothing is counted.
  var insight: (any DataInsight)? { get }
  /// Reads files into its tables; nil where it takes none.
  var files: (any FileImporting)? { get }
  /// Tells what others do to the data; nil where nobody else changes it.
  var watch: (any SourceWatching)? { get }
}

extension DataSource {
  /// Returns the same reader as for the screen.
  public func backgroundReader(of set: RowSet) throws -> RowReader { try reader(of: set) }
  /// Does nothing: for a source whose reading can be stopped.
  public func allowLongRead(of set: RowSet) {}
  /// Writes the rows that the reader gives: see ``RowReader/export(_:databases:progress:)``.
  public func export(
    _ export: RowSetExport, of reader: RowReader, progress: @escaping @Sendable (RowProgress) -> Void
  ) async throws -> ExportSummary {
    try await reader.export(export, progress: progress)
  }

  /// None.
  public var statements: (any StatementRunning)? { nil }
  /// None.
  public var edits: (any RowEditing)? { nil }
  /// None.
  public var commits: (any CommitRecording)? { nil }
  /// None.
  public var insight: (any DataInsight)? { nil }
  /// None.
  public var files: (any FileImporting)? { nil }
  /// None.
  public var watch: (any SourceWatching)? { nil }
}
