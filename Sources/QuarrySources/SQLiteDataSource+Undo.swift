public import QuarryChanges
internal import QuarryEngine
internal import QuarryRows

extension SQLiteDataSource {
  /// Reads the commits recorded by this program for the files, the latest first.
  public func recordedCommits() async throws -> [RecordedCommit] {
    guard let changeLogs else { return [] }
    let commits = try await background.withoutTransaction { db in
      let databases = try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list WHERE name <> 'temp'")
      return try databases.flatMap { name in try changeLogs.settledLog(ofDatabase: name, in: db)?.commits(database: name) ?? [] }
    }
    return commits.sorted { ($0.time, $0.id.number) > ($1.time, $1.id.number) }
  }

  /// Returns whether this program has committed staged changes to the files.
  public func hasCommitted(_ changes: StagedChanges) async throws -> Bool {
    guard let changeLogs, let identity = changes.identity else { return false }
    let databases = Set(changes.tables.map(\.database)).subtracting(["temp"])
    return try await background.withoutTransaction { db in
      try databases.contains { name in
        try changeLogs.settledLog(ofDatabase: name, in: db)?.hasCommitted(staged: identity) == true
      }
    }
  }

  /// Reads rows that a commit has changed.
  public func rows(ofCommit id: RecordedCommit.ID, from offset: Int, limit: Int) async throws -> [RecordedRow] {
    guard let changeLogs else { return [] }
    return try await background.withoutTransaction { db in
      try changeLogs.existingLog(ofDatabase: id.database, in: db)?.rows(of: id.number, from: offset, limit: limit) ?? []
    }
  }

  /// Undoes a commit.
  ///
  /// Throws an error while a transaction of the editor is open.
  public func undo(_ id: RecordedCommit.ID, choosing choices: UndoChoices) async throws -> UndoResult {
    guard let changeLogs else { throw DataSourceError("commits are not recorded here, so nothing can be undone") }
    if let refusal = script.refusal { throw DataSourceError(refusal) }
    if script.isTransactionOpen { throw DataSourceError("a transaction is open: commit it or roll it back first") }
    releaseLocks()
    let path = try await background.withoutTransaction { db in db.path(ofDatabase: id.database) }
    guard let path else { throw DataSourceError("\(id.database) is not a file, so its commits are not recorded") }
    var result = try await UndoRun(path: path, folder: changeLogs).undo(id.number, choosing: choices)
    if case .done(var commit) = result {
      commit.id.database = id.database
      result = .done(commit)
    }
    return result
  }

  /// Skips recording the open transaction, or else the next one.
  public func skipRecording() async {
    _ = try? await script.openedQueue?.withoutTransaction { [script] _ in script.recorder?.passOver() }
  }
}
