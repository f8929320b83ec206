internal import QuarryEngine

/// The SELECT of groups.
extension GroupCompiler {
  /// Returns the SELECT that returns the groups.
  ///
  ///     SELECT Country, sum(Total) AS "sum(Total)" FROM Invoice WHERE (Total > ?) GROUP BY 1
  func select(
    _ levels: [GroupTerm], _ across: GroupTerm?, _ cells: [GroupTerm], _ pivot: PivotValues?, _ operands: [SQLText]
  ) -> SQLText {
    var sql: SQLText = "SELECT "
    let isPivot = pivot != nil
    let keys = levels.enumerated().map { isPivot ? "\(identifier: PivotColumns.level($0))" : $1.value.expression.sqlText }
    let values = keys + cells.map { $0.value.expression.sqlText }
    sql.append(zip(values, (levels + cells).map(\.name)).map { "\($0) AS \(identifier: $1)" }.joined(by: ", "))
    sql.append(" FROM ")
    if let pivot, let across { sql.append("(\(pivotRows(levels, across, pivot, operands)))") } else { sql.append(rowsText) }
    guard !levels.isEmpty else { return sql }
    sql.append(" GROUP BY ")
    sql.raw(levels.indices.map { String($0 + 1) }.joined(separator: ", "))
    return sql
  }

  /// The rows to group, as written after FROM.
  var rowsText: SQLText {
    let condition = rows.condition
    return condition.isEmpty ? rows.sourceText : "\(rows.sourceText) WHERE \(condition)"
  }

  /// Returns the SELECT that computes for each row of a pivot its levels, the number of its column, and what the aggregates read.
  ///
  ///     SELECT Country AS "level 0", CASE year WHEN 1996 THEN 0 WHEN 1997 THEN 1 ELSE 2 END AS slot, Total AS "row 0" FROM Orders LIMIT -1
  ///
  /// Because of LIMIT, SQLite computes each of them once for a row, and not again for each column of the pivot.
  private func pivotRows(_ levels: [GroupTerm], _ across: GroupTerm, _ pivot: PivotValues, _ operands: [SQLText]) -> SQLText {
    var list = levels.enumerated().map { "\($1.value.expression.sqlText) AS \(identifier: PivotColumns.level($0))" as SQLText }
    list.append("\(slot(of: across.value.expression.sqlText, pivot)) AS \(identifier: PivotColumns.slot)")
    list += operands.enumerated().map { "\($1) AS \(identifier: PivotColumns.operand($0))" as SQLText }
    return "SELECT \(list.joined(by: ", ")) FROM \(rowsText) LIMIT -1"
  }

  /// Returns the number of the column to which a row belongs.
  private func slot(of value: SQLText, _ pivot: PivotValues) -> SQLText {
    var choice: SQLText = "CASE \(value)"
    for (index, known) in pivot.values.enumerated() where known != .null {
      choice.append(" WHEN \(known.sqlText) THEN \(raw: String(index))")
    }
    choice.append(" ELSE \(raw: String(pivot.values.count)) END")
    guard let null = pivot.values.firstIndex(of: .null) else { return choice }
    if pivot.values.count == 1, pivot.otherCount == 0 { return "\(raw: String(null))" }
    return "iif(\(value) IS NULL, \(raw: String(null)), \(choice))"
  }
}

extension StoredValue {
  /// The value as SQL, with an argument.
  var sqlText: SQLText {
    switch self {
    case .value(let value): "\(value)"
    case .rawText(let bytes): "CAST(\(DatabaseValue.blob(bytes)) AS TEXT)"
    }
  }
}
