import QuarrySources

extension Command {
  static let allowWriting: Command = "write"
}

/// Allowing writes to a source that is read-only by default.
extension RowsCommands {
  static let writingCommands: [Binding] = [
    Binding(
      .allowWriting, "Allow writes to a cluster, which is read-only by default", aliases: ["allow writing"],
      unless: { _, environment in
        environment.workspace.source.connection == nil
          ? "files are writable by default: :commit-changes writes staged changes"
          : environment.workspace.source.editRefusal == nil ? "writes are already allowed" : nil
      }
    ) { _, context, _ in
      context.ask(AllowWriting()) { _, context, result in
        switch result {
        case .success:
          context.workspace.source.editRefusal = nil
          context.notify("writes to the cluster are allowed now, by commits and by statements")
        case .failure(let problem): context.notify(problem.text, .error)
        }
      }
    }
  ]
}

/// An action that allows writes to the source.
struct AllowWriting: Action {
  var queue: ActionQueue { .script }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws {
    try services.edits.allowWriting()
  }
}
