import ArgumentParser
import Foundation

/// Measures the engine against C on libsqlite3 and against GRDB, side by side in one run.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure the engine against C on libsqlite3, and against GRDB.")

  @Option(help: "How many rows the table has that is read, where no file is given, and how many are inserted.")
  var rows = 1_000_000

  @Option(help: "A database with the table to read; without it one is made in a temporary folder.", completion: .file())
  var file: String?

  @Option(help: "How often each contestant runs; its best time counts.")
  var rounds = 5

  @Option(name: .customLong("only"), help: "The beginning of the numbers of the comparisons to run, such as 13.")
  var prefix = ""

  func validate() throws {
    guard rows > 0, rounds > 0 else { throw ValidationError("--rows and --rounds are at least 1") }
  }

  func run() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let report = Report()
    report.begin()
    for comparison in try comparisons(folder) where comparison.number.hasPrefix(prefix) {
      report.add(try comparison.run(rounds: rounds))
    }
  }

  private func comparisons(_ folder: TemporaryFolder) throws -> [Comparison] {
    let path = try file ?? EventsFile.make(rows: rows, in: folder)
    return readingRows(of: path) + insertingRows(rows) + compilingFilters()
  }
}

/// A folder that goes when the program ends.
struct TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "quarry-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}
