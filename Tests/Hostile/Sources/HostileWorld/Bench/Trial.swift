public import Foundation

/// A case of an attack: its random numbers, its files, and what it finds.
///
/// A case depends on its seed only, so that it can be repeated.
public final class Trial {
  /// An observation that Quarry must never allow.
  public struct Finding: Sendable {
    public let attack: String
    public let seed: UInt64
    /// What is wrong, the same for all findings of a kind.
    public let title: String
    /// What was observed in this case.
    public let details: String
    /// The folder with the input; set when the case is kept.
    public internal(set) var folder: String?
  }

  public let world: World
  public let attack: String
  public let seed: UInt64
  public var random: CaseRandom
  /// The folder of the case.
  ///
  /// It is kept if there is a finding.
  public let folder: URL
  public private(set) var counts: [String: Int] = [:]
  public private(set) var findings: [Finding] = []

  init(_ world: World, attack: String, seed: UInt64) throws {
    (self.world, self.attack, self.seed) = (world, attack, seed)
    random = CaseRandom(seed: seed)
    folder = world.folder.appending(path: "\(attack)-\(seed)-\(UUID().uuidString.prefix(8))")
    for name in ["files", "home", "tmp"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
  }

  /// The folder with the databases of the case.
  public var files: CaseFolder { CaseFolder(url: folder.appending(path: "files")) }

  public func count(_ what: String, _ number: Int = 1) {
    counts[what, default: 0] += number
  }

  public func report(_ title: String, _ details: String) {
    findings.append(Finding(attack: attack, seed: seed, title: title, details: details))
  }

  /// Reports a finding if a condition is false.
  public func expect(_ isSo: Bool, _ title: @autoclosure () -> String, _ details: @autoclosure () -> String) {
    if !isSo { report(title(), details()) }
  }

  // MARK: Programs

  /// Runs the program to its end, and expects it to end by itself.
  ///
  /// - Parameters:
  ///   - environment: Variables besides those that each run has.
  ///   - mayCrash: Whether a signal is no finding.
  @discardableResult
  public func quarry(_ arguments: [String], environment: [String: String] = [:], mayCrash: Bool = false) throws -> ProgramRun {
    count("program runs")
    let run = try ProgramRun([world.program] + arguments, environment: self.environment.merging(environment) { $1 }, in: folder)
    let line = "\(environment["HOSTILE_FAULT"] ?? "") quarry " + arguments.joined(separator: " ")
    switch run.ending {
    case .exit: break
    case .signal(let number):
      if !mayCrash { report("\(arguments.first ?? ""): signal \(number)", "\(line): \(run.errors.suffix(600))") }
    case .hang(let state): report("\(arguments.first ?? ""): hangs", "\(line): \(state)")
    }
    return run
  }

  /// Runs the sqlite3 shell with a script as its input.
  @discardableResult
  public func shell(_ arguments: [String], script: String = "") throws -> ProgramRun {
    try ProgramRun([world.shell] + arguments, environment: environment, in: folder, input: script)
  }

  /// The variables of the program: with settings and a memory of this case only.
  public var environment: [String: String] {
    [
      "HOME": folder.appending(path: "home").path, "TMPDIR": folder.appending(path: "tmp").path, "LC_ALL": "C.UTF-8",
      "TERM": "xterm-256color", "PATH": world.searchPath, "SWIFT_BACKTRACE": "enable=no", "VISUAL": "true",
    ]
  }

  /// Removes the folder of the case, or returns the findings with its path.
  func end() -> [Finding] {
    guard !findings.isEmpty else {
      try? FileManager.default.removeItem(at: folder)
      return []
    }
    return findings.map { finding in
      var finding = finding
      finding.folder = folder.path
      return finding
    }
  }
}

/// The files of a case.
public struct CaseFolder: Sendable {
  public let url: URL

  public func path(_ name: String) -> String { url.appending(path: name).path }

  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: url.appending(path: name))
  }

  public func read(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) }
  }

  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// The bytes of all files.
  public var contents: [String: [UInt8]] {
    names.reduce(into: [:]) { $0[$1] = read($1) }
  }

  /// Replaces all files by others.
  public func replace(with contents: [String: [UInt8]]) throws {
    for name in names { try? FileManager.default.removeItem(atPath: path(name)) }
    for (name, bytes) in contents { try write(bytes, to: name) }
  }
}
