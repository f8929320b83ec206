internal import QuarryEngine

/// The assignment of a file's columns to the columns of a table.
struct ColumnMatching {
  let plan: ImportPlan
  /// The existing table, or nil for a new one.
  let schema: TableSchema?
  /// Whether the file contains column names.
  let hasNames: Bool
  private(set) var columns: [ImportColumn] = []
  /// Problems that prevent the import, as sentences.
  private(set) var problems: [String] = []
  private(set) var notes: [String] = []

  init(_ plan: ImportPlan, schema: TableSchema?, hasNames: Bool) {
    (self.plan, self.schema, self.hasNames) = (plan, schema, hasNames)
  }

  /// The writable columns.
  private var writable: [ColumnSchema] { schema?.columns.filter { $0.generation == nil && !$0.isHidden } ?? [] }

  // MARK: One column

  /// Returns the assignment of a column at an index in the file.
  func match(_ column: RecordColumn, at index: Int) -> ImportColumn {
    var source = column
    if !hasNames, let names = plan.columns, names.indices.contains(index) { source.name = names[index] }
    var match = ImportColumn(source: source, target: target(of: source, at: index), type: .any, declaredType: "")
    if match.target == nil { match.nearest = nearest(to: source.name) }
    let given = given(plan.types, for: source) ?? match.target.flatMap(typeGiven)
    match.isTypeGiven = given != nil
    let stored = match.target.flatMap { schema?.column(named: $0) }
    match.type = given ?? stored.map(Self.bindingType) ?? .any
    match.declaredType = stored?.declaredType ?? given?.declaration?.rawValue ?? ""
    return match
  }

  private func target(of source: RecordColumn, at index: Int) -> String? {
    if let mapped = given(plan.mapping, for: source) { return mapped.isEmpty ? nil : writableName(mapped) }
    guard isChosen(source) else { return nil }
    guard schema != nil else { return source.name }
    if !hasNames, plan.columns == nil { return writable.indices.contains(index) ? writable[index].name : nil }
    return writableName(source.name)
  }

  /// Returns the name as spelled in the table, or nil if the table has no such writable column.
  private func writableName(_ name: String) -> String? {
    schema == nil ? name : writable.first { $0.name.isSameIdentifier(as: name) }?.name
  }

  /// Returns whether a column is selected for the import.
  private func isChosen(_ source: RecordColumn) -> Bool {
    guard hasNames, let names = plan.columns else { return true }
    return names.contains { source.isNamed($0) }
  }

  /// Returns the user's setting for a column.
  private func given<Value>(_ values: [String: Value], for source: RecordColumn) -> Value? {
    values.first { source.isNamed($0.key) }?.value
  }

  /// Returns the user's type for a column of the table.
  private func typeGiven(to target: String) -> ImportType? {
    plan.types.first { $0.key.isSameIdentifier(as: target) }?.value
  }

  /// Returns similar column names: first names that extend or abbreviate the name, then names that differ by a few letters.
  private func nearest(to name: String) -> [String] {
    let names = writable.map(\.name)
    let wanted = Self.letters(of: name)
    // All names of one or two letters are similar.
    guard wanted.count > 2 else { return [] }
    let longer = names.filter { name in
      let letters = Self.letters(of: name)
      return letters.count > 2 && (letters.starts(with: wanted) || wanted.starts(with: letters))
    }
    return longer + NearestNames.to(name, among: names).filter { !longer.contains($0) }
  }

