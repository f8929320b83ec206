import Foundation
import TestSupport
import Testing

/// What the compiler says of queries; the compiler runs on the library that this test bundle was built with.
@Suite struct CompilationTests {
  @Test("Ill-typed queries are refused, with a message that names the types")
  func refused() throws {
    let snippets = [
      ("Reminder.where { $0.title }", "'String') and 'Bool' be equivalent"),
      ("Reminder.where { $0.title == 3 }", "'Int' to expected argument type 'Column<String>.QueryValue' (aka 'String')"),
      ("Reminder.where { $0.title == $0.priority }", "'String') and 'Column<Int?>.QueryValue' (aka 'Int') be equivalent"),
      ("Reminder.where { $0.priority.length() == 3 }", "'Int') and 'String' be equivalent"),
      ("Reminder.where { $0.title && $0.priority }", "'String') and 'Bool' be equivalent"),
      ("Reminder.where { !$0.title }", "'String') and 'Bool' be equivalent"),
      ("Reminder.where { $0.isCompleted < true }", "'Bool') conform to 'OrderedOperand'"),
      ("Reminder.select { $0.title.avg() }", "'String') conform to 'NumericOperand'"),
      ("Reminder.where { $0.priority == $0.weight }", "'Int') and 'Column<Double>.QueryValue' (aka 'Double') be equivalent"),
      ("Reminder.where { $0.titel == \"a\" }", "no dynamic member 'titel'"),
      ("Reminder.where { 1 == 2 }", "'Bool' conform to 'QueryExpression'"),
      ("Equality(Column<Int>(\"a\"), Column<String>(\"b\"))", "inaccessible"),
    ]
    let diagnostics = try Self.typecheck(snippets.map(\.0))
    for (line, snippet) in snippets.enumerated() {
      let errors = diagnostics.filter { $0.hasPrefix("\(line + 2):") && $0.contains("error:") }
      #expect(errors.contains { $0.contains(snippet.1) }, "\(snippet.0): \(errors)")
    }
  }

  @Test("Well-typed queries compile, optional or not on either side, and a predicate of twelve terms at once")
  func accepted() throws {
    let snippets = [
      // The first pays for reading the module in.
      "Reminder.where { $0.isCompleted }",
      "Reminder.where { $0.priority == 3 && 3 == $0.priority }",
      "Reminder.where { $0.priority == three && three == $0.priority && $0.id == three && three == $0.id }",
      "Reminder.where { $0.priority == nil || $0.priority != nil }",
      "Reminder.where { $0.id == $0.priority && $0.priority == $0.id && $0.title.length() == $0.priority }",
      """
      Reminder.where { ($0.id == 1 || $0.title == "a" || $0.priority == 3 || $0.isCompleted) && $0.weight < 2.5 && $0.weight > 1 \
      && ($0.id >= 4 || $0.title != "b") && !$0.isCompleted && $0.priority != nil && $0.id < 7 && $0.title.length() == $0.id }
      """,
    ]
    var diagnostics = try Self.typecheck(snippets)
    // A busy machine makes anything slow: what counts is what the compiler can do, so the best of a few tries is taken.
    for _ in 0..<5 where diagnostics.contains(where: { $0.contains("to type-check") }) { diagnostics = try Self.typecheck(snippets) }
    #expect(diagnostics == [])
  }

  /// Returns the diagnostics of snippets, the first of which is line 2: errors, and expressions that take more than 200 ms.
  private static func typecheck(_ snippets: [String]) throws -> [String] {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let modules = try #require(modulesFolder)
    return try withTemporaryFolder { folder in
      let file = folder.appending(path: "Snippets.swift")
      let lines = snippets.enumerated().map { "func f\($0.offset)(_ three: Int?) { _ = \($0.element) }" }
      try (["import QuarryEngine"] + lines).joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
      let fixture = root.appending(path: "Tests/QuarryEngineTests/Query/Reminder.swift")
      let output = try run([
        "swiftc", "-typecheck", "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-I", modules.path, "-Xcc",
        "-fmodule-map-file=" + root.appending(path: "Sources/CSQLite/module.modulemap").path, "-Xfrontend",
        "-warn-long-expression-type-checking=200", "-module-cache-path", folder.appending(path: "cache").path, fixture.path, file.path,
      ])
      let prefix = file.path + ":"
      return output.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
  }

  /// Where the build put the library's module, beside the test bundle.
  private static var modulesFolder: URL? {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let modules = folder.appending(path: "Modules")
      if FileManager.default.fileExists(atPath: modules.appending(path: "QuarryEngine.swiftmodule").path) { return modules }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static func run(_ command: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
