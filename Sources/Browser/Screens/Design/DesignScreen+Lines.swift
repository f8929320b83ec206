import QuarryChanges
import QuarryEngine
import QuarrySources

/// The lists and prompts for the lines of the form.
extension DesignScreen {
  typealias Context = ScreenContext<DesignScreen>

  /// The index of the column under the cursor; nil on another line.
  var currentColumn: Int? { if case .column(let index)? = line { index } else { nil } }

  /// Changes the current line.
  mutating func accept(_ context: inout Context) {
    switch line {
    case .name?: askForTableName(&context)
    case .strict?: setOption(.strict, &context)
    case .withoutRowID?: setOption(.withoutRowID, &context)
    case .column(let index)?: showParts(of: index, &context)
    case .constraint(let index)?: showConstraint(index, &context)
    case .index(let index)?: showIndex(index, &context)
    case .add?: addLine(&context)
    case .finding(let index)?:
      if let check = counted?.findings[index].check { showRows(check, &context) }
    case .heading?, nil: break
    }
  }

  /// Adds a line to the section of the cursor.
  mutating func addLine(_ context: inout Context) {
    switch line {
    case .constraint?, .add(.constraints)?: showConstraintKinds(&context)
    case .index?, .add(.indexes)?: showColumns(of: .newIndex, &context)
    default: addColumn(&context)
    }
  }

  private mutating func setOption(_ option: TableDefinition.Options, _ context: inout Context) {
    if edit({ $0.new.options.formSymmetricDifference(option) }) { replan(&context) }
  }

  // MARK: Names

  /// Returns the reason against a name; nil for a good one.
  static func fault(inName text: String, among names: [String]) -> String? {
    if text.isBlank { return "a name is needed" }
    if names.contains(where: { $0.lowercased() == text.lowercased() }) { return "“\(text)” is taken: SQLite ignores the case of names" }
    return text.lowercased().hasPrefix("sqlite_") ? "names that begin with sqlite_ belong to SQLite" : nil
  }

  private func askForTableName(_ context: inout Context) {
    let old = change?.old?.name
    let others = (stored?.tables ?? []).map(\.name).filter { $0 != old }
    context.prompt(
      "name of the table", placeholder: "a name", text: change?.new.name ?? "", check: { Self.fault(inName: $0, among: others) }
    ) { screen, context, text in
      if screen.edit({ $0.renameTable(to: text) }) { screen.replan(&context) }
    }
  }

  func askForName(_ context: inout Context) {
    guard let index = currentColumn, let columns = change?.new.columns else { return }
    let others = columns.enumerated().filter { $0.offset != index }.map(\.element.name)
    context.prompt(
      "name of the column", placeholder: "a name", text: columns[index].name, check: { Self.fault(inName: $0, among: others) }
    ) { screen, context, text in
      if screen.edit({ $0.renameColumn(at: index, to: text) }) { screen.replan(&context) }
    }
  }

  private func addColumn(_ context: inout Context) {
    guard let columns = change?.new.columns else { return }
    let place = currentColumn.map { $0 + 1 } ?? columns.count
    let names = columns.map(\.name)
    context.prompt("name of the new column", placeholder: "a name", check: { Self.fault(inName: $0, among: names) }) {
      screen, context, text in
      guard screen.edit({ $0.insertColumn(ColumnDefinition(name: text, type: .text), at: place) }) else { return }
      screen.select(.column(place))
      screen.replan(&context)
      screen.showTypes(&context)
    }
  }

  // MARK: A column

