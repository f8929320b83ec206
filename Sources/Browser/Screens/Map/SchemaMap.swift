import QuarryEngine
import QuarryRows
import Terminal

/// The tables of a map as boxes, and the foreign keys between them as links.
struct SchemaMap: Hashable, Sendable {
  /// A table, or the name of one that does not exist.
  struct Item: Hashable, Sendable {
    var table: TableReference
    /// Whether foreign keys refer to the table although it does not exist.
    var isMissing: Bool
    var lines: [Line]

    /// The name, with its database if this is not the first one.
    var name: String { table.database == "main" ? table.name : "\(table.database).\(table.name)" }
  }

  /// A line in a box: a key.
  struct Line: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case primaryKey, foreignKey, note }

    var kind: Kind
    var text: String
  }

  private(set) var graph: SchemaGraph
  private(set) var items: [Item]
  private(set) var links: [LayeredLayout.Link] = []
  /// The number of tables that exist.
  var tableCount: Int { graph.tables.count }

  init(_ graph: SchemaGraph) {
    self.graph = graph
    items = graph.tables.map { Item(table: $0.reference, isMissing: false, lines: Self.lines(of: $0)) }
    var places = Dictionary(items.enumerated().map { ($1.table.folded, $0) }, uniquingKeysWith: { first, _ in first })
    for (from, table) in graph.tables.enumerated() {
      let first = table.primaryKey.isEmpty ? 1 : 2
      for (index, key) in table.foreignKeys.enumerated() {
        let to = places[key.schema.table.folded] ?? items.count
        if to == items.count {
          items.append(Item(table: key.schema.table, isMissing: true, lines: [Line(kind: .note, text: "does not exist")]))
          places[key.schema.table.folded] = to
        }
        let isByKey = to < graph.tables.count && key.schema.referencedColumns.areSameIdentifiers(as: graph.tables[to].primaryKey)
        links.append(LayeredLayout.Link(from: from, row: first + index, to: to, endRow: isByKey ? 1 : 0))
      }
    }
  }

  private static func lines(of table: SchemaGraph.Table) -> [Line] {
    let primaryKey = table.primaryKey.isEmpty ? [] : [Line(kind: .primaryKey, text: table.primaryKey.joined(separator: ", "))]
    return primaryKey + table.foreignKeys.map { Line(kind: .foreignKey, text: $0.schema.columns.joined(separator: ", ")) }
  }

  /// Returns the index of a table; nil if the map does not contain it.
  func index(of table: TableReference) -> Int? { items.firstIndex { $0.table.isSameTable(as: table) } }

  /// Returns the tables that at most this many foreign keys separate from a table, in either direction.
  func neighborhood(of table: TableReference, within distance: Int) -> SchemaMap {
    guard let start = index(of: table) else { return self }
    var neighbors: [Int: [Int]] = [:]
    for link in links {
      neighbors[link.from, default: []].append(link.to)
      neighbors[link.to, default: []].append(link.from)
    }
    var (found, edge): (Set<Int>, [Int]) = ([start], [start])
    for _ in 0..<distance {
      edge = edge.flatMap { neighbors[$0] ?? [] }.filter { found.insert($0).inserted }
    }
    return restricted(to: found)
  }

  private func restricted(to kept: Set<Int>) -> SchemaMap {
    var map = self
    let numbers = Dictionary(uniqueKeysWithValues: kept.sorted().enumerated().map { ($1, $0) })
    map.items = items.indices.filter(kept.contains).map { items[$0] }
    map.graph.tables = graph.tables.indices.filter(kept.contains).map { graph.tables[$0] }
    map.links = links.compactMap { link in
      guard let from = numbers[link.from], let to = numbers[link.to] else { return nil }
      return LayeredLayout.Link(from: from, row: link.row, to: to, endRow: link.endRow)
    }
    return map
  }
}

extension SchemaMap.Item {
  /// The greatest width of a box.
  private static let widest = 34

  /// The size of the box, with its frame.
  var box: LayeredLayout.Box {
    let texts = lines.map { TextWidth.columns(of: $0.text) + 6 } + [TextWidth.columns(of: name) + 6]
    return LayeredLayout.Box(columns: min(Self.widest, texts.max() ?? 0), rows: lines.count + 2)
  }
}

extension TableReference {
  /// The reference in small letters, for lookup as in SQLite.
  fileprivate var folded: TableReference { TableReference(database: database.asciiLowercased, name: name.asciiLowercased) }
}

extension [String] {
  fileprivate func areSameIdentifiers(as others: [String]) -> Bool {
    count == others.count && allSatisfy { name in others.contains { $0.isSameIdentifier(as: name) } }
  }
}

/// A map with the places of its boxes and lines.
struct MapPicture: Hashable, Sendable {
  let map: SchemaMap
  let layout: LayeredLayout
  /// The number of tables in the databases.
  let tableCount: Int

  init(_ map: SchemaMap, of tableCount: Int, columns: Int) {
    self.map = map
    self.tableCount = tableCount
    layout = LayeredLayout(boxes: map.items.map(\.box), links: map.links, columns: columns)
  }

  /// Returns the rectangle of a box.
  func rect(of item: Int) -> Rect {
    let (origin, box) = (layout.origins[item], map.items[item].box)
    return Rect(column: origin.column, row: origin.row, columns: box.columns, rows: box.rows)
  }

  /// Returns the box at a point; nil for none.
  func item(at point: Point) -> Int? { map.items.indices.first { rect(of: $0).contains(point) } }

  /// The directions of a move.
  enum Direction: Hashable, Sendable { case left, right, up, down }

  /// Returns the nearest box in a direction; nil without one.
  ///
  /// A distance across the direction counts three times, so that a box straight ahead is preferred.
  func item(to direction: Direction, of item: Int) -> Int? {
    let start = rect(of: item)
    let ahead = map.items.indices.filter { $0 != item && Self.isAhead(rect(of: $0), direction, of: start) }
    return ahead.min { Self.distance(start, rect(of: $0), direction) < Self.distance(start, rect(of: $1), direction) }
  }

  private static func isAhead(_ rect: Rect, _ direction: Direction, of start: Rect) -> Bool {
    switch direction {
    case .left: rect.endColumn <= start.column
    case .right: rect.column >= start.endColumn
    case .up: rect.endRow <= start.row
    case .down: rect.row >= start.endRow
    }
  }

  /// Returns the distance of two rectangles, in half rows, which are about as wide as a column.
  private static func distance(_ first: Rect, _ second: Rect, _ direction: Direction) -> Int {
    let columns = max(0, max(second.column - first.endColumn, first.column - second.endColumn))
    let rows = 2 * max(0, max(second.row - first.endRow, first.row - second.endRow))
    let isAcross = direction == .left || direction == .right
    let skew = isAcross ? abs(first.row - second.row) : abs(first.column - second.column)
    return (isAcross ? columns + 3 * rows : rows + 3 * columns) * 1000 + min(skew, 999)
  }
}
