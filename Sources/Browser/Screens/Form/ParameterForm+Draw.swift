import Terminal

extension ParameterForm.Field {
  /// The values that may be chosen, in a line.
  fileprivate func offered(_ glyphs: Glyphs) -> String {
    fitting.map(\.plainText).joined(separator: " \(glyphs.dot) ")
  }

  /// The columns of all that is offered, side by side.
  fileprivate var widestOffer: Int { TextWidth.columns(of: offers.map(\.plainText).joined(separator: "   ")) }

  /// Lines that the field takes: its own, and one for the values or more for what is wrong.
  fileprivate func rows(columns: Int) -> Int {
    1 + (error.map { WrappedText.lines($0, columns: columns).count } ?? 1)
  }
}

extension ParameterForm {
  private static let leastColumns = 72
  /// How far the lines under a field are from the edge.
  private static let indent = 2

  /// As wide as what is written and offered needs, within the room that there is.
  private func box(in area: Rect) -> Rect {
    let tokens = fields.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    let inputs = fields.map { max(TextWidth.columns(of: $0.input.text), $0.widestOffer) + TextWidth.columns(of: $0.typeName) }.max() ?? 0
    // The frame with its margins, the cursor's mark, and the gaps between the three columns.
    let wanted = max(Self.leastColumns, tokens + inputs + 12, TextWidth.columns(of: title) + 6)
    let columns = min(wanted, max(Self.leastColumns, area.columns - 8), area.columns)
    return Box.centered(in: area, columns: columns, rows: fields.reduce(2) { $0 + $1.rows(columns: columns - 4 - Self.indent) })
  }

  /// The fields in sight, each with its first row: the one under the cursor is the last that has to fit.
  private func places(in inside: Rect) -> [(index: Int, row: Int)] {
    guard fields.indices.contains(cursor) else { return [] }
    let rows = fields.map { $0.rows(columns: inside.columns - Self.indent) }
    var first = cursor
    var room = inside.rows - rows[cursor]
    while first > 0, rows[first - 1] <= room {
      first -= 1
      room -= rows[first]
    }
    var places: [(index: Int, row: Int)] = []
    var row = inside.row
    for index in first..<fields.count where row < inside.endRow {
      places.append((index, row))
      row += rows[index]
    }
    return places
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let box = box(in: area)
    let inside = box.inset(columns: 2, rows: 1)
    let places = places(in: inside)
    Box.draw(into: &surface, rect: box, title: title, footer: hidden(places, appearance), appearance: appearance)
    let tokens = min(inside.columns / 3, fields.map { TextWidth.columns(of: $0.label) }.max() ?? 0)
    // The field under the cursor comes last, since it has the terminal's cursor.
    for place in places.filter({ $0.index != cursor }) + places.filter({ $0.index == cursor }) {
      draw(place.index, line: place.row, tokens: tokens, into: &surface, area: inside, appearance: appearance)
    }
  }

  /// How many fields are out of sight, and where.
  private func hidden(_ places: [(index: Int, row: Int)], _ appearance: Appearance) -> String {
    guard let first = places.first, let last = places.last else { return "" }
    let (above, below) = (first.index, fields.count - 1 - last.index)
    let parts = [above > 0 ? "\(above) more above" : "", below > 0 ? "\(below) more below" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: " \(appearance.glyphs.dot) ")
  }

  private func draw(_ index: Int, line: Int, tokens: Int, into surface: inout Surface, area: Rect, appearance: Appearance) {
    let field = fields[index]
    let isCurrent = index == cursor
    let start = Point(column: area.column, row: line)
    if isCurrent { surface.write(appearance.glyphs.cursor, at: start, style: appearance.theme.style(.accent)) }
    surface.write(field.label, at: Point(column: start.column + 2, row: line), limit: tokens, style: appearance.theme.style(.parameter))
    let type = field.typeName
    let typeColumn = area.endColumn - TextWidth.columns(of: type)
    surface.write(type, at: Point(column: typeColumn, row: line), style: appearance.theme.style(.muted))
    let inputColumn = start.column + tokens + 4
    let room = max(1, typeColumn - inputColumn - 2)
    let style = appearance.theme.style(isCurrent ? .selection : .text)
    if isCurrent {
      field.input.draw(into: &surface, at: Point(column: inputColumn, row: line), columns: room, style: style)
    } else {
      surface.write(field.input.text, at: Point(column: inputColumn, row: line), limit: room, style: style)
    }
    if let error = field.error {
      draw(error, below: line, into: &surface, area: area, appearance: appearance)
    } else if isCurrent, line + 1 < area.endRow {
      let limit = area.endColumn - inputColumn
      let offered = TextWidth.truncated(field.offered(appearance.glyphs), to: limit, ellipsis: appearance.glyphs.ellipsis)
      surface.write(offered, at: Point(column: inputColumn, row: line + 1), limit: limit, style: appearance.theme.style(.muted))
    }
  }

  /// Draws what is wrong with a field under it, in as many lines as it takes.
  private func draw(_ error: String, below line: Int, into surface: inout Surface, area: Rect, appearance: Appearance) {
    let limit = area.columns - Self.indent
    for (offset, text) in WrappedText.lines(error, columns: limit).enumerated() where line + 1 + offset < area.endRow {
      let point = Point(column: area.column + Self.indent, row: line + 1 + offset)
      surface.write(text, at: point, limit: limit, style: appearance.theme.style(.error))
    }
  }

  /// The field at a point of the screen; nil outside of them.
  func field(at point: Point, area: Rect) -> Int? {
    let inside = box(in: area).inset(columns: 2, rows: 1)
    guard inside.contains(point) else { return nil }
    return places(in: inside).last { $0.row <= point.row }?.index
  }
}
