import Foundation
import TestSupport
import Testing

/// What a reader of the documentation does: copies the program on the first page into a package that depends on this one.
@Suite("A package that depends on the engine", .gated)
struct DependentPackageTests {
  /// The complete program on the first page of the documentation.
  private static func program() throws -> String {
    let page = BuiltModules.root.appending(path: "Sources/QuarryEngine/QuarryEngine.docc/QuarryEngine.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    return String(try #require(text.firstMatch(of: #/(?ms)^```swift\n(import QuarryEngine\n.*?)^```$/#)).output.1)
  }

  @Test("compiles with the module alone, links, and runs")
  func run() throws {
    try withTemporaryFolder { folder in
      let source = folder.appending(path: "main.swift")
      try Self.program().write(to: source, atomically: true, encoding: .utf8)
      let program = folder.appending(path: "ladder").path
      let modules = try BuiltModules()
      let linked = try modules.link([source.path], to: program, in: folder)
      try #require(linked.ending == .exit(0), "\(linked.output)")
      let (ending, output) = try modules.run(["-C", folder.path, program])
      #expect(ending == .exit(0))
      #expect(output == "Arthur 41\nThere is an Arthur already.\n")
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
