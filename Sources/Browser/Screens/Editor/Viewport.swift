/// What of a text is in sight.
struct Viewport: Hashable, Sendable {
  /// Where the first row in sight begins, at the width that the text had; at any width the row that it is on is the first.
  var top = TextPosition(line: 0, offset: 0)

  /// Returns the first row in sight.
  func topRow(in layout: TextLayout) -> TextRow {
    top.line < layout.lines.count ? layout.row(of: top) : layout.last
  }

  /// Returns the sight moved down by so many rows, as far as there is text for all of its height.
  func scrolled(by rows: Int, in layout: TextLayout, height: Int) -> Viewport {
    guard rows != 0 else { return self }
    return Viewport(top: layout.start(of: filled(layout.row(rows, below: topRow(in: layout)), in: layout, height: height)))
  }

  /// Returns the nearest sight that has a place of the text in it, and that wastes no room.
  func following(_ caret: TextPosition, in layout: TextLayout, height: Int) -> Viewport {
    let caret = layout.row(of: caret)
    var top = min(topRow(in: layout), caret)
    if layout.row(height - 1, below: top) < caret { top = layout.row(1 - height, below: caret) }
    return Viewport(top: layout.start(of: filled(top, in: layout, height: height)))
  }

  /// Returns the row, or the one above it from which on there are as many rows as there is room for.
  private func filled(_ top: TextRow, in layout: TextLayout, height: Int) -> TextRow {
    // Where so many lines follow, with a row each at least, there is no need to look for the end.
    layout.lines.count - top.line >= height ? top : min(top, layout.row(1 - height, below: layout.last))
  }
}
