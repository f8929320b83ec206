internal import QuarryRows

/// How much a server goes through for a statement, as far as its plan tells.
struct StatementWork: Hashable, Sendable {
  /// For each nest of loops how many of them go through all rows of something.
  var nests: [Int]
  /// Whether a recursive query is part of it, which goes on for as long as it yields rows.
  var isRecursive: Bool
  /// What is read of virtual tables and of functions that yield rows.
  var virtualScans: [VirtualScan]

  /// A loop over the rows of a virtual table, or of a function that yields rows.
  struct VirtualScan: Hashable, Sendable {
    /// Its name in the statement, which may be an alias.
    var name: String
    /// Whether the module says that it finds the rows by an index of its own.
    var isIndexed: Bool

    /// Reads a step of a plan.
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

  /// Reads a plan.
  ///
  ///     SCAN a
  ///     SCAN b                              a nest of 2
  ///     CORRELATED SCALAR SUBQUERY 1
  ///       SCAN c                            which makes it a nest of 3
  init(_ steps: [PlanStep]) {
    isRecursive = steps.contains { $0.detail == "RECURSIVE STEP" }
    virtualScans = steps.compactMap { VirtualScan($0.detail) }
    var nests: [Int] = []
    // How many loops are around the steps of a depth, and how many of these steps are loops themselves.
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
