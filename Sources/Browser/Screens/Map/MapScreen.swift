import QuarryEngine
import QuarryRows
import Terminal

extension KeyContext {
  static let map = KeyContext("map", place: "in the map", takesDigits: true)
}

extension Command {
  static let map: Command = "map"
  static let mapNeighbors: Command = "map-neighbors"
}

/// A map of the tables: boxes with their keys, linked by foreign keys.
package struct MapScreen: Sendable {
  /// The map on the screen; nil until it has been drawn.
  private(set) var picture: MapPicture?
  private(set) var problem: Problem?
  /// The table under the cursor.
  private(set) var current: TableReference?
  /// The shown tables; nil for all.
  private(set) var scope: MapScope?
  /// The cell of the map at the top left of the screen.
  private(set) var origin = Point(column: 0, row: 0)
  private(set) var room = Size(columns: 0, rows: 0)
  private(set) var needle: String?
  /// The catalog when the map was requested.
  private(set) var catalog: Catalog?

  init(current: TableReference?) { self.current = current }

  /// The name of the table under the cursor; nil for none.
  package var currentName: String? { currentItem.map { names[$0] } }

  /// The index of the table under the cursor.
  var currentItem: Int? {
    guard let map = picture?.map, let current else { return nil }
    return map.index(of: current)
  }

  /// The names of the shown tables.
  package var names: [String] { picture?.map.items.map(\.name) ?? [] }

  // MARK: Reading

  mutating func load(_ context: inout ScreenContext<Self>) {
    catalog = context.environment.catalog
    context.ask(LoadMap(scope: scope, columns: room.columns)) { screen, _, result in
      switch result {
      case .success(let picture): screen.show(picture)
      case .failure(let problem): (screen.picture, screen.problem) = (nil, problem)
      }
    }
  }

  private mutating func show(_ picture: MapPicture) {
    (self.picture, problem) = (picture, nil)
    if currentItem == nil { current = picture.first }
    reveal(isCentered: true)
  }

  /// Shows only the tables around the one under the cursor; 0 shows all.
  mutating func narrow(to distance: Int, _ context: inout ScreenContext<Self>) {
    guard let current else { return }
    let scope = distance == 0 ? nil : MapScope(table: current, distance: distance)
    guard scope != self.scope else { return }
    self.scope = scope
    load(&context)
  }

  // MARK: The cursor

  mutating func move(_ direction: MapPicture.Direction, by count: Int) {
    for _ in 0..<min(count, picture?.map.items.count ?? 0) {
      guard let picture, let item = currentItem, let next = picture.item(to: direction, of: item) else { break }
      current = picture.map.items[next].table
    }
    reveal()
  }

  mutating func select(_ item: Int) {
    guard let items = picture?.map.items, items.indices.contains(item) else { return }
    current = items[item].table
    reveal()
  }

  mutating func setRoom(_ room: Size) {
    self.room = room
    reveal()
  }

  /// Scrolls until the box under the cursor is visible.
  private mutating func reveal(isCentered: Bool = false) {
    guard let picture, let item = currentItem else { return scroll(by: 0) }
    let rect = picture.rect(of: item)
    let isVisible =
      rect.column >= origin.column && rect.row >= origin.row && rect.endColumn <= origin.column + room.columns
      && rect.endRow <= origin.row + room.rows
    if isCentered || !isVisible {
      origin = Point(
        column: rect.column + rect.columns / 2 - room.columns / 2, row: rect.row + min(rect.rows, room.rows) / 2 - room.rows / 2)
    }
    scroll(by: 0)
  }

  /// Scrolls by rows, within the map; a map smaller than the screen is in its middle.
  mutating func scroll(by rows: Int) {
    guard let layout = picture?.layout else { return }
    let spare = Size(columns: layout.columns - room.columns, rows: layout.rows - room.rows)
    origin.column = spare.columns <= 0 ? spare.columns / 2 : min(max(0, origin.column), spare.columns)
    origin.row = spare.rows <= 0 ? 0 : min(max(0, origin.row + rows), spare.rows)
  }
}

extension MapScreen: SearchableScreen {
  /// Moves to the next table whose name contains a text.
  mutating func find(_ text: String) -> Bool {
    if !text.isEmpty { needle = text }
    return findNext(from: text.isEmpty ? 1 : 0, backwards: false)
  }

  mutating func findNext(backwards: Bool) -> Bool { findNext(from: backwards ? -1 : 1, backwards: backwards) }

  private mutating func findNext(from step: Int, backwards: Bool) -> Bool {
    guard let needle else { return true }
    guard let found = LineSearch.index(of: needle, in: names, from: (currentItem ?? 0) + step, backwards: backwards) else { return false }
    select(found)
    return true
  }
}

extension MapPicture {
  /// The table at which the cursor begins: the one with the most links, or the first one.
  fileprivate var first: TableReference? {
    var counts = Array(repeating: 0, count: map.items.count)
    for link in map.links {
      counts[link.from] += 1
      counts[link.to] += 1
    }
    return map.items.indices.max { (counts[$0], $1) < (counts[$1], $0) }.map { map.items[$0].table }
  }
}
