import Foundation
import TestSupport
import Testing

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
