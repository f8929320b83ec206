import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

/// The areas of the screen: warnings, the headings of the columns, the list, and the conflict under the cursor.
struct MergeLayout {
  let warning: Rect
  let heading: Rect
  let list: Rect
  let detail: Rect
  let warningLines: [StyledLine]
  let detailLines: [StyledLine]

  /// The least number of lines about the conflict under the cursor, and of the list above them.
  private static let leastDetail = 5
  private static let leastList = 6

  init(_ screen: MergeScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var rest = area.inset(columns: 2, rows: 1)
    let columns = max(1, rest.columns)
    warningLines = screen.merge.outcome.doubts.flatMap { WrappedText.lines($0, columns: columns) }.map { StyledLine($0, .warning) }
    warning = rest.removeTop(rest.rows < 12 ? 0 : min(warningLines.count, 3))
    heading = rest.removeTop(rest.rows > 4 ? 1 : 0)
    detailLines = screen.detail(columns: columns)
    // A list that needs less room leaves it to the conflict.
    let least = rest.rows < 12 ? 0 : Self.leastDetail
    let rows = least == 0 ? 0 : max(least, rest.rows - 1 - max(Self.leastList, screen.lines.count))
    detail = rows > 0 ? rest.removeBottom(rows) : .none
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

/// The widths of the columns of the list.
private struct MergeColumns {
  static let gap = 2
  /// The mark of the decision and a blank.
  static let mark = 3
  let name: Int
  let value: Int

  init(_ screen: MergeScreen, columns: Int) {
    let room = columns - 2 - Self.mark
    name = max(4, min(screen.conflicts.prefix(500).map { TextWidth.columns(of: $0.column ?? "") }.max() ?? 0, room / 4))
    value = max(1, (room - name) / 3 - Self.gap)
  }

  func padded(_ text: String, _ columns: Int, _ appearance: Appearance) -> String {
    TextWidth.padded(TextWidth.truncated(text, to: columns, ellipsis: appearance.glyphs.ellipsis), to: columns)
  }
}

extension MergeScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: "\(heading)\(appearance.glyphs.separator)\(progress)", footer: footer(environment),
      hasFocus: environment.hasFocus, appearance: appearance)
    let layout = MergeLayout(self, in: area, environment)
    let columns = MergeColumns(self, columns: layout.list.columns)
    layout.warningLines.draw(into: &surface, area: layout.warning, appearance: appearance)
    if !layout.heading.isEmpty {
      let names = [merge.names.base, merge.names.mine, merge.names.theirs]
      let start = StyledLine(String(repeating: " ", count: 2 + MergeColumns.mark + columns.name))
      zip(["base", "mine", "theirs"], names).reduce(start) { line, name in
        let whole = "\(name.0) (\(PathText.shown(String(name.1.split(separator: "/").last ?? ""))))"
        return line.adding(String(repeating: " ", count: MergeColumns.gap))
          .adding(columns.padded(TextWidth.columns(of: whole) <= columns.value ? whole : name.0, columns.value, appearance), .muted)
      }
      .draw(
        into: &surface, at: Point(column: layout.heading.column, row: layout.heading.row), columns: layout.heading.columns,
        appearance: appearance)
    }
    for (offset, line) in lines.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      styledLine(line, columns, appearance).drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    guard !layout.detail.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.detail, appearance: appearance)
    layout.detailLines.draw(into: &surface, area: layout.detail, appearance: appearance)
  }

  private var heading: String { "Merge into \(PathText.shown(String(merge.names.result.split(separator: "/").last ?? "")))" }

  private func footer(_ environment: ScreenEnvironment) -> String {
    if isWriting { return "writing\(environment.appearance.glyphs.ellipsis)" }
    return isSettled
      ? "\(environment.keyHint(.writeMerge, in: .merge)) writes \(PathText.shown(merge.names.result))" : "nothing is written yet"
  }

  private func styledLine(_ line: Line, _ columns: MergeColumns, _ appearance: Appearance) -> StyledLine {
    switch line {
    case .heading(let index):
      let conflict = conflicts[index]
      return StyledLine(conflict.title, .accent).adding("  \(conflict.summary)", .muted)
    case .conflict(let index):
      let (conflict, decision) = (conflicts[index], decision(of: index))
      let mark = decision.map(\.mark) ?? "?"
      let start = StyledLine("\(mark)  ", decision == nil ? .warning : .success)
        .adding(columns.padded(conflict.column ?? "", columns.name, appearance), decision == nil ? .text : .muted)
      let values: [(StoredValue?, MergeDecision?)] = [
        (conflict.base, nil), (conflict.mine, .side(.mine)), (conflict.theirs, .side(.theirs)),
      ]
      return values.reduce(start) { line, cell in
        let own: StoredValue? = if case .value(let value)? = decision, cell.1 == .side(.mine) { value } else { nil }
        let text = own.map { "\(appearance.sentence("→")) \(MergeText.line($0, of: conflict))" } ?? MergeText.line(cell.0, of: conflict)
        let isChosen = own != nil || decision != nil && cell.1 != nil && (cell.1 == decision || decision == .renumber)
        let role: Role = isChosen ? .changed : decision == nil && cell.1 != nil ? .text : .muted
        return line.adding(String(repeating: " ", count: MergeColumns.gap)).adding(columns.padded(text, columns.value, appearance), role)
      }
    }
  }

  /// Returns the description of the conflict under the cursor.
  func detail(columns: Int) -> [StyledLine] {
    guard let current else { return [] }
    let reason =
      current.reason.map {
        WrappedText.lines("\($0.prefix(1).uppercased())\($0.dropFirst()).", columns: columns).map { StyledLine($0, .warning) }
      } ?? []
    return reason + MergeText.values(of: current, decision: decisions[current.id], columns: columns)
  }
}

