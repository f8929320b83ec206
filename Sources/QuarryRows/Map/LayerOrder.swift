/// The order of the nodes in their layers, in which few lines cross.
///
/// Several orders of a depth-first search are the beginnings. From each, sweeps over the layers sort the nodes by the median or the mean of
/// their neighbors' places, and then exchange nodes side by side where that removes crossings. The result is the best order.
struct LayerOrder {
  /// The nodes of each layer from top to bottom.
  private(set) var layers: [[Int]]
  /// The number of crossings between the layers.
  private(set) var crossings: Int

  private static let sweeps = 8

  init(_ graph: LayerGraph) {
    var sweep = LayerSweep(graph)
    (layers, crossings) = ([], Int.max)
    for beginning in LayerBeginning.all(graph) {
      sweep.layers = beginning
      for round in 0...Self.sweeps {
        let count = sweep.crossings
        if count < crossings { (layers, crossings) = (sweep.layers, count) }
        if crossings == 0 { return }
        if round < Self.sweeps { sweep.run(isForward: round.isMultiple(of: 2), takesMedian: round % 4 < 2) }
      }
    }
  }
}

/// Orders of a depth-first search.
private enum LayerBeginning {
  static func all(_ graph: LayerGraph) -> [[[Int]]] {
    var neighbors = Array(repeating: (left: [Int](), right: [Int]()), count: graph.nodes.count)
    for segment in graph.segments.joined().sorted(by: { ($0.left.row, $0.right.row) < ($1.left.row, $1.right.row) }) {
      neighbors[segment.left.node].right.append(segment.right.node)
      neighbors[segment.right.node].left.append(segment.left.node)
    }
    let nodes = graph.nodes.indices.sorted { (graph.nodes[$0].layer, $0) < (graph.nodes[$1].layer, $1) }
    // The nodes of the first and the last layer, and in small graphs also those between.
    let count = min(nodes.count, max(2, 600 / (neighbors.count + 1)))
    let first = (0..<count).map { nodes[$0 * (nodes.count - 1) / max(1, count - 1)] }
    let orders = [neighbors.map { $0.left + $0.right }, neighbors.map { $0.right + $0.left }]
    return first.flatMap { first in orders.map { search(from: first, $0, graph) } }
  }

  private static func search(from first: Int, _ neighbors: [[Int]], _ graph: LayerGraph) -> [[Int]] {
    var layers = Array(repeating: [Int](), count: graph.layerCount)
    var isKnown = Array(repeating: false, count: graph.nodes.count)
    var stack = [first]
    while let node = stack.popLast() {
      guard !isKnown[node] else { continue }
      isKnown[node] = true
      layers[graph.nodes[node].layer].append(node)
      stack += neighbors[node].reversed()
    }
    return layers
  }
}

/// An order of layers that sweeps improve.
private struct LayerSweep {
  var layers: [[Int]] = [] {
    didSet {
      for layer in layers {
        for (place, node) in layer.enumerated() { places[node] = place }
      }
    }
  }
  private let graph: LayerGraph
  private var places: [Int]
  /// The segments at each side of each node.
  private let sides: [(left: [LayerGraph.Segment], right: [LayerGraph.Segment])]

  init(_ graph: LayerGraph) {
    self.graph = graph
    places = Array(repeating: 0, count: graph.nodes.count)
    var sides = Array(repeating: (left: [LayerGraph.Segment](), right: [LayerGraph.Segment]()), count: graph.nodes.count)
    for segment in graph.segments.joined() {
      sides[segment.left.node].right.append(segment)
      sides[segment.right.node].left.append(segment)
    }
    self.sides = sides
  }

  /// Returns a number by which ports of a layer are ordered.
  private func height(of port: LayerGraph.Port) -> Int { places[port.node] << 20 | port.row }

  var crossings: Int {
    graph.segments.reduce(0) { count, segments in
      let pairs = segments.map { (height(of: $0.left), height(of: $0.right)) }.sorted { $0 < $1 }
      return count + Inversions.count(pairs.map(\.1))
    }
  }

