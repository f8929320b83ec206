internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles

/// A command that reads database files.
///
/// If they are on another host, it runs there.
protocol FileCommand: ParsableCommand {
  /// The files as written.
  var files: [String] { get }
  /// Whether the command shows the full screen.
  var opensScreen: Bool { get }
  /// Whether the command reads each file with a connection of its own, so that they may be on different machines.
  var readsFilesApart: Bool { get }
  /// Whether the command only prints, so that it may be ended once its reader is gone.
  var onlyPrints: Bool { get }
  /// The output option of the command, or nil if it has none.
  var localOutput: OutputOptions? { get }
  /// Adds other local files on the command line to a request.
  ///
  /// - Throws: `Failure` if a file cannot be read.
  func complete(_ request: inout SSHRequest) throws
  /// Returns the paths of files read through standard input, one after another.
  ///
  /// Nil means standard input itself.
  func localSources() throws -> [String?]
  /// Returns the reason why the command cannot run on another host, or nil if it can.
  func refusalElsewhere(host: String) -> String?
}

extension FileCommand {
  var opensScreen: Bool { false }
  var readsFilesApart: Bool { false }
  var onlyPrints: Bool { false }
  var localOutput: OutputOptions? { nil }
  func complete(_ request: inout SSHRequest) throws {}
  func localSources() throws -> [String?] { [] }
  func refusalElsewhere(host: String) -> String? { nil }
}

/// A command whose files are its databases.
protocol DatabaseCommand: FileCommand {
  var database: DatabaseArgument { get }
}

extension DatabaseCommand {
  var files: [String] { database.paths }
}

/// A command that only prints rows.
protocol PrintingCommand: FileCommand {
  var format: FormatOptions { get }
}

extension PrintingCommand {
  var onlyPrints: Bool { true }
  var localOutput: OutputOptions? { format.output }
}

extension OutputOptions {
  /// Begins writing the named file, or returns nil for standard output.
  func file(databases: [String]) throws -> OutputFile? {
    guard let path, isFile else { return nil }
    try Self.requireHere(path)
    return try OutputFile(path: path, databases: databases)
  }
}

extension SSHRequest {
  /// Adds the files whose bytes are values.
  mutating func add(_ parameters: ParameterOptions) throws {
    for path in parameters.paths {
      guard let bytes = TextFile(path: path)?.bytes else { throw Failure.usage("-p: there is no file \(path), or it cannot be read") }
      files[path] = Data(bytes)
    }
  }
}

extension Browse: FileCommand {
  var opensScreen: Bool { true }

  func refusalElsewhere(host: String) -> String? {
    log == nil ? nil : "--log writes a file where the program runs, on \(host): omit --log, or start quarry there"
  }
}

extension NewVerb: FileCommand {
  var files: [String] { [file] }
  var opensScreen: Bool { FullScreen.isAvailable }
}

extension TablesVerb: DatabaseCommand, PrintingCommand {}

extension SchemaVerb: DatabaseCommand {
  var onlyPrints: Bool { true }
}

extension RowsVerb: DatabaseCommand, PrintingCommand {
  func complete(_ request: inout SSHRequest) throws { try request.add(view.parameters) }
}

extension SearchVerb: DatabaseCommand, PrintingCommand {}

extension QueryVerb: DatabaseCommand {
  /// Statements that write must run even if the reader of the output is gone.
  var onlyPrints: Bool { sql.map { Script($0).statements.allSatisfy { StatementKind(of: $0).isRead } } ?? false }
  var localOutput: OutputOptions? { format.output }

  func complete(_ request: inout SSHRequest) throws {
    try request.add(parameters)
    if let savedName { request.savedStatement = try SavedScript.text(named: savedName) }
    guard let scriptFile, scriptFile != StandardInput.name else { return }
    guard let file = TextFile(path: scriptFile) else { throw Failure.usage("“\(scriptFile)” cannot be read") }
    request.files[scriptFile] = Data(file.bytes)
  }

  func localSources() -> [String?] { readsInput ? [nil] : [] }
}

extension CountsVerb: PrintingCommand {
  var files: [String] { subject.files }
  func complete(_ request: inout SSHRequest) throws { try request.add(subject.parameters) }
}

extension GroupVerb: PrintingCommand {
  var files: [String] { subject.files }
  func complete(_ request: inout SSHRequest) throws { try request.add(subject.parameters) }
}

extension ProfileVerb: PrintingCommand {
  var files: [String] { subject.files }
  func complete(_ request: inout SSHRequest) throws { try request.add(subject.parameters) }
}

extension CheckVerb: DatabaseCommand, PrintingCommand {}

extension ChartVerb: DatabaseCommand {
  var onlyPrints: Bool { true }
  var localOutput: OutputOptions? { output }
  func complete(_ request: inout SSHRequest) throws { try request.add(parameters) }
  func localSources() -> [String?] { sql == StandardInput.name ? [nil] : [] }
}

extension ChangesVerb: DatabaseCommand, PrintingCommand {}
extension UndoVerb: DatabaseCommand {}

extension DiffVerb: PrintingCommand {
  var files: [String] { [from, to] }
  var readsFilesApart: Bool { true }
}

extension TextconvVerb: DatabaseCommand {
  var onlyPrints: Bool { true }
  var localOutput: OutputOptions? { output }
}

extension MergeVerb: FileCommand {
  var files: [String] { [base, mine, theirs] }

  func refusalElsewhere(host: String) -> String? {
    "merge writes a file beside the ones that it reads: copy the files from \(host) with `quarry backup` first"
  }
}

extension ImportVerb: FileCommand {
  var files: [String] { [file] }
  var localOutput: OutputOptions? { format.output }

  func localSources() throws -> [String?] { sources.isEmpty ? [nil] : sources }

  func refusalElsewhere(host: String) -> String? {
    rejects == nil
      ? nil
      : """
      --rejects writes a file where the program runs, on \(host): omit --rejects to get the first row that fails; \
      or copy the file there and import it there
      """
  }
}

extension DumpVerb: DatabaseCommand {
  var onlyPrints: Bool { true }
  var localOutput: OutputOptions? { output }
}

extension BackupVerb: DatabaseCommand {
  func complete(_ request: inout SSHRequest) { request.streams.isOutputTerminal = false }

  func refusalElsewhere(host: String) -> String? {
    Address.isElsewhere(path) ? "the copy is written on this machine: name a path here" : nil
  }
}

extension FilterCheckVerb: DatabaseCommand {
  var onlyPrints: Bool { true }
}
