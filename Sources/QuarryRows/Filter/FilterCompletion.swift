public import QuarryEngine

/// A completion at the caret.
public struct FilterCompletion: Hashable, Sendable {
  /// The kinds of completions.
  public enum Kind: Hashable, Sendable { case column, function, `operator`, keyword, value }

  /// The kind of the completion.
  public var kind: Kind
  /// The text that replaces ``range``.
  public var text: String
  /// The range of the typed text to replace, in bytes of UTF-8.
  public var range: Range<Int>
  /// A short description: a column's type, or the meaning of an operator.
  public var detail: String
}

/// The completions at a caret of a filter or sort text.
public struct FilterCompletions: Hashable, Sendable {
  /// The completions, the most likely first.
  public var items: [FilterCompletion]
  /// A request for column values to complete, which the database must answer; nil if no value can follow.
  public var values: FilterValueRequest?
}

/// A request for the values of a column that complete the text at a caret.
public struct FilterValueRequest: Hashable, Sendable {
  /// The column of the values.
  public var column: String
  /// The beginning of the values, or a part of them after `~`, ignoring case; empty if nothing has been typed.
  public var prefix: String
  /// The range that a value replaces, in bytes of UTF-8.
  public var range: Range<Int>
  /// Whether the completion must be a text, regardless of the value.
  package var isText: Bool
  var type: ExpressionType
  /// The date storage of the column, if only values that `=` accepts as dates may follow.
  var dates: DateStorage?

  /// Returns a completion for a value as written here; nil if NULL or a blob is not allowed.
  public func completion(for value: DatabaseValue) -> FilterCompletion? {
    let literal: FilterLiteral
    if let dates, !isText, !dates.holds(value) { return nil }
    switch value {
    case .null: return nil
    case .integer(let value) where type == .boolean && !isText: literal = .truth(value != 0)
    case .integer(let value): literal = isText ? .text(String(value)) : .integer(value)
    case .real(let value): literal = isText ? .text(FilterLiteral.real(value).text) : .real(value)
    case .text(let text): literal = .text(text)
    case .blob(let bytes):
      if isText { return nil }
      literal = .blob(bytes)
    }
    return FilterCompletion(kind: .value, text: literal.text, range: range, detail: "")
  }
}

extension Filter {
  /// Returns the completions at a caret of a filter text, by grammar and type.
  ///
  /// - Parameters:
  ///   - text: The unfinished filter.
  ///   - caret: The position of the caret in bytes of UTF-8.
  ///   - columns: The columns available to the filter.
  public static func completions(of text: String, at caret: Int, columns: FilterColumns) -> FilterCompletions {
    FilterCompleter(text, caret: caret, columns: columns).completions { _ = $0.filter() }
  }
}

extension FilterSort {
  /// Returns the completions at a caret of a sort text.
  public static func completions(of text: String, at caret: Int, columns: FilterColumns) -> FilterCompletions {
    var result = FilterCompleter(text, caret: caret, columns: columns).completions { _ = $0.sortKeys() }
    result.values = nil
    return result
  }
}

/// A completer that parses a text up to the word at the caret, and completes the tokens that the parser expects there.
struct FilterCompleter {
  private var columns: FilterColumns
  private let bytes: [UInt8]
  private var tokens: [FilterToken]
  /// The part of the token at the caret that precedes it.
  private var partial: FilterToken
  /// The aggregates that a text about groups may contain outside parentheses.
  var aggregates: [GroupAggregate] = []

  init(_ text: String, caret: Int, columns: FilterColumns) {
    let whole = Array(text.utf8)
    var end = min(max(caret, 0), whole.count, FilterParser.longestText)
    // Not within a character.
    while end > 0, end < whole.count, whole[end] & 0xC0 == 0x80 { end -= 1 }
    bytes = Array(whole[..<end])
    self.columns = columns
    tokens = columns.qualified(FilterLexer(bytes).tokens, in: bytes)
    partial = FilterToken(kind: .end, start: end, end: end)
    if noteUnfinishedDate() { return }
    guard tokens.count > 1 else { return }
    let last = tokens[tokens.count - 2]
    guard last.end == end, last.isPartial, !Self.isClosed(last, bytes) else { return }
    partial = last
    tokens.remove(at: tokens.count - 2)
  }

