import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// The reason why a commit has written nothing, as a sentence, with the rows that caused it.
struct CommitRefusal: Hashable, Sendable {
  struct Place: Hashable, Sendable {
    var table: TableReference
    var row: StagedRowID
  }

  let sentence: String
  private(set) var places: [Place] = []
  private(set) var conflicts: [Conflict] = []

  init(_ problem: Problem) {
    sentence = "\(problem.text.withoutFullStop): nothing was written, and all changes stay staged"
  }

  init(_ failure: CommitFailure) {
    sentence = "\(failure), and all changes stay staged"
    switch failure {
    case .conflicts(let conflicts):
      self.conflicts = conflicts
      places = conflicts.map { Place(table: $0.table, row: .stored($0.key)) }
    case .constraints(let failures): places = failures.compactMap { failure in failure.row.map { Place(table: failure.table, row: $0) } }
    case .outdated: break
    }
  }

  /// Returns the conflicts of a row, one per column.
  func conflicts(of row: StagedRowID, in table: TableReference) -> [Conflict] {
    conflicts.filter { .stored($0.key) == row && $0.table == table }
  }

  /// Returns whether a line of the list belongs to a table or a row that caused the refusal.
  func concerns(_ line: ChangesScreen.Line) -> Bool {
    places.contains { $0.table == line.table && (line.row == nil || line.row == $0.row) }
  }

  mutating func drop(_ settled: [Conflict]) {
    conflicts.removeAll(where: settled.contains)
    places = conflicts.map { Place(table: $0.table, row: .stored($0.key)) }
  }
}

extension String {
  /// The text without a full stop at its end, for use within a longer sentence.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// An action that writes the staged changes in one transaction.
struct CommitStaged: Action {
  let changes: StagedChanges
  /// Whether committed changes are recorded, so that they can be undone.
  var isRecorded = true

  enum Answer: Sendable {
    /// The counts of SQLite, the written changes, and the keys of rows with new keys.
    case committed(CommitSummary, written: StagedChanges, keys: [RowAddress: RowKey])
    case refused(CommitRefusal)
    /// The changes cannot be recorded, for this reason.
    case unrecorded(title: String, reason: String)
  }

  var queue: ActionQueue { .script }
  var activity: Activity? { Activity(name: "committing", urgency: .change) }

  /// Returns the changes with the bytes of the staged files.
  private func complete() throws -> StagedChanges {
    guard changes.hasFiles else { return changes }
    return try changes.readingFiles { path in
      guard case .blob(let bytes) = try ParameterInput.file(path).value() else { return [] }
      return bytes
    }
  }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Answer {
    try await services.requireSameFiles()
    services.stopBackgroundReading()
    if !isRecorded { await services.source.commits?.skipRecording() }
    do {
      let summary = try await services.edits.commit(try complete())
      let written = changes.subtracting(summary.left)
      let keys = await services.keysOnceWritten(written)
      return .committed(summary, written: written, keys: keys.merging(summary.addressedKeys) { $1 })
    } catch let error as ChangesTooLarge {
      return .unrecorded(title: "These changes are too large to be recorded", reason: error.description)
    } catch let error as ChangesUnrecorded {
      return .unrecorded(title: "These changes cannot be recorded", reason: error.reason)
    } catch let failure as CommitFailure {
      return .refused(CommitRefusal(failure))
    }
  }
}

extension CommitSummary {
  /// The keys of the new rows by their former identifiers.
  fileprivate var addressedKeys: [RowAddress: RowKey] {
    var keys: [RowAddress: RowKey] = [:]
    for (table, rows) in newKeys {
      for (number, key) in rows { keys[RowAddress(table: table, row: .new(number))] = key }
    }
    return keys
  }
}

/// A request that reads the stored values of rows after a commit, which may have computed or converted them.
struct LoadCommittedValues: Request {
  let cells: [RowAddress: [String: CommittedBase]]

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [RowAddress: [String: StoredValue]] {
    var values: [RowAddress: [String: StoredValue]] = [:]
    for (address, columns) in cells {
      guard case .stored(let key) = address.row else { continue }
      let rows = try? await services.edits.storedRows([key], columns: columns.keys.sorted(), of: address.table)
      values[address] = rows?.first ?? nil
    }
    return values
  }
}

/// A request that finds the changes that foreign keys and triggers will make during a commit.
struct LoadForecast: Request {
  let changes: StagedChanges

  var slot: RequestSlot? { RequestSlot("forecast of a commit") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> CommitForecast {
    try await services.edits.forecast(of: changes)
  }
}

/// A request that reads the schemas of tables and the names of changed rows: their primary key, and their label if they have one.
struct LoadRowNames: Request {
  let changes: StagedChanges

  struct Names: Hashable, Sendable {
    var schemas: [TableReference: TableSchema] = [:]
    var rows: [TableReference: [StagedRowID: String]] = [:]
  }

  /// The largest number of rows of a table whose names are read; all other rows are listed by their rowids.
  static let limit = 200

  var slot: RequestSlot? { RequestSlot("names of changed rows") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Names {
    var names = Names()
    for table in changes.tables {
      guard let schema = try? await services.source.schema(of: table) else { continue }
      names.schemas[table] = schema
      names.rows[table] = await rowNames(of: schema, services)
    }
    return names
  }

  /// Reads the names of the changed rows of a table.
  private func rowNames(of schema: TableSchema, _ services: Services) async -> [StagedRowID: String] {
    let table = schema.entry.reference
    let keys = changes.rows(of: table).prefix(Self.limit).compactMap { row, _ in if case .stored(let key) = row { key } else { nil } }
    guard !keys.isEmpty, !schema.primaryKey.isEmpty else { return [:] }
    let columns = schema.primaryKey + schema.labelColumns()
    let rows = (try? await services.edits.storedRows(keys, columns: columns, of: table)) ?? []
    let names = zip(keys, rows).compactMap { key, row in row.map { (StagedRowID.stored(key), schema.name(of: $0)) } }
    return Dictionary(names, uniquingKeysWith: { $1 })
  }
}

extension TableSchema {
  /// Returns the name of a row: `CustomerID ALFKI, Alfreds Futterkiste`.
  fileprivate func name(of values: [String: StoredValue]) -> String {
    let key = primaryKey.compactMap { column in values[column].flatMap(\.value).map { "\(column) \($0.plainText)" } }
    let names = labelColumns().compactMap { column in
      if case .text(let text)? = values[column]?.value { String(text.prefix(40)) } else { nil }
    }
    return (key + (names.isEmpty ? [] : [names.joined(separator: " ")])).joined(separator: ", ")
  }
}
