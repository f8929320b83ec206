internal import QuarryEngine

/// The evidence for the type of a value at a position in a statement.
struct ParameterEvidence {
  /// The strength of the evidence: a literal or an operator is weaker than a column.
  enum Weight: Comparable {
    case literal, operation, column
  }

  var weight: Weight
  /// The type; nil if any type is possible.
  var type: ExpressionType?
  /// The type as which a text is parsed, if the type does not determine it.
  var valueType: ParameterType?
  var column: ParameterColumn?
  var choices: ParameterChoices?
  /// Whether the value is stored in a unique column, so that existing values cannot be chosen.
  var isNew = false
  /// Whether it is an operand of `||`, which converts any value to a text.
  var isConcatenated = false

  init(_ type: ExpressionType?, weight: Weight = .operation, valueType: ParameterType? = nil) {
    self.type = type == .any || type == .null ? nil : type
    self.weight = weight
    self.valueType = valueType
  }

  /// Creates the evidence of a column of a table.
  ///
  /// - Parameter isAssigned: Whether the value is stored in the column, instead of compared with it.
  init?(column name: String, of table: TableSchema, isAssigned: Bool = false) {
    guard let column = FilterColumns(table).named(name) else { return nil }
    self.init(column.type, weight: .column)
    self.column = ParameterColumn(table: table.entry.reference, name: column.name)
    isNew = isAssigned && table.isUnique(column.name)
    choices = isAssigned ? table.storableChoices(for: column.name) : table.comparedChoices(for: column.name)
  }
}

extension [ParameterEvidence] {
  /// The type on which all of the strongest evidence agrees.
  var type: ExpressionType? {
    guard let weight = lazy.filter({ $0.type != nil }).map(\.weight).max() else { return nil }
    let types = Set(lazy.filter { $0.weight == weight }.compactMap(\.type))
    if types.count == 1 { return types.first }
    return types.isSubset(of: [.integer, .real, .numeric]) ? .numeric : nil
  }
}

extension TableSchema {
  /// Returns the source of values to compare with a column: the column itself, if a list of its values is useful and fast.
  fileprivate func comparedChoices(for column: String) -> ParameterChoices? {
    let isKey = foreignKeys.contains { $0.columns.contains { $0.isSameIdentifier(as: column) } }
    let isRowID = self.column(named: column)?.isRowID == true
    return isKey || isRowID || !leadingIndexes(column).isEmpty ? .column(entry.reference, column) : nil
  }

  /// Returns the source of values to store in a column: the column referenced by its foreign key, otherwise the column itself unless it is
  /// unique.
  fileprivate func storableChoices(for column: String) -> ParameterChoices? {
    for key in foreignKeys {
      guard let position = key.columns.firstIndex(where: { $0.isSameIdentifier(as: column) }) else { continue }
      return key.referencedColumns.indices.contains(position) ? .column(key.table, key.referencedColumns[position]) : nil
    }
    return leadingIndexes(column).isEmpty || isUnique(column) ? nil : .column(entry.reference, column)
  }

  /// Returns whether the values of a column are unique.
  fileprivate func isUnique(_ column: String) -> Bool {
    self.column(named: column)?.isRowID == true || leadingIndexes(column).contains { $0.isUnique && $0.terms.count == 1 }
  }

  private func leadingIndexes(_ column: String) -> [IndexSchema] {
    indexes.filter { !$0.isPartial && $0.terms.first?.column?.isSameIdentifier(as: column) == true }
  }
}
