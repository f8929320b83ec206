import Foundation
import HostileWorld
import TestSupport
import Testing

/// The small form of the package `Tests/Hostile`, which attacks the program for as long as it is told to.
@Suite(.gated, .enabled(if: Fixtures.shell != nil && FaultShim.compiler != nil, "sqlite3 tells what is right, clang compiles what fails"))
struct HostileTests {
  /// Those whose cases can be repeated exactly: what random signals meet depends on the load of the machine.
  private static let attacks = Attack.all.filter { !["sessions", "signals"].contains($0.name) }

  @Test(arguments: attacks)
  func `an attack finds nothing`(_ attack: Attack) throws {
    let folder = try TemporaryFolder()
    let world = try World(program: BuiltProgram.url.path, folder: folder.url)
    let bench = TestBench(world, attacks: [attack], seed: 39)
    let tallies = bench.run(until: nil, cases: testRounds(attack.fewCases), jobs: 1) { finding in
      Issue.record("\(finding.title), case \(finding.seed)\n\(finding.details)")
    }
    #expect(tallies.values.allSatisfy { $0.cases > 0 })
  }
}

/// The list of guards that `hostile guards` removes.
@Suite(.gated) struct GuardTests {
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources")

  @Test func `at least twenty guards have names of their own`() {
    #expect(Guard.all.count >= 20)
    #expect(Set(Guard.all.map(\.name)).count == Guard.all.count)
  }

  @Test(arguments: Guard.all) func `a guard stands once in its file`(_ item: Guard) throws {
    let text = try String(contentsOf: Self.sources.appendingPathComponent(item.file), encoding: .utf8)
    #expect(text.ranges(of: item.line).count == 1, "\(item.line)")
    #expect(item.line.ranges(of: item.text).count == 1)
    #expect(item.text != item.replacement)
  }

  @Test func `a copy without guards has all files of the sources, also behind links`() throws {
    let folder = try TemporaryFolder()
    try GuardedCopy(of: Self.sources.deletingLastPathComponent(), in: folder.url.appendingPathComponent("copy")).write(Guard.all)
    let copied = folder.url.appendingPathComponent("copy/Sources").path
    for path in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path) {
      #expect(FileManager.default.fileExists(atPath: "\(copied)/\(path)"), "\(path)")
    }
  }

  @Test func `each guard has an attack or test suites that look for it`() throws {
    let tests = Self.sources.deletingLastPathComponent().appendingPathComponent("Tests")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix("Tests.swift") }
    let text = try paths.map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }.joined()
    for item in Guard.all {
      switch item.finder {
      case .attack(let name): #expect(Attack.all.contains { $0.name == name }, "\(item)")
      case .tests(let filter):
        for suite in filter.split(separator: "|") { #expect(text.contains("struct \(suite)"), "\(item): \(suite)") }
      }
    }
  }
}
