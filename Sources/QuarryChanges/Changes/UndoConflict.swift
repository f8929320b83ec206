public import QuarryEngine

/// A row or schema object that has changed since the commit to be undone.
public struct UndoConflict: Hashable, Sendable {
  /// The reason for the conflict.
  public enum Reason: Hashable, Sendable {
    /// The row has other values than after the commit: these columns, each with the expected and the current value.
    case isChanged([Difference])
    /// The row that the commit left no longer exists.
    case isGone
    /// A row exists that did not exist after the commit.
    case isThere
    /// A conflict that is not about a row: a dropped or changed table or index, or a foreign key that would be dangling.
    case schema(String)
  }

  /// A column with another value than after the commit.
  public struct Difference: Hashable, Sendable {
    /// The column's name.
    public var column: String
    /// The value after the commit.
    public var expected: DatabaseValue
    /// The current value.
    public var found: DatabaseValue
  }

  /// The name of the table.
  public var table: String
  /// The row, or nil if the conflict is not about a row.
  public var key: RecordedKey?
  /// The reason for the conflict.
  public var reason: Reason
  /// The choices that resolve the conflict.
  ///
  /// Empty if the commit cannot be undone while the conflict exists.
  public internal(set) var choices: Set<UndoChoices.Choice>

  /// Creates a conflict.
  ///
  /// - Parameter choices: The choices that resolve it, or nil for the usual ones for its reason.
  init(table: String, key: RecordedKey?, reason: Reason, resolvedBy choices: Set<UndoChoices.Choice>? = nil) {
    (self.table, self.key, self.reason) = (table, key, reason)
    self.choices = choices ?? reason.choices
  }
}

extension UndoConflict.Reason {
  /// The choices that usually resolve a conflict for this reason.
  fileprivate var choices: Set<UndoChoices.Choice> {
    switch self {
    case .isChanged, .isThere: [.keep, .overwrite]
    // The values of the columns that the commit has not changed are not known.
    case .isGone: [.keep]
    case .schema: []
    }
  }
}

extension UndoConflict: CustomStringConvertible {
  /// The conflict as a sentence: `Track 17, Name: expected 'a', found 'b'`.
  public var description: String {
    let place = key.map { "\(table) \($0)" } ?? table
    switch reason {
    case .isChanged(let columns):
      let parts = columns.map { "\($0.column): expected \($0.expected.sqlLiteral), found \($0.found.sqlLiteral)" }
      return "\(place), \(parts.joined(separator: "; "))"
    case .isGone: return "\(place): the row is gone"
    case .isThere: return "\(place): a row with this key has been added since"
    case .schema(let sentence): return "\(place): \(sentence)"
    }
  }
}

/// The handling of rows that have changed since the commit to be undone.
public struct UndoChoices: Hashable, Sendable {
  /// The handling of a row in conflict.
  public enum Choice: Hashable, Sendable {
    /// Nothing is written, and the conflicts are returned.
    case refuse
    /// The current row remains.
    ///
    /// All other changes are undone.
    case keep
    /// The values of the row before the commit are restored.
    case overwrite
  }

  /// A row, identified by its table and key.
  public struct Row: Hashable, Sendable {
    /// The name of the table.
    public var table: String
    /// The key of the row.
    public var key: RecordedKey

    /// Creates the identification of a row.
    public init(table: String, key: RecordedKey) {
      self.table = table
      self.key = key
    }
  }

  /// The default handling.
  public var standard: Choice
  /// The handling of individual rows.
  public var rows: [Row: Choice]

  /// Creates choices.
  public init(standard: Choice = .refuse, rows: [Row: Choice] = [:]) {
    self.standard = standard
    self.rows = rows
  }

  /// Returns the handling of a conflict.
  package func choice(for conflict: UndoConflict) -> Choice {
    guard let key = conflict.key else { return standard }
    return rows[Row(table: conflict.table, key: key)] ?? standard
  }
}

/// The result of an undo.
public enum UndoResult: Hashable, Sendable {
  /// The commit is undone.
  ///
  /// The undo is itself a commit, which can be undone by its number.
  case done(RecordedCommit)
  /// Nothing was written because of these conflicts: the choices do not resolve them, or they keep all rows that are not undone yet.
  ///
  /// The commit can still be undone.
  case conflicts([UndoConflict])
}

extension [UndoConflict] {
  /// Returns a sentence about an undo for which the choices keep all of these rows, or nil if another choice is needed.
  package func sentence(onKeepingBy choices: UndoChoices) -> String? {
    guard allSatisfy({ choices.choice(for: $0) == .keep && $0.choices.contains(.keep) }) else { return nil }
    return "nothing was undone: \(Plural.of(count, "conflict")) kept; the commit can still be undone"
  }
}
