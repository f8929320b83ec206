public import QuarryEngine

/// The way from a group to its rows.
extension CompiledGroups {
  /// Returns the condition on the grouped rows that exactly the rows of a group match; nil if all rows match.
  ///
  ///     GenreId.Name = 'Rock' and month(InvoiceDate) = 1997-08 and Composer is null
  ///
  /// Equal values of a level are one group, as in SQLite: 1 and 1.0, or `a` and `A` in a column whose collation is NOCASE.
  ///
  /// - Parameters:
  ///   - row: The values of the group, by column; only those of levels matter.
  ///   - column: The index of the column; that of a pivot adds the condition on its value. Nil for the rows of the whole group.
  public func condition(ofGroup row: [StoredValue], column: Int? = nil) -> FilterSyntax? {
    let terms = conditions(ofGroup: row, column)
    return terms.count > 1 ? FilterSyntax(.all(terms.flatMap(\.terms))) : terms.first
  }

  private func conditions(ofGroup row: [StoredValue], _ column: Int?) -> [FilterSyntax] {
    let terms = levels.indices.filter(row.indices.contains).map { Self.condition(levels[$0], row[$0], in: sourceColumns) }
    guard let column, columns.indices.contains(column), case .aggregate(_, let value?) = columns[column].kind, let pivot, let across else {
      return terms
    }
    return terms + condition(across, pivot, value)
  }

  /// Returns a filter text for the grouped rows that also requires them to be in a group.
  ///
  ///     Milliseconds > 300000      Milliseconds > 300000 and GenreId.Name = 'Rock'
  ///
  /// - Parameters:
  ///   - text: The filter of the grouped rows.
  ///   - row: The values of the group, by column.
  ///   - column: The index of the column: see ``condition(ofGroup:column:)``.
  /// - Throws: The errors of the text, to which nothing can be added then.
  public func filter(_ text: String, addingGroup row: [StoredValue], column: Int? = nil) throws(FilterErrors) -> String {
    var text = text
    for condition in conditions(ofGroup: row, column) { text = try Filter.text(text, adding: condition, in: sourceColumns) }
    return text
  }

  /// Returns the conditions on the value across.
  private func condition(_ across: GroupTerm, _ pivot: PivotValues, _ value: Int) -> [FilterSyntax] {
    if pivot.values.indices.contains(value) { return [Self.condition(across, pivot.values[value], in: sourceColumns)] }
    let conditions = pivot.values.filter { $0 != .null }.map { Self.condition(across, $0, in: sourceColumns) }
    let literals = conditions.compactMap { condition in
      if case .comparison(.equal, _, let literal) = condition.kind, literal.isLiteral { literal } else { nil }
    }
    let isList = literals.count == conditions.count
    let none =
      isList
      ? FilterSyntax(.membership(across.syntax, literals, isNegated: true))
      : FilterSyntax(.not(conditions.count == 1 ? conditions[0] : FilterSyntax(.any(conditions))))
    return [FilterSyntax(.identity(across.syntax, FilterSyntax(.literal(.null)), isNegated: true)), none]
  }

  /// Returns the condition that a level has a value.
  static func condition(_ level: GroupTerm, _ value: StoredValue, in columns: FilterColumns) -> FilterSyntax {
    let operand = level.syntax
    let type = level.value.type
    switch value {
    case .value(.null): return FilterSyntax(.identity(operand, FilterSyntax(.literal(.null)), isNegated: false))
    case .value(.text(let text)):
      if let date = level.date(text) { return FilterSyntax(.comparison(.equal, operand, date)) }
      let literal = FilterSyntax(.literal(.text(text)))
      if type == .date { return FilterSyntax(.identity(operand, literal, isNegated: false)) }
      if type == .text || type == .any { return FilterSyntax(.comparison(.equal, operand, literal)) }
      return stored(operand, ["text"], .text, literal)
    case .value(.integer(let number)):
      if type == .boolean, number == 0 || number == 1 {
        return FilterSyntax(.comparison(.equal, operand, FilterSyntax(.literal(.truth(number == 1)))))
      }
      return condition(level, number: FilterSyntax(.literal(.integer(number))), in: columns)
    case .value(.real(let number)): return condition(level, number: FilterSyntax(.literal(.real(number))), in: columns)
    case .value(.blob(let bytes)):
      let literal = FilterSyntax(.literal(.blob(bytes)))
      return type == .any ? FilterSyntax(.comparison(.equal, operand, literal)) : stored(operand, ["blob"], .blob, literal)
    case .rawText(let bytes):
      let text = FilterSyntax(.cast(FilterSyntax(.literal(.blob(bytes))), .text))
      if type == .text || type == .any { return FilterSyntax(.comparison(.equal, operand, text)) }
      return stored(operand, ["text"], .text, text)
    }
  }

  private static func condition(_ level: GroupTerm, number literal: FilterSyntax, in columns: FilterColumns) -> FilterSyntax {
    switch level.value.type {
    case .integer, .real, .numeric, .any: return FilterSyntax(.comparison(.equal, level.syntax, literal))
    case .date where columns.compared(with: level.syntax)?.dates.isNumeric == true:
      return FilterSyntax(.identity(level.syntax, literal, isNegated: false))
    case .date, .text, .blob, .boolean, .null: return stored(level.syntax, ["integer", "real"], .numeric, literal)
    }
  }

  /// Returns the condition for a value that the type of the level does not lead one to expect.
  ///
  ///     typeof(Milliseconds) = 'text' and cast(Milliseconds as text) = 'unknown'
  private static func stored(
    _ operand: FilterSyntax, _ classes: [String], _ affinity: ColumnSchema.Affinity, _ literal: FilterSyntax
  ) -> FilterSyntax {
    let storage = FilterSyntax(.call("typeof", [operand]))
    let names = classes.map { FilterSyntax(.literal(.text($0))) }
    return FilterSyntax(
      .all([
        FilterSyntax(names.count == 1 ? .comparison(.equal, storage, names[0]) : .membership(storage, names, isNegated: false)),
        FilterSyntax(.comparison(.equal, FilterSyntax(.cast(operand, affinity)), literal)),
      ]))
  }
}

extension GroupTerm {
  /// Returns the date that a text is, if the level is a month, a week or a day: `month(InvoiceDate) = 1997-08`.
  fileprivate func date(_ text: String) -> FilterSyntax? {
    guard case .call(let name, _) = syntax.kind, let grain = FilterGrain(rawValue: name) else { return nil }
    let count = [.month: 7, .week: 10, .day: 10][grain]
    guard text.utf8.count == count, (try? WrittenDate(text)) != nil else { return nil }
    return FilterSyntax(.literal(.date(text)))
  }
}
