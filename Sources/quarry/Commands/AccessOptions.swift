internal import ArgumentParser
internal import QuarryEngine

/// How files are opened.
struct AccessOptions: ParsableArguments {
  @Flag(name: [.customLong("read-only"), .customLong("readonly", withSingleDash: true)], help: "Refuse to write.")
  var isReadOnly = false

  @Flag(
    name: .customLong("immutable"),
    help: "Assume that nobody changes the file: reads WAL databases in folders that cannot be written, and may read stale rows.")
  var isImmutable = false

  /// Whether the command line forbids that anything is written.
  var refusesWriting: Bool { isReadOnly || isImmutable }
}

/// The one database of a verb.
struct DatabaseArgument: ParsableArguments {
  @Argument(help: "The database.", completion: .file())
  var file: String

  @OptionGroup var access: AccessOptions

  /// Opens the database to be read.
  func openForReading() throws -> DatabaseQueue {
    try open(isReadOnly: true)
  }

  /// Opens the database, to be written too unless the command line forbids that.
  func open(isReadOnly: Bool) throws -> DatabaseQueue {
    let queue = try files(isReadOnly: isReadOnly).open()
    Interrupts.stop(queue)
    return queue
  }

  /// The path of what is read, which no output may be written over.
  var paths: [String] { [file] }

  /// The database, to be read on further connections.
  var files: DatabaseFiles { files(isReadOnly: true) }

  private func files(isReadOnly: Bool) -> DatabaseFiles {
    DatabaseFiles(
      paths: [file], isReadOnly: isReadOnly || access.isReadOnly, isImmutable: access.isImmutable,
      recovery: access.refusesWriting ? .refused : .reported)
  }
}
