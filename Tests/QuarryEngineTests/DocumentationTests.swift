import Foundation
import TestSupport
import Testing

/// The articles of the libraries, compared with the code.
@Suite(.gated) struct DocumentationTests {
  private static let sources = BuiltModules.root.appending(path: "Sources")
  private static let libraries = ["QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster"]

  @Test("Each library has a first page", arguments: libraries)
  func firstPage(of library: String) throws {
    #expect(try articles(of: library)[library]?.hasPrefix("# ``\(library)``\n") == true)
  }

  @Test("Every public type stands under a topic of its library, and every type that stands there is one", arguments: libraries)
  func topics(of library: String) throws {
    let entry = #/^- ``(\w+)``$/#.anchorsMatchLineEndings()
    let topics = try articles(of: library).values.compactMap { text in text.range(of: "## Topics").map { String(text[$0.upperBound...]) } }
    let types = try types(of: library)
    #expect(!types.isEmpty)
    #expect(types.subtracting(names(entry, in: topics)).sorted() == [])
    #expect(names(entry, in: topics).subtracting(types).sorted() == [])
  }

  @Test("Links lead to articles and public types of the same library", arguments: libraries)
  func links(of library: String) throws {
    let articles = try articles(of: library)
    let texts = Array(articles.values)
    let symbols = names(#/(?m)(?:^|[^`])``(\w+)[^`\n]*``/#, in: texts)
    #expect(symbols.subtracting(try types(of: library)).subtracting([library]).sorted() == [])
    #expect(names(#/<doc:(\w+)>/#, in: texts).subtracting(articles.keys).sorted() == [])
  }

  @Test("The Swift in articles compiles", arguments: libraries)
  func snippets(of library: String) throws {
    let articles = try articles(of: library).sorted { $0.key < $1.key }.map { Self.code(ofArticle: $0.key, $0.value) }
    try withTemporaryFolder { folder in
      let source = folder.appending(path: "articles.swift")
      // What others than the first library show, they show as a session of the program uses it.
      let imports = ["Foundation"] + (library == Self.libraries[0] ? [library] : Self.libraries)
      let code = imports.map { "import \($0)\n" } + articles
      try code.joined().write(to: source, atomically: true, encoding: .utf8)
      let cache = folder.appending(path: "cache").path
      let (ending, output) = try BuiltModules().compile([
        "-typecheck", "-suppress-warnings", source.path, "-module-cache-path", cache,
      ])
      #expect(ending == .exit(0), "\(output)")
    }
  }

  /// What articles use without declaring it.
  private static let parameters = [
    "PreparedStatements":
      "source: DatabaseQueue, insert: Statement, select: Statement, name: String, team: Int, teams: [String]",
    "Connections": "source: DatabaseQueue",
    "KnowingData": "source: SQLiteDataSource, events: RowSet",
    "ChangingData": "source: SQLiteDataSource, changes: inout StagedChanges, id: RecordedCommit.ID",
  ]

  /// Returns the code of an article as a type: the declarations as they are, the statements of each block in a method.
  private static func code(ofArticle name: String, _ text: String) -> String {
    var declarations = name == "PreparedStatements" ? "struct Player: Codable, FetchableRecord { var name: String }\n" : ""
    var methods = ""
    for (number, block) in text.matches(of: #/(?ms)^```swift\n(.*?)^```$/#).map({ String($0.output.1) }).enumerated() {
      // A block with imports is a file of its own.
      if block.contains("\nimport ") || block.hasPrefix("import ") { continue }
      declarations += block.matches(of: Self.declaration).map { String($0.output) }.joined()
      let statements = block.replacing(Self.declaration, with: "")
      let further = parameters[name].map { ", " + $0 } ?? ""
      let effects = statements.contains("await ") ? "async throws" : "throws"
      methods += "func block\(number)(db: Database, queue: DatabaseQueue\(further)) \(effects) {\n\(statements)}\n"
    }
    return "struct \(name)Article {\n\(declarations)\(methods)}\n"
  }

  /// A declaration at the beginning of a line, on one line or to the brace that stands at the beginning of another.
  private static var declaration: Regex<Substring> { #/(?m)^(?:struct|enum|func) (?:[^\n]*\}\n|(?:[^\n]*\n)+?\}\n)/# }

  private func types(of library: String) throws -> Set<String> {
    let declaration = #/^(?:@\w+ )*(?:public|open) (?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
      .anchorsMatchLineEndings()
    return names(declaration, in: try files(of: library, "swift").map(\.text))
  }

  private func articles(of library: String) throws -> [String: String] {
    let files = try files(of: library, "md").map { (URL(filePath: $0.path).deletingPathExtension().lastPathComponent, $0.text) }
    return Dictionary(uniqueKeysWithValues: files)
  }

  private func names(_ pattern: Regex<(Substring, Substring)>, in texts: [String]) -> Set<String> {
    Set(texts.flatMap { $0.matches(of: pattern).map { String($0.output.1) } })
  }

  private func files(of library: String, _ suffix: String) throws -> [(path: String, text: String)] {
    let folder = Self.sources.appending(path: library)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("." + suffix) }
      .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }
}
