internal import QuarryEngine

/// The paths of JSON texts as a tree, whose nodes count the values at each path.
package struct JSONPathTree {
  private struct Node {
    var parent: Int32
    /// The range of the key's bytes; nil for the elements of an array.
    var key: Range<Int>?
    var rows = 0
    var lastRow = 0
    var counts = JSONTypeCounts()
  }

  private var nodes: [Node] = [Node(parent: -1, key: nil)]
  /// The keys of all nodes, one after the other.
  private var keys: [UInt8] = []
  /// For each slot of an open hash table of parents and keys, one more than the index of a node, or 0.
  private var slots: [Int32]
  private let mostPaths: Int
  private var row = 0
  private(set) var isTruncated = false

  // The values of the current text, which are counted once it is known to be JSON.
  private var values: [(node: Int32, type: JSONType)] = []
  /// The enclosing containers.
  private var containers: [(node: Int32, isArray: Bool)] = []
  /// The node of the next value in an object.
  private var keyed: Int32 = 0

  /// The node of values that are not counted.
  private static let nowhere: Int32 = -1

  package init(mostPaths: Int) {
    self.mostPaths = mostPaths
    var size = 8
    while size < mostPaths * 2 { size *= 2 }
    slots = [Int32](repeating: 0, count: size)
  }

  /// Counts the values of a text; returns false without counting if it is not JSON.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    values.removeAll(keepingCapacity: true)
    containers.removeAll(keepingCapacity: true)
    let (nodeCount, keyCount, wasTruncated) = (nodes.count, keys.count, isTruncated)
    var scanner = JSONScanner(bytes)
    guard scanner.scan(&self) else {
      isTruncated = wasTruncated
      if nodes.count > nodeCount { forget(from: nodeCount, keys: keyCount) }
      return false
    }
    count()
    return true
  }

  /// Counts an SQL number, which SQLite also accepts as JSON.
  mutating func addScalar(_ type: JSONType) {
    values.removeAll(keepingCapacity: true)
    values.append((0, type))
    count()
  }

  private mutating func count() {
    row += 1
    for (node, type) in values {
      let index = Int(node)
      nodes[index].counts[type] += 1
      guard nodes[index].lastRow != row else { continue }
      nodes[index].lastRow = row
      nodes[index].rows += 1
    }
  }

  // MARK: Nodes

  /// Removes nodes created for a text that turned out not to be JSON.
  private mutating func forget(from first: Int, keys keyCount: Int) {
    nodes.removeLast(nodes.count - first)
    keys.removeLast(keys.count - keyCount)
    slots = [Int32](repeating: 0, count: slots.count)
    for index in nodes.indices.dropFirst() {
      let node = nodes[index]
      let hash = keys.withUnsafeBytes { keys in Self.hash(node.parent, node.key.map { UnsafeRawBufferPointer(rebasing: keys[$0]) }) }
      var slot = hash & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(index + 1)
    }
  }

  /// Returns the node of a key, or of the elements of an array, below another node.
  private mutating func child(of parent: Int32, _ key: UnsafeRawBufferPointer?) -> Int32 {
    if parent == Self.nowhere { return Self.nowhere }
    var slot = Self.hash(parent, key) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = slots[slot] - 1
      if isNode(index, parent, key) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard nodes.count <= mostPaths else {
      isTruncated = true
      return Self.nowhere
    }
    let start = keys.count
    if let key { keys.append(contentsOf: key) }
    nodes.append(Node(parent: parent, key: key.map { start..<start + $0.count }))
    slots[slot] = Int32(nodes.count)
    return Int32(nodes.count - 1)
  }

  private func isNode(_ index: Int32, _ parent: Int32, _ key: UnsafeRawBufferPointer?) -> Bool {
    guard nodes[Int(index)].parent == parent else { return false }
    guard let range = nodes[Int(index)].key, let key else { return nodes[Int(index)].key == nil && key == nil }
    return range.count == key.count && keys.withUnsafeBytes { $0[range].elementsEqual(key) }
  }

  private static func hash(_ parent: Int32, _ key: UnsafeRawBufferPointer?) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: parent)
    if let key { for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } } else { hash = ~hash &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ (hash >> 29)) & .max
  }

  // MARK: Results

  /// The paths of values, those in the most rows first.
  var paths: [JSONPathCounts] {
    // The sort is stable: paths in the same number of rows stay in the order of their occurrence.
    nodes.indices.filter { nodes[$0].rows > 0 }.map { index in
      JSONPathCounts(path: path(of: index), rows: nodes[index].rows, counts: nodes[index].counts)
    }.sorted { $0.rows > $1.rows }
  }

  private func path(of index: Int) -> JSONPath {
    var steps: [JSONPath.Step] = []
    var index = index
    while index > 0 {
      steps.append(nodes[index].key.map { .key(String(decoding: keys[$0], as: UTF8.self)) } ?? .each)
      index = Int(nodes[index].parent)
    }
    return JSONPath(steps.reversed())
  }
}

extension JSONPathTree: JSONVisitor {
  package mutating func value(_ type: JSONType, at range: Range<Int>) {
    let node: Int32 =
      if let container = containers.last { container.isArray ? child(of: container.node, nil) : keyed } else { 0 }
    if node != Self.nowhere { values.append((node, type)) }
    if type == .object || type == .array { containers.append((node, type == .array)) }
  }

  package mutating func key(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, hasEscapes: Bool) {
    guard let container = containers.last else { return }
    guard hasEscapes else { return keyed = child(of: container.node, bytes) }
    var text = JSONText.unescaped(bytes)
    keyed = text.withUTF8 { child(of: container.node, UnsafeRawBufferPointer($0)) }
  }

  package mutating func end(at offset: Int) { containers.removeLast() }
}
