/// The rows that a bundle connects between two layers: those of its lines at the left, and those at the right.
struct GutterNet: Hashable {
  var bundle: Int
  var left: Set<Int> = []
  var right: Set<Int> = []

  /// The first and the last row.
  var span: ClosedRange<Int> {
    let rows = left.union(right)
    return (rows.min() ?? 0)...(rows.max() ?? 0)
  }

  /// Whether its line is straight.
  var isStraight: Bool { left.count == 1 && left == right }
}

/// The vertical strokes between two layers.
///
/// A bundle has one vertical stroke, its track, with a horizontal stroke to each of its rows. If a row is at the left side of one
/// bundle and at the right side of another, the track of the first bundle is to the left of the other track, so that the strokes in this
/// row do not meet. If that is impossible, because bundles exchange their rows, a bundle changes from one track to another in an empty row.
struct Gutter {
  /// The strokes of a bundle, as columns from the left side of the gutter.
  struct Track {
    var first: Int
    /// The row in which it changes to another track; nil if it has only one.
    var bend: (row: Int, track: Int)?
  }

  /// The tracks of the bundles; a straight line has none.
  private(set) var tracks: [Int: Track] = [:]
  /// The width; a last gutter without lines has none.
  private(set) var columns: Int

  init(nets: [Int: GutterNet]) {
    let all = nets.values.sorted { ($0.span.lowerBound, $0.bundle) < ($1.span.lowerBound, $1.bundle) }
    var order = TrackOrder(all)
    let strokes = order.strokes()
    let spacing = strokes.count > 4 ? 1 : 2
    let places = Self.places(of: strokes)
    for (stroke, place) in zip(strokes, places) {
      let column = 1 + place * spacing
      if tracks[stroke.net.bundle] == nil {
        tracks[stroke.net.bundle] = Track(first: column)
      } else if let row = stroke.bend {
        tracks[stroke.net.bundle]?.bend = (row, column)
      }
    }
    let isOpen = nets.values.contains { !$0.right.isEmpty }
    let last = places.max().map { 1 + $0 * spacing } ?? 0
    columns = nets.isEmpty ? 0 : last + (isOpen ? 3 : 1)
  }

  /// Returns the number of the track of each stroke; strokes that do not meet may share one.
  private static func places(of strokes: [TrackOrder.Stroke]) -> [Int] {
    var places: [Int] = []
    for (index, stroke) in strokes.enumerated() {
      var place = 0
      for (other, known) in zip(strokes[..<index], places) where known >= place && other.mustPrecede(stroke) { place = known + 1 }
      places.append(place)
    }
    return places
  }
}

/// Vertical strokes in an order from left to right in which few of them cross others' horizontal strokes.
private struct TrackOrder {
  struct Stroke {
    var net: GutterNet
    let span: ClosedRange<Int>
    /// The row in which it continues the stroke of the same net before it; nil for the first stroke.
    var bend: Int?

    init(_ net: GutterNet, bend: Int? = nil) {
      (self.net, self.bend) = (net, bend)
      span = net.span
    }

    /// Returns the number of crossings with a stroke to the right of this one.
    func crossings(before other: Stroke) -> Int {
      guard span.overlaps(other.span) else { return 0 }
      return other.net.left.count { span.lowerBound < $0 && $0 < span.upperBound }
        + net.right.count { other.span.lowerBound < $0 && $0 < other.span.upperBound }
    }

    /// Returns whether strokes of another one would meet the own ones if it were to the right of this one.
    func meets(before other: Stroke) -> Bool { net.bundle != other.net.bundle && !net.right.isDisjoint(with: other.net.left) }

    /// Returns whether the place of this stroke, which precedes another one, matters.
    func mustPrecede(_ other: Stroke) -> Bool { span.overlaps(other.span) }
  }

  private var rest: [Stroke]
  private var usedRows: Set<Int>
  /// For each stroke of the rest, the number of other strokes of the rest that have to be placed, and that should be placed, before it.
  private var needed: [Int]
  private var wished: [Int]

  init(_ nets: [GutterNet]) {
    usedRows = nets.reduce(into: []) { $0.formUnion($1.left.union($1.right)) }
    rest = nets.filter { !$0.isStraight }.map { Stroke($0) }
    (needed, wished) = ([], [])
    count()
  }

  private mutating func count() {
    needed = rest.map { stroke in rest.count { stroke.meets(before: $0) } }
    wished = rest.map { stroke in rest.count { $0.crossings(before: stroke) < stroke.crossings(before: $0) } }
  }

  /// Removes the strokes from left to right.
  mutating func strokes() -> [Stroke] {
    var strokes: [Stroke] = []
    while let place = rest.indices.min(by: { rank($0) < rank($1) }) {
      strokes.append(needed[place] == 0 ? remove(place) : split(place))
    }
    return strokes
  }

  /// Returns a rank by which strokes are chosen; one that has been split is not split again, because it is in no cycle.
  private func rank(_ place: Int) -> (Int, Int, Int) {
    let isLast = needed[place] > 0 && rest[place].bend != nil
    return (isLast ? 1 : 0, needed[place], wished[place])
  }

  private mutating func remove(_ place: Int) -> Stroke {
    let stroke = rest.remove(at: place)
    needed.remove(at: place)
    wished.remove(at: place)
    for index in rest.indices {
      if rest[index].meets(before: stroke) { needed[index] -= 1 }
      if stroke.crossings(before: rest[index]) < rest[index].crossings(before: stroke) { wished[index] -= 1 }
    }
    return stroke
  }

  /// Returns a first stroke that leads from the rows at the left to an empty row, from which a second one will continue.
  private mutating func split(_ place: Int) -> Stroke {
    let net = rest[place].net
    let row = freeRow(near: (net.span.lowerBound + net.span.upperBound) / 2)
    usedRows.insert(row)
    rest[place] = Stroke(GutterNet(bundle: net.bundle, left: [row], right: net.right), bend: row)
    count()
    return Stroke(GutterNet(bundle: net.bundle, left: net.left, right: [row]))
  }

  private func freeRow(near row: Int) -> Int {
    var distance = 0
    while usedRows.contains(row + distance) { distance = distance > 0 ? -distance : 1 - distance }
    return row + distance
  }
}
