internal import QuarryEngine

/// What a commit has done to a table, index, view or trigger: the SQL that made it before and afterwards.
struct RecordedObject: Hashable, Sendable {
  /// `table`, `index`, `view` or `trigger`; ``shadowType`` for a table that was renamed with the virtual table whose data it keeps.
  var type: String
  /// The name that it has afterwards; the one before, where it is gone.
  var name: String
  /// The table that it belongs to.
  var tableName: String
  /// The name that it had before; nil where it is new.
  var oldName: String?
  /// The table that it belonged to before.
  var oldTableName: String?
  /// What made it before; nil where it is new.
  var oldSQL: String?
  /// What makes it now; nil where it is gone.
  var newSQL: String?
  /// Whether it is a table with the same rows as before, under another name or with other columns.
  var isKept = false

  /// The type of a table that keeps the data of a virtual one: it goes and comes with that.
  static let shadowType = "shadow"

  /// Whether its former name comes back with a virtual table's: it is one, or keeps the data of one.
  var isRenamedByModule: Bool { isVirtual || type == Self.shadowType }

  /// Whether it is a virtual table.
  var isVirtual: Bool { type == "table" && (newSQL ?? oldSQL).flatMap(VirtualTableSyntax.init) != nil }

  /// Whether it has the name of another that is gone: a table whose rows are not those of before.
  var isRemade: Bool { !isKept && oldSQL != nil && newSQL != nil }
}
