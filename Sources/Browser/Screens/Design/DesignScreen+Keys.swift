import QuarryChanges
import QuarryEngine
import QuarrySources

/// Keys and checks of the table.
extension DesignScreen {
  /// A key or an index whose columns are chosen.
  enum KeyTarget: Hashable, Sendable {
    case constraint(Int), index(Int), newPrimaryKey, newUnique, newIndex

    var isIndex: Bool {
      switch self {
      case .index, .newIndex: true
      case .constraint, .newPrimaryKey, .newUnique: false
      }
    }
  }

  // MARK: Menus

  /// Lists the kinds of constraints to add to the table.
  func showConstraintKinds(_ context: inout Context) {
    typealias Action = @Sendable (inout Self, inout Context) -> Void
    let primaryKey = change?.new.constraints.firstIndex { if case .primaryKey = $0.kind { true } else { false } }
    let kinds: [(String, String, Action)] = [
      ("unique columns", "UNIQUE (a, b)", { $0.showColumns(of: .newUnique, &$1) }),
      ("primary key", "PRIMARY KEY (a, b)", { $0.showColumns(of: primaryKey.map(KeyTarget.constraint) ?? .newPrimaryKey, &$1) }),
      ("foreign key", "FOREIGN KEY (a, b) REFERENCES …", { $0.showParentKeys(at: nil, &$1) }),
      ("check", "CHECK (a < b)", { $0.askForCheck(at: nil, &$1) }), ("as SQL", "", { $0.askForConstraint(at: nil, &$1) }),
    ]
    let items = kinds.map { label, detail, body in PickerItem(label: label, detail: detail, perform: context.handler(body)) }
    context.present(Picker(title: "Add to the table", placeholder: "choose", items: items))
  }

  /// Lists what can be changed in a constraint.
  func showConstraint(_ index: Int, _ context: inout Context) {
    guard let constraint = change?.new.constraints[index] else { return }
    func item(_ label: String, _ detail: String, _ body: @escaping @Sendable (inout Self, inout Context) -> Void) -> PickerItem {
      PickerItem(label: label, detail: detail, perform: context.handler(body))
    }
    let actions = referenceItems(at: .constraint(index), context)
    let (title, items) =
      switch constraint.kind {
      case .primaryKey(let key, _, _):
        ("Primary key", [item("columns", key.map(\.name).joined(separator: ", ")) { $0.showColumns(of: .constraint(index), &$1) }])
      case .unique(let key, _):
        ("Unique key", [item("columns", key.map(\.name).joined(separator: ", ")) { $0.showColumns(of: .constraint(index), &$1) }])
      case .check(let sql): ("Check", [item("check", sql) { $0.askForCheck(at: index, &$1) }])
      case .foreignKey(let key):
        ("Foreign key", [item("refers to", key.referenceText) { $0.showParentKeys(at: index, &$1) }] + actions)
      }
    let common = [
      item("name", constraint.name ?? "none") { $0.askForConstraintName(index, &$1) },
      item("all as SQL", constraint.sql) { $0.askForConstraint(at: index, &$1) },
    ]
    context.present(Picker(title: title, placeholder: "what to change", items: items + common))
  }

  // MARK: Texts

  private func askForConstraintName(_ index: Int, _ context: inout Context) {
    context.prompt("name of the constraint", placeholder: "empty for none", text: change?.new.constraints[index].name ?? "") {
      screen, context, text in
      if screen.edit({ $0.new.constraints[index].name = text.isBlank ? nil : text }) { screen.replan(&context) }
    }
  }

  private func askForCheck(at index: Int?, _ context: inout Context) {
    var stored = ""
    if let index, case .check(let sql)? = change?.new.constraints[index].kind { stored = sql }
    context.prompt(
      "check", placeholder: "for example price > 0 AND price < list_price", text: stored,
      check: { $0.isBlank ? "an expression is needed" : nil }
    ) { screen, context, text in
      screen.store(index, &context) { constraint in
        if constraint == nil { constraint = TableConstraint(.check(sql: text)) } else { constraint?.kind = .check(sql: text) }
      }
    }
  }

  private func askForConstraint(at index: Int?, _ context: inout Context) {
    context.prompt(
      "key or check", placeholder: "UNIQUE (a, b), CHECK (a < b)", text: index.flatMap { change?.new.constraints[$0].sql } ?? "",
      check: { DesignText.constraint($0) == nil ? "this is not one PRIMARY KEY, UNIQUE, CHECK or FOREIGN KEY" : nil }
    ) { screen, context, text in
      if let made = DesignText.constraint(text) { screen.store(index, &context) { $0 = made } }
    }
  }

  /// Changes a constraint, or adds one.
  private mutating func store(_ index: Int?, _ context: inout Context, _ body: (inout TableConstraint?) -> Void) {
    guard let constraints = change?.new.constraints else { return }
    var constraint = index.map { constraints[$0] }
    body(&constraint)
    guard let constraint else { return }
    let isDone = edit { change in
      if let index { change.new.constraints[index] = constraint } else { change.new.constraints.append(constraint) }
    }
    select(.constraint(index ?? constraints.count))
    if isDone { replan(&context) }
  }

  // MARK: Columns

  /// The columns of a key or an index, in order.
  private func terms(of target: KeyTarget) -> [IndexDefinition.Term] {
    switch target {
    case .index(let index): change?.new.indexes[index].terms ?? []
    case .constraint(let index):
      switch change?.new.constraints[index].kind {
      case .primaryKey(let key, _, _)?, .unique(let key, _)?:
        key.map { IndexDefinition.Term(.column($0.name), collation: $0.collation, direction: $0.direction) }
      default: []
      }
    case .newPrimaryKey, .newUnique, .newIndex: []
    }
  }

