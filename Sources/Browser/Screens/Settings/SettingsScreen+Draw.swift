import QuarryEngine
import Terminal

/// The areas of the settings: a box at the bottom, so that the effect is visible above it, with the lines and the notes below them.
struct SettingsLayout: Hashable, Sendable {
  let box: Rect
  let list: Rect
  let notes: Rect
  let lines: [StyledLine]
  /// The width of the names.
  let titleColumns: Int

  /// The rows of notes that have room in any case, so that the box keeps its height while the cursor moves.
  private static let leastNotes = 3

  init(_ screen: SettingsScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var below = area
    let notes = screen.notes(environment).flatMap { note in
      WrappedText.lines(environment.appearance.sentence(note.text), columns: max(1, area.columns - 4)).map {
        StyledLine($0, note.runs.first?.role ?? .text)
      }
    }
    let rest = max(Self.leastNotes, notes.count) + 3
    // Many labels must not hide the rows whose references they name.
    let listed = min(screen.keys.count, max(SettingName.allCases.count, area.rows / 2 - rest))
    box = below.removeBottom(min(listed + rest, area.rows))
    lines = notes
    var inside = box.inset(columns: 2, rows: 1)
    let rows = min(max(Self.leastNotes, notes.count), max(0, inside.rows - 2))
    self.notes = rows > 0 ? inside.removeBottom(rows) : .none
    if rows > 0 { _ = inside.removeBottom(1) }
    list = inside
    titleColumns = LabelColumn.columns(of: screen.keys.map { $0.title + "  " }, values: inside.columns / 2, in: inside.columns - 2)
  }
}

