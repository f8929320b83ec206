package import QuarryEngine
internal import QuarryFiles
package import QuarryRows
internal import QuarrySources

/// What is opened when the program has left what is open.
package enum Successor: Hashable, Sendable {
  /// Files by their absolute paths.
  case files([String])
  /// The sample database, with the tour where that is wanted.
  case demo(isTour: Bool)
}

extension Browser {
  /// Ends this browser, for another to be started on something else.
  mutating func leave(for next: Successor) {
    guard workspace.source.transaction == nil else {
      notice = Notice("a transaction is open: commit it or roll it back first (:commit, :rollback)", .warning)
      return
    }
    successor = next
    quit()
  }
}

/// Reads what was opened before, and what has become of it.
struct LoadRecentFiles: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RecentFile] {
    try services.storage.loadRecentFiles()
  }
}

/// Takes files out of what was opened before.
struct ForgetFile: Action {
  let files: [String]

  var queue: ActionQueue { ActionQueue("recent files") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try services.storage.recent?.forget(files)
  }
}

/// Looks whether files can be opened, as databases or as tables.
///
/// - Throws: `DatabaseOpenError` for the first that cannot; not for one that a program left in the midst of a change, which is asked
///   about when it is opened.
struct CheckDatabases: Request {
  let paths: [String]

  var slot: RequestSlot? { RequestSlot("check databases") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    for path in paths {
      if let kind = try? FileKind(path: path), kind == .json || kind == .delimited { continue }
      do {
        var configuration = Configuration()
        configuration.isReadonly = true
        configuration.busyTimeout = .zero
        try DatabaseQueue(path: path, configuration: configuration).close()
      } catch let error as DatabaseOpenError where error.kind == .needsRecovery {}
    }
  }
}

/// No database: what lies beneath the start screen.
package struct NoDatabase: DataSource {
  package let name = "nothing"

  package init() {}

  package func catalog() async throws -> Catalog { Catalog(databases: []) }
  package func schema(of table: TableReference) async throws -> TableSchema { throw DataSourceError("no database is open") }
  package func references(to table: TableReference) async throws -> [InboundReference] { [] }
  package func filterColumns(of schema: TableSchema) async throws -> FilterColumns { FilterColumns(schema) }
  package func reader(of set: RowSet) throws -> RowReader { throw DataSourceError("no database is open") }
}
