internal import QuarryEngine

/// A commit's change of a table, index, view or trigger: its SQL before and after the commit.
struct RecordedObject: Hashable, Sendable {
  /// `table`, `index`, `view` or `trigger`, or ``shadowType`` for a shadow table that was renamed with its virtual table.
  var type: String
  /// The name after the commit, or before it if the object was dropped.
  var name: String
  /// The table to which the object belongs.
  var tableName: String
  /// The name before the commit, or nil for a new object.
  var oldName: String?
  /// The table to which the object belonged before the commit.
  var oldTableName: String?
  /// The SQL before the commit, or nil for a new object.
  var oldSQL: String?
  /// The SQL after the commit, or nil for a dropped object.
  var newSQL: String?
  /// Whether the object is a table that has the same rows as before, under another name or with other columns.
  var isKept = false

  /// The type of a shadow table, which is created and dropped with its virtual table.
  static let shadowType = "shadow"

  /// Whether renaming a virtual table restores the old name: the object is the virtual table or one of its shadow tables.
  var isRenamedByModule: Bool { isVirtual || type == Self.shadowType }

  /// Whether the object is a virtual table.
  var isVirtual: Bool { type == "table" && (newSQL ?? oldSQL).flatMap(VirtualTableSyntax.init) != nil }

  /// Whether the object has replaced a dropped object with the same name: a table whose rows are not the previous ones.
  var isRemade: Bool { !isKept && oldSQL != nil && newSQL != nil }
}
