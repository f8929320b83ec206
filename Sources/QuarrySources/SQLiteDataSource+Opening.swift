internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows

extension SQLiteDataSource {
  /// Opens a database for reading and editing.
  ///
  /// ```swift
  /// let source = try SQLiteDataSource(path: "shop.db", changesFolder: "changes")
  /// _ = try await source.commit(changes)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the database file.
  ///   - changesFolder: The path of the folder in which commits are recorded for undo, or nil for no record.
  public convenience init(path: String, changesFolder: String? = nil) throws {
    let changes = changesFolder.map { ChangeLogFolder(path: $0) }
    @Sendable func open(isReadonly: Bool) throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.isReadonly = isReadonly
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    self.init(
      rows: ReadConnections(
        foreground: try open(isReadonly: true), background: try open(isReadonly: true), secondReader: { try open(isReadonly: true) }),
      background: try open(isReadonly: true),
      insight: { _ in
        ReadConnections(try open(isReadonly: true), secondReader: { try open(isReadonly: true) })
      },
      script: ScriptConnection(refusal: nil, changes: changes) { try open(isReadonly: false) },
      changes: changes,
      reopen: { try SQLiteDataSource(path: path, changesFolder: changesFolder) })
  }
}
