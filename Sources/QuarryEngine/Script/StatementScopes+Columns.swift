extension StatementScopes {
  /// The columns that a query between parentheses yields, as far as they have names; those of its first select.
  func resultColumns(in query: Range<Int>, depth: Int) -> [SQLCompletionSchema.Column] {
    guard depth < Self.greatestDepth, var place = first(["select"], in: query) else { return [] }
    let selects = SelectReader.selects(self, in: query, depth: depth)
    let relations = (selects.first { !$0.relations.isEmpty && $0.start <= place } ?? selects.first)?.relations ?? []
    place += ["distinct", "all"].contains(tokens.keyword(place + 1)) ? 2 : 1
    let ends: Set = ["from", "where", "group", "order", "limit", "union", "except", "intersect", "having", "window"]
    let end = first(ends, in: place..<max(place, query.upperBound)) ?? query.upperBound
    return items(in: place..<max(place, end)).flatMap { columns(of: $0, from: relations) }
  }

  /// The place of the first of some keywords outside of parentheses.
  private func first(_ keywords: Set<String>, in range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while place < range.upperBound {
      if let keyword = tokens.keyword(place), keywords.contains(keyword), keyword != "from" || tokens.isClauseFrom(place) { return place }
      place = tokens.place(after: place)
    }
    return nil
  }

  /// What stands between the commas of a range.
  private func items(in range: Range<Int>) -> [Range<Int>] {
    var items: [Range<Int>] = []
    var (start, place) = (range.lowerBound, range.lowerBound)
    while place < range.upperBound {
      if tokens.isSymbol(place, ",") {
        items.append(start..<place)
        start = place + 1
      }
      place = tokens.place(after: place)
    }
    return items + [start..<max(start, range.upperBound)]
  }

  /// The columns of one item of a select list: all of its tables for `*`, else one under its alias or its own name.
  private func columns(of item: Range<Int>, from relations: [Relation]) -> [SQLCompletionSchema.Column] {
    guard let last = item.last else { return [] }
    if tokens.isSymbol(last, "*"), item.count != 2 {
      let table = item.count > 2 ? tokens.anyName(last - 2) : nil
      return relations.filter { table == nil || $0.name.isSameIdentifier(as: table ?? "") }.flatMap(\.columns)
    }
    let isAs = tokens.keyword(last - 1) == "as"
    guard let name = tokens.anyName(last), isAs || tokens[last]?.kind != .text else { return [] }
    if item.count == 1 || tokens.isSymbol(last - 1, ".") { return [column(named: name, at: last, in: item, from: relations)] }
    guard isAs || tokens.keyword(last) == nil && tokens.endsOperand(last - 1) else { return [] }
    let source = item.lowerBound..<last - (isAs ? 1 : 0)
    let origin = source.last.flatMap { place in
      source.count.isMultiple(of: 2) ? nil : tokens.anyName(place).map { column(named: $0, at: place, in: source, from: relations) }
    }
    return [SQLCompletionSchema.Column(name: name, declaredType: origin?.declaredType ?? "")]
  }

  /// The column that is named at the end of an item, with its table where that is written.
  private func column(
    named name: String, at place: Int, in item: Range<Int>, from relations: [Relation]
  ) -> SQLCompletionSchema.Column {
    let isPath = stride(from: place - 1, to: item.lowerBound, by: -2).allSatisfy { tokens.isSymbol($0, ".") }
    let table = item.count > 1 ? tokens.anyName(place - 2) : nil
    let candidates = relations.filter { table == nil || $0.name.isSameIdentifier(as: table ?? "") }
    let found = isPath ? candidates.lazy.compactMap { $0.column(named: name) }.first : nil
    return found ?? SQLCompletionSchema.Column(name: name)
  }
}
