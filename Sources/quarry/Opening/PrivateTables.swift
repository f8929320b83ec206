internal import Browser
internal import QuarryFiles
internal import Synchronization

/// The private database of the files that became tables: a process has one at most, and it is gone when the program ends.
enum PrivateTables {
  private struct State {
    var paths: [String]
    var tables: FileTables
    var isWhole = false
  }

  private static let state = Mutex<State?>(nil)

  /// Returns the tables of some files, whose first rows are there.
  static func open(_ files: SourceFiles) throws -> FileTables {
    if let state = state.withLock(\.self), state.paths == files.dataPaths { return state.tables }
    let tables = try FileTables(
      files.dataPaths, reading: files.options?.reading ?? RecordReadingOptions(), types: files.options?.types?.types ?? [:])
    state.withLock { $0 = State(paths: files.dataPaths, tables: tables) }
    // What stops the reading again and again must not keep the folder when the program ends.
    Interrupts.end { [weak tables] in tables?.cancel() }
    let wait = InputWait()
    try tables.start { try wait.check() }
    return tables
  }

  /// Returns the tables of some files when all rows are there; a terminal is told how far that has come, and then what could not be read.
  static func openWhole(_ files: SourceFiles) throws -> FileTables {
    let tables = try open(files)
    guard state.withLock({ $0?.isWhole }) == false else { return tables }
    let line = ProgressLine()
    try tables.wait { progress in
      try Interrupts.check()
      line.show("reading \(progress.words) (^C stops that)")
    }
    line.end()
    state.withLock { $0?.isWhole = true }
    // How a file was read is for a person; what is missing has to be known in any case.
    let readings = StandardError.isTerminal ? tables.tables.map(\.summary) : []
    let remarks = tables.tables.flatMap { [$0.renaming, $0.rejection, $0.loss].compactMap(\.self) }
    for remark in readings + remarks { StandardError.write("quarry: \(remark)\n") }
    return tables
  }

  /// What is known of the tables that were made of files.
  static var files: [FileTable] { state.withLock(\.self)?.tables.tables ?? [] }

  /// Removes the private database.
  static func release() {
    state.withLock { $0 = nil }
  }
}
