internal import ArgumentParser
internal import Browser
internal import Essentials
internal import Libc
internal import QuarryEngine
internal import QuarryFiles
internal import Synchronization

struct BackupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy a database, even while it is in use, and check the copy.",
    discussion: """
      The copy contains one state of the database, even if other programs write meanwhile. If the file has a rollback journal, they \
      cannot write until the copy is made. Quarry checks the copy with PRAGMA quick_check before it moves it into place; \
      until then an existing file does not change.
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: ArgumentHelp("Path of the copy.", valueName: "to"), completion: .file())
  var path: String

  @Flag(name: .customLong("force"), help: "Replace an existing file.")
  var isReplacing = false

  func run() throws {
    Interrupts.watch()
    if path == StandardInput.name { throw Failure.usage("a backup is a file: give its path; `quarry dump` prints a database as SQL") }
    try OutputOptions.requireHere(path)
    let queue = try database.openForReading()
    if SSHSession.current != nil { return try printCopy(of: queue) }
    try copy(queue)
  }

  /// Writes a copy to the given path and reports it.
  func copy(_ queue: DatabaseQueue) throws {
    try report(try write(try backup(of: queue)))
  }

  /// Prints the size of a finished copy.
  func report(_ size: Int) throws {
    let done = "copied \(ByteSize.text(size)) to \(path)"
    try Failure.reporting(done: "the backup is complete: \(done)") { try StandardOutput.write(done + "\n") }
  }

  /// Writes a copy and reports the progress.
  private func write(_ backup: BackupFile) throws -> Int {
    let line = Mutex(ProgressLine())
    return try InsightOptions.writing(path) {
      defer { line.withLock { $0.end() } }
      return try await backup.write { progress in line.withLock { $0.show(progress.text) } }
    }
  }

  /// Prints the bytes of a copy.
  ///
  /// The program on the user's machine writes them to a file.
  private func printCopy(of queue: DatabaseQueue) throws {
    let folder = try PrivateFolder(in: ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp")
    defer { withExtendedLifetime(folder) {} }
    let copy = folder.path + "/copy.db"
    _ = try write(try BackupFile(path: copy, of: queue))
    do {
      let file = try OpenFile(copy, .reading)
      try withExtendedLifetime(file) { try Descriptor.read(file.descriptor) { try VerbOutput.standard.write($0) } }
    } catch let error as SystemError {
      throw Failure.refused("the copy cannot be read: \(error)")
    }
  }

  private func backup(of queue: DatabaseQueue) throws -> BackupFile {
    do {
      return try BackupFile(path: path, of: queue, isReplacing: isReplacing)
    } catch let error as OutputFileError where error.kind == .isThere {
      throw Failure.usage("\(error), or replace it with --force")
    }
  }
}

extension BackupFile.Progress {
  fileprivate var text: String {
    switch self {
    case .copying(let bytes, let total): "copying: \(ByteSize.text(bytes)) of \(ByteSize.text(total)) (^C stops that)"
    case .checking: "checking the copy (^C stops that)"
    }
  }
}
