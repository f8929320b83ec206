extension ParameterInference {
  /// What a column says that is named in a scope: that of the nearest scope that has it.
  ///
  /// - Parameter path: its name, after that of its table and of its database where these are written.
  func column(_ path: [String], in scope: Int) -> ParameterEvidence? {
    guard let deeper, let name = path.last else { return nil }
    var next: Int? = scope
    while let number = next {
      let place = scopes.scopes[number]
      let tables = place.tables + (place.target.map { [$0] } ?? [])
      for table in tables where isNamed(table, by: path.dropLast(), target: place.target) {
        if let evidence = deeper.column(name, of: table) { return evidence }
      }
      if path.count == 1, let evidence = deeper.resultColumn(name, of: number) { return evidence }
      next = place.parent
    }
    return nil
  }

  /// Whether a table goes by what stands before the name of a column.
  private func isNamed(_ table: ParameterScopes.Table, by path: ArraySlice<String>, target: ParameterScopes.Table?) -> Bool {
    guard let name = path.last else { return true }
    if name.isSameIdentifier(as: "excluded"), let target { return table.name == target.name }
    if let database = path.dropLast().last, let written = table.database, !database.isSameIdentifier(as: written) { return false }
    return (table.alias ?? table.name).isSameIdentifier(as: name)
  }

  private func column(_ name: String, of table: ParameterScopes.Table) -> ParameterEvidence? {
    if table.body != nil { return bodyColumn(name, of: table) }
    if table.database == nil, let common = scopes.commonTables[table.name.lowercased()] { return bodyColumn(name, of: common) }
    return schemas.table(table.name, in: table.database).flatMap { ParameterEvidence(column: name, of: $0) }
  }

  // MARK: Columns of a SELECT

  /// What a column says of a SELECT that stands in the place of a table.
  private func bodyColumn(_ name: String, of table: ParameterScopes.Table) -> ParameterEvidence? {
    guard let body = table.body else { return nil }
    if !table.columnNames.isEmpty {
      return table.columnNames.firstIndex { $0.isSameIdentifier(as: name) }.flatMap { selected($0, in: body) }
    }
    guard let deeper, let select = firstSelect(in: body) else { return nil }
    let items = selectItems(select)
    if let item = items.first(where: { tokens.name($0.upperBound - 1)?.isSameIdentifier(as: name) == true }) {
      return deeper.expression(in: withoutAlias(item))
    }
    let hasAll = items.contains { tokens.text($0.upperBound - 1) == "*" }
    return hasAll ? deeper.column([name], in: scopes.scopeOfToken[select]) : nil
  }

  /// What the column says that a SELECT yields in a place.
  func selected(_ place: Int, in body: Int) -> ParameterEvidence? {
    guard let deeper, let select = firstSelect(in: body) else { return nil }
    let items = selectItems(select)
    return items.indices.contains(place) ? deeper.expression(in: withoutAlias(items[place])) : nil
  }

  /// What a result column says that the SELECT of a scope gives this name to.
  private func resultColumn(_ name: String, of scope: Int) -> ParameterEvidence? {
    guard let select = scopes.scopes[scope].select else { return nil }
    let item = selectItems(select).first { item in
      withoutAlias(item) != item && tokens.name(item.upperBound - 1)?.isSameIdentifier(as: name) == true
    }
    return item.flatMap { deeper?.expression(in: withoutAlias($0)) }
  }

  private func withoutAlias(_ item: Range<Int>) -> Range<Int> {
    let last = item.upperBound - 1
    if item.count > 2, tokens.text(last - 1) == "AS" { return item.lowerBound..<last - 1 }
    return item.count > 1 && tokens.isPlainName(last) && isOperandEnd(last - 1) ? item.lowerBound..<last : item
  }

  /// The SELECT that stands in these parentheses, after a WITH or at once.
  private func firstSelect(in opener: Int) -> Int? {
    guard let end = tokens.partner(opener) else { return nil }
    return (opener..<end).first { tokens.text($0) == "SELECT" && tokens.opener($0) == opener }
  }

  /// What a SELECT yields, item by item.
  private func selectItems(_ select: Int) -> [Range<Int>] {
    let ends: Set<String> = ["FROM", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", ")", ";"]
    let start = ["DISTINCT", "ALL"].contains(tokens.text(select + 1)) ? select + 2 : select + 1
    var end = start
    while end < tokens.indices.upperBound, !ends.contains(tokens.text(end)) {
      end = tokens.text(end) == "(" ? (tokens.partner(end) ?? end) + 1 : end + 1
    }
    return start < end ? tokens.items(in: start..<end) : []
  }
}
