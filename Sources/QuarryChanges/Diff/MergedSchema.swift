internal import QuarryEngine

/// The schema that a merge results in.
struct MergedSchema {
  /// The objects by their keys.
  private var objects: [String: DiffSchema.Object] = [:]
  /// The keys in the order of creation.
  private var order: [String] = []
  private(set) var conflicts: [MergeConflict] = []

  /// The schema, without indexes and triggers whose tables are gone.
  var schema: DiffSchema {
    let tables = Set(objects.values.filter { ["table", "view"].contains($0.kind) }.map(\.name.asciiLowercased))
    return DiffSchema(order.compactMap { objects[$0] }.filter { tables.contains($0.table.asciiLowercased) })
  }

  /// Merges three schemas, object by object.
  init(_ base: DiffSchema, _ mine: DiffSchema, _ theirs: DiffSchema, names: SchemaNames, of merge: DatabaseMerge) {
    for object in mine.objects + theirs.objects.filter({ mine[$0.key] == nil }) {
      let (old, own, other) = (base[object.key], mine[object.key], theirs[object.key])
      if names.isSame(old?.sql, other?.sql) || names.isSame(own?.sql, other?.sql) {
        add(own)
      } else if names.isSame(old?.sql, own?.sql) {
        add(other)
      } else {
        func text(_ object: DiffSchema.Object?) -> StoredValue? { object.map { .value(.text($0.sql)) } }
        let conflict = MergeConflict(
          .schema, "\(object.kind) \(object.name)", base: text(old), mine: text(own), theirs: text(other))
        let decision = merge.decision(of: conflict)
        if decision == nil { conflicts.append(conflict) }
        add(decision == .side(.theirs) ? other : own)
      }
    }
  }

  /// Returns the object with a key.
  subscript(key: String) -> DiffSchema.Object? { objects[key] }

  private mutating func add(_ object: DiffSchema.Object?) {
    guard let object else { return }
    if objects.updateValue(object, forKey: object.key) == nil { order.append(object.key) }
  }

  /// Replaces the objects of a table by those of MINE or THEIRS.
  mutating func replace(_ table: String, by schema: DiffSchema) {
    for (key, object) in objects where object.table.asciiLowercased == table {
      objects[key] = nil
      order.removeAll { $0 == key }
    }
    for object in schema.objects where object.table.asciiLowercased == table { add(object) }
  }
}
