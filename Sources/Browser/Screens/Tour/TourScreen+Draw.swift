import QuarryEngine
import Terminal

extension TourScreen {
  /// Returns the height of the panel: three lines of text, the task and the controls; less or zero if there is little room.
  func guideRows(in area: Rect) -> Int {
    area.rows >= 18 ? 7 : area.rows >= 8 ? 4 : 0
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty else { return }
    let appearance = environment.appearance
    var inside = area
    surface.fill(area, style: appearance.theme.style(.text))
    if area.rows > 4 {
      Box.draw(into: &surface, rect: area, title: title, appearance: appearance)
      inside = area.inset(columns: 2, rows: 1)
    }
    drawControls(into: &surface, area: inside.removeBottom(1), environment)
    let task = inside.removeBottom(1)
    StyledLine("do  ", .muted).adding(appearance.sentence(self.task(environment)), .accent)
      .draw(into: &surface, at: Point(column: task.column, row: task.row), columns: task.columns, appearance: appearance)
    let lines = WrappedText.lines(text(environment), columns: max(1, inside.columns), rows: inside.rows, appearance: appearance)
    for (offset, line) in lines.enumerated() {
      surface.write(
        line, at: Point(column: inside.column, row: inside.row + offset), limit: inside.columns, style: appearance.theme.style(.text))
    }
  }

  private var title: String { step.map { "Tour: \($0.title)" } ?? "Tour" }

  private func text(_ environment: ScreenEnvironment) -> String {
    guard let step else {
      return
        "The tour uses the demo: reminders, people and 100,000 events, in memory. Opening the demo closes \(environment.options.title), "
        + "which does not change."
    }
    return environment.filled(step.text, namesPlaces: false)
  }

  private func task(_ environment: ScreenEnvironment) -> String {
    step.map { environment.filled($0.task, namesPlaces: false) } ?? "Space opens the demo, Esc stays here"
  }

  // MARK: Controls

  /// Returns as many of the controls as fit; the control that goes back is omitted first.
  private func controls(_ environment: ScreenEnvironment, columns: Int) -> [HintLine.Hint] {
    let all = hints(environment).compactMap { command, word in
      environment.keymap.keys(for: command, in: .tour).first.map { HintLine.Hint(key: $0, word: word, command: command) }
    }
    let width = HintLine.line(of: all).width
    return width <= columns ? all : all.filter { $0.command != "tour-back" }
  }

  private var place: String { fits ? "\(index + 1) of \(TourStep.all.count)" : "" }

  private func drawControls(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let placeColumns = TextWidth.columns(of: place)
    HintLine.line(of: controls(environment, columns: area.columns - placeColumns - 1)).draw(
      into: &surface, at: Point(column: area.column, row: area.row), columns: max(0, area.columns - placeColumns - 1),
      appearance: appearance)
    surface.write(
      place, at: Point(column: max(area.column, area.endColumn - placeColumns), row: area.row), limit: area.columns,
      style: appearance.theme.style(.muted))
  }

  /// Returns the command of the control at a point of the screen.
  func control(at point: Point, area: Rect, _ environment: ScreenEnvironment) -> Command? {
    let inside = area.rows > 4 ? area.inset(columns: 2, rows: 1) : area
    guard point.row == inside.endRow - 1 else { return nil }
    let controls = controls(environment, columns: inside.columns - TextWidth.columns(of: place) - 1)
    return HintLine.command(at: point.column, of: controls, from: inside.column)
  }
}
