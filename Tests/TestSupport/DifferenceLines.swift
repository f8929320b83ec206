package import QuarryChanges
import QuarryEngine

extension DatabaseDiff {
  /// Returns the differences of rows, one line each, read in many small steps.
  package func lines() async throws -> [String] {
    var diff = self
    diff.step = 7
    let lines = Monitor<[String]>([])
    _ = try await diff.rows { difference in lines.change { $0.append(difference.line) } }
    return lines.read { $0 }
  }
}

extension RowDifference {
  /// The table, the key, the kind of difference and the cells.
  fileprivate var line: String {
    let key = key.map { "\($0.value)" }.joined(separator: ",")
    let cells = cells.map { "\($0.column): \($0.from.map { "\($0)" } ?? "-") \($0.to.map { "\($0)" } ?? "-")" }
    return "\(table) [\(key)] \(change.rawValue) \(cells.joined(separator: "; "))"
  }
}
