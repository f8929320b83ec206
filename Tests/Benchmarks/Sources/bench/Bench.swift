import ArgumentParser
import Foundation
import QuarryEngine

/// Measures the program and its engine against C on libsqlite3 and against others, side by side in one run.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure the program and its engine against C on libsqlite3, and against GRDB.")

  @Option(help: "How many rows the table has that is read, where no file is given, and how many are inserted.")
  var rows = 1_000_000

  @Option(help: "A database with the table to read; without it one is made in a temporary folder.", completion: .file())
  var file: String?

  @Option(help: "The program to play; without it its release is built.", completion: .file())
  var program: String?

  @Flag(help: "Let the shells of sqlite3 and dqlite take part, and sqldiff.")
  var shell = false

  @Option(help: "How often each contestant runs; its best counts.")
  var rounds = 5

  @Option(name: .customLong("keys"), help: "How many keys are timed while the program works.")
  var keyCount = 500

  @Option(
    name: .customLong("only"), parsing: .upToNextOption, help: "The numbers of the comparisons to run, such as 12 13a; 13 means all of 13.")
  var numbers: [String] = []

  func validate() throws {
    guard rows > 0, rounds > 0, keyCount > 0 else { throw ValidationError("--rows, --rounds and --keys are at least 1") }
  }

  func run() throws {
    Database.turnOffMemoryStatistics()
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cluster = BenchmarkCluster(in: folder)
    defer { cluster.end() }
    let comparisons = try comparisons(folder, cluster)
    let report = Report()
    report.begin()
    for comparison in comparisons where isAsked(comparison.number) {
      report.add(try comparison.run(rounds: rounds))
    }
  }

  private func isAsked(_ number: String) -> Bool {
    numbers.isEmpty || numbers.contains { number == $0 || number.dropLast() == $0 && number.last?.isLetter == true }
  }

  private func comparisons(_ folder: TemporaryFolder, _ cluster: BenchmarkCluster) throws -> [Comparison] {
    let file = try file.map(EventsFile.init) ?? EventsFile(rows: rows, in: folder)
    let engine =
      readingRows(of: file.path) + insertingRows(rows) + compilingFilters()
      + editingRows(of: file, in: folder) + stagingCells() + searchingEverywhere(in: file)
    let program = try Program(path: program, home: folder.url)
    let screen = FullScreenRows(program: program, file: file, isShellAsked: shell, keyCount: keyCount)
    let tenth = try isAsked("16") ? EventsFile(rows: max(1, file.rows / 10), in: folder) : file
    return screen.comparisons() + engine + countingValues(of: file, by: program) + profiling(file) + facets(of: file) + grouping(of: file)
      + followingKeys(from: file, in: folder)
      + exportingRows(of: file, by: program, isShellAsked: shell) + dumping(file, by: program, in: folder, isShellAsked: shell)
      + checking(file, by: program, isShellAsked: shell) + advisingIndexes(of: file, in: folder)
      + comparingFiles(of: file, by: program, in: folder, isShellAsked: shell)
      + comparingEmptyTables(by: program, in: folder, isShellAsked: shell)
      + readingFiles(of: file, in: folder, by: program, isShellAsked: shell)
      + readingClusters(cluster, rows: rows, by: program, isShellAsked: shell)
      + screen.growth(from: FullScreenRows(program: program, file: tenth, isShellAsked: false, keyCount: keyCount))
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
