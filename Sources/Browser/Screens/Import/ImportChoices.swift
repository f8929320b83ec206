import QuarryEngine
import QuarryFiles

/// The choices on the lines of the import.
extension ImportScreen {
  /// Returns the choices of a line; nil for a text line, and for columns.
  func choices(of line: Line) -> ChoiceLine? {
    switch line {
    case .path, .name, .heading, .column: nil
    case .tableInFile:
      ChoiceLine(labels: tablesInFile, chosen: tablesInFile.firstIndex { $0 == preview?.tableInFile } ?? 0)
    case .target:
      ChoiceLine(labels: targets.map(label), chosen: isNew ? targets.count - 1 : targets.firstIndex(of: plan.target) ?? 0)
    case .separator:
      ChoiceLine(labels: Self.separators.map(\.label), chosen: Self.separators.firstIndex { $0.byte == preview?.dialect?.separator } ?? 0)
    case .header: ChoiceLine(labels: ["yes", "no"], chosen: preview?.dialect?.hasHeader == false ? 1 : 0)
    case .encoding:
      ChoiceLine(labels: encodings.map(\.title), chosen: encodings.firstIndex { $0 == preview?.encoding ?? plan.reading.encoding } ?? 0)
    case .conflicts: ChoiceLine(labels: Self.rules.map(\.title), chosen: Self.rules.firstIndex(of: plan.onConflict) ?? 0)
    case .failing: ChoiceLine(labels: ["ends the import", "goes to a file"], chosen: keepsRejects ? 1 : 0)
    }
  }

  /// Selects a choice of a line by its index; returns whether the file must be read again.
  mutating func choose(_ index: Int, of line: Line) -> Bool {
    switch line {
    case .path, .name, .heading, .column: return false
    case .tableInFile: return setTableInFile(tablesInFile[index])
    case .target: return setTarget(targets[index])
    case .separator: return read { $0.reading.separator = Self.separators[index].byte }
    case .header: return read { $0.reading.hasHeader = index == 0 }
    case .encoding:
      let encoding = encodings[index]
      return read { $0.reading.encoding = encoding }
    case .conflicts: return decide { $0.onConflict = Self.rules[index] }
    case .failing: return keepRejects(index == 1)
    }
  }

  /// Moves the choice of the current line by a number of steps; returns whether the file must be read again.
  mutating func choose(by step: Int) -> Bool {
    if case .column = line { return chooseTarget(by: step) }
    guard let choices = choices(of: line), !choices.labels.isEmpty else { return false }
    return choose((choices.chosen + step + choices.labels.count) % choices.labels.count, of: line)
  }

  // MARK: Settings

  private var targets: [ImportPlan.Target] {
    var known = table.map { [ImportPlan.Target.existing($0)] } ?? []
    if !isNew, !known.contains(plan.target) { known.append(plan.target) }
    return known + [newTarget]
  }

  func label(_ target: ImportPlan.Target) -> String {
    switch target {
    case .existing(let table): table.name
    case .new(let table) where table.database == privateDatabase: "a new table, until you quit"
    case .new(let table): table.database == "main" ? "a new table" : "a new table in \(table.database)"
    }
  }

  /// The keys of the tables in the file, including the selected one.
  var tablesInFile: [String] {
    guard let preview, let key = preview.tableInFile else { return [] }
    return preview.tablesInFile.contains(key) ? preview.tablesInFile : preview.tablesInFile + [key]
  }

  private static let rules = ImportPlan.ConflictRule.allCases

  private static let separators = zip(DelimitedDialect.knownSeparators, ["comma ,", "semicolon ;", "tab", "bar |"]).map {
    (byte: $0, label: $1)
  }

  /// The available encodings; a byte order mark determines the encoding.
  private var encodings: [TextEncoding] {
    let known: [TextEncoding] = [.utf8, .latin1, .windows1252]
    guard let found = preview?.encoding, !known.contains(found) else { return known }
    return [found]
  }

  /// Maps the current column to the next free column of the table.
  ///
  /// A column without a target is first mapped to the most similar name.
  private mutating func chooseTarget(by step: Int) -> Bool {
    guard let column = currentColumn, let preview else { return false }
    let name = column.source.name
    if isNew { return map(name, to: column.target == nil ? name : nil) }
    let taken = Set(preview.columns.compactMap(\.target)).subtracting([column.target].compactMap(\.self))
    if column.target == nil, !isLeftOut(column) { return map(name, to: column.nearest.first { !taken.contains($0) }) }
    let free: [String?] = [nil] + tableColumns.filter { !taken.contains($0) }
    let index = free.firstIndex(of: column.target) ?? 0
    return map(name, to: free[(index + step + free.count) % free.count])
  }

  /// Skips the current column, or stops skipping it.
  mutating func toggleColumn() -> Bool {
    guard let column = currentColumn else { return false }
    if !isLeftOut(column) { return map(column.source.name, to: nil) }
    return decide { $0.mapping[column.source.name] = nil }
  }
}

extension ImportPlan.ConflictRule {
  /// The effect on a row whose key already exists.
  fileprivate var title: String {
    switch self {
    case .abort: "fails"
    case .ignore: "is skipped"
    case .replace: "replaces it"
    case .update: "updates it"
    }
  }
}