  /// Lists the columns of the table to add to a key or an index, or to remove from it.
  func showColumns(of target: KeyTarget, cursor: Int = 0, _ context: inout Context) {
    guard let columns = change?.new.columns else { return }
    let terms = terms(of: target)
    let expressions = terms.filter { if case .expression = $0.subject { true } else { false } }
    let subjects = columns.map { IndexDefinition.Term.Subject.column($0.name) } + expressions.map(\.subject)
    var items = subjects.enumerated().map { row, subject in
      let toggle = context.handler { (screen: inout Self, context: inout Context) in
        screen.toggle(subject, in: target, row: row, &context)
      }
      let place = terms.firstIndex { $0.subject.isSame(as: subject) }
      let order = place.map { "\($0 + 1)\(terms[$0].direction == .descending ? " DESC" : "")" } ?? ""
      let type = columns.indices.contains(row) ? columns[row].type?.rawValue ?? "" : "expression"
      return PickerItem(label: subject.text, detail: type, trailing: order, perform: toggle)
    }
    if target.isIndex {
      let ask = context.handler { (screen: inout Self, context: inout Context) in screen.askForTerm(of: target, &context) }
      items.append(PickerItem(label: "an expression\(context.appearance.glyphs.ellipsis)", role: .muted, perform: ask))
    }
    items.append(PickerItem(label: "done", role: .muted))
    var picker = Picker(
      title: target.isIndex ? "Columns of the index" : "Columns of the key", placeholder: "type part of a name", items: items,
      cursor: cursor)
    picker.introduction = target.isIndex ? "Each ⏎ adds, reverses, then removes a column." : "Each ⏎ adds a column, or removes it."
    context.present(picker)
  }

  /// Adds a column to a key; in an index, the second time reverses its order; the last time removes it.
  private mutating func toggle(_ subject: IndexDefinition.Term.Subject, in target: KeyTarget, row: Int, _ context: inout Context) {
    var terms = terms(of: target)
    if let place = terms.firstIndex(where: { $0.subject.isSame(as: subject) }) {
      if target.isIndex, terms[place].direction != .descending {
        terms[place].direction = .descending
      } else if terms.count == 1 {
        context.notify("one column has to remain: \(context.environment.keyHint(.removeLine, in: .design)) in the form removes the line")
        if target.isIndex { terms[place].direction = nil }
      } else {
        terms.remove(at: place)
      }
    } else {
      terms.append(IndexDefinition.Term(subject))
    }
    let stored = store(terms, in: target, &context)
    showColumns(of: stored, cursor: row, &context)
  }

  private func askForTerm(of target: KeyTarget, _ context: inout Context) {
    context.prompt("expression", placeholder: "for example lower(name)", check: { $0.isBlank ? "an expression is needed" : nil }) {
      screen, context, text in
      let stored = screen.store(screen.terms(of: target) + [IndexDefinition.Term(.expression(sql: text))], in: target, &context)
      screen.showColumns(of: stored, &context)
    }
  }

  /// Stores the columns of a key or an index; returns their new place.
  private mutating func store(_ terms: [IndexDefinition.Term], in target: KeyTarget, _ context: inout Context) -> KeyTarget {
    var stored = target
    let isDone = edit { change in stored = change.new.store(terms, in: target) }
    switch stored {
    case .constraint(let index): select(.constraint(index))
    case .index(let index): select(.index(index))
    case .newPrimaryKey, .newUnique, .newIndex: break
    }
    if isDone { replan(&context) }
    return stored
  }
}

extension ForeignKeyDefinition {
  /// The referenced table and columns: `team (id)`.
  fileprivate var referenceText: String { table + (referencedColumns.map { " (\($0.joined(separator: ", ")))" } ?? "") }
}

extension IndexDefinition.Term.Subject {
  fileprivate var text: String {
    switch self {
    case .column(let name): name
    case .expression(let sql): sql
    }
  }

  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.column(let name), .column(let otherName)): name.isSameIdentifier(as: otherName)
    default: self == other
    }
  }
}

extension TableDefinition {
  fileprivate mutating func store(_ terms: [IndexDefinition.Term], in target: DesignScreen.KeyTarget) -> DesignScreen.KeyTarget {
    let key = terms.map { TableConstraint.KeyColumn($0.subject.text, collation: $0.collation, direction: $0.direction) }
    switch target {
    case .index(let index): indexes[index].terms = terms
    case .constraint(let index):
      switch constraints[index].kind {
      case .primaryKey(_, let resolution, let isCounted):
        constraints[index].kind = .primaryKey(key, onConflict: resolution, isAutoIncremented: isCounted && key.count == 1)
      case .unique(_, let resolution): constraints[index].kind = .unique(key, onConflict: resolution)
      case .check, .foreignKey: break
      }
    case .newUnique: constraints.append(TableConstraint(.unique(key, onConflict: nil)))
    case .newPrimaryKey:
      // A table has one primary key: the new one replaces that of a column.
      for index in columns.indices { columns[index].set(.key, to: nil) }
      constraints.append(TableConstraint(.primaryKey(key, onConflict: nil, isAutoIncremented: false)))
    case .newIndex:
      let column = (key.first?.name ?? "").filter { $0.isLetter || $0.isNumber || $0 == "_" }
      let name = DesignScreen.unused("\(self.name)_on_\(column)", among: indexes.map(\.name))
      indexes.append(IndexDefinition(name, on: self.name, terms: terms))
      return .index(indexes.count - 1)
    }
    return target == .newUnique || target == .newPrimaryKey ? .constraint(constraints.count - 1) : target
  }
}
