import QuarryEngine
import QuarryFiles

/// The lists of choices for the lines of the import.
extension ImportScreen {
  /// Shows the tables that can receive the rows.
  func showTargets(_ context: inout ScreenContext<Self>) {
    let take = context.handler { (screen: inout ImportScreen, context: inout ScreenContext<Self>, target: ImportPlan.Target) in
      if screen.setTarget(target) { screen.look(&context) }
    }
    let tables = context.environment.tables.filter { $0.kind == .table }.map(\.reference)
    let others = Set(tables.map(\.database) + ["main"]).subtracting(["temp", newDatabase]).sorted()
    let new = ([newDatabase] + others).map { ImportPlan.Target.new(TableReference(database: $0, name: name.text)) }
    let items = tables.map { table in
      PickerItem(label: table.name, detail: table.database == "main" ? "" : table.database, perform: take(.existing(table)))
    }
    let list = new.map { target in PickerItem(label: label(target), role: .muted, perform: take(target)) } + items
    context.present(Picker(title: "Import into", placeholder: "type part of a name", items: list))
  }

  /// Shows the tables in a JSON file, by their keys.
  func showTablesInFile(_ context: inout ScreenContext<Self>) {
    let take = context.handler { (screen: inout ImportScreen, context: inout ScreenContext<Self>, key: String) in
      if screen.setTableInFile(key) { screen.look(&context) }
    }
    let ask = context.handler { (_: inout ImportScreen, context: inout ScreenContext<Self>) in
      context.prompt("key", placeholder: "a key whose value is an array") { screen, context, key in
        if screen.setTableInFile(key) { screen.look(&context) }
      }
    }
    let mark = context.appearance.glyphs.right
    let items = tablesInFile.map { key in
      PickerItem(label: key, trailing: key == preview?.tableInFile ? mark : "", perform: take(key))
    }
    // Other keys may follow, because only the beginning of the file has been read.
    let other = PickerItem(label: "another key\(context.appearance.glyphs.ellipsis)", role: .muted, perform: ask)
    let cursor = items.firstIndex { !$0.trailing.isEmpty } ?? 0
    context.present(Picker(title: "Table in the file", placeholder: "type part of a name", items: items + [other], cursor: cursor))
  }

  /// Asks for the name of a column of a new table.
  func askForName(of column: ImportColumn, _ context: inout ScreenContext<Self>) {
    let name = column.source.name
    context.prompt("name of \(name)", placeholder: "a column name", text: column.target ?? name) { screen, context, text in
      if !text.isBlank, screen.map(name, to: text) { screen.look(&context) }
    }
  }

  /// Shows the possible targets or types of a column of the file.
  func showChoices(of column: ImportColumn, _ context: inout ScreenContext<Self>) {
    let items = isNew ? types(of: column, context) : targets(of: column, context)
    let cursor = items.firstIndex { !$0.trailing.isEmpty } ?? 0
    context.present(
      Picker(title: "Column \(column.source.name) in the file", placeholder: "type part of a name", items: items, cursor: cursor))
  }

  private func targets(of column: ImportColumn, _ context: ScreenContext<Self>) -> [PickerItem] {
    let take = context.handler { (screen: inout ImportScreen, context: inout ScreenContext<Self>, target: String?) in
      if screen.map(column.source.name, to: target) { screen.look(&context) }
    }
    let mark = context.appearance.glyphs.right
    let taken = Set(preview?.columns.compactMap(\.target) ?? []).subtracting([column.target].compactMap(\.self))
    let others = tableColumns.filter { !column.nearest.contains($0) }
    let names = column.nearest + others.filter { !taken.contains($0) } + others.filter(taken.contains)
    let items = names.map { name in
      let taker = preview?.columns.first { $0.target == name && $0.source != column.source }
      return PickerItem(
        label: name, detail: taker.map { "filled from \($0.source.name)" } ?? (column.nearest.contains(name) ? "similar name" : ""),
        trailing: column.target == name ? mark : "", perform: take(name))
    }
    return items + [PickerItem(label: "skip it", role: .muted, trailing: isLeftOut(column) ? mark : "", perform: take(nil))]
  }

  private func types(of column: ImportColumn, _ context: ScreenContext<Self>) -> [PickerItem] {
    let take = context.handler { (screen: inout ImportScreen, context: inout ScreenContext<Self>, type: ImportType?) in
      let name = column.source.name
      let isMoved = (type == nil) != (column.target == nil) && screen.map(name, to: type == nil ? nil : name)
      let isTyped = type.map { screen.setType($0, of: name) } ?? false
      if isMoved || isTyped { screen.look(&context) }
    }
    let mark = context.appearance.glyphs.right
    let items = ImportType.allCases.map { type in
      PickerItem(
        label: type.title, detail: type.words, trailing: column.target != nil && column.type == type ? mark : "",
        perform: take(type))
    }
    return items + [PickerItem(label: "skip it", role: .muted, trailing: column.target == nil ? mark : "", perform: take(nil))]
  }
}

extension ImportType {
  /// The type in the list of columns.
  var title: String { rawValue.uppercased() }

  /// The values of a column of this type.
  fileprivate var words: String {
    switch self {
    case .integer: "whole numbers"
    case .real: "decimal numbers"
    case .numeric: "whole and decimal numbers"
    case .text: "text, unchanged"
    case .blob: "bytes, such as x'00ff'"
    case .any: "any value, without conversion"
    }
  }
}
