package import QuarryEngine
internal import QuarryFiles
package import QuarryRows
internal import QuarrySources

/// The database to open after the program has closed the current one.
package enum Successor: Hashable, Sendable {
  /// Files by their absolute paths.
  case files([String])
  /// A database that was just created, by its absolute path; its first table is designed.
  case created(String)
  /// The sample database, with the tour on request.
  case demo(isTour: Bool)
}

extension Browser {
  /// Ends this browser so that another one can be started with another database.
  mutating func leave(for next: Successor) {
    guard workspace.source.transaction == nil else {
      notice = Notice("a transaction is open: commit it or roll it back first (:commit, :rollback)", .warning)
      return
    }
    successor = next
    quit()
  }
}

/// A request that reads the recent files and their current state.
struct LoadRecentFiles: Request {
  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RecentFile] {
    try services.storage.loadRecentFiles()
  }
}

/// An action that removes files from the list of recent files.
struct ForgetFile: Action {
  let files: [String]

  var queue: ActionQueue { ActionQueue("recent files") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try services.storage.recent?.forget(files)
  }
}

/// An action that creates an empty database.
struct CreateDatabase: Action {
  let path: String

  var queue: ActionQueue { ActionQueue("new database") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    do {
      try EmptyDatabaseFile.create(at: path)
    } catch let error as OutputFileError where error.kind == .isThere {
      throw Problem("“\(PathText.shown(path))” already exists: open it as a file, or name another one")
    }
  }
}

/// A request that checks whether files can be opened, as databases or as tables.
///
/// - Throws: `Problem` for the first file that cannot be opened. A file with an unfinished transaction from a crash is accepted:
///   Quarry asks how to open it later.
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
      } catch let error as DatabaseOpenError where error.kind == .needsRecovery {
      } catch let error as DatabaseOpenError {
        throw Problem([error.description, NearbyFiles.question(about: error)].compactMap(\.self).joined(separator: " "))
      }
    }
  }
}

/// The data source below the start screen, which has no database.
package struct NoDatabase: DataSource {
  package let name = "nothing"

  package init() {}

  package func catalog() async throws -> Catalog { Catalog(databases: []) }
  package func schema(of table: TableReference) async throws -> TableSchema { throw DataSourceError("no database is open") }
  package func references(to table: TableReference) async throws -> [InboundReference] { [] }
  package func filterColumns(of schema: TableSchema) async throws -> FilterColumns { FilterColumns(schema) }
  package func reader(of set: RowSet) throws -> RowReader { throw DataSourceError("no database is open") }
}
