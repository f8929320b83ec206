internal import QuarryEngine

/// A difference between the schemas of two databases.
package struct SchemaDifference: Hashable, Sendable {
  /// `table`, `index`, `trigger`, `view`, `column` of a table that both databases have, or `pragma`.
  package var kind: String
  /// The name, qualified by the table for a column: `Track.Name`.
  package var name: String
  /// The table to which the object belongs, or nil for a pragma.
  package var table: String?
  package var change: DiffChange
  /// The SQL or value in the first database, or nil if the object does not exist there.
  ///
  /// For a renamed column, its old name.
  package var from: String?
  /// The SQL or value in the second database, or nil if the object does not exist there.
  ///
  /// For a renamed column, its new name.
  package var to: String?
}

/// The kind of change of a row or a schema object.
package enum DiffChange: String, Hashable, Sendable {
  case added, removed, changed
  /// Only for columns.
  case renamed
}

extension SchemaDifference {
  /// Returns the differences of two schemas.
  ///
  /// - Parameters:
  ///   - tables: The schemas of the changed tables on both sides, by their names in lowercase.
  ///   - renames: The new names of renamed columns by their old names, by table.
  static func all(
    _ comparison: SchemaComparison, _ tables: [String: (before: TableSchema, after: TableSchema)],
    renames: [String: [ColumnRename]]
  ) -> [SchemaDifference] {
    var found: [SchemaDifference] = []
    for object in comparison.before.sorted {
      guard let other = comparison.after[object.key] else {
        found.append(SchemaDifference(kind: object.kind, name: object.name, table: object.table, change: .removed, from: object.sql))
        continue
      }
      guard comparison.changed.contains(object.key) else { continue }
      let name = object.name.asciiLowercased
      found += changes(object, other, comparison, object.kind == "table" ? tables[name] : nil, renames[name] ?? [])
    }
    for object in comparison.after.sorted where comparison.before[object.key] == nil {
      found.append(SchemaDifference(kind: object.kind, name: object.name, table: object.table, change: .added, to: object.sql))
    }
    return found
  }

  /// Returns the columns in which a table differs, and the table itself if it differs in other ways.
  private static func changes(
    _ from: DiffSchema.Object, _ to: DiffSchema.Object, _ comparison: SchemaComparison,
    _ schemas: (before: TableSchema, after: TableSchema)?, _ renames: [ColumnRename]
  ) -> [SchemaDifference] {
    let (before, after) = (schemas?.before.columns ?? [], schemas?.after.columns ?? [])
    let (old, new) = (byName(before), byName(after))
    let (gone, came) = (Set(renames.map(\.from.asciiLowercased)), Set(renames.map(\.to.asciiLowercased)))
    let all =
      before.map(\.name.asciiLowercased).filter { !gone.contains($0) }
      + after.map(\.name.asciiLowercased).filter { old[$0] == nil && !came.contains($0) }
    var columns = renames.map { rename in
      SchemaDifference(kind: "column", name: "\(to.name).\(rename.to)", table: to.name, change: .renamed, from: rename.from, to: rename.to)
    }
    columns += all.compactMap { name -> SchemaDifference? in
      let (before, after) = (old[name], new[name])
      guard let column = after ?? before, !isSame(before, after) else { return nil }
      let change: DiffChange = before == nil ? .added : after == nil ? .removed : .changed
      return SchemaDifference(
        kind: "column", name: "\(to.name).\(column.name)", table: to.name, change: change, from: before?.summary, to: after?.summary)
    }
    let common = Set(old.keys).intersection(new.keys)
    if !columns.isEmpty, comparison.hasSameRules(from.sql, to.sql, common) { return columns }
    return columns + [SchemaDifference(kind: from.kind, name: from.name, table: from.table, change: .changed, from: from.sql, to: to.sql)]
  }

  private static func byName(_ columns: [ColumnSchema]) -> [String: ColumnSchema] {
    Dictionary(columns.map { ($0.name.asciiLowercased, $0) }) { $1 }
  }

  /// Returns whether two columns have the same definition; the case of a type does not count.
  private static func isSame(_ column: ColumnSchema?, _ other: ColumnSchema?) -> Bool {
    guard let column, let other else { return false }
    return column.declaredType.isSameIdentifier(as: other.declaredType) && column.constraints == other.constraints
  }

  /// Compares the numbers that programs store in a database.
  ///
  ///     PRAGMA main.user_version; PRAGMA main.application_id
  static func numbers(_ from: any DiffSide, _ to: any DiffSide) async throws -> [SchemaDifference] {
    let (before, after) = (try await StoredNumbers.read(from), try await StoredNumbers.read(to))
    return StoredNumbers.names.compactMap { name in
      guard before[name] != after[name] else { return nil }
      return SchemaDifference(
        kind: "pragma", name: name, change: .changed, from: before[name].map(String.init), to: after[name].map(String.init))
    }
  }
}

/// The numbers that programs store in a database.
enum StoredNumbers {
  static let names = ["user_version", "application_id"]

  /// Reads the numbers by their names.
  ///
  ///     SELECT user_version FROM pragma_user_version
  static func read(_ side: any DiffSide) async throws -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    for name in names {
      let sql: SQLText = "SELECT \(identifier: name) FROM \(identifier: "pragma_\(name)")"
      if case .value(.integer(let number))? = try await side.rows(sql, width: 1).first?.first { numbers[name] = number }
    }
    return numbers
  }
}

extension DiffSchema {
  /// The objects, sorted by kind and name.
  fileprivate var sorted: [Object] { objects.sorted { $0.key < $1.key } }
}

extension ColumnSchema {
  /// The type and the constraints of the column: `TEXT NOT NULL DEFAULT ''`.
  fileprivate var summary: String { ([declaredType] + constraints).filter { !$0.isEmpty }.joined(separator: " ") }

  fileprivate var constraints: [String] {
    [
      isNullable ? "" : "NOT NULL", defaultSQL.map { "DEFAULT \($0)" } ?? "",
      collation.isSameIdentifier(as: "BINARY") ? "" : "COLLATE \(collation)", generation == nil ? "" : "GENERATED",
      primaryKeyPosition == nil ? "" : "PRIMARY KEY",
    ]
  }
}
