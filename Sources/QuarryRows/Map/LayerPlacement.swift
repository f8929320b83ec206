/// The first row of each node, so that lines are straight where possible.
///
/// Sweeps over the layers move each node to the mean row at which its lines would be straight. Nodes that would overlap share the distance
/// to their wishes; this is the least-squares solution of the pool-adjacent-violators algorithm.
struct LayerPlacement {
  /// The first row of each node.
  private(set) var rows: [Int]

  private static let sweeps = 6

  init(_ graph: LayerGraph, _ layers: [[Int]]) {
    var sweep = PlacementSweep(graph, layers)
    for round in 0..<Self.sweeps { sweep.run(isForward: round.isMultiple(of: 2), looksBothWays: round + 2 >= Self.sweeps) }
    rows = sweep.roundedRows
  }
}

private struct PlacementSweep {
  /// A wish of a node: the row at which a line to another node is straight.
  private struct Wish {
    var node: Int
    /// The row of that node's port, less the row of the own port.
    var offset: Int
    var weight: Double
  }

  private let graph: LayerGraph
  private let layers: [[Int]]
  private var rows: [Double]
  private var wishes: [(left: [Wish], right: [Wish])]

  init(_ graph: LayerGraph, _ layers: [[Int]]) {
    (self.graph, self.layers) = (graph, layers)
    rows = Array(repeating: 0, count: graph.nodes.count)
    wishes = Array(repeating: ([], []), count: graph.nodes.count)
    for segment in graph.segments.joined() {
      let bends = [segment.left, segment.right].count { !graph.nodes[$0.node].isBox }
      let weight = [1, 2, 8][bends]
      let offset = segment.left.row - segment.right.row
      wishes[segment.left.node].right.append(Wish(node: segment.right.node, offset: -offset, weight: Double(weight)))
      wishes[segment.right.node].left.append(Wish(node: segment.left.node, offset: offset, weight: Double(weight)))
    }
    for layer in layers {
      for (node, offset) in zip(layer, offsets(of: layer)) { rows[node] = Double(offset) }
    }
  }

  /// Returns the first rows of a layer's nodes if nothing is between them but the least distance.
  private func offsets(of layer: [Int]) -> [Int] {
    var next = 0
    return layer.indices.map { place in
      let node = graph.nodes[layer[place]]
      let isTight = place + 1 < layer.count && !node.isBox && !graph.nodes[layer[place + 1]].isBox
      defer { next += node.rows + (isTight ? 0 : 1) }
      return next
    }
  }

  mutating func run(isForward: Bool, looksBothWays: Bool) {
    for layer in isForward ? layers : layers.reversed() { place(layer, byLeft: isForward, looksBothWays) }
  }

  private mutating func place(_ layer: [Int], byLeft: Bool, _ looksBothWays: Bool) {
    let offsets = offsets(of: layer)
    let wished = zip(layer, offsets).map { node, offset in
      let wish = wish(of: node, byLeft: byLeft, looksBothWays)
      return (row: wish.row - Double(offset), weight: wish.weight)
    }
    for ((node, offset), row) in zip(zip(layer, offsets), Self.nondecreasing(wished)) { rows[node] = row + Double(offset) }
  }

  private func wish(of node: Int, byLeft: Bool, _ looksBothWays: Bool) -> (row: Double, weight: Double) {
    let side = byLeft ? wishes[node].left : wishes[node].right
    let wishes = looksBothWays || side.isEmpty ? wishes[node].left + wishes[node].right : side
    let weight = wishes.reduce(0) { $0 + $1.weight }
    guard weight > 0 else { return (rows[node], 0.1) }
    return (wishes.reduce(0) { $0 + (rows[$1.node] + Double($1.offset)) * $1.weight } / weight, weight)
  }

  /// Returns the nondecreasing numbers nearest to the wished ones.
  private static func nondecreasing(_ wished: [(row: Double, weight: Double)]) -> [Double] {
    var blocks: [(row: Double, weight: Double, count: Int)] = []
    for wish in wished {
      blocks.append((wish.row, wish.weight, 1))
      while blocks.count > 1, blocks[blocks.count - 2].row > blocks[blocks.count - 1].row {
        let (last, other) = (blocks.removeLast(), blocks.removeLast())
        let weight = last.weight + other.weight
        blocks.append(((last.row * last.weight + other.row * other.weight) / weight, weight, last.count + other.count))
      }
    }
    return blocks.flatMap { Array(repeating: $0.row, count: $0.count) }
  }

  /// The rows in whole numbers; nodes of a layer stay apart, because all are rounded up or down by the same rule.
  var roundedRows: [Int] {
    let first = rows.min() ?? 0
    return rows.map { Int(($0 - first + 0.001).rounded(.down)) }
  }
}
