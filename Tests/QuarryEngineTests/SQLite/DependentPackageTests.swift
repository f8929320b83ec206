import Foundation
import TestSupport
import Testing

/// What somebody else would write who knows the documentation only: a package that depends on this one by its path.
@Suite("A package that depends on the engine", .gated)
struct DependentPackageTests {
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

  @Test("compiles with the module alone, links, and runs")
  func run() throws {
    try withTemporaryFolder { folder in
      let source = folder.appending(path: "main.swift")
      try Self.program.write(to: source, atomically: true, encoding: .utf8)
      let program = folder.appending(path: "ladder").path
      let modules = try BuiltModules()
      let objects = folder.appending(path: "objects")
      try modules.objects().joined(separator: "\n").write(to: objects, atomically: true, encoding: .utf8)
      let linked = try modules.compile([
        source.path, "-o", program, "@" + objects.path, "-lstdc++", "-module-cache-path", folder.appending(path: "cache").path,
      ])
      try #require(linked.ending == .exit(0), "\(linked.output)")
      let (ending, output) = try modules.run([program])
      #expect(ending == .exit(0))
      #expect(output == "there is one already\nArthur 41 beginner\nO'Brien - expert\n")
    }
  }

  /// What the manifest says of itself.
  private struct Manifest: Decodable {
    struct Product: Decodable {
      var name: String
      var targets: [String]
      var type: [String: [String]?]
    }

    var name: String
    var products: [Product]
  }

  @Test("finds the library in the manifest by its name")
  func product() throws {
    // No scratch folder of a build: somebody may be building.
    try withTemporaryFolder { folder in
      let manifest = BuiltModules.root.appending(path: "Package.swift")
      try FileManager.default.copyItem(at: manifest, to: folder.appending(path: "Package.swift"))
      let (ending, output) = try BuiltModules().run(["swift", "package", "--package-path", folder.path, "dump-package"])
      try #require(ending == .exit(0), "\(output)")
      let start = try #require(output.firstIndex(of: "{"))
      let described = try JSONDecoder().decode(Manifest.self, from: Data(output[start...].utf8))
      let library = try #require(described.products.first { $0.name == "QuarryEngine" })
      #expect(described.name == "quarry" && library.targets == ["QuarryEngine"] && library.type.keys.sorted() == ["library"])
    }
  }
}

/// The lists of types in the documentation, held against the code.
@Suite(.gated) struct DocumentationTests {
  private static let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
  private static let libraries = ["QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster"]

  @Test("Every public type stands under a topic, and every type that stands there is one")
  func topics() throws {
    let declaration = #/^(?:@\w+ )*(?:public|open) (?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
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
    try Self.libraries.map { Self.sources.appending(path: $0) }.flatMap { library in
      try FileManager.default.subpathsOfDirectory(atPath: library.path).filter { $0.hasSuffix("." + suffix) }
        .map { try String(contentsOf: library.appending(path: $0), encoding: .utf8) }
    }
  }
}
