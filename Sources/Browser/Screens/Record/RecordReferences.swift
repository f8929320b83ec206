import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

/// What a record shows besides its values: the names of the rows that its foreign keys refer to, and who refers to it.
struct RecordReferences: Hashable, Sendable {
  /// The foreign keys that have values, with their indices in the schema.
  private(set) var outbound: [ReferenceLabels.Reference] = []
  /// What each of them refers to, by the index of the key; empty until it is known.
  private(set) var referred: [Int: ReferredRow] = [:]
  /// The rows that refer to the record, by table; empty until they are known.
  private(set) var referring: [RowSet] = []
  /// Their numbers, by the index of their set.
  private(set) var counts: [Int: RowNumber] = [:]

  init() {}

  /// Makes the references of a row, of which nothing is known yet.
  ///
  /// - Parameter value: The row's values by column; nil for one that is too long to be known.
  init(of schema: TableSchema, _ value: (String) -> DatabaseValue?) {
    outbound = schema.foreignKeys.indices.compactMap { index in
      let values = schema.foreignKeys[index].columns.compactMap(value).filter { $0 != .null }
      return values.count == schema.foreignKeys[index].columns.count ? ReferenceLabels.Reference(key: index, values: values) : nil
    }
  }

  mutating func receive(_ report: LoadRecordReferences.Report) {
    switch report {
    case .referred(let rows): referred = rows
    case .referring(let sets): referring = sets
    case .count(let index, let number): counts[index] = number
    }
  }

  /// Returns the name of the row that a column references: `AC/DC`; nil if it references none, or if the row is still unknown.
  func name(of column: String, in schema: TableSchema?) -> (text: String, role: Role)? {
    guard let keys = schema?.foreignKeys else { return nil }
    let ending = keys.indices.filter { keys[$0].columns.last?.isSameIdentifier(as: column) == true && referred[$0] != nil }
    guard let key = ending.min(by: { keys[$0].columns.count < keys[$1].columns.count }) else { return nil }
    return referred[key]?.name
  }

  /// Returns who refers to the record, a table a line: `← 12 InvoiceLine`.
  func lines(_ appearance: Appearance) -> [StyledLine] {
    referring.enumerated().map { index, set in
      let count = counts[index].map { $0.text(appearance) } ?? appearance.glyphs.ellipsis
      let line = StyledLine(appearance.glyphs.referring + " ", .key).adding(count, .number).adding(" \(set.sourceTable?.name ?? "")", .text)
      guard referring.count(where: { $0.sourceTable == set.sourceTable }) > 1 else { return line }
      return line.adding(" by \(set.matching.map(\.column).joined(separator: ", "))", .muted)
    }
  }
}

/// Looks up what the foreign keys of a row refer to, and counts the rows that refer to it.
struct LoadRecordReferences: Request {
  let table: TableReference
  let keys: [ForeignKeySchema]
  let outbound: [ReferenceLabels.Reference]
  /// The values of the row by column.
  let values: [String: DatabaseValue]
  /// The columns that the user has chosen to identify rows, by the table's name in lowercase letters.
  let labels: [String: [String]]

  enum Report: Sendable {
    case referred([Int: ReferredRow])
    case referring([RowSet])
    case count(Int, RowNumber)
  }

  static let slot = RequestSlot("references of a record")
  var slot: RequestSlot? { Self.slot }

  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws {
    let lookups = outbound.map { reference in
      ReferenceLookup(keys[reference.key], [reference.values], labelled: labels)
    }
    let found = try await services.insight.referredRows(lookups)
    let rows = zip(outbound, found).compactMap { reference, rows in rows.first.map { (reference.key, $0) } }
    if !rows.isEmpty { report(.referred(Dictionary(rows) { $1 })) }
    let referring = try await services.source.references(to: table).compactMap { reference in
      reference.referringRows { name in values.first { $0.key.isSameIdentifier(as: name) }?.value }
    }
    report(.referring(referring))
    for (index, set) in referring.enumerated() {
      try Task.checkCancellation()
      // A table that cannot be counted hides no other.
      guard let number = try? await services.source.backgroundReader(of: set).count() else { continue }
      report(.count(index, number))
    }
  }
}
