import QuarryEngine
import QuarryRows
import Terminal

/// The parts of the search's area.
struct SearchLayout {
  var field: Rect
  var state: Rect
  var list: Rect

  init(_ area: Rect) {
    var rest = area.inset(columns: 2, rows: 1)
    field = rest.removeTop(1)
    state = rest.removeTop(rest.rows > 2 ? 1 : 0)
    list = rest
  }
}

extension SearchScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(into: &surface, rect: area, title: "Search all tables", hasFocus: environment.hasFocus, appearance: appearance)
    let layout = SearchLayout(area)
    guard layout.field.columns > Self.label.count, !layout.field.isEmpty else { return }
    drawField(into: &surface, area: layout.field, environment)
    if !layout.state.isEmpty {
      stateLine(environment).draw(
        into: &surface, at: Point(column: layout.state.column, row: layout.state.row), columns: layout.state.columns, appearance: appearance
      )
    }
    drawList(into: &surface, area: layout.list, environment)
  }

  private static let label = "find "

  private func drawField(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let theme = environment.appearance.theme
    let start = Point(column: area.column, row: area.row)
    surface.write(Self.label, at: start, limit: area.columns, style: theme.style(isTyping ? .accent : .muted))
    let fieldStart = Point(column: start.column + Self.label.count, row: start.row)
    let columns = area.columns - Self.label.count
    guard isTyping else {
      let text = TextWidth.truncated(field.text, to: columns, ellipsis: environment.appearance.glyphs.ellipsis)
      surface.write(text, at: fieldStart, limit: columns, style: theme.style(.text))
      return
    }
    field.draw(
      into: &surface, at: fieldStart, columns: columns, style: theme.style(.text), placeholder: "part of a value, or a number",
      placeholderStyle: theme.style(.muted))
  }

  // MARK: State

  /// Returns the progress of the search and its omissions.
  private func stateLine(_ environment: ScreenEnvironment) -> StyledLine {
    let appearance = environment.appearance
    let dot = appearance.glyphs.separator
    guard let results = latest else { return StyledLine("Views are not searched, only tables.", .muted) }
    if let problem = results.problem {
      return StyledLine(problem == .stopped ? "stopped" : problem.text, problem == .stopped ? .warning : .error)
        .adding(dot + found(results), .muted)
    }
    guard results.isComplete else {
      if results.tables.isEmpty { return StyledLine(found(results), .muted) }
      var line = StyledLine("\(results.searchedCount) of \(Plural.of(results.tables.count, "table"))", .accent)
      if let rate = results.rowsPerSecond { line = line.adding(dot + Self.words(rate) + " rows/s", .muted) }
      return awaited == nil ? line.adding(dot + found(results), .muted) : line
    }
    return StyledLine(found(results), results.hitCount == 0 ? .warning : .text)
      .adding("\(dot)\(Plural.of(results.tables.count, "table"))", .muted).adding(dot + "views are not searched", .muted)
  }

  private func found(_ results: SearchResults) -> String {
    // The tables of a cluster are unknown until it has been copied.
    if results.tables.isEmpty, !results.isComplete { return "no table is searched yet" }
    guard results.hitCount > 0 else { return "nothing found" }
    let tables = results.tables.count { $0.hitCount > 0 }
    return "\(Plural.of(results.hitCount, "hit")) in \(Plural.of(tables, "table"))"
  }

  /// Returns a number with at most three digits: `950`, `3.1 M`.
  private static func words(_ number: Double) -> String {
    let (value, unit) = number < 1_000 ? (number, "") : number < 1_000_000 ? (number / 1_000, " k") : (number / 1_000_000, " M")
    return (value < 10 && !unit.isEmpty ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))") + unit
  }

  // MARK: Hits

  private func drawList(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard let results = shown else { return }
    let columns = SearchColumns(results, lines: Array(results.lines.dropFirst(cursor.top).prefix(area.rows)), columns: area.columns)
    for (offset, line) in results.lines.dropFirst(cursor.top).prefix(area.rows).enumerated() {
      let row = Rect(column: area.column, row: area.row + offset, columns: area.columns, rows: 1)
      let isCurrent = cursor.top + offset == cursor.index
      columns.text(of: line, in: results, environment).drawListed(
        into: &surface, row: row, isCurrent: isCurrent, hasFocus: environment.hasFocus && !isTyping, appearance: environment.appearance)
    }
  }
}

/// The columns of the list of hits; the visible hits determine their widths.
private struct SearchColumns {
  private let column: Int
  private let key: Int
  private let columns: Int

