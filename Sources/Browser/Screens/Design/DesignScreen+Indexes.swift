import QuarryChanges
import QuarryEngine
import QuarrySources

/// Indexes of the table.
extension DesignScreen {
  /// Lists what can be changed in an index.
  func showIndex(_ index: Int, _ context: inout Context) {
    guard let definition = change?.new.indexes[index] else { return }
    func item(_ label: String, _ detail: String, _ body: @escaping @Sendable (inout Self, inout Context) -> Void) -> PickerItem {
      PickerItem(label: label, detail: detail, perform: context.handler(body))
    }
    let columns = DesignText.terms(of: definition)
    let items = [
      item("columns", columns) { $0.showColumns(of: .index(index), &$1) },
      item("unique", definition.options.contains(.unique) ? "yes" : "no") { screen, context in
        if screen.edit({ $0.new.indexes[index].options.formSymmetricDifference(.unique) }) { screen.replan(&context) }
      },
      item("rows", definition.condition.map { "WHERE \($0)" } ?? "all") { $0.askForCondition(of: index, &$1) },
      item("name", definition.name) { $0.askForIndexName(index, &$1) },
      item("all as SQL", DesignText.text(of: definition)) { $0.askForIndex(at: index, &$1) },
    ]
    context.present(Picker(title: "Index \(definition.name)", placeholder: "what to change", items: items))
  }

  private func askForCondition(of index: Int, _ context: inout Context) {
    context.prompt(
      "rows in the index: WHERE", placeholder: "for example score > 0; empty for all rows", text: change?.new.indexes[index].condition ?? ""
    ) { screen, context, text in
      if screen.edit({ $0.new.indexes[index].condition = text.isBlank ? nil : text }) { screen.replan(&context) }
    }
  }

  private func askForIndexName(_ index: Int, _ context: inout Context) {
    guard let indexes = change?.new.indexes else { return }
    let others = indexes.enumerated().filter { $0.offset != index }.map(\.element.name)
    context.prompt(
      "name of the index", placeholder: "a name", text: indexes[index].name, check: { Self.fault(inName: $0, among: others) }
    ) { screen, context, text in
      if screen.edit({ $0.new.indexes[index].name = text }) { screen.replan(&context) }
    }
  }

  private func askForIndex(at index: Int, _ context: inout Context) {
    guard let table = change?.new else { return }
    context.prompt(
      "index", placeholder: "UNIQUE by_name (name, score DESC) WHERE score > 0", text: DesignText.text(of: table.indexes[index]),
      check: { DesignText.index($0, on: table.name) == nil ? "an index is a name with columns or expressions in parentheses" : nil }
    ) { screen, context, text in
      guard let made = DesignText.index(text, on: table.name) else { return }
      if screen.edit({ $0.new.indexes[index] = made }) { screen.replan(&context) }
    }
  }
}
