internal import QuarryEngine

/// Paths through foreign keys: `AlbumId.ArtistId.Name`.
extension FilterParser {
  /// A name of a path with its place.
  private struct PathName {
    var name: String
    var range: Range<Int>
  }

  /// The maximum number of foreign keys in a path.
  static let longestPath = 8

  /// Parses the steps that follow a foreign key, and a path in JSON after them; nil if the name is not that of a foreign key.
  mutating func related(from first: FilterSyntax) throws(Fault) -> FilterSyntax? {
    guard token.kind == .symbol(.point), let graph = columns.relations, let name = first.columnName else { return nil }
    if let qualified = try column(qualifiedBy: name) { return qualified }
    guard let key = try step(PathName(name: name, range: first.range), from: columns.place, in: graph) else { return nil }
    // The table's own name rather qualifies a column, except that a composite key to the table itself has no other name.
    if isOwnName(name), key.columns.count == 1 { return nil }
    var (last, place, names) = (PathName(name: name, range: first.range), columns.place, [String]())
    while token.kind == .symbol(.point), token.start == lastEnd {
      guard let key = try step(last, from: place, in: graph) else {
        if graph.columns(of: place).named(last.name)?.isKnownAsJSON == true { break }
        throw reportNoStep(last, of: graph.columns(of: place))
      }
      names.append(graph.columns(of: place).named(last.name)?.name ?? graph.tables[key.parent].reference.name)
      place = key.parent
      if names.count > Self.longestPath {
        throw report(
          .tooDeep, first.range.lowerBound..<token.end, "This path has more than \(Self.longestPath) foreign keys.",
          hint: "Remove some of them, or write a statement in the SQL editor.")
      }
      last = try self.name(in: graph.columns(of: place))
    }
    let target = graph.columns(of: place)
    guard let column = target.named(last.name) else { throw reportNoColumn(last, of: target) }
    names.append(column.name)
    guard column.isKnownAsJSON else { return FilterSyntax(.related(names), range: first.range.lowerBound..<lastEnd) }
    let path = try jsonPath(in: column.name, of: target, from: first.range.lowerBound)
    return FilterSyntax(path.steps.isEmpty ? .related(names) : .relatedPath(names, path), range: first.range.lowerBound..<lastEnd)
  }

  /// Parses a column after the name of the table that an aggregate reads: `InvoiceLine.Quantity`; nil if the name is another one.
  private mutating func column(qualifiedBy name: String) throws(Fault) -> FilterSyntax? {
    guard columns.isQualified, isOwnName(name) else { return nil }
    let column = try self.name(in: columns)
    guard let found = columns.named(column.name) else { throw reportNoColumn(column, of: columns) }
    return try path(from: FilterSyntax(.column(found.name), range: column.range))
  }

  private func isOwnName(_ name: String) -> Bool {
    columns.named(name) == nil && columns.tableName.map { name.isSameIdentifier(as: $0) } ?? false
  }

  private mutating func step(_ name: PathName, from table: Int, in graph: TableGraph) throws(Fault) -> TableGraph.Key? {
    switch graph.step(name.name, from: table) {
    case .key(let key): return key
    case .none: return nil
    case .far:
      throw report(
        .unknownColumn, name.range, "The table to which \(name.name) refers is too far away: a filter reaches the nearest 48 tables.",
        hint: "Write a statement in the SQL editor, or use quarry query.")
    case .ambiguous(let keys):
      let columns = keys.map { $0.columns.joined(separator: ", ") }
      throw report(
        .unknownColumn, name.range, "\(columns.count) foreign keys refer to \(name.name): \(columns.joined(separator: "; ")).",
        hint: "Begin the path with a column.",
        replacements: keys.filter { $0.columns.count == 1 }.map { FilterReplacement(name.range, FilterFormatter.name($0.columns[0])) })
    }
  }

  /// Reports a path that does not begin with a foreign key; nil if it begins with the name of the table, or if no table has a foreign key.
  mutating func reportNoPath(from first: FilterSyntax) -> Fault? {
    guard let graph = columns.relations, let written = first.columnName, next.isName else { return nil }
    if columns.tableName.map({ written.isSameIdentifier(as: $0) }) == true { return nil }
    let name = PathName(name: written, range: first.range)
    if columns.named(written) != nil { return reportNoStep(name, of: columns) }
    let steps = graph.steps(from: columns.place)
    let near = NearestNames.to(written, among: steps)
    return report(
      .unknownColumn, name.range, "\(columns.tableName ?? "The table") has no foreign key \(written).",
      hint: steps.isEmpty
        ? "It has no foreign keys." : "A path can begin with \(steps.prefix(8).map(FilterFormatter.name).joined(separator: ", ")).",
      replacements: near.map { FilterReplacement(name.range, FilterFormatter.name($0)) })
  }

