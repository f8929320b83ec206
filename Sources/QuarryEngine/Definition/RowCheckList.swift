/// The checks of the rows of a table before it gets another definition.
struct RowCheckList {
  private let change: TableChange
  private let old: TableDefinition
  /// The existing table after the renames.
  private let current: TableDefinition
  private let target: TableDefinition
  private(set) var checks: [RowCheck] = []

  /// Finds the constraints that are new, or whose columns change.
  init(_ change: TableChange, _ old: TableDefinition, current: TableDefinition, target: TableDefinition) {
    (self.change, self.old, self.current, self.target) = (change, old, current, target)
    for column in change.droppedColumns where !column.isGenerated { addLoss(of: column) }
    for column in target.columns { add(column) }
    for constraint in target.constraints { add(constraint) }
    for index in target.indexes where index.options.contains(.unique) { add(index) }
    addPrimaryKey()
  }

  // MARK: Columns

  /// Returns the existing column that becomes a column, with its new name.
  private func former(_ column: ColumnDefinition) -> ColumnDefinition? { origin(column) == nil ? nil : current.column(column.name) }

  private func origin(_ column: ColumnDefinition) -> String? {
    zip(change.origins, target.columns).first { $1.name == column.name }?.0
  }

  private func affinity(_ column: ColumnDefinition, in table: TableDefinition) -> ColumnSchema.Affinity {
    column.affinity(isStrict: table.options.contains(.strict))
  }

  /// Returns whether the values of a column may differ or compare differently in the new table.
  private func isAltered(_ name: String) -> Bool {
    guard let column = target.column(name), let former = former(column) else { return true }
    return affinity(column, in: target) != affinity(former, in: current) || column.declaredCollation != former.declaredCollation
      || column.isGenerated != former.isGenerated || (column.isGenerated && column != former)
  }

  /// Whether an existing column changes, so that an expression may have another value.
  private var changesExpressions: Bool { target.columns.contains { former($0) != nil && isAltered($0.name) } }

  private mutating func addLoss(of column: ColumnDefinition) {
    let name = SQLIdentifier.quoted(column.name)
    checks.append(
      RowCheck(effect: .lost, subject: "column \(column.name)", select: "SELECT * FROM \(oldTable) WHERE \(name) IS NOT NULL"))
  }

  private mutating func add(_ column: ColumnDefinition) {
    let (name, former) = (SQLIdentifier.quoted(column.name), former(column))
    let isKeyOfStrict = target.options.contains(.strict) || target.options.contains(.withoutRowID)
    let wasKeyOfStrict = current.options.contains(.strict) || current.options.contains(.withoutRowID)
    let refusesNull = column.isNotNull || (isKeyOfStrict && isKey(column, of: target) && target.rowIDColumn != column)
    let refusedNull =
      former.map { former in
        former.isNotNull || (wasKeyOfStrict && isKey(former, of: current) && current.rowIDColumn != former)
      } ?? false
    if refusesNull, !refusedNull || (column.isGenerated && isAltered(column.name)) {
      add("NOT NULL of \(column.name)", where: "\(name) IS NULL")
    }
    addType(of: column, former)
    for constraint in column.constraints {
      switch constraint.kind {
      case .check(let sql) where changesExpressions || former?.constraints.contains(constraint) != true: addCheck(sql)
      case .unique where isAltered(column.name) || former?.constraints.contains(where: \.isUnique) != true:
        addUnique([.init(column.name)], "UNIQUE of \(column.name)")
      case .references(let key) where isAltered(column.name) || former?.references(like: key) != true: add(key)
      default: break
      }
    }
  }

  private func isKey(_ column: ColumnDefinition, of table: TableDefinition) -> Bool {
    table.primaryKey.contains { $0.isSameIdentifier(as: column.name) }
  }

  /// Adds the values that a STRICT type refuses, or that a type converts.
  private mutating func addType(of column: ColumnDefinition, _ former: ColumnDefinition?) {
    guard let former, let origin = origin(column), !column.isGenerated else { return }
    let isNewlyStrict = !current.options.contains(.strict) || former.type != column.type
    let (name, type) = (SQLIdentifier.quoted(origin), column.type?.rawValue ?? "")
    func select(_ condition: String) -> String { "SELECT * FROM \(oldTable) WHERE \(condition)" }
    if target.options.contains(.strict), isNewlyStrict, let refused = StoredForm.refused(name, byStrict: type) {
      checks.append(RowCheck(effect: .refused, subject: "type \(type) of \(column.name)", select: select(refused)))
    } else if target.rowIDColumn == column, let refused = StoredForm.refused(name, byStrict: "INTEGER"), current.rowIDColumn != former {
      checks.append(RowCheck(effect: .refused, subject: "INTEGER PRIMARY KEY \(column.name)", select: select(refused)))
    }
    let (before, after) = (affinity(former, in: current), affinity(column, in: target))
    if before != after, let converted = StoredForm.converted(name, by: after) {
      let name = type.isEmpty ? "no type" : "type \(type)"
      checks.append(RowCheck(effect: .converted, subject: "\(name) of \(column.name)", select: select(converted)))
    }
  }

