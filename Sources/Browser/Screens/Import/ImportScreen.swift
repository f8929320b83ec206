import QuarryEngine
package import QuarryFiles
import Terminal

/// A file to import: its format, the target column of each of its columns, and a preview of its first rows.
package struct ImportScreen: Sendable {
  /// A line of the form.
  package enum Line: Hashable, Sendable {
    case path, tableInFile, target, name, separator, header, encoding, conflicts, failing
    /// The titles above the columns, which the cursor skips.
    case heading
    /// A column of the file, by its position.
    case column(Int)
  }

  /// The table that was on the screen; nil for none.
  let table: TableReference?
  /// The current choices.
  private(set) var plan: ImportPlan
  /// Whether the target has been decided, by the user or by the columns of the file.
  private var isTargetSettled = false
  /// Whether rows that fail are written to a rejects file; otherwise the first of them ends the import.
  private(set) var keepsRejects = false
  var path = PathField()
  /// The name of a new table.
  private(set) var name = TextField()
  /// The default name, used until the person types another one.
  private var givenName = ""
  package private(set) var preview: ImportPreview?
  /// The columns of the table that can receive values.
  private(set) var tableColumns: [String] = []
  /// The path of a rejects file, which does not exist yet; nil for none.
  private(set) var rejectsPath: String?
  /// The reason why the file cannot be read.
  package private(set) var problem: Problem?
  /// The reason why the last import failed.
  private(set) var failure: String?
  /// Whether a preview is being read.
  private(set) var isReading = false
  private(set) var cursor = ListCursor()
  /// Whether the current line receives text.
  ///
  /// A move to a line does not begin that. Otherwise the line would receive the keys that move the cursor as text.
  private var isWriting = true

  /// The database of a new table.
  private(set) var newDatabase: String
  /// The program's private database; nil for none.
  let privateDatabase: String?

  init(into table: TableReference?, privateDatabase: String? = nil) {
    self.table = table
    self.privateDatabase = privateDatabase
    let database = table?.database ?? "main"
    newDatabase = database == "temp" ? "main" : database
    plan = ImportPlan(path: "", into: table.map(ImportPlan.Target.existing) ?? .new(TableReference(database: newDatabase, name: "")))
  }

  /// A new table with the entered name.
  var newTarget: ImportPlan.Target { .new(TableReference(database: newDatabase, name: name.text)) }

  // MARK: Lines

  /// The choices above the columns, from top to bottom.
  private var settings: [Line] {
    // A text that is not UTF-8 can be read once its encoding is known.
    guard let preview else { return problem == nil ? [.path, .target] : [.path, .target, .encoding] }
    let reading: [Line] = preview.dialect == nil ? [.encoding] : [.separator, .header, .encoding]
    return [.path] + (preview.tableInFile == nil ? [] : [.tableInFile]) + [.target] + (isNew ? [.name] : []) + reading
      + (isNew ? [] : [.conflicts]) + [.failing]
  }

  package var lines: [Line] {
    guard let preview else { return settings }
    return settings + [.heading] + preview.columns.indices.map(Line.column)
  }
  package var line: Line { lines.indices.contains(cursor.index) ? lines[cursor.index] : .path }
  var height: Int { cursor.height }

  /// Whether the rows are imported into a new table.
  var isNew: Bool { if case .new = plan.target { true } else { false } }

  /// Whether characters are text: if the current line is a text field that receives text.
  var isTyping: Bool { isWriting && isWritten(line) }

  /// Returns whether a line is a text field rather than a choice.
  func isWritten(_ line: Line) -> Bool { [.path, .name].contains(line) }

  var currentColumn: ImportColumn? {
    guard case .column(let index) = line, let preview, preview.columns.indices.contains(index) else { return nil }
    return preview.columns[index]
  }

  mutating func beginWriting() { isWriting = true }

  mutating func move(by step: Int) {
    if step != 0 { isWriting = false }
    cursor.move(by: step, of: lines.count)
    if line == .heading { cursor.move(by: step < 0 ? -1 : 1, of: lines.count) }
  }

  mutating func select(_ line: Line) {
    if line != self.line { isWriting = false }
    if line != .heading, let index = lines.firstIndex(of: line) { cursor.move(to: index, of: lines.count) }
  }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: lines.count) }

  // MARK: Deciding

  /// Changes the choices; returns whether the file must be read again.
  mutating func decide(_ change: (inout ImportPlan) -> Void) -> Bool {
    let before = plan
    change(&plan)
    plan.rejectsPath = keepsRejects ? RejectsFile.path(for: plan.path) : nil
    failure = nil
    return plan != before
  }

  /// Reads the file with other options, which may change its columns; returns whether it must be read again.
  mutating func read(_ change: (inout ImportPlan) -> Void) -> Bool {
    decide { plan in
      change(&plan)
      (plan.mapping, plan.types) = ([:], [:])
    }
  }

  mutating func keepRejects(_ keeps: Bool) -> Bool {
    keepsRejects = keeps
    return decide { _ in }
  }

  /// Selects another target table and resets its choices; returns whether the file must be read again.
  mutating func setTarget(_ target: ImportPlan.Target) -> Bool {
    isTargetSettled = true
    guard target != plan.target else { return false }
    if case .new(let table) = target { newDatabase = table.database }
    return decide { plan in
      plan.target = target
      (plan.mapping, plan.types) = ([:], [:])
    }
  }

  /// Selects a new table if fewer than half of the columns match a column of the table that was on the screen.
  ///
  /// - Returns: Whether the file must be read again.
  mutating func settleTarget() -> Bool {
    guard !isTargetSettled, let preview else { return false }
    isTargetSettled = true
    let placed = preview.columns.count { $0.target != nil }
    return !isNew && placed * 2 < preview.columns.count && setTarget(newTarget)
  }

  /// Maps a column of the file to a column of the table, or skips it; returns whether the file must be read again.
  mutating func map(_ column: String, to target: String?) -> Bool {
    // A column of the table receives only one column of the file.
    let former = preview?.columns.first { target != nil && $0.target == target && $0.source.name != column }
    return decide { plan in
      if let former { plan.mapping[former.source.name] = Self.leftOut }
      plan.mapping[column] = target ?? Self.leftOut
    }
  }

  /// The target of a skipped column in a plan.
  private static let leftOut = ""

  /// Moves the cursor to the first column without a target; returns whether there is one.
  mutating func selectUnplacedColumn() -> Bool {
    guard let index = preview?.columns.firstIndex(where: { $0.target == nil && !isLeftOut($0) }) else { return false }
    select(.column(index))
    return true
  }

  /// Returns whether the person decided to skip a column.
  func isLeftOut(_ column: ImportColumn) -> Bool { plan.mapping[column.source.name] == Self.leftOut }

  mutating func setType(_ type: ImportType, of column: String) -> Bool { decide { $0.types[column] = type } }

  /// Changes the text of the current line.
  mutating func edit<Result>(_ change: (inout TextField) -> Result) -> Result? {
    failure = nil
    return line == .name ? change(&name) : nil
  }

  /// Applies the entered texts; returns whether the file must be read again.
  mutating func takeTexts() -> Bool {
    let file = Storage.path(of: path.text)
    let isOther = !path.text.isBlank && file != plan.path
    if isOther { giveName(Self.tableName(for: file)) }
    let target = isNew ? newTarget : plan.target
    return decide { plan in
      if isOther { plan = ImportPlan(path: file, into: target) } else { plan.target = target }
    }
  }

  /// Selects another table of a JSON file by its key; returns whether the file must be read again.
  mutating func setTableInFile(_ key: String) -> Bool { read { $0.tableInFile = key } }

  private mutating func giveName(_ name: String) { (givenName, self.name) = (name, TextField(name)) }

  /// Names a new table after its table in the file, unless the person has entered a name.
  ///
  /// - Returns: Whether the file must be read again.
  mutating func nameAfterTableInFile() -> Bool {
    guard let key = preview?.tableInFile, name.text == givenName, name.text != key else { return false }
    giveName(key)
    return isNew && takeTexts()
  }

  /// Returns the name of a table for the rows of a file: `sales` for `/tmp/sales.csv`.
  private static func tableName(for path: String) -> String {
    let name = path.split(separator: "/").last ?? "import"
    return String(name[..<(name.dropFirst().firstIndex(of: ".") ?? name.endIndex)])
  }

  // MARK: Receiving

  mutating func beginReading() { isReading = true }

  mutating func receive(_ result: Result<LoadImportPreview.Answer, Problem>) {
    isReading = false
    let line = line
    switch result {
    case .success(let answer):
      (preview, tableColumns, problem) = (answer.preview, answer.tableColumns, nil)
      rejectsPath = answer.rejectsPath
    case .failure(.stopped): break
    case .failure(let problem): (preview, self.problem) = (nil, problem)
    }
    select(line)
    move(by: 0)
  }

  mutating func fail(_ sentence: String) { failure = sentence }
}