  /// Parses a period and the name after it.
  private mutating func name(in target: FilterColumns) throws(Fault) -> PathName {
    let point = token
    position += 1
    expect(.column, in: target)
    guard token.isName, token.start == point.end else {
      let table = target.tableName ?? "the table"
      throw report(.missingValue, point.range, "A column of \(table) is missing after this period.")
    }
    let name = PathName(name: token.name(in: bytes), range: token.range)
    position += 1
    return name
  }

  private mutating func reportNoStep(_ name: PathName, of table: FilterColumns) -> Fault {
    guard let column = table.named(name.name) else { return reportNoColumn(name, of: table) }
    return report(
      .unknownColumn, name.range, "\(column.name) of \(table.tableName ?? "the table") is not a foreign key.",
      hint: "Only a foreign key can be followed.",
      replacements: [FilterReplacement(name.range.lowerBound..<max(name.range.upperBound, endOfName), FilterFormatter.name(column.name))])
  }

  /// The end of the names that follow, each after a period.
  private var endOfName: Int {
    var (index, end) = (position, lastEnd)
    while index + 1 < tokens.count, tokens[index].kind == .symbol(.point), tokens[index].start == end, tokens[index + 1].isName {
      end = tokens[index + 1].end
      index += 2
    }
    return end
  }

  private mutating func reportNoColumn(_ name: PathName, of table: FilterColumns) -> Fault {
    let near = table.nearest(to: name.name)
    let names = table.offered.prefix(8).map { FilterFormatter.name($0.name) }.joined(separator: ", ")
    return report(
      .unknownColumn, name.range, "\(table.tableName ?? "The table") has no column \(name.name).",
      hint: near.isEmpty ? "Its columns are \(names)." : nil,
      replacements: near.map { FilterReplacement(name.range, FilterFormatter.name($0)) })
  }
}

// MARK: - Aggregates

/// Aggregates over the rows that refer to the current row: `count(InvoiceLine)`, `sum(InvoiceLine.Quantity)`.
extension FilterParser {
  /// A referring table named in an aggregate.
  private struct Referring {
    var table: Int
    var name: String
    var range: Range<Int>
    var keys: [TableGraph.Key]
  }

  /// Parses an aggregate; nil if the current token begins another call.
  mutating func aggregate() throws(Fault) -> FilterSyntax? {
    let name = string(token.range).lowercased()
    guard let graph = columns.relations, let function = FilterAggregate.Function(rawValue: name) else { return nil }
    let start = token.start
    let found = referring(function, in: graph)
    // SQLite's functions of several values have the same names, and so have the aggregates of groups.
    if found == nil, isOfGroups || function == .min || function == .max { return nil }
    position += 1
    let aggregate = try parenthesized { (parser) throws(Fault) in
      if parser.isAtEnd { parser.expect(.referring(function), in: parser.columns) }
      guard let found else { throw parser.reportNotReferring(function, in: graph) }
      return try parser.aggregate(function, over: found, in: graph)
    }
    return FilterSyntax(.aggregate(aggregate), range: start..<lastEnd)
  }

  /// Returns the referring table that is named first after the opening parenthesis.
  private func referring(_ function: FilterAggregate.Function, in graph: TableGraph) -> Referring? {
    var index = position + 2
    var depth = 1
    while index < tokens.count, depth > 0 {
      let token = tokens[index]
      if token.kind == .symbol(.leftParenthesis) { depth += 1 }
      if token.kind == .symbol(.rightParenthesis) { depth -= 1 }
      let following = tokens[min(index + 1, tokens.count - 1)].kind
      let isFollowed = following == .symbol(.point)
      // Within the aggregate of a group, `sum(sum(InvoiceLine.Quantity))`, the table belongs to the inner one.
      if isOfGroups, following == .symbol(.leftParenthesis), isAggregate(token) { return nil }
      if token.isName, function.isOfRows || isFollowed, let found = referring(token, in: graph) { return found }
      if function.isOfRows { return nil }
      index += 1
    }
    return nil
  }

  private func isAggregate(_ token: FilterToken) -> Bool {
    token.kind == .word && FilterAggregate.Function(rawValue: string(token.range).lowercased()) != nil
  }

  private func referring(_ token: FilterToken, in graph: TableGraph) -> Referring? {
    let name = token.name(in: bytes)
    let child = graph.children(of: columns.place).first { graph.tables[$0.table].reference.name.isSameIdentifier(as: name) }
    return child.map { Referring(table: $0.table, name: graph.tables[$0.table].reference.name, range: token.range, keys: $0.keys) }
  }

