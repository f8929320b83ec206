import Foundation
import TestSupport
import Testing

/// The order of targets and of the folders in them, read from imports and from the names of types.
///
/// The compiler refuses cycles of targets. Nothing but this refuses cycles of folders: extensions and functions are not seen here.
@Suite(.gated) struct OrderTests {
  /// The targets, each after those that it may import.
  private static let targets = [
    "Libc", "Essentials", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster", "Terminal",
    "CursesTerminal", "Browser", "quarry",
  ]

  /// What a target may not import, although it comes later.
  private static let strangers: [String: Set<String>] = [
    "Terminal": ["Libc", "Essentials", "QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster"],
    "CursesTerminal": ["QuarryEngine", "QuarryRows", "QuarryChanges", "QuarryFiles", "QuarrySources", "QuarryCluster"],
    "Browser": ["QuarryCluster", "CursesTerminal"],
  ]

  /// What is tested by the test targets that are not called after it.
  private static let tested = ["TerminalTests": "CursesTerminal", "ProgramTests": "quarry"]

  /// The folders of each target, each after those whose types it may use.
  private static let folders = [
    "QuarryEngine": ["Threads", "RegularExpressions", "Syntax", "SQLite", "Schema", "Query", "Definition"],
    "QuarryRows": ["Filter", "Rows", "Insight", "Script", "Parameters", "Health", "Map", "Advice"],
    "QuarryChanges": ["Changes", "Diff"],
    "QuarryFiles": ["Export", "Import"],
    "QuarryCluster": ["Remote", "Dqlite"],
  ]

  @Test func `a target imports only targets before it`() throws {
    for (index, target) in Self.targets.enumerated() {
      let allowed = Set(Self.targets[..<index]).subtracting(Self.strangers[target] ?? [])
      for file in try SourceFile.all(in: target) {
        let imports = Set(file.text.matches(of: #/(?m)^\s*(?:@\w+ )?(?:\w+ )?import (\w+)/#).map { String($0.1) })
        #expect(imports.intersection(Self.targets).subtracting(allowed) == [], "\(target)/\(file.path)")
      }
    }
  }

  @Test func `a test target depends on no target after the one that it tests`() throws {
    let manifest = try String(contentsOf: SourceFile.package.appending(path: "Package.swift"), encoding: .utf8)
    let testTargets = manifest.matches(of: #/\.testTarget\(\s*name: "(\w+)",\s*dependencies: \[([^\]]*)\]/#)
    let folders = try FileManager.default.contentsOfDirectory(atPath: SourceFile.package.appending(path: "Tests").path)
    #expect(testTargets.map { String($0.1) }.sorted() == folders.filter { $0.hasSuffix("Tests") }.sorted())
    for target in testTargets {
      let name = Self.tested[String(target.1)] ?? String(target.1.dropLast("Tests".count))
      let index = try #require(Self.targets.firstIndex(of: name), "\(target.1)")
      let dependencies = target.2.matches(of: #/"(\w+)"/#).map { String($0.1) }
      #expect(dependencies.filter(Self.targets[(index + 1)...].contains) == [], "\(target.1)")
    }
  }

  @Test(arguments: folders.keys.sorted())
  func `a folder uses only types of folders before it`(_ target: String) throws {
    let order = try #require(Self.folders[target])
    let files = try SourceFile.all(in: target).map { $0.withoutComments }
    let found = Set(files.compactMap(\.folder))
    #expect(found.sorted() == order.sorted(), "The folders have another order in this test, in the Architecture article and in the tree")
    let owners = Self.owners(of: files)
    for file in files {
      guard let folder = file.folder, let place = order.firstIndex(of: folder) else { continue }
      let own = file.names(#/\b(?:struct|class|enum|protocol|actor|typealias|associatedtype|case) (\w+)|[<,] ?(\w+)(?=[:,>])/#)
      let used = file.names(#/(?m)(?:^|[^.\w])([A-Z]\w+)/#).subtracting(own)
      let later = used.filter { name in owners[name].flatMap(order.firstIndex).map { $0 > place } ?? false }
      #expect(later.sorted() == [], "\(target)/\(file.path)")
    }
  }

  /// The screens that ask for something and return the answer: any screen may show them.
  private static let dialogs: Set = ["Picker", "PromptScreen", "ParameterForm", "CellEditor"]

  @Test func `a screen names the intents of other screens, and not these`() throws {
    let files = try SourceFile.all(in: "Browser").map(\.withoutComments)
    let list = try #require(files.first { $0.path == "Screens/ScreenList.swift" })
    // The pane of rows has a second name for its context.
    let screens = list.names(#/(\w+)\.self/#).union(["RowsContext"])
    let parts = files.filter { $0.path.hasPrefix("Screens/") }.map {
      SourceFile(path: String($0.path.dropFirst("Screens/".count)), text: $0.text)
    }
    let homes = Self.owners(of: parts)
    #expect(screens.filter { homes[$0] == nil } == [], "Every screen has a folder")
    for file in parts where file.folder != nil {
      let others = file.names(#/\b([A-Z]\w+)/#).intersection(screens).filter { homes[$0] != file.folder }
      #expect(others.subtracting(Self.dialogs).sorted() == [], "\(file.path)")
    }
  }

  /// Returns the folder that each type of a target is declared in, where that is one.
  private static func owners(of files: [SourceFile]) -> [String: String] {
    let declaration =
      #/(?m)^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|open|package) )?(?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
    var owners: [String: Set<String>] = [:]
    for file in files {
      guard let folder = file.folder else { continue }
      for match in file.text.matches(of: declaration) { owners[String(match.1), default: []].insert(folder) }
    }
    return owners.compactMapValues { $0.count == 1 ? $0.first : nil }
  }
}

/// A Swift file of a target.
private struct SourceFile {
  /// The path in the target.
  var path: String
  var text: String

  static let package = URL(filePath: #filePath).appending(path: "../../..").standardized

  static func all(in target: String) throws -> [SourceFile] {
    let top = package.appending(path: "Sources").appending(path: target)
    return try FileManager.default.subpathsOfDirectory(atPath: top.path).filter { $0.hasSuffix(".swift") }.sorted().map { path in
      SourceFile(path: path, text: try String(contentsOf: top.appending(path: path), encoding: .utf8))
    }
  }

  /// The folder at the top of the target; nil for a file that lies in none.
  var folder: String? { path.contains("/") ? path.split(separator: "/").first.map(String.init) : nil }

  /// The file without comments and without what stands in quotes.
  var withoutComments: SourceFile {
    let quotes = #/(?s)""".*?"""|"(?:\\.|[^"\\\n])*"/#
    return SourceFile(path: path, text: text.replacing(#/\/\/[^\n]*/#, with: "").replacing(quotes, with: "\"\""))
  }

  func names(_ pattern: Regex<(Substring, Substring)>) -> Set<String> {
    Set(text.matches(of: pattern).map { String($0.output.1) })
  }

  func names(_ pattern: Regex<(Substring, Substring?, Substring?)>) -> Set<String> {
    Set(text.matches(of: pattern).compactMap { $0.output.1 ?? $0.output.2 }.map(String.init))
  }
}