  mutating func run(isForward: Bool, takesMedian: Bool) {
    let indices = isForward ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed()
    for index in indices {
      sort(index, byLeft: isForward, takesMedian: takesMedian)
      exchange(index)
    }
    for index in layers.indices { exchange(index) }
  }

  /// Sorts a layer by its neighbors at one side; nodes without neighbors there stay at their places.
  private mutating func sort(_ index: Int, byLeft: Bool, takesMedian: Bool) {
    var layer = layers[index]
    let wishes = layer.map { node in
      let heights = byLeft ? sides[node].left.map { height(of: $0.left) } : sides[node].right.map { height(of: $0.right) }
      return heights.isEmpty ? nil : takesMedian ? Self.median(heights.sorted()) : Double(heights.reduce(0, +)) / Double(heights.count)
    }
    let movable = layer.indices.filter { wishes[$0] != nil }
    let sorted = movable.sorted { (wishes[$0] ?? 0, $0) < (wishes[$1] ?? 0, $1) }
    let nodes = sorted.map { layer[$0] }
    for (place, node) in zip(movable, nodes) { layer[place] = node }
    set(layer, at: index)
  }

  private static func median(_ heights: [Int]) -> Double {
    let middle = heights.count / 2
    return heights.count.isMultiple(of: 2) ? Double(heights[middle - 1] + heights[middle]) / 2 : Double(heights[middle])
  }

  private mutating func set(_ layer: [Int], at index: Int) {
    // Not through the observer, which visits every layer.
    for (place, node) in layer.enumerated() { places[node] = place }
    layers[index] = layer
  }

  /// Exchanges nodes side by side as long as that removes crossings.
  private mutating func exchange(_ index: Int) {
    var layer = layers[index]
    let heights = layer.reduce(into: [Int: (left: [Int], right: [Int])]()) { heights, node in
      heights[node] = (
        sides[node].left.map { height(of: $0.left) }.sorted(), sides[node].right.map { height(of: $0.right) }.sorted()
      )
    }
    func crossings(_ upper: Int, _ lower: Int) -> Int {
      guard let upper = heights[upper], let lower = heights[lower] else { return 0 }
      return Inversions.count(upper.left, above: lower.left) + Inversions.count(upper.right, above: lower.right)
    }
    var hasImproved = true
    var rounds = 0
    while hasImproved, rounds < 8 {
      hasImproved = false
      rounds += 1
      for place in layer.indices.dropLast() where crossings(layer[place + 1], layer[place]) < crossings(layer[place], layer[place + 1]) {
        layer.swapAt(place, place + 1)
        hasImproved = true
      }
    }
    set(layer, at: index)
  }
}

/// Pairs of numbers in the wrong order.
private enum Inversions {
  /// Returns the number of pairs in which the first number is greater.
  static func count(_ numbers: [Int]) -> Int {
    var (numbers, buffer) = (numbers, numbers)
    return sort(&numbers, 0..<numbers.count, &buffer)
  }

  private static func sort(_ numbers: inout [Int], _ range: Range<Int>, _ buffer: inout [Int]) -> Int {
    guard range.count > 1 else { return 0 }
    let middle = range.lowerBound + range.count / 2
    var count = sort(&numbers, range.lowerBound..<middle, &buffer) + sort(&numbers, middle..<range.upperBound, &buffer)
    var (left, right) = (range.lowerBound, middle)
    for place in range {
      if right == range.upperBound || left < middle && numbers[left] <= numbers[right] {
        buffer[place] = numbers[left]
        left += 1
      } else {
        buffer[place] = numbers[right]
        right += 1
        count += middle - left
      }
    }
    for place in range { numbers[place] = buffer[place] }
    return count
  }

  /// Returns the number of pairs in which the number of the upper node is greater than that of the lower one; both lists are sorted.
  static func count(_ upper: [Int], above lower: [Int]) -> Int {
    var (count, below) = (0, 0)
    for number in upper {
      while below < lower.count, lower[below] < number { below += 1 }
      count += below
    }
    return count
  }
}