  /// Returns the letters and digits of a name for comparison: `genreid` for `Genre_ID`.
  private static func letters(of name: String) -> [Character] { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Returns the type as which the values of a table's column are bound.
  private static func bindingType(of column: ColumnSchema) -> ImportType {
    switch column.affinity {
    case .integer: .integer
    case .real: .real
    case .numeric: .numeric
    case .text: .text
    case .blob: column.declaredType.asciiLowercased.contains("blob") ? .blob : .any
    }
  }

  /// Returns how the type of a column is decided.
  func rule(for column: ImportColumn) -> RecordTyper.Rule {
    if column.target == nil { return .none }
    // A column without a type in an existing table stores values as they are bound.
    return column.isTypeGiven || schema != nil && column.type != .any ? .given(column.type) : .found
  }

  /// Adopts the inferred types of the columns.
  mutating func setFoundTypes(_ types: [ImportType]) {
    for (index, type) in types.enumerated() where columns.indices.contains(index) && rule(for: columns[index]) == .found {
      columns[index].type = type
      if schema == nil { columns[index].declaredType = type.declaration?.rawValue ?? "" }
    }
  }

  // MARK: All columns

  /// Adds columns of the file in order.
  mutating func add(_ added: some Sequence<RecordColumn>) {
    for column in added {
      let match = match(column, at: columns.count)
      columns.append(match)
      check(match)
    }
  }

  private mutating func check(_ column: ImportColumn) {
    let name = column.source.name
    if let target = column.target {
      if let other = columns.dropLast().first(where: { $0.target?.isSameIdentifier(as: target) == true }) {
        problems.append("“\(other.source.name)” and “\(name)” of the file are both assigned to \(target): omit one of them")
      }
    } else if let mapped = given(plan.mapping, for: column.source) {
      if !mapped.isEmpty { problems.append("\(refusal(of: mapped)); “\(name)” is assigned to it") }
    } else if isChosen(column.source) {
      if let generated = schema?.column(named: name), generated.generation != nil {
        notes.append("\(generated.name) is computed by the table, so its values in the file are skipped")
      } else {
        problems.append(refusal(of: name))
      }
    }
  }

  private func refusal(of name: String) -> String {
    let table = plan.target.table.name
    if schema?.column(named: name)?.generation != nil { return "\(name) is computed by \(table), and cannot be written" }
    let near = nearest(to: name)
    let hint = near.isEmpty ? "map it to one, or omit it" : "did you mean \(near.joined(separator: " or "))?"
    return "“\(name)” is not a column of \(table): \(hint)"
  }

  /// Checks the plan's columns against the columns of the file, once all are known.
  mutating func checkPlan() {
    // JSON without records, such as an export of no rows.
    if columns.isEmpty { return }
    // Do not suggest a column that is already assigned.
    let taken = columns.compactMap(\.target)
    for index in columns.indices { columns[index].nearest.removeAll { name in taken.contains { $0.isSameIdentifier(as: name) } } }
    let names = hasNames ? (plan.columns ?? []) : []
    for name in names + plan.mapping.keys.sorted() where !columns.contains(where: { $0.source.isNamed(name) }) {
      problems.append(missing(name))
    }
    for name in plan.types.keys.sorted() {
      let isThere = columns.contains { $0.source.isNamed(name) || $0.target?.isSameIdentifier(as: name) == true }
      if !isThere { problems.append(missing(name)) }
    }
    if !hasNames, let names = plan.columns, names.count != columns.count {
      let given = "\(Plural.of(names.count, "name")) \(names.count == 1 ? "was" : "were") given"
      problems.append("the file has \(Plural.of(columns.count, "column")), and \(given) for them")
    }
    if !columns.isEmpty, columns.allSatisfy({ $0.target == nil }) {
      problems.append("no column of the file matches \(plan.target.table.name)")
    }
    checkConflictRule()
  }

  private func missing(_ name: String) -> String {
    let near = NearestNames.to(name, among: columns.map(\.source.name))
    return "the file has no column “\(name)”" + (near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?")
  }

  private mutating func checkConflictRule() {
    guard let schema else { return }
    let table = schema.entry.reference.name
    if plan.onConflict != .abort, schema.entry.kind != .table {
      problems.append("\(table) is not an ordinary table, so existing rows cannot be found in it")
    }
    guard plan.onConflict == .update else { return }
    let targets = columns.compactMap(\.target)
    let missing = schema.primaryKey.filter { name in !targets.contains { $0.isSameIdentifier(as: name) } }
    if schema.primaryKey.isEmpty {
      problems.append("\(table) has no primary key to update rows by")
    } else if !missing.isEmpty {
      problems.append("rows of \(table) are updated by their primary key, and the file has no \(missing.joined(separator: ", "))")
    }
  }
}

extension RecordColumn {
  /// Returns whether a name means this column: its own name or its name in the file.
  func isNamed(_ name: String) -> Bool {
    self.name.isSameIdentifier(as: name) || nameInFile == name
  }
}
