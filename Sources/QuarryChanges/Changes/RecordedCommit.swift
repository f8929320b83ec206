public import Essentials

/// The changes of one commit in a database, as listed in its log.
public struct RecordedCommit: Hashable, Sendable, Identifiable {
  /// The identifier of a commit.
  ///
  /// Numbers are per file, so that two attached databases each have a commit 1.
  public struct ID: Hashable, Sendable {
    /// The name of the database: `main`, or the name under which it is attached.
    public var database = "main"
    /// The number of the commit in its file, from 1.
    ///
    /// Numbers are not reused.
    public var number: Int
  }

  /// The origin of a commit.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Cells and rows edited in the grid.
    case edit
    /// Statements from the editor or `quarry query`.
    case sql
    /// Rows imported from a file.
    case `import`
    /// The undo of another commit.
    case undo
  }

  /// The state of a commit.
  public enum State: Hashable, Sendable {
    /// The commit was recorded before it was made, and its outcome has not been determined yet.
    case pending
    /// The commit was made.
    case settled
    /// The commit was undone by the commit with this number.
    case undone(by: Int)
  }

  /// The identifier of the commit.
  public var id: ID
  /// The time at which the commit was recorded.
  public var time: Date
  /// The origin of the commit.
  public var kind: Kind
  /// The statements of the commit, separated by `;`.
  ///
  /// If there were none, a description such as `undo of 3`.
  public var statement: String
  /// The changed tables, by name.
  public var tables: [RecordedTable]
  /// The state of the commit.
  public var state = State.settled
  /// The number of the undone commit, or nil if this commit is not an undo.
  public var undoneNumber: Int?

  /// Whether another commit has undone it.
  package var isUndone: Bool { if case .undone = state { true } else { false } }

  /// The number of inserted rows.
  public var inserted: Int { tables.reduce(0) { $0 + $1.inserted } }
  /// The number of updated rows.
  public var updated: Int { tables.reduce(0) { $0 + $1.updated } }
  /// The number of deleted rows.
  public var deleted: Int { tables.reduce(0) { $0 + $1.deleted } }
}

/// The changes of a commit in one table.
public struct RecordedTable: Hashable, Sendable {
  /// The table's name after the commit, or before it if the commit has dropped the table.
  public var name: String
  /// The number of inserted rows.
  public var inserted: Int
  /// The number of updated rows.
  public var updated: Int
  /// The number of deleted rows.
  public var deleted: Int
  /// The change of the table itself, such as `dropped` or `new`, or nil if only rows were changed.
  public var alteration: String?

  /// Creates the entry of a table.
  public init(name: String, inserted: Int = 0, updated: Int = 0, deleted: Int = 0, alteration: String? = nil) {
    self.name = name
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.alteration = alteration
  }

  /// Whether the commit has created the table.
  package var isNew: Bool { alteration == "new" }
  /// Whether the commit has dropped the table.
  package var isDropped: Bool { alteration == "dropped" }
}
