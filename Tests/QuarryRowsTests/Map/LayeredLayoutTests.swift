import QuarryRows
import TestSupport
import Testing

/// Boxes in layers and the lines of their links.
@Suite(.gated) struct LayeredLayoutTests {
  private typealias Box = LayeredLayout.Box
  private typealias Link = LayeredLayout.Link

  /// Draws a layout; every box is its letter.
  private func drawing(_ boxes: [Box], _ links: [Link], columns: Int = 60) -> String {
    let layout = LayeredLayout(boxes: boxes, links: links, columns: columns)
    let cells = DrawnLayout(layout, boxes)
    #expect(cells.faults == [])
    return cells.text
  }

  /// Returns boxes with a row for each of their links.
  private func boxes(_ count: Int, _ links: [Link]) -> [Box] {
    (0..<count).map { box in Box(columns: 3, rows: 3 + links.count { $0.from == box }) }
  }

  /// Returns links from one box to another, in the rows from 2 on.
  private func links(_ pairs: [(Int, Int)]) -> [Link] {
    var rows: [Int: Int] = [:]
    return pairs.map { from, to in
      rows[from, default: 1] += 1
      return Link(from: from, row: rows[from] ?? 0, to: to, endRow: 1)
    }
  }

  @Test func `a chain is straight lines from left to right`() {
    let links = links([(0, 1), (1, 2)])
    #expect(
      drawing(boxes(3, links), links) == """
        aaa
        aaa   bbb
        aaa---bbb   ccc
        aaa   bbb---ccc
              bbb   ccc
        """)
  }

  @Test func `a link to the same box is a loop at its right`() {
    let links = links([(0, 0)])
    #expect(drawing(boxes(1, links), links) == "aaa--\naaa |\naaa--\naaa")
  }

  @Test func `boxes without links are in rows below`() {
    let links = links([(0, 1)])
    let layout = LayeredLayout(boxes: boxes(7, links), links: links, columns: 14)
    #expect(Set(layout.origins[2...].map(\.row)).count == 2)
    #expect(layout.origins[2...].allSatisfy { $0.row > layout.origins[1].row + 2 })
    #expect(layout.columns <= 14)
    let none = LayeredLayout(boxes: [], links: [], columns: 80)
    #expect(none.columns == 0 && none.rows == 0)
  }

  @Test func `trees are drawn without crossings`() {
    var random = SplitMix(seed: 3)
    for round in 0..<200 {
      let count = 2 + random.below(30)
      // Every box refers to an earlier one, or every one is referred to by an earlier one.
      let pairs = (1..<count).map { box in
        let other = random.below(box)
        return round.isMultiple(of: 2) ? (box, other) : (other, box)
      }
      let links = links(pairs)
      let boxes = boxes(count, links)
      let layout = LayeredLayout(boxes: boxes, links: links, columns: 100)
      let cells = DrawnLayout(layout, boxes)
      #expect(layout.crossings == 0 && cells.crossings == 0 && cells.faults == [], "round \(round)")
    }
  }

  @Test func `strokes to different ends only cross, and meet no box, also in cycles`() {
    var random = SplitMix(seed: 4)
    for round in 0..<300 {
      let count = 1 + random.below(15)
      let links = links((0..<random.below(2 * count + 1)).map { _ in (random.below(count), random.below(count)) })
      let boxes = (0..<count).map { box in Box(columns: 3 + random.below(8), rows: 3 + links.count { $0.from == box }) }
      let layout = LayeredLayout(boxes: boxes, links: links, columns: 80)
      #expect(DrawnLayout(layout, boxes).faults == [], "round \(round)")
      for (link, line) in zip(links, layout.lines) {
        let (start, end) = (layout.origins[link.from], layout.origins[link.to])
        #expect(line.points.first?.row == start.row + link.row, "round \(round)")
        #expect([end.row, end.row + link.endRow].contains(line.points.last?.row), "round \(round)")
      }
    }
  }

  @Test func `links to one box share their strokes`() {
    let links = links((1...20).map { ($0, 0) })
    let layout = LayeredLayout(boxes: boxes(21, links), links: links, columns: 60)
    #expect(Set(layout.lines.map(\.bundle)).count == 1)
    #expect(Set(layout.lines.map { $0.points.last }).count == 1)
  }

  @Test func `the same boxes are always placed alike`() {
    let links = links([(0, 1), (2, 1), (2, 3), (3, 0), (4, 4), (1, 2)])
    let layouts = (0..<20).map { _ in LayeredLayout(boxes: boxes(6, links), links: links, columns: 60) }
    #expect(Set(layouts).count == 1)
  }
}

/// The cells of a layout, with what is wrong in them.
private struct DrawnLayout {
  private(set) var text = ""
  private(set) var crossings = 0
  private(set) var faults: [String] = []
  private var cells: [[Character]]
  private var strokes: [LayeredLayout.Point: (bundle: Int, isHorizontal: Bool, isVertical: Bool)] = [:]

  init(_ layout: LayeredLayout, _ boxes: [LayeredLayout.Box]) {
    cells = Array(repeating: Array(repeating: " ", count: layout.columns), count: layout.rows)
    for (index, (box, origin)) in zip(boxes, layout.origins).enumerated() {
      for row in origin.row..<(origin.row + box.rows) {
        for column in origin.column..<(origin.column + box.columns) {
          if cells[row][column] != " " { faults.append("box \(index) covers another one") }
          cells[row][column] = Character(UnicodeScalar(UInt8(97 + index % 26)))
        }
      }
    }
    for line in layout.lines {
      for (start, end) in zip(line.points, line.points.dropFirst()) { add(start, end, line.bundle) }
    }
    text = cells.map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  private mutating func add(_ start: LayeredLayout.Point, _ end: LayeredLayout.Point, _ bundle: Int) {
    let isHorizontal = start.row == end.row
    if !isHorizontal, start.column != end.column { faults.append("a stroke is slanted") }
    for row in min(start.row, end.row)...max(start.row, end.row) {
      for column in min(start.column, end.column)...max(start.column, end.column) {
        guard cells.indices.contains(row), cells[row].indices.contains(column) else {
          faults.append("a stroke leaves the picture")
          continue
        }
        if cells[row][column].isLetter { faults.append("a stroke covers a box") }
        cells[row][column] = isHorizontal ? "-" : cells[row][column] == "-" ? "-" : "|"
        note(LayeredLayout.Point(column: column, row: row), bundle, isHorizontal)
      }
    }
  }

  private mutating func note(_ point: LayeredLayout.Point, _ bundle: Int, _ isHorizontal: Bool) {
    guard let known = strokes[point] else { return strokes[point] = (bundle, isHorizontal, !isHorizontal) }
    if known.bundle == bundle {
      strokes[point] = (bundle, known.isHorizontal || isHorizontal, known.isVertical || !isHorizontal)
    } else if isHorizontal ? known.isHorizontal : known.isVertical {
      faults.append("strokes of two bundles lie on each other at \(point)")
    } else {
      crossings += 1
    }
  }
}
