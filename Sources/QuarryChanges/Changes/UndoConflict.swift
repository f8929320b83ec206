public import QuarryEngine

/// Something that is no longer as the commit to be undone has left it.
public struct UndoConflict: Hashable, Sendable {
  /// What is in the way.
  public enum Reason: Hashable, Sendable {
    /// The row has other values than the commit left: these columns, each with the value expected and the one found.
    case isChanged([Difference])
    /// The row that the commit left is gone.
    case isGone
    /// There is a row where the commit left none.
    case isThere
    /// Something else than a row: a table or an index that is gone or has changed, a foreign key that would refer to nothing.
    case schema(String)
  }

  /// A column that has another value than the commit left.
  public struct Difference: Hashable, Sendable {
    /// The column's name.
    public var column: String
    /// The value that the commit left.
    public var expected: DatabaseValue
    /// The value that is there now.
    public var found: DatabaseValue
  }

  /// The name of the table.
  public var table: String
  /// The row; nil where the conflict is not about one.
  public var key: RecordedKey?
  /// What is in the way.
  public var reason: Reason
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
    case .isThere: return "\(place): there is a row now that was not there after the commit"
    case .schema(let sentence): return "\(place): \(sentence)"
    }
  }
}

/// What an undo does about rows that are no longer as the commit has left them.
public struct UndoChoices: Hashable, Sendable {
  /// What is done about a row in conflict.
  public enum Choice: Hashable, Sendable {
    /// Nothing at all is written, and the conflicts are returned.
    case refuse
    /// The row stays as it is now; what else was changed is undone.
    case keep
    /// The row gets the values that it had before the commit.
    case overwrite
  }

  /// A row by its table and key.
  public struct Row: Hashable, Sendable {
    /// The name of the table.
    public var table: String
    /// The row.
    public var key: RecordedKey

    /// Names a row.
    public init(table: String, key: RecordedKey) {
      self.table = table
      self.key = key
    }
  }

  /// What is done where nothing else is chosen.
  public var standard: Choice
  /// What is done about single rows.
  public var rows: [Row: Choice]

  /// Makes choices.
  public init(standard: Choice = .refuse, rows: [Row: Choice] = [:]) {
    self.standard = standard
    self.rows = rows
  }

  /// Returns what is done about a conflict.
  func choice(for conflict: UndoConflict) -> Choice {
    guard let key = conflict.key else { return standard }
    return rows[Row(table: conflict.table, key: key)] ?? standard
  }
}

/// What an undo has come to.
public enum UndoResult: Hashable, Sendable {
  /// The commit is undone: the undo is a commit of its own, which can be undone by its number.
  case done(RecordedCommit)
  /// Nothing was written: these are in the way.
  case conflicts([UndoConflict])
}
