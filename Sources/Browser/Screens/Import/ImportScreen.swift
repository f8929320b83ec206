import QuarryEngine
package import QuarryFiles
import Terminal

/// A file that is to be imported: how it is read, which columns go where, and its first rows as they would be stored.
package struct ImportScreen: Sendable {
  /// A line of the form.
  package enum Line: Hashable, Sendable {
    case path, tableInFile, target, name, separator, header, encoding, conflicts, failing
    /// The titles over the columns, which the cursor passes over.
    case heading
    /// A column of the file, by its place.
    case column(Int)
  }

  /// The table that was on the screen; nil where none was.
  let table: TableReference?
  /// What has been decided so far.
  private(set) var plan: ImportPlan
  /// Whether a person has said where the rows go, or the columns of the file have.
  private var isTargetSettled = false
  /// Whether rows that fail go to a file of their own; otherwise the first of them ends the import.
  private(set) var keepsRejects = false
  var path = PathField()
  /// The name of a new table.
  private(set) var name = TextField()
  /// The name that it has as long as no other is written.
  private var givenName = ""
  package private(set) var preview: ImportPreview?
  /// The columns of the table that values can be given to.
  private(set) var tableColumns: [String] = []
  /// The file that rows that fail go to, which is not there yet; nil where there is none.
  private(set) var rejectsPath: String?
  /// Why the file cannot be read.
  package private(set) var problem: Problem?
  /// Why nothing was imported the last time.
  private(set) var failure: String?
  /// Whether a preview is on its way.
  private(set) var isReading = false
  private(set) var cursor = ListCursor()
  /// Whether the current line is being written; moving over one does not begin that, or the keys that move would be written there.
  private var isWriting = true

  /// The database that a new table is made in.
  private(set) var newDatabase: String
  /// The database that goes with the program; nil where there is none.
  let privateDatabase: String?

  init(into table: TableReference?, privateDatabase: String? = nil) {
    self.table = table
    self.privateDatabase = privateDatabase
    let database = table?.database ?? "main"
    newDatabase = database == "temp" ? "main" : database
    plan = ImportPlan(path: "", into: table.map(ImportPlan.Target.existing) ?? .new(TableReference(database: newDatabase, name: "")))
  }

  /// A new table, of the name that is written.
  var newTarget: ImportPlan.Target { .new(TableReference(database: newDatabase, name: name.text)) }

  // MARK: Lines

  /// What can be decided before the columns, from top to bottom.
  private var settings: [Line] {
    // A text whose bytes are no UTF-8 can be read once it is said how it is encoded.
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

  /// Whether the rows go to a table that is made for them.
  var isNew: Bool { if case .new = plan.target { true } else { false } }

  /// Whether characters are text: on a line that is written, once that has begun.
  var isTyping: Bool { isWriting && isWritten(line) }

  /// Whether a line is written rather than chosen.
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

  /// Changes what has been decided; returns whether the file has to be looked at again.
  mutating func decide(_ change: (inout ImportPlan) -> Void) -> Bool {
    let before = plan
    change(&plan)
    plan.rejectsPath = keepsRejects ? RejectsFile.path(for: plan.path) : nil
    failure = nil
    return plan != before
  }

  /// Reads the file in another way, in which it may have other columns.
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

  /// Has the rows go to another table, for which nothing is decided yet.
  mutating func setTarget(_ target: ImportPlan.Target) -> Bool {
    isTargetSettled = true
    guard target != plan.target else { return false }
    if case .new(let table) = target { newDatabase = table.database }
    return decide { plan in
      plan.target = target
      (plan.mapping, plan.types) = ([:], [:])
    }
  }

  /// Has the rows go to a new table where less than half of the columns have a place in the one that was on the screen; returns whether the
  /// file has to be looked at again.
  mutating func settleTarget() -> Bool {
    guard !isTargetSettled, let preview else { return false }
    isTargetSettled = true
    let placed = preview.columns.count { $0.target != nil }
    return !isNew && placed * 2 < preview.columns.count && setTarget(newTarget)
  }

  /// Gives a column of the file to one of the table, or leaves it out.
  mutating func map(_ column: String, to target: String?) -> Bool {
    // A column of the table takes one of the file.
    let former = preview?.columns.first { target != nil && $0.target == target && $0.source.name != column }
    return decide { plan in
      if let former { plan.mapping[former.source.name] = Self.leftOut }
      plan.mapping[column] = target ?? Self.leftOut
    }
  }

  /// What stands in a plan for the column of a table where that of the file goes to none.
  private static let leftOut = ""

  /// Puts the cursor on the first column that has no place; returns whether there is one.
  mutating func selectUnplacedColumn() -> Bool {
    guard let index = preview?.columns.firstIndex(where: { $0.target == nil && !isLeftOut($0) }) else { return false }
    select(.column(index))
    return true
  }

  /// Returns whether it was decided that a column goes to none.
  func isLeftOut(_ column: ImportColumn) -> Bool { plan.mapping[column.source.name] == Self.leftOut }

  mutating func setType(_ type: ImportType, of column: String) -> Bool { decide { $0.types[column] = type } }

  /// Changes the text of the current line.
  mutating func edit<Result>(_ change: (inout TextField) -> Result) -> Result? {
    failure = nil
    return line == .name ? change(&name) : nil
  }

  /// Takes what is written; returns whether the file has to be looked at again.
  mutating func takeTexts() -> Bool {
    let file = Storage.path(of: path.text)
    let isOther = !path.text.isBlank && file != plan.path
    if isOther { giveName(Self.tableName(for: file)) }
    let target = isNew ? newTarget : plan.target
    return decide { plan in
      if isOther { plan = ImportPlan(path: file, into: target) } else { plan.target = target }
    }
  }

  /// Has another table of a JSON file read, by its key.
  mutating func setTableInFile(_ key: String) -> Bool { read { $0.tableInFile = key } }

  private mutating func giveName(_ name: String) { (givenName, self.name) = (name, TextField(name)) }

  /// Calls a new table as the one in the file that it is made of, unless another name was written; returns whether the file has to be looked
  /// at again.
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
