internal import QuarryEngine

/// Paths through foreign keys, and aggregates over referring rows.
extension FilterChecker {
  /// Checks `AlbumId.ArtistId.Name`, or `AlbumId.data.user`, the value at a path in JSON.
  mutating func related(_ names: [String], at json: JSONPath? = nil, _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    guard let graph = columns.relations, let path = graph.path(names, from: columns.place) else {
      reports.unknownColumn(names.joined(separator: "."), node, beside: nil)
      return nil
    }
    if room.inside(Self.entriesOfStep * path.keys.count).isSpent { return reportRoom(node) }
    noteKey(path.keys.first?.columns ?? [])
    let column = TypedExpression(columnNamed: path.column.name, type: path.column.type)
    if let json {
      argumentCount += json.escapedText == nil ? 1 : 2
      return column.asText.map { Self.value(.any(JSONExtraction($0, .value, json)), by: path.keys[...], in: graph, inside: scopes) }
    }
    let value = Self.value(column, by: path.keys[...], in: graph, inside: scopes)
    guard let collation = path.column.collation else { return value }
    return (try? value.collated(Collation(rawValue: collation))) ?? value
  }

  /// Notes the columns of a foreign key in the row itself, not in a row that an aggregate reads.
  private mutating func noteKey(_ columns: [String]) {
    if scopes.count == 1 { keyColumns.formUnion(columns) }
  }

  /// The entries of SQLite's parser stack that a subquery takes.
  private static let entriesOfStep = 6

  /// Returns a value in the row to which foreign keys lead, one subquery within another.
  private static func value(
    _ value: TypedExpression, by keys: ArraySlice<TableGraph.Key>, in graph: TableGraph, inside scopes: [String]
  ) -> TypedExpression {
    guard let key = keys.first else { return value }
    let table = graph.tables[key.parent].reference
    let name = name(for: table, inside: scopes)
    let rows = RelatedRows(
      table: table, name: name, pairs: zip(key.parentColumns, key.columns).map { RelatedRows.Pair(column: $0, outer: $1) },
      outerName: scopes.last ?? "")
    return self.value(value, by: keys.dropFirst(), in: graph, inside: scopes + [name]).selected(from: rows)
  }

  /// Returns a name for a table that no enclosing table has.
  private static func name(for table: TableReference, inside scopes: [String]) -> String {
    var (name, number) = (table.name, 1)
    while scopes.contains(where: { $0.isSameIdentifier(as: name) }) {
      number += 1
      name = "\(table.name) \(number)"
    }
    return name
  }

  /// Checks `sum(InvoiceLine.Quantity * InvoiceLine.UnitPrice)`.
  mutating func aggregate(_ aggregate: FilterAggregate, _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    guard let graph = columns.relations, let (child, key) = Self.reference(of: aggregate, to: columns.place, in: graph) else {
      reports.unknownColumn(aggregate.table, node, beside: nil)
      return nil
    }
    let table = graph.tables[child].reference
    let pairs = zip(key.columns, key.parentColumns).map { column, outer in
      RelatedRows.Pair(column: column, outer: outer, collation: graph.collation(of: column, in: child, as: outer, of: key.parent))
    }
    childKeys.insert(ChildKey(table: table, columns: pairs.map { ChildKey.Column(name: $0.column, collation: $0.collation) }))
    noteKey(key.parentColumns)
    let name = Self.name(for: table, inside: scopes)
    var rows = RelatedRows(table: table, name: name, pairs: pairs, outerName: scopes.last ?? "")
    let outer = (columns, scopes)
    (columns, scopes) = (graph.columns(of: child, isQualified: true), scopes + [name])
    defer { (columns, scopes) = outer }
    let count = errors.count
    let operand = aggregate.operand.flatMap { value($0, room.inside(8, deeper: 3)) }
    rows.condition = aggregate.condition.flatMap { truth($0, room.inside(14, deeper: 4)) }
    guard errors.count == count else { return nil }
    return result(of: aggregate, operand, rows)
  }

  /// Returns the table that refers to a table in an aggregate, with its foreign key.
  private static func reference(
    of aggregate: FilterAggregate, to table: Int, in graph: TableGraph
  ) -> (table: Int, key: TableGraph.Key)? {
    let child = graph.children(of: table).first { graph.tables[$0.table].reference.name.isSameIdentifier(as: aggregate.table) }
    guard let child else { return nil }
    let key = child.keys.first { key in aggregate.key.map { key.columns == [$0] } ?? true }
    return key.map { (child.table, $0) }
  }

  private mutating func result(of aggregate: FilterAggregate, _ operand: TypedExpression?, _ rows: RelatedRows) -> TypedExpression? {
    if let node = aggregate.operand, let operand, aggregate.function.needsNumber, !operand.type.isNumber {
      reports.noNumber(node, operand.type)
      return nil
    }
    return switch aggregate.function {
    case .exists: .boolean(RelatedExistence(rows: rows))
    case .count: .integer(RelatedValue(function: "count", operand: operand?.expression, rows: rows))
    case .total: .real(RelatedValue(function: "total", operand: operand?.expression, rows: rows))
    case .avg: .real(RelatedValue(function: "avg", operand: operand?.expression, rows: rows))
    case .groupConcat: .text(RelatedValue(function: "group_concat", operand: operand?.expression, rows: rows))
    case .sum: operand?.selected(by: "sum", from: rows)
    case .min: operand?.selected(by: "min", from: rows)
    case .max: operand?.selected(by: "max", from: rows)
    }
  }
}
