import QuarryEngine
import QuarryRows
import QuarrySources

/// Looks up the rows that values refer to.
struct LoadReferredRows: Request {
  let keys: [ForeignKeySchema]
  let references: Set<ReferredRows.Reference>
  /// The configured label columns of tables, by the table's name in lowercase.
  let labels: [String: [String]]
  let slot: RequestSlot?

  /// - Parameter slot: What the names are for: a later request for the same supersedes this one.
  init(keys: [ForeignKeySchema], references: Set<ReferredRows.Reference>, labels: [String: [String]], in slot: RequestSlot) {
    (self.keys, self.references, self.labels, self.slot) = (keys, references, labels, slot)
  }

  /// Returns the slot of the rows that the rows of a grid refer to.
  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("referred rows", grid.number) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [ReferredRows.Reference: ReferredRow] {
    let byKey = Dictionary(grouping: references, by: \.key).sorted { $0.key < $1.key }
    let found = try await services.insight.referredRows(
      byKey.map { ReferenceLookup(keys[$0.key], $0.value.map(\.values), labelled: labels) })
    let pairs = zip(byKey, found).flatMap { group, rows in zip(group.value, rows) }
    return Dictionary(pairs.map { ($0, $1) }) { $1 }
  }
}

extension ReferenceLookup {
  /// Creates a lookup with the columns, if any, that the user has chosen to identify the referenced rows.
  init(_ key: ForeignKeySchema, _ values: [[DatabaseValue]], labelled labels: [String: [String]]) {
    self.init(key, values, labels: labels[key.table.name.lowercased()] ?? [])
  }
}

/// A request that reads the foreign keys that reference the table of a grid.
struct LoadInboundReferences: Request {
  let grid: GridID
  let table: TableReference

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("inbound references", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [InboundReference] {
    try await services.source.references(to: table)
  }
}

/// A request that reads a referenced row, and counts the rows that reference a row.
struct LoadReferenceStrip: Request {
  let grid: GridID
  /// The referenced rows; nil for none.
  let referred: RowSet?
  let referring: [RowSet]

  enum Report: Sendable {
    case fields([ReferenceStrip.Field])
    case count(Int, RowNumber)
  }

  static func slot(_ grid: GridID) -> RequestSlot { RequestSlot("reference strip", grid.number) }
  var slot: RequestSlot? { Self.slot(grid) }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws {
    if let referred {
      let reader = try services.source.backgroundReader(of: referred)
      if let row = try await reader.page(PageRequest(.first, limit: 1)).rows.first {
        let names = try await reader.columns().map(\.name)
        report(.fields(zip(names, row.cells).map { ReferenceStrip.Field(name: $0, value: $1) }))
      }
    }
    for (index, set) in referring.enumerated() {
      try Task.checkCancellation()
      // A table that cannot be counted must not hide the counts of other tables.
      guard let number = try? await services.source.backgroundReader(of: set).count() else { continue }
      report(.count(index, number))
    }
  }
}
