import QuarryEngine
import QuarryRows
import Terminal

extension MapScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: title(appearance), footer: footer, hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    guard !inside.isEmpty else { return }
    guard let picture, !picture.map.items.isEmpty else {
      let text = problem?.text ?? (picture == nil ? "reading the schema…" : "there are no tables")
      return WrappedText.draw(text, problem == nil ? .muted : .error, into: &surface, area: inside, appearance: appearance)
    }
    surface.clipped(to: inside) { surface in
      let offset = Point(column: inside.column - origin.column, row: inside.row - origin.row)
      var painter = MapPainter(picture: picture, current: currentItem, area: inside, offset: offset, appearance: appearance)
      painter.draw(into: &surface)
    }
  }

  private func title(_ appearance: Appearance) -> String {
    guard let scope else { return "Map" }
    return "Map \(appearance.glyphs.dot) \(Plural.of(scope.distance, "foreign key")) around \(scope.table.name)"
  }

  private var footer: String {
    guard let picture else { return "" }
    let keys = Plural.of(picture.map.graph.keyCount, "foreign key")
    let tables = Plural.of(picture.tableCount, "table")
    return scope == nil ? "\(tables), \(keys)" : "\(Plural.grouped(picture.map.tableCount)) of \(tables)"
  }
}

/// Draws the boxes and lines of a map.
private struct MapPainter {
  let picture: MapPicture
  let current: Int?
  /// The visible area.
  let area: Rect
  /// The place of the map's first cell on the screen.
  let offset: Point
  let appearance: Appearance

  mutating func draw(into surface: inout Surface) {
    drawLines(where: { _ in true }, .border, into: &surface)
    for item in picture.map.items.indices { drawBox(item, into: &surface) }
    if let current { drawLines(where: { $0.from == current || $0.to == current }, .accent, into: &surface) }
  }

  private func drawLines(where isShown: (LayeredLayout.Link) -> Bool, _ role: Role, into surface: inout Surface) {
    var canvas = StrokeCanvas(area: area, offset: offset)
    for (link, line) in zip(picture.map.links, picture.layout.lines) where isShown(link) { canvas.add(line) }
    canvas.draw(into: &surface, style: appearance.theme.style(role), isASCII: appearance.glyphs == .ascii)
  }

  private func drawBox(_ index: Int, into surface: inout Surface) {
    let item = picture.map.items[index]
    var rect = picture.rect(of: index)
    (rect.column, rect.row) = (rect.column + offset.column, rect.row + offset.row)
    guard !rect.intersection(area).isEmpty else { return }
    Box.draw(into: &surface, rect: rect, title: item.name, hasFocus: index == current, appearance: appearance)
    for (place, line) in item.lines.enumerated() {
      styled(line).draw(
        into: &surface, at: Point(column: rect.column + 2, row: rect.row + 1 + place), columns: rect.columns - 4, appearance: appearance)
    }
    if item.isMissing { mark(rect, .warning, into: &surface) }
    if index == current { mark(rect, .accent, into: &surface) }
  }

  private func styled(_ line: SchemaMap.Line) -> StyledLine {
    switch line.kind {
    case .primaryKey: StyledLine(appearance.glyphs.key + " ", .key).adding(line.text, .key)
    case .foreignKey: StyledLine(appearance.glyphs.reference + " ", .muted).adding(line.text)
    case .note: StyledLine(line.text, .warning)
    }
  }

  /// Colors the frame of a box.
  private func mark(_ rect: Rect, _ role: Role, into surface: inout Surface) {
    let style = appearance.theme.style(role)
    for row in [rect.row, rect.endRow - 1] {
      surface.overlay(Rect(column: rect.column, row: row, columns: rect.columns, rows: 1), style: style)
    }
    for column in [rect.column, rect.endColumn - 1] {
      surface.overlay(Rect(column: column, row: rect.row, columns: 1, rows: rect.rows), style: style)
    }
  }
}

/// The strokes of lines in the cells of an area.
private struct StrokeCanvas {
  /// The directions in which strokes leave a cell.
  private struct Directions: OptionSet {
    let rawValue: UInt8
    static let left = Directions(rawValue: 1)
    static let right = Directions(rawValue: 2)
    static let up = Directions(rawValue: 4)
    static let down = Directions(rawValue: 8)
  }

  private let area: Rect
  private let offset: Point
  private var strokes: [Directions]
  /// The bundle of the strokes in each cell.
  private var bundles: [Int]
  private var heads: [(place: Point, isRight: Bool)] = []

  init(area: Rect, offset: Point) {
    (self.area, self.offset) = (area, offset)
    strokes = Array(repeating: [], count: area.columns * area.rows)
    bundles = Array(repeating: -1, count: area.columns * area.rows)
  }

  mutating func add(_ line: LayeredLayout.Line) {
    let points = line.points.map { Point(column: $0.column + offset.column, row: $0.row + offset.row) }
    guard let first = points.first, let last = points.last, points.count > 1 else { return }
    // The strokes reach the boxes at both ends.
    let starts = points[1].column > first.column
    put(starts ? .left : .right, at: first, line.bundle)
    for (start, end) in zip(points, points.dropFirst()) { addStroke(from: start, to: end, line.bundle) }
    heads.append((last, isRight: points[points.count - 2].column < last.column))
  }

  private mutating func addStroke(from start: Point, to end: Point, _ bundle: Int) {
    if start.row == end.row {
      let (first, last) = (min(start.column, end.column), max(start.column, end.column))
      for column in max(first, area.column)...max(max(first, area.column), min(last, area.endColumn - 1)) {
        let directions: Directions = column == first ? .right : column == last ? .left : [.left, .right]
        put(directions, at: Point(column: column, row: start.row), bundle)
      }
    } else {
      let (first, last) = (min(start.row, end.row), max(start.row, end.row))
      for row in max(first, area.row)...max(max(first, area.row), min(last, area.endRow - 1)) {
        let directions: Directions = row == first ? .down : row == last ? .up : [.up, .down]
        put(directions, at: Point(column: start.column, row: row), bundle)
      }
    }
  }

  /// Adds strokes to a cell; where lines to different ends cross, the vertical one passes over the other one.
  private mutating func put(_ directions: Directions, at point: Point, _ bundle: Int) {
    guard area.contains(point) else { return }
    let index = (point.row - area.row) * area.columns + point.column - area.column
    if bundles[index] == bundle || bundles[index] < 0 {
      strokes[index].formUnion(directions)
      bundles[index] = bundle
    } else if directions == [.up, .down] {
      (strokes[index], bundles[index]) = (directions, bundle)
    }
  }

  func draw(into surface: inout Surface, style: Style, isASCII: Bool) {
    let glyphs = isASCII ? Self.asciiGlyphs : Self.glyphs
    for (index, directions) in strokes.enumerated() where !directions.isEmpty {
      let point = Point(column: area.column + index % area.columns, row: area.row + index / area.columns)
      surface.write(glyphs[Int(directions.rawValue)], at: point, limit: 1, style: style)
    }
    for head in heads where area.contains(head.place) {
      surface.write(isASCII ? head.isRight ? ">" : "<" : head.isRight ? "▸" : "◂", at: head.place, limit: 1, style: style)
    }
  }

  private static let glyphs = [" ", "─", "─", "─", "│", "╯", "╰", "┴", "│", "╮", "╭", "┬", "│", "┤", "├", "┼"]
  private static let asciiGlyphs = [" ", "-", "-", "-", "|", "+", "+", "+", "|", "+", "+", "+", "|", "+", "+", "+"]
}
