internal import QuarryEngine

/// The numbers of rows of a table that show whether BASE is the common ancestor.
final class MergeTally {
  /// The number of rows of BASE that neither side has.
  private(set) var gone = 0
  /// The number of rows that both sides have and BASE does not.
  private(set) var common = 0

  func addGone() { gone += 1 }
  func addCommon() { common += 1 }
}

/// Sentences about databases that are probably no common ancestor of the others.
enum MergeDoubts {
  /// The least number of rows that is evidence.
  private static let leastRows = 10

  /// Compares the number of missing tables.
  static func ofTables(
    _ base: [String: TableSchema], _ mine: [String: TableSchema], _ theirs: [String: TableSchema], base name: String
  ) -> [String] {
    let gone = base.keys.count { mine[$0] == nil && theirs[$0] == nil }
    guard gone * 2 > base.count, gone > 1 else { return [] }
    return [doubt(name, "\(gone) of its \(base.count) tables are in neither of the others")]
  }

  /// Compares the number of missing rows with the number of rows of the table.
  ///
  ///     SELECT count(*) FROM main.t
  static func ofRows(_ tally: MergeTally, _ table: DiffTable, _ merge: DatabaseMerge) async throws -> [String] {
    guard tally.gone >= leastRows || tally.common >= leastRows else { return [] }
    var rows = 0
    if let before = table.before {
      let sql: SQLText = "SELECT count(*) FROM \(before.entry.reference.sqlText)"
      if case .value(.integer(let count))? = try await merge.base.rows(sql, width: 1).first?.first { rows = Int(count) }
    }
    var facts: [String] = []
    if tally.gone >= leastRows, tally.gone * 2 > rows {
      facts.append("\(Plural.grouped(tally.gone)) of \(Plural.of(rows, "row")) of \(table.name) are in neither of the others")
    }
    if tally.common >= leastRows, tally.common > rows - tally.gone {
      facts.append("\(Plural.of(tally.common, "key")) of \(table.name) \(tally.common == 1 ? "is" : "are") new in both of the others")
    }
    return facts.isEmpty ? [] : [doubt(merge.base.name, facts.joined(separator: ", and "))]
  }

  private static func doubt(_ name: String, _ facts: String) -> String {
    "“\(name)” is probably not the common ancestor: \(facts). Check the order of the files: BASE MINE THEIRS"
  }
}