  init(_ results: SearchResults, lines: [SearchResults.Line], columns: Int) {
    let hits = lines.compactMap { line in
      if case .hit(let table, let hit) = line { results.hits[table][hit] } else { nil }
    }
    let widest = { (text: (SearchHit) -> String) in hits.map { TextWidth.columns(of: text($0)) }.max() ?? 0 }
    self.columns = columns - 2
    column = min(widest { $0.column ?? "" }, max(6, columns / 5))
    key = min(widest(\.keyText), max(6, columns / 5))
  }

  func text(of line: SearchResults.Line, in results: SearchResults, _ environment: ScreenEnvironment) -> StyledLine {
    let appearance = environment.appearance
    let table = results.tables[line.table]
    switch line {
    case .table(let index): return heading(of: table, isFolded: results.isFolded(index), appearance)
    case .hit(let index, let hit): return self.line(of: results.hits[index][hit], appearance)
    case .more(let index):
      let rest = Plural.of(table.hitCount - results.hits[index].count, "more hit")
      let way = table.isFullText ? "opens the table" : "filters the table by the text"
      return StyledLine("  \(rest): \(environment.keyHint(.open, in: .search)) \(way)", .muted)
    }
  }

  private func heading(of table: SearchedTable, isFolded: Bool, _ appearance: Appearance) -> StyledLine {
    let glyphs = appearance.glyphs
    let database = table.table.database == "main" ? "" : "\(table.table.database)."
    let name = StyledLine("\(isFolded ? glyphs.folded : glyphs.unfolded) ", .muted).adding(database + table.table.name, .accent)
    if let failure = table.failure, table.hitCount == 0 { return name.adding("  \(failure)", .warning) }
    let count = name.adding("  \(table.isOver && table.failure == nil ? "" : appearance.atLeast)\(Plural.grouped(table.hitCount))", .number)
    if let failure = table.failure { return count.adding("  \(failure)", .warning) }
    return table.isFullText ? count.adding("  words, from its full-text index", .muted) : count
  }

  private func line(of hit: SearchHit, _ appearance: Appearance) -> StyledLine {
    let key = TextWidth.truncated(hit.keyText, to: key, ellipsis: appearance.glyphs.ellipsis)
    let indent = String(repeating: " ", count: 2 + max(0, self.key - TextWidth.columns(of: key)))
    let start = StyledLine(indent + key, .key).adding("  " + padded(hit.column ?? "", column, appearance) + "  ", .muted)
    return StyledLine(start.runs + hit.line(columns: columns - start.width, appearance).runs)
  }

  private func padded(_ text: String, _ columns: Int, _ appearance: Appearance) -> String {
    let text = TextWidth.truncated(text, to: columns, ellipsis: appearance.glyphs.ellipsis)
    return TextWidth.padded(text, to: columns)
  }
}

extension SearchHit {
  /// The key in display form; the number of a row that has no key.
  fileprivate var keyText: String {
    switch key {
    case .rowID(let id): "\(id)"
    case .values(let values): values.map(\.plainText).joined(separator: ", ")
    case .position(let position): "row \(Plural.grouped(position + 1))"
    }
  }

  /// Returns the value with its matches marked, truncated so that the first match is visible.
  fileprivate func line(columns: Int, _ appearance: Appearance) -> StyledLine {
    guard case .text(let text) = value else {
      if value == .null { return StyledLine("text that the index does not store", .muted) }
      return StyledLine(value.plainText, .number)
    }
    let characters = Array(text)
    let first = min(matches.first?.lowerBound ?? 0, characters.count)
    // In a text that does not fit, a third of the width precedes the match.
    var start = TextWidth.columns(of: pictured(characters[...])) <= columns ? 0 : first
    var used = 0
    while start > 0, used < columns / 3 {
      start -= 1
      used += TextWidth.columns(of: TextWidth.glyph(for: characters[start]))
    }
    var line = start > 0 ? StyledLine(appearance.glyphs.ellipsis, .muted) : StyledLine()
    var end = start
    for match in matches where match.lowerBound >= end && match.upperBound <= characters.count {
      line = line.adding(pictured(characters[end..<match.lowerBound])).adding(pictured(characters[match]), .match)
      end = match.upperBound
    }
    return line.adding(pictured(characters[end...]))
  }

  private func pictured(_ characters: ArraySlice<Character>) -> String { String(characters.map(TextWidth.glyph(for:))) }
}