extension SettingsScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let layout = SettingsLayout(self, in: area, environment)
    Box.draw(
      into: &surface, rect: layout.box, title: "Settings", footer: footer(environment), hasFocus: environment.hasFocus,
      appearance: appearance)
    let shown = keys.dropFirst(cursor.top).prefix(layout.list.rows)
    // The current line is drawn last, because its text field sets the terminal's cursor.
    for (offset, key) in shown.enumerated().sorted(by: { $1.element == self.key && $0.element != self.key }) {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      draw(key, into: &surface, row: row, titleColumns: layout.titleColumns, environment)
    }
    Box.drawScrollMarks(
      into: &surface, top: Point(column: layout.box.endColumn - 1, row: layout.list.row), bottom: layout.list.endRow - 1,
      isMoreAbove: cursor.top > 0, isMoreBelow: cursor.top + layout.list.rows < keys.count, appearance: appearance)
    guard !layout.notes.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.notes, appearance: appearance)
    layout.lines.draw(into: &surface, area: layout.notes, appearance: appearance)
  }

  private func footer(_ environment: ScreenEnvironment) -> String {
    guard problem == nil, let file else { return "" }
    let path = PathText.shown(file.path)
    return changes.isEmpty ? path : "\(environment.keyHint(.accept, in: .settings)) writes \(path)"
  }

  private func draw(
    _ key: SettingKey, into surface: inout Surface, row: Rect, titleColumns: Int, _ environment: ScreenEnvironment
  ) {
    let appearance = environment.appearance
    if key == self.key {
      surface.write(appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), style: appearance.theme.markStyle())
    }
    let start = Point(column: row.column + 2, row: row.row)
    let title = TextWidth.truncated(key.title, to: max(1, titleColumns - 2), ellipsis: appearance.glyphs.ellipsis)
    surface.write(title, at: start, limit: titleColumns, style: appearance.theme.style(.muted))
    let remark = remark(on: key, environment)
    let remarkColumn = row.endColumn - remark.width
    let value = Point(column: start.column + titleColumns, row: row.row)
    draw(valueOf: key, into: &surface, at: value, columns: max(1, remarkColumn - value.column - 2), environment)
    remark.draw(into: &surface, at: Point(column: remarkColumn, row: row.row), columns: remark.width, appearance: appearance)
  }

  private func draw(
    valueOf key: SettingKey, into surface: inout Surface, at start: Point, columns: Int, _ environment: ScreenEnvironment
  ) {
    let appearance = environment.appearance
    let value = value(of: key, environment)
    if key == self.key, let field {
      field.draw(
        into: &surface, at: start, columns: labelTable(of: key) == nil ? min(columns, 12) : columns,
        style: appearance.theme.style(.selection), placeholder: value.plainText,
        placeholderStyle: appearance.theme.style(.muted, on: .selection))
    } else {
      line(of: key, value, columns: columns, environment).draw(into: &surface, at: start, columns: columns, appearance: appearance)
    }
  }

  private func line(of key: SettingKey, _ value: SettingValue, columns: Int, _ environment: ScreenEnvironment) -> StyledLine {
    let role: Role = key == self.key ? .accent : .text
    guard let choices = choices(of: key, environment), choices.chosen < choices.labels.count else {
      return value.plainText.isEmpty ? StyledLine("no column", .muted) : StyledLine("\(value.plainText)\(key.unit)", role)
    }
    return choices.line(columns: columns, isCurrent: key == self.key, glyphs: environment.appearance.glyphs)
  }

  /// Returns where the value comes from, at the end of a line.
  private func remark(on key: SettingKey, _ environment: ScreenEnvironment) -> StyledLine {
    if changes[key] != nil { return StyledLine("not saved", .changed) }
    if let fault = inFile.fault(of: key) { return StyledLine(fault.line.map { "line \($0) is ignored" } ?? "ignored", .warning) }
    let current = origin(of: key, environment)
    if case .commandLine(let option) = current { return StyledLine("\(option) now", .muted) }
    if case .file(_, let line) = inFile.fileSetting(of: key)?.origin {
      return StyledLine(line.map { "line \($0)" } ?? "file", unknownColumns(of: key) == nil ? .muted : .warning)
    }
    if case .environment(let variable) = current { return StyledLine(variable, .muted) }
    return StyledLine("default", .muted)
  }

  /// Returns where the current value of a setting comes from; nil for a label, which only the file sets.
  private func origin(of key: SettingKey, _ environment: ScreenEnvironment) -> Settings.Origin? {
    if case .setting(let name) = key { environment.options.settings[name].origin } else { nil }
  }

  /// Returns the fault of the label columns in the file that the table does not have; nil for none.
  private func unknownColumns(of key: SettingKey) -> Problem? {
    guard changes[key] == nil, let table = labelTable(of: key), case .text(let text) = inFile.fileValue(of: key) else { return nil }
    do throws(Problem) {
      _ = try table.columns(in: text)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Notes

  /// Returns the help of the current line, its overrides, and the reason why nothing can be written.
  func notes(_ environment: ScreenEnvironment) -> [StyledLine] {
    let faults = [
      inFile.fault(of: key).map { StyledLine($0.description, .warning) }, unknownColumns(of: key).map { StyledLine($0.text, .warning) },
      problem.map { StyledLine($0.text, .error) },
    ]
    return ([StyledLine(help(environment), .text), override(environment), effect(environment)] + faults).compactMap(\.self)
  }

  private func help(_ environment: ScreenEnvironment) -> String {
    switch key {
    case .setting(let name): return "\(name.help). Default: \(name.standard.words)\(key.unit)."
    case .label(let table):
      let standard = labelTable(of: key)?.standard.joined(separator: ", ") ?? ""
      let none = standard.isEmpty ? "none" : standard
      return "The columns that name a row of \(table) where a foreign key refers to it. Default: \(none)."
    }
  }

  /// Returns the option or the variable that overrides the current setting or its default.
  private func override(_ environment: ScreenEnvironment) -> StyledLine? {
    guard case .setting(let name) = key else { return nil }
    return switch environment.options.settings[name].origin {
    case .commandLine(let option): StyledLine("\(option) on the command line overrides the file until you quit.", .warning)
    case .environment(let variable) where value(of: key, environment) == environment.options.settings[name].value:
      StyledLine("\(variable) is set, which selects \(environment.options.settings[name].value.words) while no theme is.", .warning)
    default: nil
    }
  }

  /// Returns when a change of the current line takes effect, or how to see it; nil if the change is visible at once.
  private func effect(_ environment: ScreenEnvironment) -> StyledLine? {
    guard labelTable(of: key) == nil else {
      let isShown = environment.workspace.grid?.lens != nil
      let lens = isShown ? "" : " \(environment.keyHint(.foreignKeyLens, in: .grid)) in the grid shows the names."
      return StyledLine("\(environment.keyHint(.editCell, in: .settings)) types several columns, with commas between them.\(lens)", .muted)
    }
    return before[key] == nil ? StyledLine("A change takes effect when you open the next database.", .muted) : nil
  }

  // MARK: The mouse

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let layout = SettingsLayout(self, in: area, context.environment)
    let (list, keys) = (layout.list, keys)
    let index = cursor.top + point.row - list.row
    guard list.contains(point), keys.indices.contains(index) else { return }
    let key = keys[index]
    select(key, &context)
    let start = list.column + 2 + layout.titleColumns
    let columns = list.endColumn - remark(on: key, context.environment).width - 2 - start
    guard self.key == key, let choices = choices(of: key, context.environment) else { return }
    if let choice = choices.index(at: point.column - start, columns: columns, glyphs: context.appearance.glyphs) {
      choose(choice, of: key, &context)
    }
  }
}

extension SettingKey {
  /// The unit behind a number.
  fileprivate var unit: String {
    switch self {
    case .setting(.catalogWidth): " columns"
    case .setting(.changesLimit): " MiB"
    case .setting, .label: ""
    }
  }
}

extension SettingValue {
  /// The value without quotes.
  var plainText: String {
    if case .text(let text) = self { text } else { description }
  }

  /// The value as the form shows it.
  fileprivate var words: String {
    if case .flag(let flag) = self { flag ? "yes" : "no" } else { plainText }
  }
}
