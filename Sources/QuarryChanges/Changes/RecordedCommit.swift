public import Essentials

/// What one commit has changed in a database, as the record of its commits lists it.
public struct RecordedCommit: Hashable, Sendable, Identifiable {
  /// What a commit is known by: numbers go by file, so that two attached databases each have a commit 1.
  public struct ID: Hashable, Sendable {
    /// The name of the database: `main`, or what it is attached under.
    public var database = "main"
    /// The number of the commit among those of its file, from 1; no number is given twice.
    public var number: Int
  }

  /// What has written a commit.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Cells and rows edited in the grid.
    case edit
    /// Statements of the editor or of `quarry query`.
    case sql
    /// Rows read from a file.
    case `import`
    /// The undo of another commit.
    case undo
  }

  /// What has become of a commit.
  public enum State: Hashable, Sendable {
    /// It was about to be committed when it was recorded, and whether it was has not been looked at yet.
    case pending
    /// It is committed.
    case settled
    /// The commit of that number has undone it.
    case undone(by: Int)
  }

  /// What the commit is known by.
  public var id: ID
  /// When it was written.
  public var time: Date
  /// What has written it.
  public var kind: Kind
  /// The statements that it ran, with `;` between them; what was done in words where there were none, as `undo of 3`.
  public var statement: String
  /// The tables that it changed, by name.
  public var tables: [RecordedTable]
  /// What has become of it.
  public var state = State.settled
  /// The number of the commit that it undoes; nil where it is no undo.
  public var undoneNumber: Int?

  /// Whether another commit has undone it.
  package var isUndone: Bool { if case .undone = state { true } else { false } }

  /// How many rows are new with it.
  public var inserted: Int { tables.reduce(0) { $0 + $1.inserted } }
  /// How many rows have other values with it.
  public var updated: Int { tables.reduce(0) { $0 + $1.updated } }
  /// How many rows are gone with it.
  public var deleted: Int { tables.reduce(0) { $0 + $1.deleted } }
}

/// What a commit has changed in one table.
public struct RecordedTable: Hashable, Sendable {
  /// The table's name after the commit; before it, where the commit has dropped the table.
  public var name: String
  /// How many rows are new.
  public var inserted: Int
  /// How many rows have other values.
  public var updated: Int
  /// How many rows are gone.
  public var deleted: Int
  /// What the commit has done to the table itself, as `dropped` or `new`; nil where it has changed its rows alone.
  public var alteration: String?

  /// Makes the entry of a table.
  public init(name: String, inserted: Int = 0, updated: Int = 0, deleted: Int = 0, alteration: String? = nil) {
    self.name = name
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.alteration = alteration
  }

  /// Whether the commit has made the table.
  package var isNew: Bool { alteration == "new" }
  /// Whether the commit has dropped the table.
  package var isDropped: Bool { alteration == "dropped" }
}
