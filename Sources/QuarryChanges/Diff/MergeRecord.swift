package import QuarryEngine

/// A row as it is in the three databases of a merge.
package struct MergeRecord: Sendable {
  /// A column with its values, or nil where the row or the column does not exist.
  package struct Field: Sendable {
    package var name: String
    package var base: StoredValue?
    package var mine: StoredValue?
    package var theirs: StoredValue?
  }

  package private(set) var fields: [Field] = []
  /// The table in MINE, or else in THEIRS.
  package private(set) var schema: TableSchema?

  fileprivate mutating func add(_ values: [String: StoredValue], of schema: TableSchema, _ place: WritableKeyPath<Field, StoredValue?>) {
    for column in schema.storedColumns {
      let known = fields.firstIndex { $0.name.isSameIdentifier(as: column) }
      if known == nil { fields.append(Field(name: column)) }
      fields[known ?? fields.count - 1][keyPath: place] = values[column.asciiLowercased]
    }
  }
}

extension DatabaseMerge {
  /// Reads the row of a conflict in the three databases.
  ///
  ///     SELECT id, name FROM main.t WHERE id IS 1
  ///
  /// Returns a record without fields if the conflict concerns no row with a key.
  package func record(of conflict: MergeConflict) async throws -> MergeRecord {
    var record = MergeRecord()
    guard let table = conflict.table, !conflict.key.isEmpty else { return record }
    let places: [(any DiffSide, WritableKeyPath<MergeRecord.Field, StoredValue?>)] = [(mine, \.mine), (base, \.base), (theirs, \.theirs)]
    for (side, place) in places {
      guard let schema = try await DatabaseDiff(side, side).schemas(of: side, [table])[table.asciiLowercased], schema.problem == nil
      else { continue }
      if record.schema == nil { record.set(schema) }
      let isKnown = conflict.key.allSatisfy { part in
        schema.column(named: part.column) != nil || schema.rowIDName?.isSameIdentifier(as: part.column) == true
      }
      let columns = schema.storedColumns
      let condition = conflict.key.map { "\(identifier: $0.column) IS \($0.value.sqlText)" as SQLText }.joined(by: " AND ")
      let list = columns.map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
      let sql: SQLText = "SELECT \(list) FROM \(schema.entry.reference.sqlText) WHERE \(condition) LIMIT 1"
      let row = isKnown ? try await side.rows(sql, width: columns.count).first : nil
      let values = Dictionary(zip(columns.map(\.asciiLowercased), row ?? [])) { first, _ in first }
      record.add(values, of: schema, place)
    }
    return record
  }
}

extension MergeRecord {
  fileprivate mutating func set(_ schema: TableSchema) { self.schema = schema }
}
