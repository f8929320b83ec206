/// Words that SQL and other tools begin a clause with, and that a filter looks for like any others.
extension FilterChecker {
  /// Says of words that are looked for, and look like a clause of a statement, where that is asked for.
  mutating func adviseOfClause(_ text: String, _ node: FilterSyntax) {
    guard !source(node).hasPrefix("~") else { return }
    let words = text.lowercased().split { $0 == " " }.map(String.init)
    guard let first = words.first, let way = Self.way(first, Array(words.dropFirst()), in: columns) else { return }
    advice.append(FilterAdvice(range: node.range, sentence: "These words are looked for in the rows. \(way)", replacements: []))
  }

  /// Returns the place where a clause is asked for; nil for words that begin none.
  private static func way(_ first: String, _ others: [String], in columns: FilterColumns) -> String? {
    let isNumber = others.count == 1 && Int(others[0]) != nil
    let namesColumn = others.contains { columns.named($0) != nil }
    switch first {
    case "limit", "top", "first", "last", "offset", "fetch", "take", "skip", "head", "tail":
      return isNumber ? "A filter has no limit: every row can be reached." : nil
    case "order", "sort": return others.first == "by" || namesColumn ? "An order is written in the sort bar, or after --sort." : nil
    case "orderby", "asc", "desc": return namesColumn ? "An order is written in the sort bar, or after --sort." : nil
    case "group", "having", "distinct", "select", "count", "sum", "avg", "min", "max", "join", "from":
      return others.first == "by" || namesColumn ? "Statements are written in the SQL editor, or for quarry query." : nil
    case "where", "filter": return namesColumn ? "A condition is written Name = 'x', without \(first)." : nil
    default: return nil
    }
  }
}
