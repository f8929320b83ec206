/// Boxes that links connect, placed in layers, with the lines of their links.
struct LayeredGroup {
  /// The places of the boxes by their numbers.
  private(set) var origins: [Int: LayeredLayout.Point] = [:]
  /// The lines by the numbers of their links.
  private(set) var lines: [Int: LayeredLayout.Line] = [:]
  private(set) var columns = 0
  private(set) var rows = 0
  let bundleCount: Int
  let crossings: Int

  init(_ group: LayeredLayout.Group, boxes: [LayeredLayout.Box], links: [LayeredLayout.Link]) {
    let numbers = Dictionary(uniqueKeysWithValues: group.boxes.enumerated().map { ($1, $0) })
    let own = group.links.map { link in
      LayeredLayout.Link(
        from: numbers[links[link].from] ?? 0, row: links[link].row, to: numbers[links[link].to] ?? 0, endRow: links[link].endRow)
    }
    let graph = LayerGraph(boxes: group.boxes.map { boxes[$0] }, links: own)
    let order = LayerOrder(graph)
    let rows = LayerPlacement(graph, order.layers).rows
    let routes = LayerRoutes(graph, order.layers, rows: rows)
    bundleCount = graph.bundles.count
    crossings = order.crossings
    for (node, box) in group.boxes.enumerated() {
      origins[box] = LayeredLayout.Point(column: routes.layerColumns[graph.nodes[node].layer], row: rows[node])
    }
    for (index, link) in group.links.enumerated() { lines[link] = routes.line(of: index) }
    moveToTop()
    measure(boxes)
  }

  /// Moves everything so that the first row has something in it.
  private mutating func moveToTop() {
    let top = min(origins.values.lazy.map(\.row).min() ?? 0, lines.values.lazy.flatMap(\.points).map(\.row).min() ?? 0)
    func moved(_ point: LayeredLayout.Point) -> LayeredLayout.Point { LayeredLayout.Point(column: point.column, row: point.row - top) }
    origins = origins.mapValues(moved)
    lines = lines.mapValues { LayeredLayout.Line(points: $0.points.map(moved), bundle: $0.bundle) }
  }

  private mutating func measure(_ boxes: [LayeredLayout.Box]) {
    for (box, origin) in origins {
      columns = max(columns, origin.column + boxes[box].columns)
      rows = max(rows, origin.row + boxes[box].rows)
    }
    for point in lines.values.lazy.flatMap(\.points) {
      columns = max(columns, point.column + 1)
      rows = max(rows, point.row + 1)
    }
  }
}
