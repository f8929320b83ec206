internal import QuarryEngine

/// Finds out which columns of a table those of a file go to.
struct ColumnMatching {
  let plan: ImportPlan
  /// The table that is there; nil for a new one.
  let schema: TableSchema?
  /// Whether the file tells the names of its columns.
  let hasNames: Bool
  private(set) var columns: [ImportColumn] = []
  /// What stands in the way, as sentences.
  private(set) var problems: [String] = []
  private(set) var notes: [String] = []

  init(_ plan: ImportPlan, schema: TableSchema?, hasNames: Bool) {
    (self.plan, self.schema, self.hasNames) = (plan, schema, hasNames)
  }

  /// The columns that can be written.
  private var writable: [ColumnSchema] { schema?.columns.filter { $0.generation == nil && !$0.isHidden } ?? [] }

  // MARK: One column

  /// Returns where a column goes, by its place in the file.
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

  /// Returns the name as the table has it; nil where it has none that can be written.
  private func writableName(_ name: String) -> String? {
    schema == nil ? name : writable.first { $0.name.isSameIdentifier(as: name) }?.name
  }

  /// Returns whether a column is among those that are to be read.
  private func isChosen(_ source: RecordColumn) -> Bool {
    guard hasNames, let names = plan.columns else { return true }
    return names.contains { source.isNamed($0) }
  }

  /// Returns what a person says of a column.
  private func given<Value>(_ values: [String: Value], for source: RecordColumn) -> Value? {
    values.first { source.isNamed($0.key) }?.value
  }

  /// Returns the type that a person gives to a column of the table.
  private func typeGiven(to target: String) -> ImportType? {
    plan.types.first { $0.key.isSameIdentifier(as: target) }?.value
  }

  /// Returns the columns that a name may mean: those that go on from it, or that it goes on from, before those that are a few letters away.
  private func nearest(to name: String) -> [String] {
    let names = writable.map(\.name)
    let wanted = Self.letters(of: name)
    // All names of one letter or two are near each other.
    guard wanted.count > 2 else { return [] }
    let longer = names.filter { name in
      let letters = Self.letters(of: name)
      return letters.count > 2 && (letters.starts(with: wanted) || wanted.starts(with: letters))
    }
    return longer + NearestNames.to(name, among: names).filter { !longer.contains($0) }
  }

  /// Returns what counts where two names are compared: `genreid` for `Genre_ID`.
  private static func letters(of name: String) -> [Character] { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Returns what the values of a column of a table are bound as.
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
    // A column of a table that is there and has no type keeps what is bound.
    return column.isTypeGiven || schema != nil && column.type != .any ? .given(column.type) : .found
  }

  /// Takes the types that the values of the columns have shown.
  mutating func setFoundTypes(_ types: [ImportType]) {
    for (index, type) in types.enumerated() where columns.indices.contains(index) && rule(for: columns[index]) == .found {
      columns[index].type = type
      if schema == nil { columns[index].declaredType = type.declaration?.rawValue ?? "" }
    }
  }

  // MARK: All columns

  /// Adds columns of the file, in their order.
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
        problems.append("“\(other.source.name)” and “\(name)” of the file both go to \(target): leave one of them out")
      }
    } else if let mapped = given(plan.mapping, for: column.source) {
      if !mapped.isEmpty { problems.append("\(refusal(of: mapped)); “\(name)” was to go there") }
    } else if isChosen(column.source) {
      if let generated = schema?.column(named: name), generated.generation != nil {
        notes.append("\(generated.name) is computed by the table, so what the file has of it is left out")
      } else {
        problems.append(refusal(of: name))
      }
    }
  }

  private func refusal(of name: String) -> String {
    let table = plan.target.table.name
    if schema?.column(named: name)?.generation != nil { return "\(name) is computed by \(table), and cannot be written" }
    let near = nearest(to: name)
    let hint = near.isEmpty ? "map it to one, or leave it out" : "did you mean \(near.joined(separator: " or "))?"
    return "“\(name)” is no column of \(table): \(hint)"
  }

  /// Checks what the plan says of columns against those that the file has, once all are known.
  mutating func checkPlan() {
    // JSON without a record, as an export of no rows is.
    if columns.isEmpty { return }
    // A column that another one goes to is free for none.
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
      problems.append("no column of the file goes to \(plan.target.table.name)")
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
      problems.append("\(table) is no ordinary table, so rows that are there already cannot be found in it")
    }
    guard plan.onConflict == .update else { return }
    let targets = columns.compactMap(\.target)
    let missing = schema.primaryKey.filter { name in !targets.contains { $0.isSameIdentifier(as: name) } }
    if schema.primaryKey.isEmpty {
      problems.append("\(table) has no primary key by which rows could be updated")
    } else if !missing.isEmpty {
      problems.append("rows of \(table) are updated by their primary key, and the file has no \(missing.joined(separator: ", "))")
    }
  }
}

extension RecordColumn {
  /// Returns whether a person means this column by a name: its own, or the one that the file gives it.
  func isNamed(_ name: String) -> Bool {
    self.name.isSameIdentifier(as: name) || nameInFile == name
  }
}
