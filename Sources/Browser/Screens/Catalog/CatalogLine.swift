package import QuarryEngine

/// A group of the catalog that can be folded.
struct CatalogGroup: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case tables, views, virtualTables, system
    case shadows(of: String)
  }

  var database: String
  var kind: Kind

  init(database: String, kind: Kind) {
    self.database = database
    self.kind = kind
  }

  init(of entry: CatalogEntry) {
    database = entry.reference.database
    switch entry.kind {
    case .table: kind = .tables
    case .view: kind = .views
    case .virtual: kind = .virtualTables
    case .system: kind = .system
    case .shadow(let table): kind = .shadows(of: table)
    }
  }

  var title: String {
    switch kind {
    case .tables: "Tables"
    case .views: "Views"
    case .virtualTables: "Virtual tables"
    case .system: "System"
    case .shadows(let table): "behind \(table)"
    }
  }

  var isFoldedAtFirst: Bool {
    switch kind {
    case .tables, .views, .virtualTables: false
    case .system, .shadows: true
    }
  }
}

/// One line of the catalog.
package struct CatalogLine: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case database(CatalogDatabase)
    case group(CatalogGroup, count: Int)
    case entry(CatalogEntry)
  }

  var content: Content
  /// The level of indentation.
  var depth: Int
  /// The characters of the name that match the filter.
  var matched: [Int] = []
  /// How well the name matches the filter; greater is better.
  var score = 0

  package var table: TableReference? {
    if case .entry(let entry) = content { entry.reference } else { nil }
  }

  var group: CatalogGroup? {
    if case .group(let group, _) = content { group } else { nil }
  }

  /// Returns whether two lines stand for the same table or group.
  func isSameEntry(as other: CatalogLine) -> Bool {
    switch (content, other.content) {
    case (.database(let one), .database(let two)): one.name == two.name
    case (.group(let one, _), .group(let two, _)): one == two
    case (.entry(let one), .entry(let two)): one.reference == two.reference
    default: false
    }
  }

  /// Returns the lines of a catalog; databases have lines only if there are several, groups only if they are not empty.
  static func lines(of catalog: Catalog?, filter: String, isFolded: (CatalogGroup) -> Bool) -> [CatalogLine] {
    let databases = (catalog?.databases ?? []).filter { $0.name == "main" || !$0.entries.isEmpty }
    return databases.flatMap { database in
      let depth = databases.count > 1 ? 1 : 0
      let groups = groups(of: database, depth: depth, filter: filter, isFolded: isFolded)
      return databases.count > 1 ? [CatalogLine(content: .database(database), depth: 0)] + groups : groups
    }
  }

  private static func groups(
    of database: CatalogDatabase, depth: Int, filter: String, isFolded: (CatalogGroup) -> Bool
  ) -> [CatalogLine] {
    let byGroup = Dictionary(grouping: database.entries, by: CatalogGroup.init(of:))
    func lines(_ kind: CatalogGroup.Kind, depth: Int) -> [CatalogLine] {
      let group = CatalogGroup(database: database.name, kind: kind)
      let entries = (byGroup[group] ?? []).compactMap { entry(for: $0, depth: depth + 1, filter: filter) }
      guard !entries.isEmpty else { return [] }
      let heading = CatalogLine(content: .group(group, count: entries.count), depth: depth)
      guard !isFolded(group) else { return [heading] }
      return [heading]
        + entries.flatMap { line in
          guard case .entry(let entry) = line.content, case .virtual = entry.kind else { return [line] }
          return [line] + lines(.shadows(of: entry.reference.name), depth: depth + 1)
        }
    }
    let kinds: [CatalogGroup.Kind] = [.tables, .views, .virtualTables, .system]
    return kinds.flatMap { lines($0, depth: depth) }
  }

  private static func entry(for entry: CatalogEntry, depth: Int, filter: String) -> CatalogLine? {
    guard let match = FuzzyMatch(filter, in: entry.reference.name) else { return nil }
    return CatalogLine(content: .entry(entry), depth: depth, matched: match.positions, score: match.score)
  }
}
