/// A request for the checks of a database.
public struct HealthRequest: Hashable, Sendable {
  /// Whether `PRAGMA quick_check` replaces integrity_check, and only the first rows of tables are read for their types.
  public var isQuick: Bool
  /// Statements that ran in this database before, to find indexes that none of them uses.
  public var statements: [String]

  /// Creates a request.
  public init(isQuick: Bool = false, statements: [String] = []) {
    (self.isQuick, self.statements) = (isQuick, statements)
  }
}

/// The results of the checks so far.
public struct HealthReport: Hashable, Sendable {
  /// The names of all checks, in the order of their results.
  private let checks: [String]
  /// The results of the checks that have ended, by their index.
  private var parts: [Int: [HealthResult]] = [:]
  /// The indexes of the running checks.
  private var runningChecks: Set<Int> = []
  /// The estimated share of the pages that integrity_check has read, from 0 to 1; nil if it is unknown.
  public internal(set) var share: Double?

  /// The version of the file that was checked, for the connection that checks the structure; nil before that.
  package internal(set) var state: DataState?

  init(of checks: [String]) { self.checks = checks }

  /// The results in the order of the checks.
  public var results: [HealthResult] { checks.indices.flatMap { parts[$0] ?? [] } }
  /// The names of the running checks.
  public var running: [String] { runningChecks.sorted().map { checks[$0] } }
  /// The number of checks that have ended.
  public var done: Int { parts.count }
  /// The number of checks.
  public var count: Int { checks.count }
  /// Whether all checks have ended.
  public var isComplete: Bool { done == count }
  /// The most urgent status; nil without a result.
  public var worst: HealthResult.Status? { results.map(\.status).max() }

  /// The progress: `9 of 16 checks, integrity_check ≈ 40 %`; nil once all checks have ended.
  package var words: String? {
    if isComplete { return nil }
    let share = share.map { " ≈ \(Int($0 * 100)) %" } ?? ""
    let current = running.first.map { ", \($0)\(share)" } ?? ""
    return "\(done) of \(count) checks\(current)"
  }

  mutating func begin(_ check: Int) { runningChecks.insert(check) }

  mutating func end(_ check: Int, _ results: [HealthResult]) {
    runningChecks.remove(check)
    parts[check] = results
  }
}