  // MARK: Constraints

  private mutating func add(_ constraint: TableConstraint) {
    let isSame = current.constraints.contains { $0.kind == constraint.kind }
    switch constraint.kind {
    case .check(let sql) where !isSame || changesExpressions: addCheck(sql)
    case .unique(let key, _) where !isSame || key.contains(where: { isAltered($0.name) }):
      addUnique(key, "UNIQUE (\(SQLIdentifier.list(key.map(\.name))))")
    case .foreignKey(let key) where !current.foreignKeys.contains(key) || key.columns.contains(where: isAltered): add(key)
    default: break
    }
  }

  private mutating func addCheck(_ sql: String) {
    add("CHECK (\(sql))", where: "NOT (\(sql))")
  }

  private mutating func addPrimaryKey() {
    let key = target.primaryKey
    guard !key.isEmpty else { return }
    let isSame = key.elementsEqual(current.primaryKey) { $0.isSameIdentifier(as: $1) }
    guard !isSame || key.contains(where: isAltered) || target.options != current.options else { return }
    // The rowid, which becomes the new key, is unique.
    if let column = target.rowIDColumn, origin(column) == nil, current.rowIDName != nil { return }
    addUnique(target.primaryKeyColumns, "PRIMARY KEY (\(SQLIdentifier.list(key)))")
  }

  private mutating func add(_ index: IndexDefinition) {
    let columns = index.terms.compactMap { term in if case .column(let name) = term.subject { name } else { nil } }
    let isSame = current.indexes.contains { $0 == index } && !columns.contains(where: isAltered)
    guard !isSame || (columns.count < index.terms.count && changesExpressions) else { return }
    let terms = index.terms.map { term -> (sql: String, collation: String?) in
      switch term.subject {
      case .column(let name):
        (SQLIdentifier.quoted(name), term.collation?.rawValue ?? target.column(name)?.declaredCollation)
      case .expression(let sql): ("(\(sql))", nil)
      }
    }
    addUnique(terms, where: index.condition, "unique index \(index.name)")
  }

  private mutating func addUnique(_ key: [TableConstraint.KeyColumn], _ subject: String) {
    let terms = key.map { column in
      (sql: SQLIdentifier.quoted(column.name), collation: column.collation?.rawValue ?? target.column(column.name)?.declaredCollation)
    }
    addUnique(terms, where: nil, subject)
  }

  /// Adds the rows whose values occur several times; NULLs differ from each other.
  private mutating func addUnique(_ terms: [(sql: String, collation: String?)], where condition: String?, _ subject: String) {
    let partition = terms.map { term in
      term.sql + (term.collation.map { $0.isSameIdentifier(as: "BINARY") ? "" : " COLLATE \(SQLIdentifier.quoted($0))" } ?? "")
    }
    let filled = (terms.map { "\($0.sql) IS NOT NULL" } + (condition.map { ["(\($0))"] } ?? [])).joined(separator: " AND ")
    let same = SQLIdentifier.quoted("rows with this value")
    let counted = "SELECT *, count(*) OVER (PARTITION BY \(partition.joined(separator: ", "))) AS \(same) FROM \(rows) WHERE \(filled)"
    checks.append(RowCheck(effect: .refused, subject: subject, select: "SELECT * FROM (\(counted)) WHERE \(same) > 1"))
  }

  private mutating func add(_ key: ForeignKeyDefinition) {
    let columns = key.columns.map { SQLIdentifier.quoted($0) }
    let isSelf = key.table.isSameIdentifier(as: target.name)
    let referenced = key.referencedColumns ?? (isSelf ? target.primaryKey : nil) ?? change.referencedKeys[key.table.asciiLowercased] ?? []
    let subject = "the foreign key of \(key.columns.joined(separator: ", ")) to \(key.table)"
    guard referenced.count == columns.count else { return }
    let matches = zip(referenced, columns).map { "parent.\(SQLIdentifier.quoted($0)) = \(alias).\($1)" }.joined(separator: " AND ")
    let filled = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let parents = isSelf ? "(\(source))" : SQLIdentifier.quoted(key.table)
    add(subject, where: "\(filled) AND NOT EXISTS (SELECT 1 FROM \(parents) AS parent WHERE \(matches))")
  }

  private mutating func add(_ subject: String, where condition: String) {
    checks.append(RowCheck(effect: .refused, subject: subject, select: "SELECT * FROM \(rows) WHERE \(condition)"))
  }

  // MARK: Rows

  private var oldTable: String { SQLIdentifier.quoted(old.name) }
  private var alias: String { SQLIdentifier.quoted(target.name) }

  /// The rows as they will be, under the name of the table.
  private var rows: String { isUnchanged ? oldTable : "(\(source)) AS \(alias)" }

