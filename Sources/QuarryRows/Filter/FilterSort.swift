public import QuarryEngine

/// One key of a sort text: an expression, its direction, and the position of NULL.
public struct FilterSortKey: Hashable, Sendable {
  /// The expression to sort by.
  public var syntax: FilterSyntax
  /// Whether the order is descending.
  public var isDescending = false
  /// The position of NULL; nil for SQLite's default, in which NULL is less than any value.
  public var nulls: Ordering.NullsPlace?

  /// The column, if the key is only a column.
  public var column: String? { syntax.columnName }

  /// Returns whether the key is a column or another value, regardless of the case of the column's name.
  func isOf(_ value: FilterSyntax) -> Bool {
    guard let column, let name = value.columnName else { return syntax == value }
    return column.isSameIdentifier(as: name)
  }
}

/// A compiled sort text with its keys, the primary one first.
///
/// ```swift
/// var sort = try FilterSort.compile("-Milliseconds, Name collate nocase", columns: columns)
/// sort.add(FilterSyntax(named: "Composer", in: columns))
/// sort.text        // -Milliseconds, Name collate nocase, Composer
/// sort.orderings   // Milliseconds DESC, Name COLLATE NOCASE, Composer
/// ```
public struct FilterSort: Sendable {
  /// The keys, the primary one first.
  public private(set) var keys: [FilterSortKey]
  private let columns: FilterColumns
  /// The foreign keys by which aggregates find the rows of other tables.
  private(set) var childKeys: Set<ChildKey>

  /// Compiles a sort text; an empty text has no keys.
  ///
  /// - Throws: All independent errors of the text.
  public static func compile(_ text: String, columns: FilterColumns) throws(FilterErrors) -> FilterSort {
    do throws(FilterErrors) {
      return try read(text, columns: columns)
    } catch {
      throw error.withProvenOffers(on: text) { (mended) throws(FilterErrors) in _ = try read(mended, columns: columns) }
    }
  }

  private static func read(_ text: String, columns: FilterColumns) throws(FilterErrors) -> FilterSort {
    let bytes = Array(text.utf8)
    if let errors = FilterErrors(FilterError.tooLong(bytes)) { throw errors }
    var parser = FilterParser(bytes, columns: columns)
    let keys = parser.sortKeys()
    var checker = FilterChecker(bytes, columns: columns, values: [:])
    for key in keys { checker.sortKey(key.syntax) }
    if let errors = FilterErrors(parser.errors + checker.errors) { throw errors }
    return FilterSort(keys: keys, columns: columns, childKeys: checker.childKeys)
  }

  /// The keys for ORDER BY.
  public var orderings: [Ordering] {
    var checker = FilterChecker([], columns: columns, values: [:])
    return keys.compactMap { key in
      // An ascending key has no explicit direction, as it is SQLite's default.
      checker.value(key.syntax.withoutRanges, .init()).map {
        Ordering($0.expression, key.isDescending ? .descending : nil, nulls: key.nulls)
      }
    }
  }

  /// The keys, followed by the rowid or the columns of a WITHOUT ROWID table's key that are not keys already: no two rows are equal.
  public var totalOrderings: [Ordering] {
    orderings
      + columns.tieBreakers.compactMap { columns.named($0) }.filter { column in
        !keys.contains { $0.isOf(FilterSyntax(.column(column.name))) }
      }.map {
        Ordering(TypedExpression(columnNamed: $0.name, type: $0.type).expression)
      }
  }
}

extension FilterSort: Hashable {}

extension FilterSort: CustomStringConvertible {
  /// The keys as a sort text.
  public var text: String { keys.map(\.description).joined(separator: ", ") }

  /// The keys as a sort text.
  public var description: String { text }
}

extension FilterSortKey: CustomStringConvertible {
  /// The key as written in a sort text: `-Milliseconds`, `length(Name) desc nulls last`.
  public var description: String {
    let text = syntax.description
    // A leading minus sign would be read as the direction.
    let written = syntax.negatedName != nil ? "(\(text))" : text
    let position = nulls.map { $0 == .first ? " nulls first" : " nulls last" } ?? ""
    if syntax.isName { return (isDescending ? "-" : "") + written + position }
    return written + (isDescending ? " desc" : "") + position
  }
}

// MARK: - Sort commands

extension FilterSort {
  private func index(of value: FilterSyntax) -> Int? {
    keys.firstIndex { $0.isOf(value) }
  }

  /// Sorts by one value alone: ascending, then descending, then not at all.
  public mutating func toggle(_ value: FilterSyntax) {
    if keys.count == 1, index(of: value) == 0 { step(at: 0) } else { keys = [FilterSortKey(syntax: value)] }
  }

