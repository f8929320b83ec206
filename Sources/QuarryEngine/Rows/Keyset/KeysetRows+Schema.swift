extension KeysetRows {
  /// Makes the rows of a table in the order of its own key; nil where no key can be used: views, most virtual tables, and keys whose
  /// collation is not defined on this connection.
  init?(_ schema: TableSchema, in database: Database) {
    let keys: [(kind: KeyKind, terms: [KeysetOrder.Term])] =
      switch schema.entry.kind {
      case .view: []
      case .virtual: schema.rowIDKey.map { [(.rowID, [$0])] } ?? []
      case .table, .shadow, .system: schema.keys
      }
    let candidates = keys.map { Self(schema, $0.kind, $0.terms) }
    guard let rows = candidates.first(where: { $0.isServed(by: database) }) else { return nil }
    self = rows
  }

  private init(_ schema: TableSchema, _ kind: KeyKind, _ terms: [KeysetOrder.Term]) {
    reference = schema.entry.reference
    columns = schema.rowSetColumns
    keyKind = kind
    order = KeysetOrder(terms: terms)
  }

  /// Returns whether SQLite gives the order without sorting: otherwise each page would cost a scan.
  private func isServed(by database: Database) -> Bool {
    let order = order.everything(.forward).order
    let plan = try? QueryPlan(of: "SELECT 1 FROM \(reference.sqlText) ORDER BY \(order)", in: database)
    return plan.map { !$0.details.contains { $0.contains("TEMP B-TREE") } } ?? false
  }
}

extension TableSchema {
  /// The keys that identify a row, the best one first.
  fileprivate var keys: [(kind: KeysetRows.KeyKind, terms: [KeysetOrder.Term])] {
    let own = entry.isWithoutRowID ? nil : rowIDKey.map { (kind: KeysetRows.KeyKind.rowID, terms: [$0]) }
    let unique = indexes.filter { $0.isUnique && !$0.isPartial }.sorted { $0.origin == .primaryKey && $1.origin != .primaryKey }
    return [own].compactMap(\.self) + unique.compactMap { keyTerms(of: $0) }.map { (kind: .values, terms: $0) }
  }

  /// The rowid under a name that no column has.
  fileprivate var rowIDKey: KeysetOrder.Term? {
    let alias = columns.first(where: \.isRowID)?.name
    let free = ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil }
    return (alias ?? free).map { KeysetOrder.Term(expression: "\(identifier: $0)") }
  }

  /// Returns the terms of an index none of whose columns can be NULL; nil for any other, in which rows can be equal.
  private func keyTerms(of index: IndexSchema) -> [KeysetOrder.Term]? {
    let terms = index.terms.compactMap { term -> KeysetOrder.Term? in
      guard let name = term.column, let column = column(named: name), !column.isNullable else { return nil }
      return KeysetOrder.Term(expression: "\(identifier: name)", collation: term.collation, isDescending: term.isDescending)
    }
    return terms.count == index.terms.count ? terms : nil
  }
}
