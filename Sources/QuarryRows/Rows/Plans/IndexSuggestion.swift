internal import QuarryEngine

/// An index that would avoid the scan or the sort of a row set.
///
/// It begins with the columns compared for equality, followed by those of the order or of a range.
///
///     -- kind = 'view' AND amount > 5, ORDER BY ts
///     CREATE INDEX events_kind_ts ON events(kind, ts)
struct IndexSuggestion: Hashable, Sendable {
  var sql: String

  /// Returns nil if no index on plain columns would help, or if one already exists.
  init?(for rowSet: RowSet, _ plan: ReadPlan, _ schema: TableSchema, in database: Database) throws {
    guard case .table = schema.entry.kind else { return nil }
    let bounds = rowSet.filter.map { ColumnBound.all(in: $0.expression) } ?? []
    let equal = rowSet.matching.map { IndexedColumn(name: $0.column) } + bounds.filter(\.isEquality).map(\.column)
    var columns = equal.uniqued
    if plan.sorts {
      guard let order = IndexedColumn.all(of: rowSet.order) else { return nil }
      columns = (columns + order).uniqued
    } else if let range = bounds.first(where: { !$0.isEquality })?.column {
      columns = (columns + [range]).uniqued
    }
    guard !columns.isEmpty, columns.allSatisfy({ schema.column(named: $0.name) != nil }), !schema.hasIndex(on: columns) else { return nil }
    try self.init(of: columns, in: schema.entry.reference, database)
  }

  /// Creates the index by which an aggregate finds the rows of another table; nil if one exists.
  ///
  ///     -- count(InvoiceLine)
  ///     CREATE INDEX InvoiceLine_TrackId ON InvoiceLine(TrackId)
  init?(for key: ChildKey, in database: Database) throws {
    let schema = try database.tableSchema(key.table)
    guard case .table = schema.entry.kind, !schema.finds(key.columns) else { return nil }
    try self.init(of: key.columns.map { IndexedColumn(name: $0.name, collation: $0.collation) }, in: key.table, database)
  }

  private init(of columns: [IndexedColumn], in table: TableReference, _ database: Database) throws {
    let name = try Self.freeName(([table.name] + columns.map(\.name)).joined(separator: "_"), in: table, database)
    let index = TableReference(database: table.database, name: name)
    sql =
      "CREATE INDEX \(table.database == "main" ? SQLIdentifier.quoted(name) : index.sql) ON \(SQLIdentifier.quoted(table.name))("
      + columns.map(\.sql).joined(separator: ", ") + ")"
  }
}

extension IndexSuggestion {
  /// Returns `name`, followed by a number if it is taken in the table's database.
  private static func freeName(_ name: String, in table: TableReference, _ database: Database) throws -> String {
    let taken = Set(try String.fetchAll(database, sql: "SELECT lower(name) FROM \(table.schemaTable)"))
    let names = [name] + (2...taken.count + 2).map { "\(name)_\($0)" }
    return names.first { !taken.contains($0.lowercased()) } ?? name
  }
}

/// A column in an index.
private struct IndexedColumn: Hashable {
  var name: String
  /// The collation; nil for the column's own.
  var collation: String?
  var isDescending = false

  init(name: String, collation: String? = nil) {
    (self.name, self.collation) = (name, collation)
  }

  /// Returns nil for an expression that is not a column.
  init?(_ expression: any QueryExpression) {
    guard let column = (expression as? any PlainColumn)?.plainColumn else { return nil }
    (name, collation) = column
  }

  /// Returns the columns of an order; nil if a key is not a column, or if no index can sort NULL as it does.
  static func all(of order: RowOrder) -> [IndexedColumn]? {
    let columns = order.keys.compactMap { key in key.nulls == nil ? IndexedColumn(key.expression) : nil }
    guard columns.count == order.keys.count else { return nil }
    // An index is also read backward, so directions matter only if they differ.
    guard Set(order.keys.map { $0.direction == .descending }).count > 1 else { return columns }
    return zip(columns, order.keys).map { column, key in
      var column = column
      column.isDescending = key.direction == .descending
      return column
    }
  }

  var sql: String {
    SQLIdentifier.quoted(name) + (collation.map { " COLLATE \(SQLIdentifier.quoted($0))" } ?? "") + (isDescending ? " DESC" : "")
  }
}

