/// A table, sub-select or common table as a statement names it.
struct Relation: Hashable {
  /// What stands before the dot of its columns; empty for a sub-select without a name.
  var name: String
  /// What it is: `table`, `view`, `common table`, `sub-select`.
  var kind: String
  /// The table's own name.
  var table: String
  var columns: [SQLCompletionSchema.Column]
  /// Whether its columns are only found with its name: `old`, `new` and `excluded`.
  var isNamedOnly = false

  /// What it is in words: an alias tells what it stands for.
  var detail: String {
    name.isSameIdentifier(as: table) ? kind : "alias of \(table)"
  }

  /// Returns the column of this name, by SQLite's rule of case.
  func column(named name: String) -> SQLCompletionSchema.Column? {
    columns.first { $0.name.isSameIdentifier(as: name) }
  }

  /// Returns the relation under a name that SQLite gives it, as `new` for a trigger's row.
  func row(named name: String) -> Relation {
    Relation(name: name, kind: kind, table: table, columns: columns, isNamedOnly: true)
  }
}

extension Relation {
  init(_ table: SQLCompletionSchema.Table) {
    self.init(name: table.reference.name, kind: table.kind, table: table.reference.name, columns: table.columns)
  }
}

/// A select, or a statement that has tables of its own, in a parenthesis of a statement.
struct SelectScope: Hashable {
  /// Where it begins, as a number of tokens.
  var start: Int
  /// What its FROM names, or the table that it changes.
  var relations: [Relation] = []
}
