package import QuarryEngine

/// A conflict of a merge: both sides have changed the same in different ways.
package struct MergeConflict: Sendable {
  /// The kinds of conflicts.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Both sides changed a cell.
    case cell
    /// One side deleted a row that the other one changed.
    case deleted
    /// Both sides gave the same key to new rows.
    case key
    /// Both sides changed an object of the schema, or one side changed what the other one needs.
    case schema
    /// A change violates a constraint of the result.
    case constraint
    /// A row of the result refers to a row that does not exist.
    case reference
    /// The rows of a table cannot be compared.
    case unreadable
  }

  package var kind: Kind
  /// The table, or the kind and the name of an object of the schema.
  package var object: String
  /// The key of the row, or empty.
  package var key: [(column: String, value: StoredValue)] = []
  package var column: String?
  /// The value in each database, or nil if it has no value.
  package var base: StoredValue?
  package var mine: StoredValue?
  package var theirs: StoredValue?

  /// Creates a conflict.
  init(
    _ kind: Kind, _ object: String, key: [(column: String, value: StoredValue)] = [], column: String? = nil, base: StoredValue? = nil,
    mine: StoredValue? = nil, theirs: StoredValue? = nil
  ) {
    (self.kind, self.object, self.key, self.column) = (kind, object, key, column)
    (self.base, self.mine, self.theirs) = (base, mine, theirs)
  }
}

/// A side of a merge.
package enum MergeSide: String, Hashable, Sendable, CaseIterable {
  case mine, theirs
}
