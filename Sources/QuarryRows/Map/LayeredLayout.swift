/// The places of boxes and of the lines that link them, in the cells of a grid.
///
/// Boxes that are linked are placed in layers, as Sugiyama, Tagawa and Toda describe it: most lines run from left to right, and boxes are
/// ordered in their layers so that few lines cross. Groups of boxes without a link to others are packed in rows, and boxes without links
/// follow in rows below.
package struct LayeredLayout: Hashable, Sendable {
  /// The size of a box.
  package struct Box: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      (self.columns, self.rows) = (columns, rows)
    }
  }

  /// A link from a row of one box to a box, which may be the same one.
  package struct Link: Hashable, Sendable {
    /// The index of the box at which it begins.
    package var from: Int
    /// The row of this box, at least 1: links that arrive from the right end at row 0.
    package var row: Int
    /// The index of the box at which it ends.
    package var to: Int
    /// The row at which it ends if it arrives from the left.
    package var endRow: Int

    package init(from: Int, row: Int, to: Int, endRow: Int) {
      (self.from, self.row, self.to, self.endRow) = (from, row, to, endRow)
    }
  }

  /// A cell of the grid.
  package struct Point: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
      (self.column, self.row) = (column, row)
    }
  }

  /// The line of a link: horizontal and vertical strokes between points.
  package struct Line: Hashable, Sendable {
    /// The points, from the cell beside the first box to the cell beside the last one.
    package var points: [Point]
    /// The number of the lines that end at the same place, which share strokes.
    package var bundle: Int
  }

  /// The first cells of the boxes.
  package private(set) var origins: [Point]
  /// The lines of the links.
  package private(set) var lines: [Line]
  /// The numbers of columns and rows of the whole picture.
  package private(set) var columns = 0
  package private(set) var rows = 0
  /// The number of crossings between the layers.
  package private(set) var crossings = 0

  /// Places boxes.
  ///
  /// - Parameter columns: The width into which groups of boxes are packed; a wider group has as many columns as it needs.
  package init(boxes: [Box], links: [Link], columns limit: Int) {
    origins = Array(repeating: Point(column: 0, row: 0), count: boxes.count)
    lines = Array(repeating: Line(points: [], bundle: 0), count: links.count)
    let groups = Self.groups(of: boxes.count, links)
    let linked = groups.filter { !$0.links.isEmpty }.map { LayeredGroup($0, boxes: boxes, links: links) }
    let widest = linked.map(\.columns).max() ?? 0
    var shelf = Shelf(limit: max(limit, widest), gap: 3)
    var bundles = 0
    for group in linked {
      let origin = shelf.place(columns: group.columns, rows: group.rows)
      take(group, at: origin, firstBundle: bundles)
      bundles += group.bundleCount
      crossings += group.crossings
    }
    shelf.endRow()
    shelf.gap = 2
    for group in groups where group.links.isEmpty {
      for box in group.boxes { origins[box] = shelf.place(columns: boxes[box].columns, rows: boxes[box].rows) }
    }
    (columns, rows) = shelf.size
  }

  private mutating func take(_ group: LayeredGroup, at origin: Point, firstBundle: Int) {
    func moved(_ point: Point) -> Point { Point(column: point.column + origin.column, row: point.row + origin.row) }
    for (box, place) in group.origins { origins[box] = moved(place) }
    for (link, line) in group.lines {
      lines[link] = Line(points: line.points.map(moved), bundle: line.bundle + firstBundle)
    }
  }
}

extension LayeredLayout {
  /// Boxes that links connect with each other, but with no others.
  struct Group {
    var boxes: [Int]
    var links: [Int]
  }

  /// Returns the groups, those with the most boxes first.
  private static func groups(of count: Int, _ links: [Link]) -> [Group] {
    var sets = DisjointSets(count: count)
    for link in links { sets.join(link.from, link.to) }
    var groups: [Int: Group] = [:]
    for box in 0..<count { groups[sets.root(of: box), default: Group(boxes: [], links: [])].boxes.append(box) }
    for (index, link) in links.enumerated() { groups[sets.root(of: link.from)]?.links.append(index) }
    return groups.values.sorted { ($1.boxes.count, $0.boxes[0]) < ($0.boxes.count, $1.boxes[0]) }
  }

  /// Rectangles in rows, from left to right and from top to bottom.
  private struct Shelf {
    let limit: Int
    /// The number of empty columns between two rectangles.
    var gap: Int
    private var next = Point(column: 0, row: 0)
    private var height = 0
    private var width = 0

    init(limit: Int, gap: Int) {
      (self.limit, self.gap) = (limit, gap)
    }

    var size: (columns: Int, rows: Int) { (width, next.column == 0 ? max(0, next.row - 1) : next.row + height) }

    mutating func place(columns: Int, rows: Int) -> Point {
      if next.column > 0, next.column + columns > limit { endRow() }
      let place = next
      next.column += columns + gap
      (height, width) = (max(height, rows), max(width, place.column + columns))
      return place
    }

    mutating func endRow() {
      guard next.column > 0 else { return }
      next = Point(column: 0, row: next.row + height + 1)
      height = 0
    }
  }
}

/// Sets of numbers that are joined.
private struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  mutating func root(of number: Int) -> Int {
    var root = number
    while parents[root] != root {
      parents[root] = parents[parents[root]]
      root = parents[root]
    }
    return root
  }

  mutating func join(_ first: Int, _ second: Int) {
    let (first, second) = (root(of: first), root(of: second))
    parents[max(first, second)] = min(first, second)
  }
}
