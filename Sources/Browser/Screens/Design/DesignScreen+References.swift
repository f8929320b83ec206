import QuarryChanges
import QuarryEngine
import QuarrySources

/// Foreign keys, chosen from the keys of the tables.
extension DesignScreen {
  /// A foreign key in the form.
  enum ReferencePlace: Hashable, Sendable {
    case column(Int), constraint(Int)
  }

  /// A key that a foreign key can refer to.
  struct ParentKey: Hashable, Sendable {
    var table: String
    var columns: [String]
  }

  /// The keys of all tables; those of the designed table as they are in the form.
  var parentKeys: [ParentKey] {
    guard let change else { return [] }
    let own = StoredDesign.Table(name: change.new.name, keys: change.new.uniqueKeys)
    let others = (stored?.tables ?? []).map { $0.name == change.old?.name ? own : $0 }
    let tables = change.old == nil ? others + [own] : others
    return tables.flatMap { table in table.keys.map { ParentKey(table: table.name, columns: $0) } }
  }

  func reference(at place: ReferencePlace) -> ForeignKeyDefinition? {
    switch place {
    case .column(let index):
      if case .references(let key)? = change?.new.columns[index].constraint(.references) { key } else { nil }
    case .constraint(let index):
      if case .foreignKey(let key)? = change?.new.constraints[index].kind { key } else { nil }
    }
  }

  /// Changes a foreign key, or adds it to a column that has none.
  private mutating func setReference(at place: ReferencePlace, to key: ForeignKeyDefinition, _ context: inout Context) {
    let isDone = edit { change in
      switch place {
      case .column(let index): change.new.columns[index].set(.references, to: .references(key))
      case .constraint(let index): change.new.constraints[index].kind = .foreignKey(key)
      }
    }
    if isDone { replan(&context) }
  }

  /// The foreign key of a column: its own, or a constraint of the table for it alone.
  private func place(ofKeyOf index: Int) -> ReferencePlace {
    let name = change?.new.columns[index].name
    let constraint = change?.new.constraints.firstIndex { constraint in
      if case .foreignKey(let key) = constraint.kind { key.columns == [name] } else { false }
    }
    return constraint.map(ReferencePlace.constraint) ?? .column(index)
  }

  // MARK: One column

  /// Lists the keys that the current column can refer to.
  func showParents(_ context: inout Context) {
    guard let index = currentColumn, let column = change?.new.columns[index] else { return }
    let place = place(ofKeyOf: index)
    let current = reference(at: place)
    let take = context.handler { (screen: inout Self, context: inout Context, parent: ParentKey) in
      var key = current ?? ForeignKeyDefinition(columns: [column.name], table: parent.table)
      (key.table, key.referencedColumns) = (parent.table, parent.columns)
      screen.setReference(at: place, to: key, &context)
      screen.showActions(of: place, onDelete: true, &context)
    }
    let items = parentKeys.filter { $0.columns.count == 1 }.map { parent in
      let mark = current?.table == parent.table ? context.appearance.glyphs.right : ""
      return PickerItem(label: parent.table, detail: parent.columns.joined(separator: ", "), trailing: mark, perform: take(parent))
    }
    let none = context.handler { (screen: inout Self, context: inout Context) in screen.removeReference(at: place, &context) }
    let last = PickerItem(label: "no foreign key", role: .muted, perform: none)
    let cursor = items.firstIndex { !$0.trailing.isEmpty } ?? 0
    context.present(
      Picker(
        title: "\(column.name) refers to", placeholder: "type part of a name", items: items + [last],
        emptyText: "no table with a key of one column has this name", cursor: cursor))
  }

  private mutating func removeReference(at place: ReferencePlace, _ context: inout Context) {
    let isDone = edit { change in
      switch place {
      case .column(let index): change.new.columns[index].set(.references, to: nil)
      case .constraint(let index): change.new.constraints.remove(at: index)
      }
    }
    if isDone { replan(&context) }
  }

  // MARK: Several columns

  /// Lists the keys that a foreign key of the table can refer to.
  ///
  /// - Parameter index: The constraint to change; nil to add one.
  func showParentKeys(at index: Int?, _ context: inout Context) {
    let take = context.handler { (screen: inout Self, context: inout Context, parent: ParentKey) in
      screen.showReferringColumns(to: parent, chosen: [], at: index, &context)
    }
    let items = parentKeys.sorted { $0.columns.count > $1.columns.count }.map { parent in
      PickerItem(label: parent.table, detail: "(\(parent.columns.joined(separator: ", ")))", perform: take(parent))
    }
    context.present(
      Picker(title: "The key refers to", placeholder: "type part of a name", items: items, emptyText: "no table with a key has this name"))
  }

