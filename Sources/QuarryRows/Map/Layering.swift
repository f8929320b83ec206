/// The layers of nodes whose edges lead to the right, except for some edges of cycles.
struct Layering {
  /// The layer of each node, from 0; the nodes of an edge are in different layers, unless it is an edge from a node to itself.
  private(set) var layers: [Int]

  private typealias Neighbors = [[Int]]

  init(count: Int, _ edges: [(from: Int, to: Int)]) {
    let edges = edges.filter { $0.from != $0.to }
    let rank = Self.ranks(count: count, edges)
    var (left, right) = (Neighbors(repeating: [], count: count), Neighbors(repeating: [], count: count))
    for edge in edges {
      let (first, last) = rank[edge.from] < rank[edge.to] ? (edge.from, edge.to) : (edge.to, edge.from)
      right[first].append(last)
      left[last].append(first)
    }
    let order = (0..<count).sorted { rank[$0] < rank[$1] }
    layers = Self.longestPaths(order, right)
    // A node with more edges at its left moves there, where they are short.
    for node in order where left[node].count > right[node].count {
      layers[node] = left[node].reduce(0) { max($0, layers[$1] + 1) }
    }
    let first = layers.min() ?? 0
    if first > 0 { layers = layers.map { $0 - first } }
  }

  /// Returns the layers in which every node is as far to the right as its edges allow.
  private static func longestPaths(_ order: [Int], _ right: Neighbors) -> [Int] {
    var heights = Array(repeating: 0, count: order.count)
    for node in order.reversed() { heights[node] = right[node].reduce(0) { max($0, heights[$1] + 1) } }
    let highest = heights.max() ?? 0
    return heights.map { highest - $0 }
  }

  /// Returns the places of the nodes in an order in which few edges lead backward, and none without cycles.
  ///
  /// Nodes without edges to others are placed last, nodes without edges from others first. In a cycle, the node with the most edges to
  /// others comes first. See Eades, Lin and Smyth, “A fast and effective heuristic for the feedback arc set problem”.
  private static func ranks(count: Int, _ edges: [(from: Int, to: Int)]) -> [Int] {
    var peeling = Peeling(count: count, edges)
    var (first, last): ([Int], [Int]) = ([], [])
    while let (node, isFirst) = peeling.next() {
      if isFirst { first.append(node) } else { last.append(node) }
    }
    var ranks = Array(repeating: 0, count: count)
    for (rank, node) in (first + last.reversed()).enumerated() { ranks[node] = rank }
    return ranks
  }

  /// The nodes that remain while one after another is removed.
  private struct Peeling {
    private var (ins, outs): ([Int], [Int])
    private var (from, to): (Neighbors, Neighbors)
    private var rest: Set<Int>
    /// Nodes that may have lost their last edge in one direction.
    private var candidates: [Int]

    init(count: Int, _ edges: [(from: Int, to: Int)]) {
      (from, to) = (Neighbors(repeating: [], count: count), Neighbors(repeating: [], count: count))
      for edge in edges {
        to[edge.from].append(edge.to)
        from[edge.to].append(edge.from)
      }
      (ins, outs) = (from.map(\.count), to.map(\.count))
      rest = Set(0..<count)
      candidates = Array((0..<count).reversed())
    }

    /// Removes a node; returns whether it belongs before the others.
    mutating func next() -> (node: Int, isFirst: Bool)? {
      while let node = candidates.popLast() {
        guard rest.contains(node), outs[node] == 0 || ins[node] == 0 else { continue }
        return remove(node, isFirst: outs[node] > 0)
      }
      let node = rest.min { (ins[$0] - outs[$0], $0) < (ins[$1] - outs[$1], $1) }
      return node.map { remove($0, isFirst: true) }
    }

    private mutating func remove(_ node: Int, isFirst: Bool) -> (node: Int, isFirst: Bool) {
      rest.remove(node)
      for other in to[node] where rest.contains(other) {
        ins[other] -= 1
        if ins[other] == 0 { candidates.append(other) }
      }
      for other in from[node] where rest.contains(other) {
        outs[other] -= 1
        if outs[other] == 0 { candidates.append(other) }
      }
      return (node, isFirst)
    }
  }
}
