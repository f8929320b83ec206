import QuarrySources

extension Command {
  static let allowWriting: Command = "write"
}

/// Allowing writes to a source that is read-only by default.
extension RowsCommands {
  static let writingCommands: [Binding] = [
    Binding(
      .allowWriting, "Let a cluster be written, which is only read until you ask", aliases: ["allow writing"],
      unless: { _, environment in
        environment.workspace.source.connection == nil
          ? "files need no leave: what you stage is written by :commit-changes"
          : environment.workspace.source.editRefusal == nil ? "it may be written already" : nil
      }
    ) { _, context, _ in
      context.ask(AllowWriting()) { _, context, result in
        switch result {
        case .success:
          context.workspace.source.editRefusal = nil
          context.notify("the cluster may be written now, by what you stage and commit and by statements")
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
