internal import QuarryEngine

/// Regular expressions and full-text searches, which have their own grammar.
extension FilterChecker {
  /// Returns the range in the filter of a part of a text, in which doubled quotes count twice; for a parameter, its whole range.
  func range(_ part: Range<Int>, within node: FilterSyntax) -> Range<Int> {
    let quotes = [UInt8(ascii: "'"), UInt8(ascii: "\"")]
    guard node.text != nil, let start = bytes[node.range.clamped(to: bytes.indices)].firstIndex(where: quotes.contains) else {
      return node.range
    }
    var offsets: [Int] = []
    var position = start + 1
    while position < node.range.upperBound, offsets.count <= part.upperBound {
      offsets.append(position)
      position += bytes[position] == bytes[start] ? 2 : 1
    }
    guard part.upperBound < offsets.count else { return node.range }
    return offsets[part.lowerBound]..<max(offsets[part.upperBound], offsets[part.lowerBound])
  }

  /// Returns a text that is known before a row is read: a literal, or a parameter with a value.
  private func knownText(_ node: FilterSyntax) -> String? {
    switch node.kind {
    case .literal(.text(let text)): return text
    case .parameter(let token):
      guard case .text(let text) = parameters.value(of: token, at: node.range.lowerBound) else { return nil }
      return text
    default: return nil
    }
  }

  /// Reports the error in a regular expression, and returns whether there is one.
  mutating func reportExpression(_ node: FilterSyntax) -> Bool {
    guard let pattern = knownText(node) else { return false }
    do throws(RegularExpressionError) {
      _ = try RegularExpression(pattern)
      return false
    } catch {
      reports.add(.badPattern, range(error.range, within: node), error.sentence)
      return true
    }
  }

  // MARK: Full-text search

  /// Checks `f match 'words'`.
  mutating func fullText(_ table: FilterSyntax, _ words: FilterSyntax, _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    guard let column = searchedColumn(table, words, node) else { return nil }
    guard isAtTop(node) else {
      reports.add(.misplacedMatch, node.range, FilterError.matchSentence)
      return nil
    }
    switch words.kind {
    case .literal(.text), .parameter: break
    default:
      reports.add(.notText, words.range, "Write text in single quotes, or a parameter, after match.")
      return nil
    }
    guard let text = text(words, room.inside(4), because: "match searches for words", beside: nil)?.asText else { return nil }
    if columns.fullTextModule == "fts5", let query = knownText(words), reportSearch(query, words) { return nil }
    return .boolean(FullTextMatch(column: TypedExpression(columnNamed: column.name, type: column.type).expression, words: text))
  }

  private mutating func searchedColumn(_ table: FilterSyntax, _ words: FilterSyntax, _ node: FilterSyntax) -> FilterColumn? {
    guard let name = table.columnName else {
      if value(table, Room()) != nil {
        reports.add(.misplacedMatch, table.range, "Write a full-text table, or one of its columns, before match.")
      }
      return nil
    }
    guard let column = columns.named(name) else {
      reports.unknownColumn(name, table, beside: nil)
      return nil
    }
    guard columns.fullTextModule != nil else {
      let sentence = "match searches full-text tables, but \(columns.tableName ?? "this") is not one."
      reports.add(.misplacedMatch, node.range, sentence, words.text.map { ["\(source(table)) ~ \(FilterFormatter.quoted($0))"] } ?? [])
      return nil
    }
    return column
  }

  private mutating func reportSearch(_ query: String, _ node: FilterSyntax) -> Bool {
    let names = columns.offered.map(\.name)
    do throws(FullTextQueryFault) {
      try FullTextQuery.check(query, columns: names)
      return false
    } catch {
      reports.add(.badSearch, range(error.range, within: node), error.sentence)
      return true
    }
  }
}

extension FilterError {
  /// The error of a misplaced `match`.
  static let matchSentence = "SQLite allows match only at the top level of a filter, joined to other conditions by and."
}
