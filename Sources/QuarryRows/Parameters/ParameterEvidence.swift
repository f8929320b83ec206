internal import QuarryEngine

/// What a place in a statement says of a value that stands there.
struct ParameterEvidence {
  /// How much it says: a literal or an operator is a hint, a column is a reason.
  enum Weight: Comparable {
    case literal, operation, column
  }

  var weight: Weight
  /// The type; nil where anything will do.
  var type: ExpressionType?
  /// What a text is read as, where the type does not say that.
  var valueType: ParameterType?
  var column: ParameterColumn?
  var choices: ParameterChoices?
  /// Whether it is stored where no two rows have the same value, so that those that are there are none to choose from.
  var isNew = false
  /// Whether it is an operand of `||`, which makes a text of any value.
  var isConcatenated = false

  init(_ type: ExpressionType?, weight: Weight = .operation, valueType: ParameterType? = nil) {
    self.type = type == .any || type == .null ? nil : type
    self.weight = weight
    self.valueType = valueType
  }

  /// Makes the evidence of a column of a table.
  ///
  /// - Parameter isAssigned: whether the value is to be stored in the column, not compared with it.
  init?(column name: String, of table: TableSchema, isAssigned: Bool = false) {
    guard let column = FilterColumns(table).named(name) else { return nil }
    self.init(column.type, weight: .column)
    self.column = ParameterColumn(table: table.entry.reference, name: column.name)
    isNew = isAssigned && table.isUnique(column.name)
    choices = isAssigned ? table.storableChoices(for: column.name) : table.comparedChoices(for: column.name)
  }
}

extension [ParameterEvidence] {
  /// The type on which the weightiest of the evidence agrees.
  var type: ExpressionType? {
    guard let weight = lazy.filter({ $0.type != nil }).map(\.weight).max() else { return nil }
    let types = Set(lazy.filter { $0.weight == weight }.compactMap(\.type))
    if types.count == 1 { return types.first }
    return types.isSubset(of: [.integer, .real, .numeric]) ? .numeric : nil
  }
}

extension TableSchema {
  /// Returns where values to compare a column with come from: the column, where a list of its values is wanted and cheap.
  fileprivate func comparedChoices(for column: String) -> ParameterChoices? {
    let isKey = foreignKeys.contains { $0.columns.contains { $0.isSameIdentifier(as: column) } }
    let isRowID = self.column(named: column)?.isRowID == true
    return isKey || isRowID || !leadingIndexes(column).isEmpty ? .column(entry.reference, column) : nil
  }

  /// Returns where values to store in a column come from: what its foreign key refers to, else the column, unless each value is to be a new
  /// one.
  fileprivate func storableChoices(for column: String) -> ParameterChoices? {
    for key in foreignKeys {
      guard let position = key.columns.firstIndex(where: { $0.isSameIdentifier(as: column) }) else { continue }
      return key.referencedColumns.indices.contains(position) ? .column(key.table, key.referencedColumns[position]) : nil
    }
    return leadingIndexes(column).isEmpty || isUnique(column) ? nil : .column(entry.reference, column)
  }

  /// Returns whether no two rows have the same value in a column.
  fileprivate func isUnique(_ column: String) -> Bool {
    self.column(named: column)?.isRowID == true || leadingIndexes(column).contains { $0.isUnique && $0.terms.count == 1 }
  }

  private func leadingIndexes(_ column: String) -> [IndexSchema] {
    indexes.filter { !$0.isPartial && $0.terms.first?.column?.isSameIdentifier(as: column) == true }
  }
}
