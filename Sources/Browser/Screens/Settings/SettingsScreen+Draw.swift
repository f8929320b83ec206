import QuarryEngine
import Terminal

/// The areas of the settings: a box at the bottom, so that the effect is visible above it, with the lines and the notes below them.
struct SettingsLayout: Hashable, Sendable {
  let box: Rect
  let list: Rect
  let notes: Rect
  let lines: [StyledLine]

  /// The rows of notes that have room in any case, so that the box keeps its height while the cursor moves.
  private static let leastNotes = 3

  init(_ screen: SettingsScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var below = area
    let notes = screen.notes(environment).flatMap { note in
      WrappedText.lines(environment.appearance.sentence(note.text), columns: max(1, area.columns - 4)).map {
        StyledLine($0, note.runs.first?.role ?? .text)
      }
    }
    let wanted = screen.names.count + max(Self.leastNotes, notes.count) + 3
    box = below.removeBottom(min(wanted, area.rows))
    lines = notes
    var rest = box.inset(columns: 2, rows: 1)
    let rows = min(max(Self.leastNotes, notes.count), max(0, rest.rows - 2))
    self.notes = rows > 0 ? rest.removeBottom(rows) : .none
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

extension SettingsScreen {
  private static let labelColumns = 18

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let layout = SettingsLayout(self, in: area, environment)
    Box.draw(
      into: &surface, rect: layout.box, title: "Settings", footer: footer(environment), hasFocus: environment.hasFocus,
      appearance: appearance)
    let shown = names.dropFirst(cursor.top).prefix(layout.list.rows)
    // The current line is drawn last, because its text field sets the terminal's cursor.
    for (offset, name) in shown.enumerated().sorted(by: { $1.element == self.name && $0.element != self.name }) {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      draw(name, into: &surface, row: row, environment)
    }
    guard !layout.notes.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.notes, appearance: appearance)
    layout.lines.draw(into: &surface, area: layout.notes, appearance: appearance)
  }

  private func footer(_ environment: ScreenEnvironment) -> String {
    guard problem == nil, let file else { return "" }
    let path = PathText.shown(file.path)
    return changes.isEmpty ? path : "\(environment.keyHint(.accept, in: .settings)) writes \(path)"
  }

  private func draw(_ name: SettingName, into surface: inout Surface, row: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let isCurrent = name == self.name
    if isCurrent {
      surface.write(appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), style: appearance.theme.markStyle())
    }
    let start = Point(column: row.column + 2, row: row.row)
    surface.write(name.rawValue, at: start, limit: Self.labelColumns, style: appearance.theme.style(.muted))
    let remark = remark(on: name, environment)
    let remarkColumn = row.endColumn - remark.width
    let value = Point(column: start.column + Self.labelColumns, row: row.row)
    draw(valueOf: name, into: &surface, at: value, columns: max(1, remarkColumn - value.column - 2), environment)
    remark.draw(into: &surface, at: Point(column: remarkColumn, row: row.row), columns: remark.width, appearance: appearance)
  }

  private func draw(
    valueOf name: SettingName, into surface: inout Surface, at start: Point, columns: Int, _ environment: ScreenEnvironment
  ) {
    let appearance = environment.appearance
    let isCurrent = name == self.name
    let value = value(of: name, environment)
    if isCurrent, let number {
      number.draw(
        into: &surface, at: start, columns: min(columns, 12), style: appearance.theme.style(.selection), placeholder: value.plainText,
        placeholderStyle: appearance.theme.style(.muted, on: .selection))
    } else {
      line(of: name, value, columns: columns, environment).draw(into: &surface, at: start, columns: columns, appearance: appearance)
    }
  }

  private func line(of name: SettingName, _ value: SettingValue, columns: Int, _ environment: ScreenEnvironment) -> StyledLine {
    let role: Role = name == self.name ? .accent : .text
    guard let choices = choices(of: name, environment), choices.chosen < choices.labels.count else {
      return StyledLine("\(value.plainText)\(name.unit)", role)
    }
    return choices.line(columns: columns, isCurrent: name == self.name, glyphs: environment.appearance.glyphs)
  }

  /// Returns where the value comes from, at the end of a line.
  private func remark(on name: SettingName, _ environment: ScreenEnvironment) -> StyledLine {
    if changes[name] != nil { return StyledLine("not saved", .changed) }
    if let fault = inFile.fault(of: name) { return StyledLine(fault.line.map { "line \($0) is ignored" } ?? "ignored", .warning) }
    let current = environment.options.settings[name].origin
    if case .commandLine(let option) = current { return StyledLine("\(option) now", .muted) }
    if case .file(_, let line) = inFile[name].origin { return StyledLine(line.map { "line \($0)" } ?? "file", .muted) }
    if case .environment(let variable) = current { return StyledLine(variable, .muted) }
    return StyledLine("default", .muted)
  }

  // MARK: Notes

  /// Returns the help of the current setting, its overrides, and the reason why nothing can be written.
  func notes(_ environment: ScreenEnvironment) -> [StyledLine] {
    let standard = name.standard
    let unit = name.unit
    let help = StyledLine("\(name.help). Default: \(standard.words)\(unit).", .text)
    let faults = [inFile.fault(of: name).map { StyledLine($0.description, .warning) }, problem.map { StyledLine($0.text, .error) }]
    return [help] + [override(of: name, environment), effect(of: name)].compactMap(\.self) + faults.compactMap(\.self)
  }

  /// Returns the option or the variable that overrides a setting or its default.
  private func override(of name: SettingName, _ environment: ScreenEnvironment) -> StyledLine? {
    switch environment.options.settings[name].origin {
    case .commandLine(let option): StyledLine("\(option) on the command line overrides the file until you quit.", .warning)
    case .environment(let variable) where value(of: name, environment) == environment.options.settings[name].value:
      StyledLine("\(variable) is set, which selects \(environment.options.settings[name].value.words) while no theme is.", .warning)
    default: nil
    }
  }

  private func effect(of name: SettingName) -> StyledLine? {
    before[name] == nil ? StyledLine("A change takes effect when you open the next database.", .muted) : nil
  }

  // MARK: The mouse

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = SettingsLayout(self, in: area, context.environment).list
    let index = cursor.top + point.row - list.row
    guard list.contains(point), names.indices.contains(index) else { return }
    let name = names[index]
    select(name, &context)
    let start = list.column + 2 + Self.labelColumns
    let columns = list.endColumn - remark(on: name, context.environment).width - 2 - start
    guard self.name == name, let choices = choices(of: name, context.environment) else { return }
    if let choice = choices.index(at: point.column - start, columns: columns, glyphs: context.appearance.glyphs) {
      choose(choice, of: name, &context)
    }
  }
}

extension SettingName {
  /// The unit behind a number.
  fileprivate var unit: String {
    switch self {
    case .catalogWidth: " columns"
    case .changesLimit: " MiB"
    case .theme, .mouse, .ascii, .hideEmptyTimes, .recordChanges: ""
    }
  }
}

extension SettingValue {
  /// The value without quotes.
  fileprivate var plainText: String {
    if case .text(let text) = self { text } else { description }
  }

  /// The value as the form shows it.
  fileprivate var words: String {
    if case .flag(let flag) = self { flag ? "yes" : "no" } else { plainText }
  }
}
