/// The columns of the layers, and the lines of the links between them.
struct LayerRoutes {
  /// The first column of each layer.
  private(set) var layerColumns: [Int]
  private let graph: LayerGraph
  private let rows: [Int]
  /// The tracks to the right of each layer.
  private let gutters: [Gutter]
  /// The first column of the tracks to the right of each layer.
  private var gutterColumns: [Int]

  init(_ graph: LayerGraph, _ layers: [[Int]], rows: [Int]) {
    (self.graph, self.rows) = (graph, rows)
    var loops = Array(repeating: [Int](), count: graph.layerCount)
    for (index, link) in graph.links.enumerated() where link.from == link.to { loops[graph.nodes[link.from].layer].append(index) }
    gutters = (0..<graph.layerCount).map { layer in
      Gutter(nets: Self.nets(in: layer, loops[layer], graph, rows))
    }
    (layerColumns, gutterColumns) = ([], [])
    var column = 0
    for (layer, gutter) in zip(layers, gutters) {
      layerColumns.append(column)
      column += layer.reduce(0) { max($0, graph.nodes[$1].columns) }
      gutterColumns.append(column)
      column += gutter.columns
    }
  }

  /// Returns the rows that each bundle connects between a layer and the next one.
  private static func nets(in layer: Int, _ loops: [Int], _ graph: LayerGraph, _ rows: [Int]) -> [Int: GutterNet] {
    var nets: [Int: GutterNet] = [:]
    for segment in graph.segments[layer] {
      nets[segment.bundle, default: GutterNet(bundle: segment.bundle)].left.insert(rows[segment.left.node] + segment.left.row)
      nets[segment.bundle, default: GutterNet(bundle: segment.bundle)].right.insert(rows[segment.right.node] + segment.right.row)
    }
    for index in loops {
      let (link, bundle) = (graph.links[index], graph.bundleOfLink[index])
      nets[bundle, default: GutterNet(bundle: bundle)].left.formUnion([rows[link.from], rows[link.from] + link.row])
    }
    return nets
  }

  /// Returns the line of a link.
  func line(of index: Int) -> LayeredLayout.Line {
    let (link, bundle) = (graph.links[index], graph.bundleOfLink[index])
    let (first, last) = (graph.nodes[link.from].layer, graph.nodes[link.to].layer)
    if link.from == link.to { return LayeredLayout.Line(points: loop(link, bundle), bundle: bundle) }
    let points = graph.path(of: index).flatMap { segment in
      let points = self.points(of: segment)
      return first < last ? points : points.reversed()
    }
    return LayeredLayout.Line(points: points.withoutRepetitions, bundle: bundle)
  }

  private func loop(_ link: LayeredLayout.Link, _ bundle: Int) -> [LayeredLayout.Point] {
    let node = graph.nodes[link.from]
    let (start, end) = (layerColumns[node.layer] + node.columns, gutterColumns[node.layer])
    let track = end + (gutters[node.layer].tracks[bundle]?.first ?? 0)
    let (first, last) = (rows[link.from] + link.row, rows[link.from])
    return [(start, first), (track, first), (track, last), (start, last)].map { LayeredLayout.Point(column: $0, row: $1) }
  }

  /// Returns the points from the left end of a segment to its right end.
  private func points(of segment: LayerGraph.Segment) -> [LayeredLayout.Point] {
    let (left, right) = (graph.nodes[segment.left.node], graph.nodes[segment.right.node])
    let start = layerColumns[left.layer] + left.columns
    let end = layerColumns[right.layer] - (right.isBox ? 1 : 0)
    let (first, last) = (rows[segment.left.node] + segment.left.row, rows[segment.right.node] + segment.right.row)
    let track = gutters[left.layer].tracks[segment.bundle]
    var points = [(start, first)]
    if let track {
      points.append((gutterColumns[left.layer] + track.first, first))
      if let bend = track.bend {
        points += [(gutterColumns[left.layer] + track.first, bend.row), (gutterColumns[left.layer] + bend.track, bend.row)]
      }
      points.append((gutterColumns[left.layer] + (track.bend?.track ?? track.first), last))
    }
    points.append((end, last))
    return points.map { LayeredLayout.Point(column: $0, row: $1) }
  }
}

extension [LayeredLayout.Point] {
  /// The points without repetitions of the one before.
  fileprivate var withoutRepetitions: [LayeredLayout.Point] {
    reduce(into: []) { points, point in
      if points.last != point { points.append(point) }
    }
  }
}
