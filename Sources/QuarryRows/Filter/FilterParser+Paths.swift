internal import QuarryEngine

/// Paths in JSON columns: `data.user.name`, `data."e.mail"[0]`.
extension FilterParser {
  /// Parses the steps that follow a column without a blank; returns the column itself if there are none.
  mutating func path(from column: FilterSyntax) throws(Fault) -> FilterSyntax {
    guard token.start == column.range.upperBound, token.kind == .symbol(.point) || isPlace else { return column }
    if let related = try related(from: column) { return related }
    guard let name = column.columnName, columns.named(name)?.mayHoldJSON == true, !isQualified(column) else {
      if token.kind == .symbol(.point) { throw reportUnquotedName(from: column) ?? reportNoPath(from: column) ?? reportQualifier() }
      return column
    }
    let path = try jsonPath(in: name, of: columns, from: column.range.lowerBound)
    return FilterSyntax(.path(name, path), range: column.range.lowerBound..<lastEnd)
  }

  /// Parses the steps of a path in a JSON column, which may be in another table; empty if there are none.
  ///
  /// - Parameter start: The beginning of the whole path.
  mutating func jsonPath(in column: String, of columns: FilterColumns, from start: Int) throws(Fault) -> JSONPath {
    var path = JSONPath()
    while token.start == lastEnd, token.kind == .symbol(.point) || isPlace {
      path.steps.append(isPlace ? try place() : try key(after: path, in: column, of: columns))
    }
    if !path.isReachable { throw report(.badPath, start..<lastEnd, "SQLite's JSON paths cannot express the key of \(path).") }
    return path
  }

  /// Whether the current token is in brackets.
  private var isPlace: Bool { token.kind == .bracketedName && bytes[token.start] == UInt8(ascii: "[") }

  /// Returns whether the name is probably that of a table before one of its columns: `Track.Name`.
  private func isQualified(_ name: FilterSyntax) -> Bool {
    guard token.kind == .symbol(.point), next.isName, columns.named(next.name(in: bytes)) != nil, let column = name.columnName else {
      return false
    }
    let isTable = columns.tableName.map { column.isSameIdentifier(as: $0) } ?? false
    return isTable || columns.named(column)?.json.isJSON != true
  }

  /// Reports an unquoted column name that contains periods, such as `net.total`; nil if there is no such column.
  private mutating func reportUnquotedName(from column: FilterSyntax) -> Fault? {
    let rest = bytes[column.range.lowerBound...]
    let names = columns.all.map(\.name).filter { name in
      let end = rest.startIndex + name.utf8.count
      return end > token.start && end <= bytes.count && String(decoding: rest[..<end], as: UTF8.self).isSameIdentifier(as: name)
        && (end == bytes.count || !bytes[end].isNamePart)
    }
    guard let name = names.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
    let replacement = FilterReplacement(rest.startIndex..<rest.startIndex + name.utf8.count, FilterFormatter.name(name))
    return report(
      .unknownCharacter, token.range, ". has no meaning here. Put a column with a period in its name in double quotes.",
      replacements: [replacement])
  }

  private mutating func reportQualifier() -> Fault {
    let error = FilterError.unknownCharacter(token.range, in: bytes)
    return report(error.kind, error.range, error.sentence, hint: error.hint, replacements: error.replacements)
  }

  private mutating func key(after path: JSONPath, in column: String, of columns: FilterColumns) throws(Fault) -> JSONPath.Step {
    let point = token
    position += 1
    expect(.key(column, path), in: columns)
    guard token.isName, token.kind != .bracketedName, token.start == point.end else {
      throw report(
        .missingValue, point.range, "A key is missing after this period.", hint: "Put a key that is not a word in double quotes.")
    }
    let key = token.kind == .quotedName ? token.name(in: bytes) : string(token.range)
    position += 1
    return .key(key)
  }

  /// Parses `[0]` or `[#-1]`, which the lexer reads as a name.
  private mutating func place() throws(Fault) -> JSONPath.Step {
    let place = token
    position += 1
    if let step = JSONPath.Step(place: place.name(in: bytes)) { return step }
    throw report(.badPath, place.range, "Write an array index as [0], or as [#-1] for the last element.")
  }
}

extension FilterToken {
  /// Whether it can be a key, or a name after a period.
  var isName: Bool {
    switch kind {
    case .word, .keyword, .quotedName, .bracketedName: true
    default: false
    }
  }
}
