internal import ArgumentParser
internal import Browser
internal import QuarryEngine
internal import QuarryFiles

struct NewVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create an empty database.",
    discussion: """
      The file has SQLite's header, so that other programs recognize it. On a terminal, Quarry opens it with a form for the first table. \
      Otherwise it prints the command that opens it. It never replaces a file.
      """)

  @Argument(help: "Path of the new database. host:path is on another machine.", completion: .file(), transform: FileArgument.path)
  var file: String

  func run() throws {
    if file == StandardInput.name { throw Failure.usage("a new database is a file: give its path") }
    if case .dqlite = try Address(file) {
      throw Failure.usage("a cluster creates a database when a program opens it: `quarry \(ShellWord.quoted(file)) --write`")
    }
    do {
      try EmptyDatabaseFile.create(at: file)
    } catch let error as OutputFileError where error.kind == .isThere {
      throw Failure.usage("“\(PathText.shown(file))” already exists: open it with `\(opening)`, or name another file")
    }
    let name = "“\(PathText.shown(file))”"
    try Failure.reporting(done: "\(name) was created: open it with `\(opening)`") {
      if opensScreen { return try Browse.parse([]).run(after: .other(.created(Storage.path(of: file)))) }
      try StandardOutput.write("created \(name), an empty database: open it with `\(opening)`\n")
    }
  }

  /// The command that opens the database.
  private var opening: String { "quarry \(Quarry.word(ofPath: file))" }
}

extension DatabaseOpenError {
  /// The advice for a missing file: similar names, and how to create it.
  var advice: String {
    guard kind == .noSuchFile else { return "" }
    return [NearbyFiles.question(about: self), creation].compactMap(\.self).map { " \($0)" }.joined()
  }

  /// The command that creates the missing file, or nil if it would not be a database, or if the folder is missing too.
  private var creation: String? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard path != StandardInput.name, !SourceFiles.isNamedAsData(path), !path.hasSuffix("/"), PathText.exists(PathText.bytes(folder))
    else { return nil }
    return "`quarry new \(Quarry.word(ofPath: path))` creates an empty database."
  }
}
