import QuarryChanges
import QuarryEngine
import QuarrySources
import Terminal

/// A form that creates a table or changes its definition, with the plan of the change.
package struct DesignScreen: Sendable {
  /// A part of the form with a title.
  enum Section: String, Hashable, Sendable {
    case columns, constraints = "keys and checks", indexes, findings = "rows in the table now"
  }

  /// A line of the form.
  enum Line: Hashable, Sendable {
    case name, strict, withoutRowID
    /// The title of a section, which the cursor skips.
    case heading(Section)
    case column(Int)
    case constraint(Int)
    case index(Int)
    /// The line that adds a line to a section.
    case add(Section)
    /// Rows that the change refuses, loses or converts.
    case finding(Int)
  }

  /// The table to change; nil to create one.
  let table: String?
  /// The table as stored, and the types and tables to choose from; nil until they are read.
  private(set) var stored: StoredDesign?
  private(set) var change: TableChange?
  /// The plan of the change; nil while it is being made, or if the definition has errors.
  private(set) var counted: CountedPlan?
  /// The reason why there is no plan.
  private(set) var fault: DesignFault?
  private(set) var isPlanning = false
  /// Whether the change is being written.
  private(set) var isRunning = false
  private(set) var cursor = ListCursor()
  /// The former states of the design, the last one at the end.
  private var history: [TableChange] = []

  init(table: String?) {
    self.table = table
  }

  // MARK: Lines

  var lines: [Line] {
    guard let new = change?.new else { return [] }
    let findings = counted?.findings ?? []
    return [.name, .strict, .withoutRowID, .heading(.columns)] + new.columns.indices.map(Line.column) + [.add(.columns)]
      + [.heading(.constraints)] + new.constraints.indices.map(Line.constraint) + [.add(.constraints)]
      + [.heading(.indexes)] + new.indexes.indices.map(Line.index) + [.add(.indexes)]
      + (findings.isEmpty ? [] : [.heading(.findings)] + findings.indices.map(Line.finding))
  }

  var line: Line? { lines.indices.contains(cursor.index) ? lines[cursor.index] : nil }
  var height: Int { cursor.height }

  mutating func move(by step: Int) {
    cursor.move(by: step, of: lines.count)
    if case .heading? = line { cursor.move(by: step < 0 ? -1 : 1, of: lines.count) }
  }

  mutating func select(_ line: Line) {
    if let index = lines.firstIndex(of: line) { cursor.move(to: index, of: lines.count) }
  }

  mutating func layOut(height: Int) { cursor.layOut(height: height, of: lines.count) }

  // MARK: Changing

  /// Whether anything would be written.
  var hasChanges: Bool { change.map { table == nil ? !$0.new.columns.isEmpty : !$0.isEmpty } ?? false }

  /// Changes the design, unless it is being written; returns whether it is another one now.
  mutating func edit(_ body: (inout TableChange) -> Void) -> Bool {
    guard !isRunning, var edited = change else { return false }
    body(&edited)
    guard edited != change else { return false }
    if let change { history.append(change) }
    (change, fault) = (edited, nil)
    return true
  }

  /// Whether a change of the form can be undone.
  var canStepBack: Bool { !history.isEmpty }

  /// Undoes the last change of the form.
  mutating func stepBack() {
    guard !isRunning, let former = history.popLast() else { return }
    (change, fault) = (former, nil)
    move(by: 0)
  }

  /// Changes a column of the design.
  mutating func editColumn(_ index: Int, _ body: (inout ColumnDefinition) -> Void) -> Bool {
    edit { change in
      if change.new.columns.indices.contains(index) { body(&change.new.columns[index]) }
    }
  }

  /// Removes the current line.
  mutating func removeLine() -> Bool {
    let line = line
    return edit { change in
      switch line {
      case .column(let index): change.removeColumn(at: index)
      case .constraint(let index): change.new.constraints.remove(at: index)
      case .index(let index): change.new.indexes.remove(at: index)
      default: break
      }
    }
  }

  /// Adds a copy of the current line below it.
  mutating func duplicateLine() -> Bool {
    guard let line, let new = change?.new else { return false }
    let isDone = edit { change in
      switch line {
      case .column(let index):
        var copy = new.columns[index]
        copy.name = Self.unused(copy.name, among: new.columns.map(\.name))
        copy.set(.key, to: nil)
        change.insertColumn(copy, at: index + 1)
      case .constraint(let index): change.new.constraints.insert(new.constraints[index], at: index + 1)
      case .index(let index):
        var copy = new.indexes[index]
        copy.name = Self.unused(copy.name, among: new.indexes.map(\.name))
        change.new.indexes.insert(copy, at: index + 1)
      default: break
      }
    }
    if isDone { move(by: 1) }
    return isDone
  }

  /// Moves the current line by a number of lines within its section.
  mutating func moveLine(by step: Int) -> Bool {
    guard let line else { return false }
    let isDone = edit { change in
      switch line {
      case .column(let index) where change.new.columns.indices.contains(index + step): change.moveColumn(from: index, to: index + step)
      case .constraint(let index) where change.new.constraints.indices.contains(index + step):
        change.new.constraints.swapAt(index, index + step)
      case .index(let index) where change.new.indexes.indices.contains(index + step): change.new.indexes.swapAt(index, index + step)
      default: break
      }
    }
    if isDone { cursor.move(by: step, of: lines.count) }
    return isDone
  }

  /// Whether the current line can be moved, copied and removed.
  var isOnItem: Bool {
    switch line {
    case .column, .constraint, .index: true
    default: false
    }
  }

  /// Returns a name that is not among others: `name_2` for `name`.
  static func unused(_ name: String, among names: [String]) -> String {
    let taken = Set(names.map { $0.lowercased() })
    let numbered = (2...).lazy.map { "\(name)_\($0)" }
    return taken.contains(name.lowercased()) ? numbered.first { !taken.contains($0.lowercased()) } ?? name : name
  }

  // MARK: Receiving

  mutating func receive(_ stored: StoredDesign, draft: TableChange?) {
    self.stored = stored
    if let draft, draft.old == stored.definition {
      change = draft
    } else if let definition = stored.definition {
      change = TableChange(of: definition)
    } else {
      let name = Self.unused("new_table", among: stored.tables.map(\.name))
      change = TableChange(creating: TableDefinition(name) { t in t.column("id", .integer).primaryKey() })
    }
    (fault, history) = (nil, [])
    move(by: 0)
  }

  mutating func beginPlanning() { isPlanning = true }

  mutating func receive(_ plan: Result<CountedPlan, DesignFault>?) {
    isPlanning = false
    let line = line
    switch plan {
    case .success(let counted)?: (self.counted, fault) = (counted, nil)
    case .failure(let fault)?: (counted, self.fault) = (nil, fault)
    case nil: (counted, fault) = (nil, DesignFault("the plan was stopped: the next change of the form makes it again"))
    }
    if let line, line != self.line { select(line) }
    move(by: 0)
  }

  mutating func beginRunning() { isRunning = true }
  mutating func endRunning() { isRunning = false }
  mutating func fail(_ fault: DesignFault) { (isRunning, self.fault) = (false, fault) }
}