  /// Sorts by an additional value: ascending, then descending, then not at all.
  public mutating func add(_ value: FilterSyntax) {
    if let index = index(of: value) { step(at: index) } else { keys.append(FilterSortKey(syntax: value)) }
  }

  private mutating func step(at index: Int) {
    if keys[index].isDescending { keys.remove(at: index) } else { keys[index].isDescending = true }
  }
}

// MARK: - Parsing

extension FilterParser {
  mutating func sortKeys() -> [FilterSortKey] {
    var keys: [FilterSortKey] = []
    if isAtEnd { expect(.value(beside: nil)) }
    while !isAtEnd {
      do throws(Fault) {
        keys.append(try sortKey())
        guard isAtEnd || token.kind == .symbol(.comma) else { throw reportRest() }
      } catch {
        skipKey()
      }
      guard take(FilterSymbol.comma) else { break }
      if isAtEnd {
        expect(.value(beside: nil))
        report(.missingValue, tokens[position - 1].range, "A key is missing after the comma.")
      }
    }
    return keys
  }

  private mutating func reportRest() -> Fault {
    if token.kind == .fault { return Fault() }
    let isWord = token.kind == .word || token.kind == .quotedName || token.kind == .bracketedName
    let comma = FilterReplacement(tokens[position - 1].end..<tokens[position - 1].end, ",")
    return report(
      .unexpected, token.range, "\(string(token.range)) is not allowed here.", hint: "After a key, write asc, desc, nulls or a comma.",
      replacements: columns.unquotedName(at: token.range, in: bytes).map { [$0] } ?? (isWord ? [comma] : []))
  }

  private mutating func skipKey() {
    var depth = 0
    while !isAtEnd, depth > 0 || token.kind != .symbol(.comma) {
      if token.kind == .symbol(.leftParenthesis) { depth += 1 }
      if token.kind == .symbol(.rightParenthesis) { depth = max(0, depth - 1) }
      position += 1
    }
  }

  private mutating func sortKey() throws(Fault) -> FilterSortKey {
    let start = token
    let syntax = try sum()
    expect(.direction)
    let direction = parseDirection()
    var key = FilterSortKey(syntax: syntax, isDescending: direction?.isDescending ?? false)
    if start.kind == .symbol(.minus), let column = syntax.negatedName {
      if let direction { throw reportTwoDirections(start, direction.token) }
      key = FilterSortKey(syntax: column, isDescending: true)
    } else if start.kind == .symbol(.minus), case .collated(let operand, let name) = syntax.kind, let column = operand.negatedName {
      throw reportCollatedMinus(column, name, syntax)
    }
    key.nulls = try nullsPlace()
    return key
  }

  private func isWord(_ word: String) -> Bool {
    token.kind == .word && string(token.range).lowercased() == word
  }

  private mutating func parseDirection() -> (isDescending: Bool, token: FilterToken)? {
    let isDescending = isWord("desc")
    guard isDescending || isWord("asc") else { return nil }
    position += 1
    return (isDescending, tokens[position - 1])
  }

  private mutating func nullsPlace() throws(Fault) -> Ordering.NullsPlace? {
    guard isWord("nulls") else { return nil }
    position += 1
    let isFirst = isWord("first")
    guard isFirst || isWord("last") else {
      let range = tokens[position - 1].start..<(isAtEnd ? tokens[position - 1].end : token.end)
      throw report(
        .unexpected, range, "Write first or last after nulls.",
        replacements: [FilterReplacement(range, "nulls first"), FilterReplacement(range, "nulls last")])
    }
    position += 1
    return isFirst ? .first : .last
  }

  private mutating func reportTwoDirections(_ minus: FilterToken, _ word: FilterToken) -> Fault {
    let isDescending = string(word.range).lowercased() == "desc"
    let whole = minus.start..<word.end
    let column = string(minus.end..<tokens[position - 2].end)
    return report(
      .contradictoryOrder, whole, "The minus sign already sets the direction, but \(string(word.range)) sets it again.",
      replacements: [FilterReplacement(whole, isDescending ? "\(column) desc" : column)])
  }

  private mutating func reportCollatedMinus(_ column: FilterSyntax, _ name: String, _ syntax: FilterSyntax) -> Fault {
    report(
      .contradictoryOrder, syntax.range, "A minus sign sets the direction only of a single column.",
      replacements: [FilterReplacement(syntax.range, "\(string(column.range)) collate \(name) desc")])
  }
}

extension FilterChecker {
  mutating func sortKey(_ node: FilterSyntax) {
    if node.isLiteral {
      reports.add(FilterError(.unexpected, node.range, "\(source(node)) is the same for every row, so it cannot sort them."))
    } else {
      let count = parameters.all.count
      _ = value(node, Room())
      guard parameters.all.count > count else { return }
      reports.add(FilterError(.missingParameter, node.range, "A sort order cannot have parameters: nothing asks for their values."))
    }
  }
}
