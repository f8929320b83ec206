import Foundation
import HostileWorld

/// Attacks the built program, and reports what was tried and what failed.
@main
enum Hostile {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      exit(try options.removesGuards ? GuardReport(options).run() ? 0 : 1 : run(options) ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("hostile: \(error)\n".utf8))
      exit(2)
    }
  }

  /// Returns whether nothing was found.
  private static func run(_ options: Options) throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: "quarry-hostile-\(ProcessInfo.processInfo.processIdentifier)")
    let world = try World(program: try options.program ?? Self.builtProgram(), folder: folder)
    let attacks = Attack.all.filter { options.only.isEmpty || options.only.contains($0.name) }
    guard !attacks.isEmpty else {
      throw Options.Mistake(description: "the attacks are: \(Attack.all.map(\.name).joined(separator: ", "))")
    }
    if let seed = options.caseSeed { return repeatCase(seed, of: attacks, in: world) }
    print("seed \(options.seed), \(options.minutes) minutes, \(world.program)")
    let bench = TestBench(world, attacks: attacks, seed: options.seed)
    let end = ContinuousClock.now + .seconds(options.minutes * 60)
    let tallies = bench.run(until: end, cases: options.cases ?? .max, jobs: options.jobs, report: show)
    return Report(attacks, tallies).write(folder)
  }

  private static func repeatCase(_ seed: UInt64, of attacks: [Attack], in world: World) -> Bool {
    var isSound = true
    for attack in attacks {
      let (counts, findings) = attack.run(seed: seed, in: world)
      print("\(attack.name): \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))")
      findings.forEach(show)
      isSound = isSound && findings.isEmpty
    }
    return isSound
  }

  @Sendable private static func show(_ finding: Trial.Finding) {
    print(
      """
      FINDING \(finding.attack): \(finding.title)
        \(finding.details)
        input: \(finding.folder ?? "none")
        again: swift run -c release --package-path Tests/Hostile hostile --only \(finding.attack) --case \(finding.seed)
      """)
    fflush(nil)
  }

  /// The folder of the package of the program.
  ///
  /// This file is Tests/Hostile/Sources/hostile/Hostile.swift.
  static let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path

  /// Builds the release of the program, and returns its path.
  private static func builtProgram() throws -> String {
    let build = ["swift", "build", "-c", "release", "--product", "quarry", "--package-path", root]
    _ = try output(of: build, to: FileHandle.standardError)
    return try output(of: build + ["--show-bin-path"], to: nil).trimmingCharacters(in: .whitespacesAndNewlines) + "/quarry"
  }

  /// Runs a command, and returns what it prints if that does not go to a file.
  static func output(of command: [String], to file: FileHandle?) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = file ?? pipe
    try process.run()
    // A build that takes an hour will never end.
    let limit = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3600), execute: limit)
    defer { limit.cancel() }
    let text = file == nil ? String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) : ""
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Options.Mistake(description: "\(command.joined(separator: " ")) failed") }
    return text
  }
}