extension [IndexedColumn] {
  /// The columns without repeated names.
  fileprivate var uniqued: [IndexedColumn] {
    reduce(into: []) { result, column in
      if !result.contains(where: { $0.name.isSameIdentifier(as: column.name) }) { result.append(column) }
    }
  }
}

/// A condition on one column that an index can serve.
private struct ColumnBound {
  var column: IndexedColumn
  /// Whether the column is compared for equality with one or more values, instead of a range.
  var isEquality: Bool

  /// Returns the conditions joined by AND.
  static func all(in expression: any QueryExpression<Bool>) -> [ColumnBound] {
    if let logic = expression as? Logic, logic.joiner == .and { return logic.terms.flatMap(all) }
    guard let (column, isEquality) = (expression as? any ColumnCondition)?.bound else { return [] }
    return IndexedColumn(column).map { [ColumnBound(column: $0, isEquality: isEquality)] } ?? []
  }
}

// MARK: - Conditions on columns

/// An expression that is a column, with its explicit collation, if any.
private protocol PlainColumn {
  var plainColumn: (name: String, collation: String?)? { get }
}

/// An expression with the same value for each row.
private protocol PlainValue {}

/// A condition that may restrict a column.
private protocol ColumnCondition {
  /// The column, and whether it is compared for equality; nil if no index can serve the condition.
  var bound: (any QueryExpression, isEquality: Bool)? { get }
}

extension Column: PlainColumn {
  fileprivate var plainColumn: (name: String, collation: String?)? { (name, nil) }
}

extension Collated: PlainColumn {
  fileprivate var plainColumn: (name: String, collation: String?)? {
    (operand as? any PlainColumn)?.plainColumn.map { ($0.name, collation.rawValue) }
  }
}

extension Constant: PlainValue {}

extension Equality: ColumnCondition {
  fileprivate var bound: (any QueryExpression, isEquality: Bool)? {
    guard !isNegated else { return nil }
    if right == nil || right is any PlainValue { return (left, true) }
    return right.flatMap { left is any PlainValue ? ($0, true) : nil }
  }
}

extension Identity: ColumnCondition {
  fileprivate var bound: (any QueryExpression, isEquality: Bool)? {
    !isNegated && (right == nil || right is any PlainValue) ? (left, true) : nil
  }
}

extension Comparison: ColumnCondition {
  fileprivate var bound: (any QueryExpression, isEquality: Bool)? {
    if right is any PlainValue { return (left, false) }
    return left is any PlainValue ? (right, false) : nil
  }
}

extension Between: ColumnCondition {
  fileprivate var bound: (any QueryExpression, isEquality: Bool)? {
    !isNegated && lower is any PlainValue && upper is any PlainValue ? (operand, false) : nil
  }
}

extension Membership: ColumnCondition {
  fileprivate var bound: (any QueryExpression, isEquality: Bool)? {
    guard !isNegated, case .list(let list) = members, list.allSatisfy({ $0 is any PlainValue }) else { return nil }
    return (operand, list.count == 1)
  }
}

// MARK: - The schema

extension TableSchema {
  /// Returns whether the key or an index finds rows by values of these columns: if it begins with one of them, in the same collation.
  fileprivate func finds(_ columns: [ChildKey.Column]) -> Bool {
    let own = { name in self.column(named: name)?.collation ?? "BINARY" }
    func isFound(_ name: String?, _ collation: String?) -> Bool {
      guard let name, let column = columns.first(where: { $0.name.isSameIdentifier(as: name) }) else { return false }
      return (column.collation ?? own(name)).isSameIdentifier(as: collation ?? own(name))
    }
    if self.columns.contains(where: { $0.isRowID && isFound($0.name, nil) }) { return true }
    if entry.isWithoutRowID, isFound(primaryKey.first, nil) { return true }
    return indexes.contains { !$0.isPartial && isFound($0.terms.first?.column, $0.terms.first?.collation) }
  }

  /// Returns whether an index begins with these columns, in this order.
  fileprivate func hasIndex(on columns: [IndexedColumn]) -> Bool {
    indexes.contains { index in
      !index.isPartial && index.terms.count >= columns.count
        && zip(index.terms, columns).allSatisfy { term, column in
          term.column?.isSameIdentifier(as: column.name) == true && term.isDescending == column.isDescending
            && (column.collation.map { term.collation.isSameIdentifier(as: $0) } ?? true)
        }
    }
  }
}