  private func showParts(of index: Int, _ context: inout Context) {
    guard let column = change?.new.columns[index] else { return }
    func item(_ label: String, _ detail: String, _ body: @escaping @Sendable (inout Self, inout Context) -> Void) -> PickerItem {
      PickerItem(label: label, detail: detail, perform: context.handler(body))
    }
    let items = [
      item("name", column.name) { $0.askForName(&$1) },
      item("type", column.type?.rawValue ?? "none") { $0.showTypes(&$1) },
      item("NOT NULL", column.text(.notNull)) { $0.toggle(.notNull, .notNull(onConflict: nil), &$1) },
      item("default", column.text(.defaults)) { $0.askForDefault(&$1) },
      item("foreign key", column.text(.references)) { $0.showParents(&$1) },
    ]
    let others = [
      item("unique", column.text(.unique)) { $0.toggle(.unique, .unique(onConflict: nil), &$1) },
      item("primary key", column.text(.key)) { $0.showKeys(&$1) },
      item("check", column.text(.check)) { screen, context in
        screen.askForSQL(.check, "check", "score > 0", &context) { .check(sql: $0) }
      },
      item("collation", column.text(.collation)) { $0.showCollations(&$1) },
      item("generated", column.text(.generated)) { screen, context in
        screen.askForSQL(.generated, "value of the generated column", "price * amount", &context) {
          .generated(sql: $0, column.generation ?? .virtual)
        }
      },
    ]
    let stored = item("value", column.generation == .stored ? "STORED" : "VIRTUAL") { $0.changeGeneration(&$1) }
    let last = item("all as SQL", column.sql) { $0.askForColumnSQL(&$1) }
    let all = items + referenceItems(at: .column(index), context) + others + (column.generation == nil ? [] : [stored]) + [last]
    context.present(Picker(title: "Column \(column.name)", placeholder: "what to change", items: all))
  }

  /// Stores the value of a generated column in the file, or computes it when it is read.
  private mutating func changeGeneration(_ context: inout Context) {
    guard let index = currentColumn, case .generated(let sql, let generation)? = change?.new.columns[index].constraint(.generated) else {
      return
    }
    set(.generated, to: .generated(sql: sql, generation == .stored ? .virtual : .stored), &context)
  }

  /// Sets or removes a part of the current column.
  mutating func toggle(_ part: ColumnPart, _ kind: ColumnConstraint.Kind, _ context: inout Context) {
    guard let index = currentColumn else { return }
    if editColumn(index, { $0.set(part, to: $0.constraint(part) == nil ? kind : nil) }) { replan(&context) }
  }

  private mutating func set(_ part: ColumnPart, to kind: ColumnConstraint.Kind?, _ context: inout Context) {
    guard let index = currentColumn else { return }
    if editColumn(index, { $0.set(part, to: kind) }) { replan(&context) }
  }

  /// The types to choose from: first SQLite's four, the most used in the file first; then the other types of the file; then common names.
  private var offeredTypes: [(name: String, detail: String)] {
    let used = (stored?.types ?? []).map { $0.uppercased() }
    func isUsed(_ type: String) -> Bool { used.contains(type) }
    let classes = [("INTEGER", "whole numbers"), ("TEXT", "text"), ("REAL", "numbers with a fraction"), ("BLOB", "bytes")]
    let names = classes.map(\.0)
    let order = used.filter(names.contains) + names.filter { !isUsed($0) }
    let first = order.map { name in (name: name, detail: classes.first { $0.0 == name }?.1 ?? "") }
    let own = used.filter { !names.contains($0) }.map { (name: $0, detail: "used in this file") }
    let others = [("NUMERIC", "numbers"), ("DATE", ""), ("DATETIME", ""), ("BOOLEAN", ""), ("ANY", "")].filter { !isUsed($0.0) }
    return first + own + others.map { (name: $0.0, detail: $0.1) }
  }

