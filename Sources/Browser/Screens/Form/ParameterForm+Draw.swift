import Terminal

extension ParameterForm.Field {
  /// Returns the offered values, as one line.
  fileprivate func offered(_ glyphs: Glyphs) -> String {
    fitting.map(\.plainText).joined(separator: glyphs.separator)
  }

  /// The width of all offers side by side, in columns.
  fileprivate var widestOffer: Int { TextWidth.columns(of: offers.prefix(64).map(\.plainText).joined(separator: "   ")) }

  /// Returns the height of the field: its own line, and the lines of the offers or the error.
  fileprivate func rows(columns: Int) -> Int {
    1 + (error.map { WrappedText.lines($0, columns: columns).count } ?? 1)
  }
}

extension ParameterForm {
  private static let leastColumns = 48
  /// The largest width; longer texts are scrolled and longer offers truncated, because the screen behind helps to fill in the form.
  private static let mostColumns = 72
  /// The indentation of the lines below a field.
  private static let indent = 2

  /// The number of rows if no field has an error.
  var leastRows: Int { 2 + 2 * fields.count }

  /// Returns a box as wide as the texts and offers need, within limits.
  private func box(in area: Rect) -> Rect {
    let tokens = fields.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    let inputs = fields.map { max(TextWidth.columns(of: $0.input.text), $0.widestOffer) + TextWidth.columns(of: $0.typeName) }.max() ?? 0
    // The frame with its margins, the cursor's mark, and the gaps between the three columns.
    let wanted = max(Self.leastColumns, tokens + inputs + 12, TextWidth.columns(of: title) + 6)
    let columns = min(wanted, Self.mostColumns, area.columns)
    return Box.centered(in: area, columns: columns, rows: fields.reduce(2) { $0 + $1.rows(columns: columns - 4 - Self.indent) })
  }

  /// Returns the visible fields, each with its first row; the field under the cursor always fits.
  private func slots(in inside: Rect) -> [(index: Int, row: Int)] {
    guard fields.indices.contains(cursor) else { return [] }
    let rows = fields.map { $0.rows(columns: inside.columns - Self.indent) }
    var first = cursor
    var room = inside.rows - rows[cursor]
    while first > 0, rows[first - 1] <= room {
      first -= 1
      room -= rows[first]
    }
    var slots: [(index: Int, row: Int)] = []
    var row = inside.row
    for index in first..<fields.count where row < inside.endRow {
      slots.append((index, row))
      row += rows[index]
    }
    return slots
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let box = box(in: area)
    let inside = box.inset(columns: 2, rows: 1)
    let slots = slots(in: inside)
    Box.draw(into: &surface, rect: box, title: title, footer: hidden(slots, appearance), appearance: appearance)
    let tokens = LabelColumn.columns(of: fields.map(\.label), values: inside.columns / 2, in: inside.columns)
    // The field under the cursor is drawn last, because it sets the terminal's cursor.
    for slot in slots.filter({ $0.index != cursor }) + slots.filter({ $0.index == cursor }) {
      draw(slot.index, line: slot.row, tokens: tokens, into: &surface, area: inside, appearance: appearance)
    }
  }

  /// Returns the numbers of hidden fields above and below.
  private func hidden(_ slots: [(index: Int, row: Int)], _ appearance: Appearance) -> String {
    guard let first = slots.first, let last = slots.last else { return "" }
    let (above, below) = (first.index, fields.count - 1 - last.index)
    let parts = [above > 0 ? "\(above) more above" : "", below > 0 ? "\(below) more below" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: appearance.glyphs.separator)
  }

  private func draw(_ index: Int, line: Int, tokens: Int, into surface: inout Surface, area: Rect, appearance: Appearance) {
    let field = fields[index]
    let isCurrent = index == cursor
    let start = Point(column: area.column, row: line)
    if isCurrent { surface.write(appearance.glyphs.cursor, at: start, style: appearance.theme.markStyle()) }
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

  /// Draws the error of a field below it, in as many lines as needed.
  private func draw(_ error: String, below line: Int, into surface: inout Surface, area: Rect, appearance: Appearance) {
    let limit = area.columns - Self.indent
    for (offset, text) in WrappedText.lines(error, columns: limit).enumerated() where line + 1 + offset < area.endRow {
      let point = Point(column: area.column + Self.indent, row: line + 1 + offset)
      surface.write(text, at: point, limit: limit, style: appearance.theme.style(.error))
    }
  }

  /// Returns the field at a point of the screen; nil outside of the fields.
  func field(at point: Point, area: Rect) -> Int? {
    let inside = box(in: area).inset(columns: 2, rows: 1)
    guard inside.contains(point) else { return nil }
    return slots(in: inside).last { $0.row <= point.row }?.index
  }
}