  /// Whether the existing table has all columns of the new one, with their values.
  private var isUnchanged: Bool {
    old.name == target.name && target.columns.allSatisfy { $0.name == origin($0) && !isAltered($0.name) }
  }

  /// The query of the rows as they will be.
  private var source: String {
    if isUnchanged { return "SELECT * FROM \(oldTable)" }
    let columns = target.columns.filter { !$0.isGenerated }.map { column in
      let value =
        origin(column).map { name -> String in
          guard isAltered(column.name) else { return SQLIdentifier.quoted(name) }
          return StoredForm.value(SQLIdentifier.quoted(name), by: affinity(column, in: target))
        } ?? "\(column.newValue(in: target, old: current))"
      return "\(value) AS \(SQLIdentifier.quoted(column.name))"
    }
    let base = "SELECT \(columns.isEmpty ? "NULL" : columns.joined(separator: ", ")) FROM \(oldTable)"
    return target.columns.reduce(base) { source, column in
      for case .generated(let sql, _) in column.constraints.map(\.kind) {
        return "SELECT *, (\(sql)) AS \(SQLIdentifier.quoted(column.name)) FROM (\(source)) AS \(alias)"
      }
      return source
    }
  }
}

extension ColumnDefinition {
  /// The value of the column in existing rows of a table to which it is added.
  fileprivate func newValue(in table: TableDefinition, old: TableDefinition) -> String {
    if table.rowIDColumn == self, let rowID = old.rowIDName { return rowID }
    return defaultValueSQL
  }

  fileprivate func references(like key: ForeignKeyDefinition) -> Bool {
    constraints.contains { constraint in
      guard case .references(let other) = constraint.kind else { return false }
      return other.table.isSameIdentifier(as: key.table) && other.referencedColumns == key.referencedColumns
    }
  }
}

extension ColumnConstraint {
  fileprivate var isUnique: Bool { if case .unique = kind { true } else { false } }
}

extension TableDefinition {
  /// The columns of the primary key with their collations.
  fileprivate var primaryKeyColumns: [TableConstraint.KeyColumn] {
    for case .primaryKey(let columns, _, _) in constraints.map(\.kind) { return columns }
    return primaryKey.map { TableConstraint.KeyColumn($0) }
  }
}

/// The conditions under which SQLite stores a value in another form; see <https://www.sqlite.org/datatype3.html#type_affinity>.
enum StoredForm {
  /// Whether a text looks like a number, so that it is stored as one.
  private static func isNumber(_ value: String) -> String { "(typeof(\(value)) = 'text' AND CAST(\(value) AS NUMERIC) = \(value))" }

  /// Whether a real is stored as an integer by NUMERIC and INTEGER.
  private static func isWhole(_ value: String) -> String { "(typeof(\(value)) = 'real' AND \(value) = CAST(\(value) AS INTEGER))" }

  /// Returns the condition of values that a column of a STRICT table refuses; nil for a type that refuses none.
  static func refused(_ value: String, byStrict type: String) -> String? {
    switch type.asciiLowercased {
    case "int", "integer":
      let number = "CAST(\(value) AS NUMERIC)"
      return "\(value) IS NOT NULL AND typeof(\(value)) <> 'integer' AND NOT \(isWhole(value))"
        + " AND NOT (\(isNumber(value)) AND \(number) = CAST(\(number) AS INTEGER))"
    case "real": return "typeof(\(value)) IN ('text', 'blob') AND NOT \(isNumber(value))"
    case "text": return "typeof(\(value)) = 'blob'"
    case "blob": return "typeof(\(value)) NOT IN ('blob', 'null')"
    default: return nil
    }
  }

  /// Returns the condition of values that a column with this affinity stores differently; nil for an affinity that converts none.
  static func converted(_ value: String, by affinity: ColumnSchema.Affinity) -> String? {
    switch affinity {
    case .integer, .numeric: "\(isNumber(value)) OR \(isWhole(value))"
    case .real: "typeof(\(value)) = 'integer' OR \(isNumber(value))"
    case .text: "typeof(\(value)) IN ('integer', 'real')"
    case .blob: nil
    }
  }

  /// Returns the value as a column with this affinity stores it.
  static func value(_ value: String, by affinity: ColumnSchema.Affinity) -> String {
    switch affinity {
    case .integer, .numeric:
      "CASE WHEN \(isNumber(value)) OR \(isWhole(value)) THEN CAST(\(value) AS NUMERIC) ELSE \(value) END"
    case .real: "CASE WHEN typeof(\(value)) = 'integer' OR \(isNumber(value)) THEN CAST(\(value) AS REAL) ELSE \(value) END"
    case .text: "CASE WHEN typeof(\(value)) IN ('integer', 'real') THEN CAST(\(value) AS TEXT) ELSE \(value) END"
    case .blob: "+\(value)"
    }
  }
}
