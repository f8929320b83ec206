public import Foundation

/// Removes guards one after another, and looks whether that is found.
public struct GuardTrial {
  /// What became of a guard.
  public enum Verdict: String, Sendable {
    case found
    case notFound = "NOT FOUND"
    /// The tests or cases fail with all guards too.
    case unsound = "fails with the guard too"
  }

  /// The time in which the small form must find that a guard is missing.
  public static let limit = Duration.seconds(120)

  private let copy: GuardedCopy
  private let programs: URL
  private let work: URL

  /// - Parameters:
  ///   - programs: The folder of the built programs of the copy.
  ///   - work: A folder for the files of attacks.
  public init(_ copy: GuardedCopy, programs: URL, work: URL) {
    (self.copy, self.programs, self.work) = (copy, programs, work)
  }

  /// Returns the verdict on a guard, and how long the small form took without it.
  public func verdict(on item: Guard) throws -> (Verdict, Duration) {
    try copy.remove(nil)
    defer { try? copy.remove(nil) }
    if try finds(item) { return (.unsound, .zero) }
    try copy.remove(item)
    let start = ContinuousClock.now
    let isFound = try finds(item)
    let time = ContinuousClock.now - start
    return (isFound && time <= Self.limit ? .found : .notFound, time)
  }

  /// Plays the small form, and returns whether it finds something.
  private func finds(_ item: Guard) throws -> Bool {
    switch item.finder {
    case .attack(let name): try attackFinds(name)
    case .tests(let filter): try testsFail(filter)
    }
  }

  private func attackFinds(_ name: String) throws -> Bool {
    guard let attack = Attack.all.first(where: { $0.name == name }) else {
      throw GuardedCopy.StaleGuard(description: "there is no attack “\(name)”")
    }
    let folder = work.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = try World(program: programs.appending(path: "quarry").path, folder: folder)
    // The seed of the suite `HostileTests`.
    let tallies = TestBench(world, attacks: [attack], seed: 39).run(until: .now + Self.limit, cases: attack.fewCases, jobs: 1) { _ in }
    return tallies.values.contains { !$0.findings.isEmpty }
  }

  /// Runs the test suites whose names match, and returns whether one fails; a run that takes longer than the limit is ended.
  private func testsFail(_ filter: String) throws -> Bool {
    let tests = programs.appending(path: "quarryPackageTests.xctest").path
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    let log = work.appending(path: "tests.log").path
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    let program = try RunningProgram(
      [tests, "--testing-library", "swift-testing", "--filter", filter], environment: ProcessInfo.processInfo.environment,
      streams: [("/dev/null", O_RDONLY), (log, writing), (log + "-errors", writing)])
    let end = ContinuousClock.now + Self.limit
    while .now < end {
      if let ending = program.poll() { return ending != .exit(0) }
      usleep(20_000)
    }
    program.send(SIGKILL)
    return false
  }
}
