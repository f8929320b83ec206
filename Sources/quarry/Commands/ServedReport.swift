internal import Browser
internal import QuarryEngine

/// Reports on standard error what a script has committed to a cluster without a record.
///
///     quarry: the statements changed 3 rows; the changes were not recorded, so `quarry undo` cannot undo them
///
/// A cluster counts only the rows that a statement changes itself, not those of its triggers and foreign keys.
struct ServedReport {
  /// Whether changes were committed, or may have been.
  private(set) var hasCommitted = false
  private var committed = Written()
  private var open = Written()

  private struct Written {
    var rows = 0
    var changesRows = false
    var changesSchema = false
    /// Whether a part was rolled back, so that the number is not known.
    var isUncertain = false
  }

  /// Records a statement that has run.
  ///
  /// - Parameters:
  ///   - changes: The number of rows that the statement has changed itself.
  ///   - isInside: Whether the statement has left a transaction open.
  mutating func note(_ kind: StatementKind, changes: Int, isInside: Bool) {
    if kind.rollsBack {
      if isInside { open.isUncertain = true } else { open = Written() }
    } else if kind.changesRows {
      open.rows += changes
      open.changesRows = true
    } else if kind.changesObjects {
      open.changesSchema = true
    }
    guard !isInside else { return }
    hasCommitted = true
    committed.rows += open.rows
    committed.changesRows = committed.changesRows || open.changesRows
    committed.changesSchema = committed.changesSchema || open.changesSchema
    committed.isUncertain = committed.isUncertain || open.isUncertain
    open = Written()
  }

  /// Writes the report if changes were committed.
  func write() {
    if let sentence { StandardError.write("quarry: \(sentence)\n") }
  }

  private var sentence: String? {
    var parts: [String] = []
    if committed.isUncertain, committed.rows > 0 {
      parts.append("the statements changed at most \(Plural.of(committed.rows, "row"))")
    } else if committed.rows > 0 {
      parts.append("the statements changed \(Plural.of(committed.rows, "row"))")
    }
    if committed.changesSchema { parts.append("the schema was changed") }
    if parts.isEmpty { return committed.changesRows ? "no row was changed" : nil }
    return "\(parts.joined(separator: ", and ")); \(ScriptReport.unrecorded)"
  }
}