  /// Lists the columns for the next column of a referenced key, and adds the foreign key once all are chosen.
  private mutating func showReferringColumns(to parent: ParentKey, chosen: [String], at index: Int?, _ context: inout Context) {
    guard chosen.count < parent.columns.count else { return finishReference(to: parent, chosen, at: index, &context) }
    let referenced = parent.columns[chosen.count]
    let take = context.handler { (screen: inout Self, context: inout Context, name: String) in
      screen.showReferringColumns(to: parent, chosen: chosen + [name], at: index, &context)
    }
    let columns = (change?.new.columns ?? []).filter { !chosen.contains($0.name) }
    let items = columns.map { PickerItem(label: $0.name, detail: $0.type?.rawValue ?? "", perform: take($0.name)) }
    let cursor = columns.firstIndex { $0.name.isSameIdentifier(as: referenced) } ?? 0
    context.present(
      Picker(
        title: "Which column refers to \(parent.table).\(referenced)?", placeholder: "type part of a name", items: items,
        emptyText: "no other column has this name", cursor: cursor))
  }

  private mutating func finishReference(to parent: ParentKey, _ columns: [String], at index: Int?, _ context: inout Context) {
    var key = index.flatMap { reference(at: .constraint($0)) } ?? ForeignKeyDefinition(columns: columns, table: parent.table)
    (key.columns, key.table, key.referencedColumns) = (columns, parent.table, parent.columns)
    let place = index ?? change?.new.constraints.count ?? 0
    if index == nil {
      let constraint = TableConstraint(.foreignKey(key))
      if edit({ $0.new.constraints.append(constraint) }) { replan(&context) }
      select(.constraint(place))
    } else {
      setReference(at: .constraint(place), to: key, &context)
    }
    showActions(of: .constraint(place), onDelete: true, &context)
  }

  // MARK: Actions

  /// Lists what happens when a referenced row is deleted, or when its key changes.
  func showActions(of place: ReferencePlace, onDelete: Bool, _ context: inout Context) {
    guard let key = reference(at: place) else { return }
    let current = onDelete ? key.onDelete : key.onUpdate
    let take = context.handler { (screen: inout Self, context: inout Context, action: ForeignKeyDefinition.Action?) in
      var key = key
      if onDelete { key.onDelete = action } else { key.onUpdate = action }
      screen.setReference(at: place, to: key, &context)
    }
    let rows = onDelete ? "deletes these rows too" : "changes these rows too"
    let choices: [(ForeignKeyDefinition.Action?, String)] = [
      (nil, "is refused"), (.cascade, rows), (.setNull, "sets the columns to NULL"), (.setDefault, "sets the columns to defaults"),
      (.restrict, "is refused at once"),
    ]
    let verb = onDelete ? "ON DELETE" : "ON UPDATE"
    let items = choices.map { action, words in
      let isCurrent = action == current || (action == nil && current == .noAction)
      return PickerItem(
        label: words, detail: "\(verb) \((action ?? .noAction).rawValue)", trailing: isCurrent ? context.appearance.glyphs.right : "",
        perform: take(action))
    }
    let title = onDelete ? "Deleting a row of \(key.table)" : "Changing the key of a row of \(key.table)"
    let cursor = items.firstIndex { !$0.trailing.isEmpty } ?? 0
    context.present(Picker(title: title, placeholder: "choose", items: items, cursor: cursor))
  }

  /// The items of a menu for the actions and the moment of the check of a foreign key.
  func referenceItems(at place: ReferencePlace, _ context: Context) -> [PickerItem] {
    guard let key = reference(at: place) else { return [] }
    let onDelete = context.handler { (screen: inout Self, context: inout Context) in
      screen.showActions(of: place, onDelete: true, &context)
    }
    let onUpdate = context.handler { (screen: inout Self, context: inout Context) in
      screen.showActions(of: place, onDelete: false, &context)
    }
    let moment = context.handler { (screen: inout Self, context: inout Context) in
      var key = key
      key.isDeferred.toggle()
      screen.setReference(at: place, to: key, &context)
    }
    return [
      PickerItem(label: "when a row is deleted", detail: (key.onDelete ?? .noAction).rawValue, perform: onDelete),
      PickerItem(label: "when its key changes", detail: (key.onUpdate ?? .noAction).rawValue, perform: onUpdate),
      PickerItem(label: "checked", detail: key.isDeferred ? "at COMMIT" : "after each statement", perform: moment),
    ]
  }
}

extension TableDefinition {
  /// The keys that a foreign key can refer to: the primary key, and the unique keys of all rows.
  var uniqueKeys: [[String]] {
    let ofColumns = columns.filter { $0.constraint(.unique) != nil }.map { [$0.name] }
    let ofTable = constraints.compactMap { constraint -> [String]? in
      if case .unique(let key, _) = constraint.kind { key.map(\.name) } else { nil }
    }
    let ofIndexes = indexes.filter { $0.options.contains(.unique) && $0.condition == nil }.compactMap { index -> [String]? in
      let names = index.terms.compactMap { term in if case .column(let name) = term.subject { name } else { nil } }
      return names.count == index.terms.count ? names : nil
    }
    let keys = (primaryKey.isEmpty ? [] : [primaryKey]) + ofColumns + ofTable + ofIndexes
    return keys.enumerated().filter { keys.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }
}
