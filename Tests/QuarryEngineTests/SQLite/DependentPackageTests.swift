import Foundation
import TestSupport
import Testing

/// What somebody else would write who knows the documentation only: a package that depends on this one by its path.
@Suite("A package that depends on the engine")
struct DependentPackageTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "Ladder",
      platforms: [.macOS(.v15)],
      dependencies: [.package(name: "quarry", path: "\(root.path)")],
      targets: [.executableTarget(name: "ladder", dependencies: [.product(name: "QuarryEngine", package: "quarry")])])
    """

  private static let program = #"""
    import QuarryEngine

    struct Player: FetchableRecord {
      enum Grade: String, DatabaseValueConvertible { case beginner, expert }

      let name: String
      let score: Int?
      let grade: Grade

      init(row: Row) throws {
        name = try row["name"]
        score = try row["score"]
        grade = try row["grade"]
      }
    }

    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE player (name TEXT UNIQUE, score INTEGER, grade TEXT)")
      let insert = try db.makeStatement(sql: "INSERT INTO player VALUES (:name, :score, :grade)")
      try insert.execute([
        ["name": "Arthur", "score": 41, "grade": Player.Grade.beginner],
        ["name": "O'Brien", "score": nil, "grade": Player.Grade.expert],
      ])
    }
    do {
      try queue.write { try $0.execute(sql: "INSERT INTO player (name) VALUES (?)", arguments: ["Arthur"]) }
    } catch DatabaseError.SQLITE_CONSTRAINT {
      print("there is one already")
    }
    let players = try await queue.read { db in
      try Player.fetchAll(db, sql: "SELECT * FROM player ORDER BY name")
        .map { "\($0.name) \($0.score.map(String.init) ?? "-") \($0.grade)" }
    }
    print(players.joined(separator: "\n"))
    """#

  @Test("builds and runs")
  func run() throws {
    try withTemporaryFolder { folder in
      let sources = folder.appendingPathComponent("Sources/ladder")
      try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
      try Self.manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
      try Self.program.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
      // Kept from one run to the next, so that only the first one compiles the engine.
      let scratch = Self.root.appendingPathComponent(".build/dependent-package").path
      let (ending, output) = try swift("run", "--package-path", folder.path, "--scratch-path", scratch, "--quiet", "ladder")
      #expect(ending == .exit(0))
      #expect(output.hasSuffix("there is one already\nArthur 41 beginner\nO'Brien - expert\n"), "\(output)")
    }
  }

  private func swift(_ arguments: String...) throws -> (ChildProcess.Ending, String) {
    let process = try ChildProcess(["/usr/bin/env", "swift"] + arguments, output: .pipe, errors: .output, limit: 1200)
    let output = try process.output?.readToEnd() ?? Data()
    return (process.wait(), String(decoding: output, as: UTF8.self))
  }
}

/// The lists of types in the documentation, held against the code.
@Suite struct DocumentationTests {
  private static let sources = URL(filePath: #filePath).appending(path: "../../../../Sources/QuarryEngine").standardized

  @Test("Every public type stands under a topic, and every type that stands there is one")
  func topics() throws {
    let declaration = #/^(?:@\w+ )*public (?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
      .anchorsMatchLineEndings()
    let types = try names(declaration, in: texts(of: "swift"))
    let entry = #/^- ``(\w+)``$/#.anchorsMatchLineEndings()
    let topics = try texts(of: "md").compactMap { text in text.range(of: "## Topics").map { String(text[$0.upperBound...]) } }
    #expect(types.count > 100)
    #expect(types.subtracting(names(entry, in: topics)).sorted() == [])
    #expect(names(entry, in: topics).subtracting(types).sorted() == [])
  }

  private func names(_ pattern: Regex<(Substring, Substring)>, in texts: [String]) -> Set<String> {
    Set(texts.flatMap { $0.matches(of: pattern).map { String($0.output.1) } })
  }

  private func texts(of suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path).filter { $0.hasSuffix("." + suffix) }
      .map { try String(contentsOf: Self.sources.appending(path: $0), encoding: .utf8) }
  }
}