  private mutating func aggregate(
    _ function: FilterAggregate.Function, over found: Referring, in graph: TableGraph
  ) throws(Fault) -> FilterAggregate {
    var aggregate = FilterAggregate(function: function, table: found.name)
    let outer = columns
    if function.isOfRows { try parseRows(of: found, in: graph, &aggregate) }
    columns = graph.columns(of: found.table, isQualified: true)
    defer { columns = outer }
    if !function.isOfRows {
      if found.keys.count > 1 { aggregate.key = try chosenKey(of: found, function) }
      aggregate.operand = try sum()
    }
    if found.keys.count > 1, aggregate.key == nil { throw reportSeveralKeys(found, function) }
    if take(.comma) { aggregate.condition = try disjunction() }
    return aggregate
  }

  /// Parses `Employee.ReportsTo`, which names the foreign key, or a column whose values are counted.
  private mutating func parseRows(of found: Referring, in graph: TableGraph, _ aggregate: inout FilterAggregate) throws(Fault) {
    position += 1
    guard token.kind == .symbol(.point) else { return }
    let column = token.end..<next.end
    let name = next.isName ? next.name(in: bytes) : ""
    if let key = found.keys.first(where: { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: name) }) {
      position += 2
      if found.keys.count > 1 || aggregate.function == .exists { return aggregate.key = key.columns[0] }
      return aggregate.operand = FilterSyntax(.column(key.columns[0]), range: column)
    }
    position -= 1
    let outer = columns
    columns = graph.columns(of: found.table, isQualified: true)
    defer { columns = outer }
    let operand = try sum()
    if aggregate.function == .exists {
      throw report(
        .unexpected, operand.range, "exists asks for rows of \(found.name), not for a column.",
        replacements: [FilterReplacement(operand.range, "\(FilterFormatter.name(found.name)), \(string(column)) is not null")])
    }
    aggregate.operand = operand
  }

  /// Parses `Employee.ReportsTo,`, which precedes a value if several foreign keys lead here.
  private mutating func chosenKey(of found: Referring, _ function: FilterAggregate.Function) throws(Fault) -> String {
    guard token.range == found.range, tokens.indices.contains(position + 3), tokens[position + 1].kind == .symbol(.point),
      tokens[position + 3].kind == .symbol(.comma)
    else { throw reportSeveralKeys(found, function) }
    let name = tokens[position + 2].name(in: bytes)
    guard let key = found.keys.first(where: { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: name) }) else {
      throw reportSeveralKeys(found, function)
    }
    position += 4
    return key.columns[0]
  }

  private mutating func reportSeveralKeys(_ found: Referring, _ function: FilterAggregate.Function) -> Fault {
    let names = found.keys.map { $0.columns.joined(separator: ", ") }.joined(separator: "; ")
    let single = found.keys.filter { $0.columns.count == 1 }.map { key in
      [found.name, key.columns[0]].map(FilterFormatter.name).joined(separator: ".")
    }
    let start = token.start..<token.start
    return report(
      .unknownColumn, found.range, "\(found.keys.count) foreign keys of \(found.name) lead here: \(names).",
      hint: function.isOfRows ? "Name the column after the table." : "Name the table and the column before the value.",
      replacements: single.map { function.isOfRows ? FilterReplacement(found.range, $0) : FilterReplacement(start, "\($0), ") })
  }

  /// Reports an aggregate that names no table with rows that refer here.
  private mutating func reportNotReferring(_ function: FilterAggregate.Function, in graph: TableGraph) -> Fault {
    let here = columns.tableName ?? "this table"
    let tables = graph.children(of: columns.place).map { graph.tables[$0.table].reference.name }
    let example = "\(function.rawValue)(\(FilterFormatter.name(tables.first ?? "Table"))\(function.isOfRows ? "" : ".Column"))"
    if isAtEnd {
      let sentence = "A table that refers to \(here) is missing."
      return report(.missingValue, tokens[position - 1].range, sentence, hint: "For example \(example).")
    }
    if tables.isEmpty { return report(.unknownColumn, token.range, "No foreign key refers to \(here).") }
    let name = token.isName ? token.name(in: bytes) : nil
    let near = name.map { NearestNames.to($0, among: tables) } ?? []
    let sentence = name.map { "No foreign key of \($0) refers to \(here)." } ?? "\(function.rawValue) needs a table that refers to \(here)."
    return report(
      .unknownColumn, token.range, sentence,
      hint: "These tables refer to \(here): \(tables.prefix(8).joined(separator: ", ")). For example \(example).",
      replacements: (near.isEmpty ? Array(tables.prefix(3)) : near).map { FilterReplacement(token.range, FilterFormatter.name($0)) })
  }
}
