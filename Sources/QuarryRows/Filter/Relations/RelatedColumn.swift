internal import QuarryEngine

/// A value that foreign keys connect with each row: a column of the row to which they lead, or an aggregate over the rows that refer to it.
package struct RelatedColumn: Hashable, Sendable {
  /// The value as named in filters and orders.
  package let syntax: FilterSyntax
  /// The table of the column or of the referring rows.
  package let table: String
  /// The declared type of the column; empty for none, and for an aggregate.
  package let declaredType: String
  /// Whether the column is part of the primary key of its table.
  package let isKey: Bool
  /// The columns of the foreign key by which the rows of an aggregate refer; empty for a column.
  package let keyColumns: [String]
  /// The paths that continue from the column; empty unless the column is a foreign key.
  package let steps: [[String]]

  /// The value in filter syntax.
  package var text: String { syntax.description }

  /// The names of the path to a column; empty for an aggregate.
  package var names: [String] { if case .related(let names) = syntax.kind { names } else { [] } }
}

extension FilterColumns {
  /// Returns the beginnings of the paths through the foreign keys that contain a column: the column itself, or the referenced table.
  ///
  ///     AlbumId in Track             [["AlbumId"]]
  ///     product in a composite key   [["Offer"]]
  package func paths(from column: String) -> [[String]] {
    relations?.paths(from: column, of: place).map { [$0] } ?? []
  }

  /// Returns the columns of the table to which a path leads; empty if it leads to none.
  package func columns(after path: [String]) -> [RelatedColumn] {
    guard let graph = relations, let table = graph.table(after: path, from: place) else { return [] }
    return graph.columns(of: table).offered.map { column in
      let steps = path.count < FilterParser.longestPath ? graph.paths(from: column.name, of: table).map { path + [$0] } : []
      return RelatedColumn(
        syntax: FilterSyntax(.related(path + [column.name])), table: graph.tables[table].reference.name,
        declaredType: column.declaredType, isKey: column.isPrimaryKey, keyColumns: [], steps: steps)
    }
  }

  /// The aggregates to choose from: the number of rows of each table that refers here, and the sums of its numbers.
  package var aggregates: [RelatedColumn] {
    guard let graph = relations else { return [] }
    return graph.children(of: place).flatMap { child in
      child.keys.flatMap { graph.aggregates(of: child.table, by: $0, isOnlyKey: child.keys.count == 1) }
    }
  }
}

extension TableGraph {
  /// Returns the names by which paths follow the foreign keys that contain a column.
  fileprivate func paths(from column: String, of table: Int) -> [String] {
    let keys = tables[table].keys.filter { key in key.columns.contains { $0.isSameIdentifier(as: column) } }
    return keys.compactMap { key in
      let names = [key.columns.count == 1 ? key.columns[0] : nil, tables[key.parent].reference.name].compactMap(\.self)
      return names.first { if case .key(key) = step($0, from: table) { true } else { false } }
    }
  }

  /// Returns the table to which names lead; nil unless each of them is a foreign key.
  fileprivate func table(after names: [String], from table: Int) -> Int? {
    var place = table
    for name in names {
      guard case .key(let key) = step(name, from: place) else { return nil }
      place = key.parent
    }
    return place
  }

  fileprivate func aggregates(of table: Int, by key: Key, isOnlyKey: Bool) -> [RelatedColumn] {
    let name = tables[table].reference.name
    func column(_ aggregate: FilterAggregate) -> RelatedColumn {
      RelatedColumn(
        syntax: FilterSyntax(.aggregate(aggregate)), table: name, declaredType: "", isKey: false, keyColumns: key.columns, steps: [])
    }
    // Only a key of one column can be named.
    guard isOnlyKey || key.columns.count == 1 else { return [] }
    let named = isOnlyKey ? nil : key.columns[0]
    let count = FilterAggregate(function: .count, table: name, key: named)
    let keys = tables[table].keys.flatMap(\.columns) + tables[table].farKeys.flatMap(\.columns)
    let numbers = columns(of: table).offered.filter { number in
      number.type.isNumber && !number.isPrimaryKey && !keys.contains { $0.isSameIdentifier(as: number.name) }
    }
    let sums = numbers.map { number in
      FilterAggregate(function: .sum, table: name, key: named, operand: FilterSyntax(.column(number.name)))
    }
    return ([count] + sums).map(column)
  }
}
