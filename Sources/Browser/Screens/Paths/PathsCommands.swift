import QuarryEngine
import QuarryRows

/// The commands of the list of values behind a column.
extension PathsScreen {
  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(.open, "Show the chosen values as columns", keys: [.paths: ["enter"]], hint: "columns", unless: needsPath) {
        screen, context, _ in
        screen.showColumns(&context)
      },
      CommandBinding(.choosePath, "Choose the value, or drop it", keys: [.paths: ["space"]], hint: "choose", unless: needsPath) {
        screen, _, _ in
        screen.chooseCurrent()
      },
      CommandBinding(
        .unfoldPath, "List the columns to which this foreign key refers", keys: [.paths: ["l", "right"]], hint: "unfold",
        hintedWhen: { screen, _ in screen.lines.contains(where: \.isKey) },
        unless: { needsPath($0, $1) ?? ($0.current?.isKey == true ? nil : "this is not a foreign key") }
      ) { screen, _, _ in
        screen.unfold()
      },
      CommandBinding(.foldPath, "Fold the columns of this foreign key", keys: [.paths: ["h", "left"]], unless: needsPath) { screen, _, _ in
        screen.fold()
      },
      CommandBinding(.filterPath, "Filter on the value", keys: [.paths: ["f"]], hint: "filter", unless: needsPath) { screen, context, _ in
        guard screen.mayLeave(by: .filterPath, &context) else { return }
        screen.leave(&context) { .beginCondition(on: $0) }
      },
      CommandBinding(.sortByPath, "Sort by the value", keys: [.paths: ["s"]], hint: "sort", unless: needsPath) { screen, context, _ in
        guard screen.mayLeave(by: .sortByPath, &context) else { return }
        screen.leave(&context) { .sort(by: $0) }
      },
      CommandBinding(
        .keepPath, "Write SQL for a column and an index of the path in JSON", aliases: ["keep", "generated column"],
        keys: [.paths: ["K"]], unless: { needsPath($0, $1) ?? $0.keepingObstacle($1) }
      ) { screen, context, _ in
        screen.keepPath(&context)
      },
      CommandBinding(.copy, "Copy the value in filter syntax", keys: [.paths: ["y"]], hint: "copy", unless: needsPath) {
        screen, context, _ in
        guard let line = screen.current else { return }
        let text = line.json?.path.filterText(in: screen.column) ?? line.value.description
        context.send(.copyToClipboard(CopyText(text: text, title: line.json == nil ? "the value" : "the path")))
      },
    ] + CommandBinding.lineMotions(in: .paths, count: { $0.lines.count }) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: { $0.cursor.height }) { screen, _, count in screen.move(by: count) }

  private static let needsPath: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.current == nil ? screen.isKnown ? "no JSON was found in this column" : "nothing has been read yet" : nil
  }

  // MARK: Keeping a path

  private func keepingObstacle(_ environment: ScreenEnvironment) -> String? {
    if current?.json == nil { return "only a path in JSON can be stored in a column" }
    if let obstacle = environment.needsStatements { return obstacle }
    return environment.grid?.schema?.entry.kind == .table ? nil : "only a table can store a column for a path"
  }

  /// Opens the editor with the statements that would store the values at the path in a column of the table; runs nothing.
  private mutating func keepPath(_ context: inout ScreenContext<Self>) {
    guard let path = current?.json?.path.withFirstElements, let table = context.grid?.schema else { return }
    guard path.isReachable else { return context.notifyUnreachable(path) }
    guard mayLeave(by: .keepPath, &context) else { return }
    let sql = path.statements(keepingValuesOf: column, in: table)
    context.close()
    context.send(SQLIntent.edit(sql))
  }

  // MARK: Columns

  /// Selects or deselects the value under the cursor, and moves to the next one; the first element represents all elements of an array.
  private mutating func chooseCurrent() {
    guard let value = current?.value else { return }
    toggle(value)
    move(by: 1)
  }

  /// Shows the selected values as columns, or the value under the cursor if none is selected and none was shown before.
  private func showColumns(_ context: inout ScreenContext<Self>) {
    let values = chosen.isEmpty && shown.isEmpty ? [current?.value].compactMap(\.self) : chosen
    leave(&context) { _ in .showColumns(values, insteadOf: shown) }
  }

  /// Closes the screen and sends an intent about the value under the cursor to the rows.
  private func leave(_ context: inout ScreenContext<Self>, _ intent: (_ value: FilterSyntax) -> RowsIntent) {
    guard let value = current?.value, context.grid?.id == grid else { return }
    context.close()
    context.focus(.rows)
    context.send(intent(value))
  }
}
