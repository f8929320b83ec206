/// Linked boxes in layers, with a node wherever a line passes through a layer.
///
/// Lines that end at the same place are one bundle: they pass through a layer at one node.
struct LayerGraph {
  /// A box, or the place at which a bundle passes through a layer.
  struct Node {
    var layer: Int
    var rows: Int
    var columns: Int
    /// Whether it is a box; the boxes are the first nodes.
    var isBox: Bool
  }

  /// A row of a node, at its left or right side.
  struct Port: Hashable {
    var node: Int
    var row: Int
  }

  /// A part of a line from the right side of a node to the left side of one in the next layer.
  struct Segment: Hashable {
    var left: Port
    var right: Port
    var bundle: Int
  }

  /// The place at which the lines of a bundle end.
  struct Bundle: Hashable {
    var end: Port
    /// Whether its lines arrive from the right.
    var isFromRight: Bool
  }

  private(set) var nodes: [Node]
  let links: [LayeredLayout.Link]
  private(set) var bundles: [Bundle] = []
  /// The bundle of each link.
  private(set) var bundleOfLink: [Int] = []
  /// The segments by the layer at their left.
  private(set) var segments: [[Segment]]
  private var numbers: [Bundle: Int] = [:]
  /// The nodes of bundles in the layers that they pass through.
  private var bends: [Bend: Int] = [:]

  private struct Bend: Hashable {
    var bundle: Int
    var layer: Int
  }

  var layerCount: Int { segments.count }

  init(boxes: [LayeredLayout.Box], links: [LayeredLayout.Link]) {
    self.links = links
    let layers = Layering(count: boxes.count, links.map { ($0.from, $0.to) }).layers
    nodes = zip(boxes, layers).map { Node(layer: $1, rows: $0.rows, columns: $0.columns, isBox: true) }
    segments = Array(repeating: [], count: (layers.max() ?? 0) + 1)
    for link in links { add(link) }
  }

  private mutating func add(_ link: LayeredLayout.Link) {
    let (first, last) = (nodes[link.from].layer, nodes[link.to].layer)
    let isFromRight = first >= last
    let bundle = number(of: Bundle(end: Port(node: link.to, row: isFromRight ? 0 : link.endRow), isFromRight: isFromRight))
    bundleOfLink.append(bundle)
    let start = Port(node: link.from, row: link.row)
    if first < last {
      segments[first].append(Segment(left: start, right: port(of: bundle, in: first + 1), bundle: bundle))
    } else if first > last {
      segments[first - 1].append(Segment(left: port(of: bundle, in: first - 1), right: start, bundle: bundle))
    }
  }

  private mutating func number(of bundle: Bundle) -> Int {
    if let number = numbers[bundle] { return number }
    bundles.append(bundle)
    numbers[bundle] = bundles.count - 1
    return bundles.count - 1
  }

  /// Returns the place of a bundle in a layer: its end, or a node through which it passes.
  private mutating func port(of bundle: Int, in layer: Int) -> Port {
    var next: Port?
    // From the layer on, each node is linked with the one before it, until a node is known or the bundle ends.
    let (end, step) = (nodes[bundles[bundle].end.node].layer, bundles[bundle].isFromRight ? -1 : 1)
    for layer in stride(from: layer, through: end, by: step) {
      let (port, isNew) = place(of: bundle, in: layer)
      if let next { connect(next, port, bundle) }
      next = port
      if !isNew { break }
    }
    return layer == end ? bundles[bundle].end : Port(node: bends[Bend(bundle: bundle, layer: layer)] ?? 0, row: 0)
  }

  private mutating func place(of bundle: Int, in layer: Int) -> (Port, isNew: Bool) {
    let end = bundles[bundle].end
    if layer == nodes[end.node].layer { return (end, false) }
    let bend = Bend(bundle: bundle, layer: layer)
    if let node = bends[bend] { return (Port(node: node, row: 0), false) }
    nodes.append(Node(layer: layer, rows: 1, columns: 0, isBox: false))
    bends[bend] = nodes.count - 1
    return (Port(node: nodes.count - 1, row: 0), true)
  }

  private mutating func connect(_ first: Port, _ second: Port, _ bundle: Int) {
    let isForward = nodes[first.node].layer < nodes[second.node].layer
    let segment = Segment(left: isForward ? first : second, right: isForward ? second : first, bundle: bundle)
    segments[nodes[segment.left.node].layer].append(segment)
  }

  /// Returns the segments of a link's line, from its beginning to its end; none for a link from a box to itself.
  func path(of link: Int) -> [Segment] {
    let (link, bundle) = (links[link], bundleOfLink[link])
    let (first, last) = (nodes[link.from].layer, nodes[link.to].layer)
    func port(_ layer: Int) -> Port {
      layer == last ? bundles[bundle].end : Port(node: bends[Bend(bundle: bundle, layer: layer)] ?? 0, row: 0)
    }
    var place = Port(node: link.from, row: link.row)
    return stride(from: first, to: last, by: first < last ? 1 : -1).map { layer in
      let next = port(first < last ? layer + 1 : layer - 1)
      defer { place = next }
      return first < last ? Segment(left: place, right: next, bundle: bundle) : Segment(left: next, right: place, bundle: bundle)
    }
  }
}
