internal import Browser
internal import QuarryFiles
internal import Synchronization

/// The private database with the tables loaded from files.
///
/// A process has at most one, which is deleted when the program ends.
enum PrivateTables {
  private struct State {
    var paths: [String]
    var tables: FileTables
    var isWhole = false
  }

  private static let state = Mutex<State?>(nil)

  /// Returns the tables of some files once their first rows have been read.
  static func open(_ files: SourceFiles) throws -> FileTables {
    if let state = state.withLock(\.self), state.paths == files.dataPaths { return state.tables }
    let tables = try FileTables(
      files.dataPaths, reading: files.options?.reading ?? RecordReadingOptions(), types: files.options?.types?.types ?? [:])
    state.withLock { $0 = State(paths: files.dataPaths, tables: tables) }
    // The repeated cancellation must not keep the folder when the program ends.
    Interrupts.end { [weak tables] in tables?.cancel() }
    let wait = InputWait()
    try tables.start { try wait.check() }
    return tables
  }

  /// Returns the tables of some files once all rows have been read.
  ///
  /// On a terminal, reports the progress, and then the parts that could not be read.
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
    // Only a user needs to know how a file was read. Missing parts are always reported.
    let readings = StandardError.isTerminal ? tables.tables.map(\.summary) : []
    let remarks = tables.tables.flatMap { [$0.renaming, $0.rejection, $0.loss].compactMap(\.self) }
    for remark in readings + remarks { StandardError.write("quarry: \(remark)\n") }
    return tables
  }

  /// The descriptions of the tables loaded from files.
  static var files: [FileTable] { state.withLock(\.self)?.tables.tables ?? [] }

  /// Removes the private database.
  static func release() {
    state.withLock { $0 = nil }
  }
}