/// The texts of the values of a conflict.
enum MergeText {
  /// Returns a value in a short form; NULL is visibly not missing.
  static func text(_ value: StoredValue) -> String { value == .value(.null) ? "NULL" : StagedValue(value).shortText }

  /// Returns a value of a conflict on one line.
  static func line(_ value: StoredValue?, of conflict: MergeConflict) -> String {
    guard let value else { return conflict.kind == .cell ? "no column" : "" }
    guard conflict.kind != .cell, case .value(.text(let text)) = value else { return text(value) }
    return text.map { $0.isNewline ? " " : String($0) }.joined()
  }

  /// Returns the whole values of a conflict with their labels, and the value of the result if it is decided.
  static func values(of conflict: MergeConflict, decision: MergeDecision?, columns: Int) -> [StyledLine] {
    var values = [("base", conflict.base, Role.muted), ("mine", conflict.mine, .text), ("theirs", conflict.theirs, .text)]
    if let result = decision?.result(of: conflict) { values.append(("result", result, .changed)) }
    return values.flatMap { label, value, role -> [StyledLine] in
      guard let value = value ?? (conflict.kind == .cell ? .value(.text("no such column")) : nil) else { return [] }
      if conflict.kind != .cell, case .value(.text(let text)) = value { return labeled(label, text, role, columns) }
      return labeled(label, fullText(value), role, columns)
    }
  }

  /// Returns a text with a label at its left.
  static func labeled(_ label: String, _ text: String, _ role: Role, _ columns: Int) -> [StyledLine] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { offset, part in
      StyledLine("\(TextWidth.padded(offset == 0 ? label : "", to: 6))  ", .muted).adding(String(part), role).wrapped(to: max(1, columns))
    }
  }

  /// Returns a value without a limit of its length.
  static func fullText(_ value: StoredValue) -> String {
    if case .value(.text(let text)) = value { return "'\(text)'" }
    return text(value)
  }
}

extension MergeDecision {
  /// The key of the decision.
  var mark: String {
    switch self {
    case .side(.mine): "m"
    case .side(.theirs): "t"
    case .value: "e"
    case .renumber: "r"
    }
  }

  /// Returns the value of the result.
  func result(of conflict: MergeConflict) -> StoredValue? {
    switch self {
    case .side(.mine): conflict.mine
    case .side(.theirs): conflict.theirs
    case .value(let value): value
    case .renumber: .value(.text("both rows: the one of theirs gets another key"))
    }
  }
}

extension MergeConflict {
  /// The row or the object: `Track 12`, `table Track`.
  var title: String {
    key.isEmpty ? object : "\(object) \(key.map { $0.value.databaseValue.plainText }.joined(separator: ", "))"
  }

  /// The kind of the conflict in a few words.
  var summary: String {
    switch kind {
    case .cell: "both changed the same cell"
    case .deleted: "one deleted the row, the other changed it"
    case .key: "both added a row with this key"
    case .schema: "both changed it"
    case .constraint: "the merged rows violate a constraint"
    case .reference: "refers to a row that the other side deleted"
    case .unreadable: "the rows cannot be compared"
    }
  }
}
