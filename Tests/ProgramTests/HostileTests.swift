import Foundation
import HostileWorld
import TestSupport
import Testing

/// The small form of the package `Tests/Hostile`, which attacks the program for as long as it is told to.
@Suite(.gated, .enabled(if: Fixtures.shell != nil && FaultShim.compiler != nil, "sqlite3 tells what is right, clang compiles what fails"))
struct HostileTests {
  /// Those whose cases can be repeated exactly: what random signals meet depends on the load of the machine.
  private static let attacks = Attack.all.filter { $0.name != "sessions" }

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
