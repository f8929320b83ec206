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
  /// The reason in a sentence, if the values do not show it: `UNIQUE constraint failed: t.u`.
  package var reason: String?
  /// The table whose rows are in conflict, or nil for an object of the schema.
  package var table: String?
  /// Whether the new row of THEIRS can get another key.
  package var canRenumber = false
  /// The rows that become those of a side if it wins.
  var rows: [MergeSide: [MergedRowID]] = [:]
  /// Whether all of these rows are needed, and not only the first that is not settled yet.
  var needsAllRows = false

  /// Creates a conflict.
  init(
    _ kind: Kind, _ object: String, key: [(column: String, value: StoredValue)] = [], column: String? = nil, base: StoredValue? = nil,
    mine: StoredValue? = nil, theirs: StoredValue? = nil
  ) {
    (self.kind, self.object, self.key, self.column) = (kind, object, key, column)
    (self.base, self.mine, self.theirs) = (base, mine, theirs)
    if kind != .schema { table = object }
  }

  /// The identity of a conflict, which includes the values: a decision is not valid for other values.
  package struct ID: Hashable, Sendable {
    fileprivate let kind: Kind
    fileprivate let names: [String?]
    fileprivate let values: [StoredValue?]
  }

  package var id: ID {
    ID(kind: kind, names: [object, column] + key.map(\.column), values: [base, mine, theirs] + key.map(\.value))
  }
}

/// The decision of a conflict.
package enum MergeDecision: Hashable, Sendable {
  case side(MergeSide)
  /// A cell gets a value that neither side has.
  case value(StoredValue)
  /// The new row of THEIRS gets another key.
  case renumber
}

/// A side of a merge.
package enum MergeSide: String, Hashable, Sendable, CaseIterable {
  case mine, theirs

  /// The other side.
  var other: MergeSide { self == .mine ? .theirs : .mine }
}

/// A row of a merge, by its table and key.
package struct MergedRowID: Hashable, Sendable {
  /// The name in lowercase.
  let table: String
  /// The values of the key in a form that is the same for equal keys.
  let key: [StoredValue]

  init(_ table: String, _ key: some Sequence<StoredValue>, by order: DiffKey) {
    (self.table, self.key) = (table.asciiLowercased, order.canonical(key))
  }
}
