internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows

/// The statements that bring the server's rows up to date with a ``RemoteReplica``.
struct RemoteChangeSet: Sendable {
  /// A statement and its row.
  struct Step: Sendable {
    var statement: RemoteStatement
    var table: TableReference
    var key: RowKey
    var isNew: Bool
  }

  let before: RemoteReplica.Rows
  let after: RemoteReplica.Rows
  private(set) var steps: [Step] = []

  /// The maximum number of bytes of an unchanged value that is sent as an expected value.
  ///
  /// Longer values are not checked.
  private static let expectedLimit = 4096

  /// Creates the statements: deletions first, then updates, then insertions.
  ///
  /// Each applies only if the row still has its old values.
  ///
  /// Rows that must make room for unique values of other rows first get interim values.
  ///
  /// ```sql
  /// UPDATE player SET rank = -4611686018427387904 WHERE id = 1 AND rank = 1   -- is to get 2, and another one 1
  /// UPDATE player SET rank = 1 WHERE id = 2 AND rank = 2
  /// UPDATE player SET rank = 2 WHERE id = 1 AND rank = -4611686018427387904
  /// ```
  init(from before: RemoteReplica.Rows, to after: RemoteReplica.Rows, parameterLimit: Int, in db: Database) throws {
    (self.before, self.after) = (before, after)
    var (deleted, givingWay, updated, inserted): ([Step], [Step], [Step], [Step]) = ([], [], [], [])
    for table in Set(before.keys).union(after.keys).sorted(by: { $0.name < $1.name }) {
      let schema = try db.tableSchema(table)
      let statements = RowStatements(schema: schema)
      let (old, new) = (before[table] ?? [:], after[table] ?? [:])
      func step(_ statement: WriteStatement, _ key: RowKey, isNew: Bool = false) throws -> Step {
        let isCounted = if case .virtual = schema.entry.kind { false } else { true }
        let request = try RemoteStatement(
          own: statement.sqlText, limit: parameterLimit, isBrief: false, expectedRows: isCounted ? 1 : nil)
        return Step(statement: request, table: table, key: key, isNew: isNew)
      }
      func expected(_ values: [String: StoredValue], besides changed: Set<String>) -> [RowStatements.Expected] {
        schema.columns.compactMap { column in
          guard column.generation == nil, let value = values[column.name], value.isExpressibleInSQL else { return nil }
          return changed.contains(column.name) || value.length <= Self.expectedLimit ? (column.name, value) : nil
        }
      }
      let room = Self.room(from: old, to: new, in: schema.uniqueColumns)
      for (key, values) in old {
        guard let match = statements.key(of: key) else { continue }
        guard let now = new[key] else {
          deleted.append(try step(statements.delete(match, expecting: expected(values, besides: [])), key))
          continue
        }
        let changed = Set(values.keys.filter { values[$0] != now[$0] })
        guard !changed.isEmpty else { continue }
        let assigned = schema.storedNames.filter { changed.contains($0) }.compactMap { name in now[name].map { (name, StagedValue($0)) } }
        var was = expected(values, besides: changed)
        let interim = changed.filter { name in values[name].map { room[name]?.contains($0.compared) == true } ?? false }.sorted()
        if !interim.isEmpty {
          let places = interim.compactMap { name in schema.column(named: name).map { (name, StoredValue.value($0.interimValue())) } }
          givingWay.append(try step(statements.update(match, places.map { ($0, StagedValue($1)) }, expecting: was), key))
          was = places
        }
        updated.append(try step(statements.update(match, assigned, expecting: was), key))
      }
      for (key, values) in new where old[key] == nil {
        let assigned = schema.storedNames.compactMap { name in values[name].map { (name, StagedValue($0)) } }
        inserted.append(try step(statements.insert(assigned), key, isNew: true))
      }
    }
    steps = deleted + givingWay + updated + inserted
  }

  /// Returns the unique values that a changed row will take over from a row that has not been updated yet.
  private static func room(
    from old: [RowKey: [String: StoredValue]], to new: [RowKey: [String: StoredValue]], in columns: Set<String>
  ) -> [String: Set<String>] {
    var room: [String: Set<String>] = [:]
    for column in columns {
      let changes = old.compactMap { key, values -> (was: String, is: String)? in
        guard let was = values[column], let now = new[key]?[column], was != now else { return nil }
        return (was.compared, now.compared)
      }
      guard changes.count > 1 else { continue }
      room[column] = Set(changes.map(\.was)).intersection(changes.map(\.is))
    }
    return room
  }

  /// The keys of the changed rows.
  var keys: [TableReference: [RowKey]] {
    Dictionary(grouping: steps, by: \.table).mapValues { Array(Set($0.map(\.key))) }
  }
}

extension StoredValue {
  /// A string that is equal for values that a collation or a column's type may treat as equal.
  fileprivate var compared: String {
    switch self {
    case .value(.integer(let number)): "\(Double(number))"
    case .value(.real(let number)): "\(number)"
    case .value(.text(let text)): text.lowercased()
    default: "\(self)"
    }
  }

  /// The number of bytes of a text or blob, or 8 for a number.
  fileprivate var length: Int {
    switch self {
    case .rawText(let bytes), .value(.blob(let bytes)): bytes.count
    case .value(.text(let text)): text.utf8.count
    case .value: 8
    }
  }
}
