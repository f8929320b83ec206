internal import QuarryRows

/// The work of a server for a statement, according to its query plan.
struct StatementWork: Hashable, Sendable {
  /// For each loop nest, the number of loops that scan all rows.
  var nests: [Int]
  /// Whether the statement contains a recursive query, which runs as long as it returns rows.
  var isRecursive: Bool
  /// The scans of virtual tables and table-valued functions.
  var virtualScans: [VirtualScan]

  /// A loop over the rows of a virtual table or of a table-valued function.
  struct VirtualScan: Hashable, Sendable {
    /// The name in the statement, which may be an alias.
    var name: String
    /// Whether the module reports that it finds the rows by its own index.
    var isIndexed: Bool

    /// Parses a step of a plan.
    ///
    ///     SCAN json_each VIRTUAL TABLE INDEX 1:
    ///     SCAN docs VIRTUAL TABLE INDEX 0:M1
    init?(_ detail: String) {
      let words = detail.split(separator: " ", omittingEmptySubsequences: false)
      guard let place = detail.firstRange(of: " VIRTUAL TABLE INDEX "), words.count > 1 else { return nil }
      name = String(words[1])
      isIndexed = detail[place.upperBound...].last.map { $0 != ":" } ?? false
    }
  }

  /// Parses a plan.
  ///
  ///     SCAN a
  ///     SCAN b                              a nest of 2
  ///     CORRELATED SCALAR SUBQUERY 1
  ///       SCAN c                            which makes it a nest of 3
  init(_ steps: [PlanStep]) {
    isRecursive = steps.contains { $0.detail == "RECURSIVE STEP" }
    virtualScans = steps.compactMap { VirtualScan($0.detail) }
    var nests: [Int] = []
    // For each depth, the number of loops around its steps, and the number of steps that are loops themselves.
    var levels: [(around: Int, loops: Int)] = []
    for (index, step) in steps.enumerated() {
      while levels.count > step.depth + 1 { nests.append(Self.size(levels.removeLast())) }
      while levels.count <= step.depth {
        let isRepeated = index > 0 && steps[index - 1].detail.hasPrefix("CORRELATED ")
        levels.append((levels.last.map { isRepeated ? Self.size($0) : $0.around } ?? 0, 0))
      }
      if Self.isScan(step.detail) { levels[step.depth].loops += 1 }
    }
    self.nests = (nests + levels.map(Self.size)).filter { $0 > 0 }
  }

  private static func size(_ level: (around: Int, loops: Int)) -> Int { level.around + level.loops }

  private static func isScan(_ detail: String) -> Bool {
    detail.hasPrefix("SCAN ") && detail != "SCAN CONSTANT ROW" && !detail.contains("-ROW VALUES CLAUSE")
  }
}