  func showTypes(_ context: inout Context) {
    guard let index = currentColumn, let column = change?.new.columns[index] else { return }
    let take = context.handler { (screen: inout Self, context: inout Context, type: String) in
      if screen.editColumn(index, { $0.type = type.isEmpty ? nil : ColumnType(rawValue: type) }) { screen.replan(&context) }
    }
    let ask = context.handler { (_: inout Self, context: inout Context) in
      context.prompt("type", placeholder: "for example DECIMAL(10, 2)", text: column.type?.rawValue ?? "") { screen, context, text in
        if screen.editColumn(index, { $0.type = text.isBlank ? nil : ColumnType(rawValue: text) }) { screen.replan(&context) }
      }
    }
    let mark = context.appearance.glyphs.right
    func item(_ type: String, _ detail: String) -> PickerItem {
      let isCurrent = type.isSameIdentifier(as: column.type?.rawValue ?? "")
      return PickerItem(
        label: type.isEmpty ? "no type" : type, detail: detail, trailing: isCurrent ? mark : "", perform: take(type))
    }
    let items = offeredTypes.map { item($0.name, $0.detail) } + [item("", "any value")]
    let other = PickerItem(label: "another type\(context.appearance.glyphs.ellipsis)", role: .muted, perform: ask)
    let cursor = items.firstIndex { !$0.trailing.isEmpty } ?? 0
    context.present(Picker(title: "Type of \(column.name)", placeholder: "type part of a name", items: items + [other], cursor: cursor))
  }

  func askForDefault(_ context: inout Context) {
    guard let index = currentColumn, let column = change?.new.columns[index] else { return }
    context.prompt(
      "default of \(column.name)", placeholder: "7, a text, CURRENT_TIMESTAMP; empty for none", text: column.text(.defaults)
    ) { screen, context, text in
      screen.set(.defaults, to: text.isBlank ? nil : .defaults(DesignText.defaultValue(text)), &context)
    }
  }

  private func askForSQL(
    _ part: ColumnPart, _ label: String, _ example: String, _ context: inout Context,
    _ make: @escaping @Sendable (String) -> ColumnConstraint.Kind
  ) {
    guard let index = currentColumn, let column = change?.new.columns[index] else { return }
    context.prompt(label, placeholder: "for example \(example); empty for none", text: column.text(part)) { screen, context, text in
      screen.set(part, to: text.isBlank ? nil : make(text), &context)
    }
  }

  private func askForColumnSQL(_ context: inout Context) {
    guard let index = currentColumn, let column = change?.new.columns[index] else { return }
    context.prompt(
      "column", placeholder: "score INTEGER NOT NULL DEFAULT 0", text: column.sql,
      check: { DesignText.column($0) == nil ? "this is not the definition of one column" : nil }
    ) { screen, context, text in
      guard let column = DesignText.column(text) else { return }
      let isDone = screen.edit { change in
        change.renameColumn(at: index, to: column.name)
        change.new.columns[index] = column
      }
      if isDone { screen.replan(&context) }
    }
  }

  private func showKeys(_ context: inout Context) {
    let take = context.handler { (screen: inout Self, context: inout Context, kind: ColumnConstraint.Kind?) in
      screen.set(.key, to: kind, &context)
    }
    let items = [
      PickerItem(label: "not the primary key", perform: take(nil)),
      PickerItem(label: "primary key", detail: "an INTEGER key is numbered by SQLite", perform: take(.primaryKey(.init()))),
      PickerItem(
        label: "primary key, AUTOINCREMENT", detail: "a number is never used again",
        perform: take(.primaryKey(.init(isAutoIncremented: true)))),
    ]
    context.present(Picker(title: "Primary key", placeholder: "choose", items: items))
  }

  private func showCollations(_ context: inout Context) {
    let take = context.handler { (screen: inout Self, context: inout Context, name: String) in
      screen.set(.collation, to: name == "BINARY" ? nil : .collation(Collation(rawValue: name)), &context)
    }
    let names = [("BINARY", "byte by byte"), ("NOCASE", "a equals A"), ("RTRIM", "spaces at the end do not count")]
    let items = names.map { name, detail in PickerItem(label: name, detail: detail, perform: take(name)) }
    context.present(Picker(title: "Collation", placeholder: "choose", items: items))
  }
}