  /// Treats `1997-0` as the beginning of a date; the lexer reads it as a subtraction.
  private mutating func noteUnfinishedDate() -> Bool {
    let written = bytes.suffix(while: { $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    guard (5...9).contains(written.count), bytes[..<written.startIndex].last?.isNamePart != true else { return false }
    guard zip(written, "0000-00-00".utf8).allSatisfy({ $0.isASCIIDigit == $1.isASCIIDigit }) else { return false }
    partial = FilterToken(kind: .date, start: written.startIndex, end: written.endIndex)
    tokens.removeAll { $0.kind != .end && $0.start >= written.startIndex }
    return true
  }

  private static func isClosed(_ token: FilterToken, _ bytes: [UInt8]) -> Bool {
    guard let first = bytes[token.range].first, token.kind == .text || token.kind == .quotedName || token.kind == .bracketedName else {
      return false
    }
    let closing = first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first
    return bytes[token.range].count(where: { $0 == closing }) % 2 == (first == closing ? 0 : 1)
  }

  /// The typed part of the word, without its quote.
  private var prefix: String {
    let typed = bytes[partial.range]
    let isQuoted = partial.kind == .text || partial.kind == .quotedName || partial.kind == .bracketedName
    return String(decoding: isQuoted ? typed.dropFirst() : typed, as: UTF8.self)
  }

  func completions(_ parse: (inout FilterParser) -> Void) -> FilterCompletions {
    var parser = FilterParser(bytes, tokens: tokens, columns: columns, errors: [])
    parse(&parser)
    var result = FilterCompletions(items: [], values: nil)
    for (expectation, columns) in parser.expectations.reversed() {
      var completer = self
      completer.columns = columns
      completer.add(expectation, to: &result)
    }
    var seen: Set<String> = []
    result.items = result.items.filter { seen.insert($0.text).inserted }
    return result
  }

  private func add(_ expectation: FilterExpectation, to result: inout FilterCompletions) {
    switch expectation {
    case .value(let beside):
      if let beside { request(beside, isText: false, from: partial.start, &result) }
      guard partial.kind != .text else { return }
      addAggregates(to: &result)
      addColumns(beside: beside, to: &result)
      if partial.kind == .quotedName || partial.kind == .bracketedName { return }
      addFunctions(to: &result)
      if beside == nil { add(["not"], .keyword, "negation", to: &result) }
    case .column: addColumns(beside: nil, to: &result)
    case .referring(let function): addTables(for: function, to: &result)
    case .key(let column, let path): addKeys(of: column, after: path, to: &result)
    case .text(let beside, let start):
      if let beside { request(beside, isText: true, from: min(start, partial.start), &result) }
    case .operatorAfter(let left): addOperators(after: left, to: &result)
    case .joiner: add(["and", "or"], .keyword, "another condition", to: &result)
    case .words(let keywords): add(keywords.map(\.rawValue), .keyword, "", to: &result)
    case .collation: add(["nocase", "binary", "rtrim"], .keyword, "collation", to: &result)
    case .type: add(["integer", "real", "text", "blob", "numeric"], .keyword, "type", to: &result)
    case .direction: add(["desc", "asc", "nulls first", "nulls last"], .keyword, "order", to: &result)
    }
  }

  private func request(_ beside: FilterSyntax, isText: Bool, from start: Int, _ result: inout FilterCompletions) {
    // The values of other tables and of computed columns are not read.
    guard result.values == nil, !columns.isQualified, let column = beside.comparedColumn.flatMap({ columns.named($0) }),
      column.definition == nil
    else { return }
    let range = start..<partial.end
    let prefix = start < partial.start ? String(decoding: bytes[range], as: UTF8.self) : prefix
    let dates = column.type == .date && !column.holdsTimes ? column.dates : nil
    result.values = FilterValueRequest(column: column.name, prefix: prefix, range: range, isText: isText, type: column.type, dates: dates)
    if column.type == .boolean, !isText { add(["true", "false"], .value, "", to: &result) }
  }

  private func addColumns(beside: FilterSyntax?, to result: inout FilterCompletions) {
    let type = beside.flatMap { columns.compared(with: $0)?.type }
    for column in columns.offered where type == nil || type == column.type || type == .any || column.type == .any {
      let typed = Array(prefix.utf8)
      guard column.name.utf8.count >= typed.count, zip(column.name.utf8, typed).allSatisfy({ $0.asciiLowercased == $1.asciiLowercased })
      else {
        continue
      }
      let type = column.declaredType.isEmpty ? column.type.phrase : column.declaredType
      let detail = column.definition == nil ? type : "computed, \(type)"
      result.items.append(FilterCompletion(kind: .column, text: columns.written(column.name), range: partial.range, detail: detail))
    }
  }

  /// Adds the known continuations of a path in a JSON column: keys, and all paths below them.
  private func addKeys(of column: String, after path: JSONPath, to result: inout FilterCompletions) {
    for known in columns.named(column)?.json.paths ?? [] where known.steps.starts(with: path.steps) {
      let rest = JSONPath(Array(known.steps.dropFirst(path.steps.count)))
      guard case .key(let key)? = rest.steps.first, rest.isReachable, key.lowercased().hasPrefix(prefix.lowercased()) else { continue }
      result.items.append(FilterCompletion(kind: .column, text: rest.description, range: partial.range, detail: "in \(column)"))
    }
  }

  /// Adds the tables that refer to the current one.
  private func addTables(for function: FilterAggregate.Function, to result: inout FilterCompletions) {
    guard let graph = columns.relations else { return }
    for (table, keys) in graph.children(of: columns.place) {
      let name = graph.tables[table].reference.name
      guard name.lowercased().hasPrefix(prefix.lowercased()) else { continue }
      let isNamed = keys.count > 1
      for key in isNamed ? keys.filter({ $0.columns.count == 1 }) : Array(keys.prefix(1)) {
        let end = function.isOfRows ? "" : isNamed ? ", " : "."
        let text = ([name] + (isNamed ? key.columns : [])).map(FilterFormatter.name).joined(separator: ".") + end
        let detail = "rows whose \(key.columns.joined(separator: ", ")) refers here"
        result.items.append(FilterCompletion(kind: .column, text: text, range: partial.range, detail: detail))
      }
    }
  }

  /// Adds the aggregates of groups, unless the caret is within parentheses.
  private func addAggregates(to result: inout FilterCompletions) {
    let depth = tokens.reduce(0) { depth, token in
      depth + (token.kind == .symbol(.leftParenthesis) ? 1 : token.kind == .symbol(.rightParenthesis) ? -1 : 0)
    }
    guard depth == 0, partial.kind != .quotedName, partial.kind != .bracketedName else { return }
    for aggregate in aggregates where aggregate.rawValue.hasPrefix(prefix.lowercased()) {
      let text = aggregate == .count ? "count" : aggregate.rawValue + "("
      result.items.append(FilterCompletion(kind: .function, text: text, range: partial.range, detail: "of the rows of a group"))
    }
  }

  /// Adds functions once a letter has been typed, because there are many.
  private func addFunctions(to result: inout FilterCompletions) {
    if prefix.isEmpty { return }
    for function in TypedFunction.all where function.name.hasPrefix(prefix.lowercased()) {
      let operands = function.parameters.map(\.phrase).joined(separator: ", ")
      result.items.append(
        FilterCompletion(kind: .function, text: function.name + "(", range: partial.range, detail: "of " + operands))
    }
    for grain in FilterGrain.allCases where grain.rawValue.hasPrefix(prefix.lowercased()) {
      result.items.append(
        FilterCompletion(kind: .function, text: grain.rawValue + "(", range: partial.range, detail: "of " + grain.operands))
    }
    guard let graph = columns.relations, !graph.children(of: columns.place).isEmpty else { return }
    for function in FilterAggregate.Function.allCases where function.rawValue.hasPrefix(prefix.lowercased()) {
      result.items.append(
        FilterCompletion(kind: .function, text: function.rawValue + "(", range: partial.range, detail: "of rows that refer here"))
    }
  }

  private func addOperators(after left: FilterSyntax, to result: inout FilterCompletions) {
    var checker = FilterChecker(bytes, columns: columns, values: [:])
    guard let value = checker.value(left, .init()) else { return }
    if value.asTruth != nil { add(["and", "or"], .keyword, "another condition", to: &result) }
    let (isText, isOrdered) = (value.asText != nil, value.type != .boolean)
    let isNullable = left.columnName.flatMap { columns.named($0)?.isNullable } ?? true
    for (text, detail, isFit) in [
      ("~", "contains", isText), ("=", "is", true), ("!=", "is not", true), ("<", "less than", isOrdered), ("<=", "at most", isOrdered),
      (">", "greater than", isOrdered), (">=", "at least", isOrdered), ("between", "two values", isOrdered),
      ("!~", "does not contain", isText), ("^=", "starts with", isText), ("$=", "ends with", isText),
      ("like", "pattern with % and _", isText), ("glob", "pattern with * and ?", isText),
      ("=~", "regular expression", isText), ("in", "one of several", true),
      ("is null", "no value", isNullable), ("is not null", "any value", isNullable),
    ] where isFit {
      add([text], .operator, detail, to: &result)
    }
  }

  private func add(_ texts: [String], _ kind: FilterCompletion.Kind, _ detail: String, to result: inout FilterCompletions) {
    for text in texts where text.hasPrefix(prefix.lowercased()) {
      result.items.append(FilterCompletion(kind: kind, text: text, range: partial.range, detail: detail))
    }
  }
}

extension Array<UInt8> {
  fileprivate func suffix(while isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    suffix(reversed().prefix(while: isIncluded).count)
  }
}

extension DateStorage {
  /// Returns whether a value can be compared with `=` in a column that stores dates this way.
  fileprivate func holds(_ value: DatabaseValue) -> Bool {
    switch value {
    case .null, .blob: false
    case .integer, .real: isNumeric
    case .text(let text): !isNumeric && (try? WrittenDate(text)) != nil
    }
  }
}

extension FilterToken {
  /// Whether the token could continue.
  fileprivate var isPartial: Bool {
    switch kind {
    case .word, .keyword, .quotedName, .bracketedName, .text, .mixed, .integer, .real, .date: true
    default: false
    }
  }
}
