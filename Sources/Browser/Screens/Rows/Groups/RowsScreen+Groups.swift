import QuarryEngine
import QuarryRows
import QuarrySources

/// Grouping rows, and the way from a group to its rows.
extension RowsScreen {
  /// Groups the rows by the column under the cursor or by the selected columns; in groups, offers columns for another level.
  mutating func groupRows(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let view = pendingView(in: context.workspace) else { return }
    if let grouping = grid.grouping { return offerLevels(of: grouping, &context) }
    let isOfCells = grid.selection?.isWholeRows == false
    let columns = (isOfCells ? grid.selectedColumns : [grid.column]).compactMap(grid.column)
    context.workspace.changeGrid { $0.selection = nil }
    let shape = GroupShape(levels: columns.map(\.syntax.description))
    show(shape, of: GroupedSource(grid, view: view), in: nil, &context)
  }

  /// Shows groups of another shape in place of the current ones.
  ///
  /// - Parameter part: The part of the shape to whose column the cursor goes; nil for the first column.
  mutating func show(
    _ shape: GroupShape, of source: GroupedSource, in grid: GridID?, showing part: GroupShape.Part? = nil,
    _ context: inout ScreenContext<Self>
  ) {
    leavePartialGroups(&context)
    opening.shape = shape
    context.ask(CompileGroups(shape: shape, source: source)) { rows, context, result in
      rows.opening.shape = nil
      switch result {
      case .success(.success(let groups)):
        let grouping = Grouping(source: source, groups: groups)
        rows.find.cancel()
        rows.opening.open(grouping, in: context.workspace.shownGrid == grid ? grid : nil, showing: part, &context)
      case .success(.failure(let error)): context.notify(error.sentence(on: shape), .error)
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Changes the shape of the groups.
  ///
  /// - Parameter part: The part to whose column the cursor goes; nil for the first column.
  mutating func reshape(showing part: GroupShape.Part?, _ context: inout ScreenContext<Self>, _ change: (inout GroupShape) -> Void) {
    guard let grid = context.grid, let grouping = grid.grouping else { return }
    let former = opening.shape(of: grid, grouping)
    var shape = former
    change(&shape)
    if shape != former { show(shape, of: grouping.source, in: grid.id, showing: part, &context) }
  }

  // MARK: Levels and aggregates

  /// Lists the columns that can be added as a level.
  private func offerLevels(of grouping: Grouping, _ context: inout ScreenContext<Self>) {
    let used = grouping.groups.shape.levels + [grouping.groups.shape.across].compactMap(\.self)
    let columns = grouping.source.choices.filter { !used.contains($0.syntax.description) }
    let part = GroupShape.Part.level(grouping.groups.shape.levels.count)
    let items = columns.map { column in
      PickerItem(
        label: column.name, detail: column.declaredType.lowercased(),
        perform: context.handler { rows, context in
          rows.reshape(showing: part, &context) { $0.levels.append(column.syntax.description) }
        })
    }
    offer(items, title: "Divide the groups by", writing: part, of: grouping.source, &context)
  }

  /// Lists values that can be shown for each group.
  func offerAggregates(_ context: inout ScreenContext<Self>) {
    guard let grouping = context.grid?.grouping else { return }
    let shown = grouping.groups.shape.aggregates
    let part = GroupShape.Part.aggregate(shown.count)
    let items = grouping.source.aggregates.filter { !shown.contains($0) }.map { text in
      PickerItem(
        label: text,
        perform: context.handler { rows, context in rows.reshape(showing: part, &context) { $0.aggregates.append(text) } })
    }
    offer(items, title: "Show for each group", writing: part, of: grouping.source, &context)
  }

  /// Shows a list of texts for a part of the shape, the last line of which asks for any other text.
  private func offer(
    _ items: [PickerItem], title: String, writing part: GroupShape.Part, of source: GroupedSource, _ context: inout ScreenContext<Self>
  ) {
    let other = PickerItem(
      label: "an expression", detail: "such as \(source.example(of: part))",
      perform: context.handler { rows, context in rows.write(part, text: "", &context) })
    context.present(Picker(title: title, placeholder: "type part of a name", items: items + [other]))
  }

  /// Edits the expression of the column under the cursor.
  mutating func editGroupColumn(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let grouping = grid.grouping, let part = grouping.part(ofColumn: grid.column) else { return }
    write(part, text: grouping.groups.shape[part] ?? "", &context)
  }

  /// Asks for the text of a part of the shape, which is checked as it is typed.
  private func write(_ part: GroupShape.Part, text: String, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let grouping = grid.grouping else { return }
    let (former, columns) = (opening.shape(of: grid, grouping), grouping.source.columns)
    context.prompt(part.label, placeholder: grouping.source.example(of: part), text: text) { text in
      former.setting(text, as: part).error(columns)
    } complete: { text, caret in
      GroupShape.completions(of: text, at: caret, part: part, columns: columns).items.map { Completion($0) }
    } accept: { rows, context, text in
      rows.reshape(showing: part, &context) { $0 = $0.setting(text, as: part) }
    }
  }

  // MARK: Rows of a group

  /// Opens the rows of the group under the cursor; in a pivot, those with the value of the column.
  mutating func openGroup(_ context: inout ScreenContext<Self>) {
    if context.grid?.partial != nil { return openPartialGroup(&context) }
    guard let grid = context.grid, let grouping = grid.grouping, let key = grid.currentRow?.key else { return }
    let column = grid.column
    let load = LoadGroup(grid: grid.id, key: key, levels: grouping.groups.shape.levels.count)
    context.ask(load) { rows, context, result in
      switch result {
      case .success(let values): rows.open(values, column: column, of: grouping, &context)
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  mutating func open(
    _ group: [StoredValue], column: Int, of grouping: Grouping, _ context: inout ScreenContext<Self>
  ) {
    let source = grouping.source
    var view = source.view
    do throws(FilterErrors) {
      view.filter = try grouping.groups.filter(view.filter, addingGroup: group, column: column)
    } catch {
      return context.notify(error.errors.first?.sentence ?? "", .error)
    }
    find.cancel()
    opening.open(source.rowSet, title: source.title, view: view, at: .first, isFailureShown: false, isOfGroup: true, &context)
  }

  // MARK: Pivots

  /// Makes columns of the values of the level under the cursor, or a level of the columns again.
  mutating func pivot(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let grouping = grid.grouping else { return }
    let part = grouping.part(ofColumn: grid.column)
    reshape(showing: nil, &context) { shape in
      if let across = shape.across {
        shape.across = nil
        shape.levels.append(across)
      } else if case .level(let index)? = part {
        shape.across = shape.levels.remove(at: index)
      }
    }
  }
}

extension OpeningSession {
  /// Whether groups are being compiled or read.
  var isOfGroups: Bool { shape != nil || pending?.grouping != nil }

  /// Returns the shape that groups will have once everything requested has arrived.
  func shape(of grid: GridPane, _ grouping: Grouping) -> GroupShape {
    shape ?? (pending?.replaced == grid.id ? pending?.grouping?.groups.shape : nil) ?? grouping.groups.shape
  }

  /// Requests groups.
  ///
  /// - Parameters:
  ///   - replaced: The groups that they replace; nil if other rows are shown, which move to the history.
  ///   - part: The part of the shape to whose column the cursor goes; nil for the first column.
  mutating func open(_ grouping: Grouping, in replaced: GridID?, showing part: GroupShape.Part?, _ context: inout RowsContext) {
    let id = context.workspace.makeGridID()
    let view = RowView(sort: grouping.groups.defaultSort)
    var opening = Opening(
      id: id, rowSet: grouping.groups.rowSet, view: view, title: grouping.title, isFailureShown: false, replaced: replaced)
    opening.grouping = grouping
    opening.column = part.flatMap(grouping.column).map { grouping.groups.columns[$0].name }
    if let grid = replaced.flatMap({ context.workspace[$0] }) { opening.view = grouping.keeping(self.view(of: grid)) }
    begin(opening, at: .first, &context)
  }
}

extension Grouping {
  /// Returns the view of former groups, as far as it fits these ones.
  fileprivate func keeping(_ former: RowView) -> RowView {
    var view = former
    let columns = groups.filterColumns
    if view.sort.isBlank || (try? FilterSort.compile(view.sort, columns: columns)) == nil { view.sort = groups.defaultSort }
    if (try? Filter.compile(view.filter, columns: columns, parameters: view.arguments)) == nil { view.filter = "" }
    return view
  }
}

extension GroupedSource {
  private typealias Choice = (text: String, type: ExpressionType, isKey: Bool)

  private var known: [Choice] {
    choices.map { (text: $0.syntax.description, type: columns.named($0.name)?.type ?? .any, isKey: isKey($0)) }
  }

  /// The columns of numbers that are not keys.
  private var numbers: [Choice] {
    known.filter { !$0.isKey && ($0.type == .integer || $0.type == .real || $0.type == .numeric) }
  }

  /// Returns an example of a part of a shape, with columns of the rows.
  fileprivate func example(of part: GroupShape.Part) -> String {
    let numbers = numbers.map(\.text)
    let first = known.first { !$0.isKey } ?? known.first
    switch part {
    case .level, .across:
      if let date = known.first(where: { $0.type == .date }) { return "month(\(date.text))" }
      return numbers.first.map { "range(\($0), 10)" } ?? first.map { "length(\($0.text))" } ?? ""
    case .aggregate:
      if numbers.count > 1 { return "sum(\(numbers[0]) * \(numbers[1]))" }
      return numbers.first.map { "sum(\($0)) / count" } ?? first.map { "max(length(\($0.text)))" } ?? "count"
    }
  }

  /// The aggregates of single columns: sums of numbers first.
  fileprivate var aggregates: [String] {
    let ordered = known.filter { !$0.isKey && $0.type != .blob }
    return ["count"] + numbers.flatMap { ["sum(\($0.text))", "avg(\($0.text))"] }
      + ordered.flatMap { ["min(\($0.text))", "max(\($0.text))"] } + known.map { "count(distinct \($0.text))" }
  }
}

extension GroupedSource {
  private func isKey(_ column: RowSetColumn) -> Bool {
    column.schema?.primaryKeyPosition != nil || foreignKeys.contains { $0.columns.contains { $0.isSameIdentifier(as: column.name) } }
  }
}

extension GroupShape {
  /// Returns the shape with another text: see ``set(_:as:)``.
  fileprivate func setting(_ text: String, as part: Part) -> GroupShape {
    var shape = self
    shape.set(text, as: part)
    return shape
  }

  /// Returns the first error as a sentence; nil if the shape has none.
  fileprivate func error(_ columns: FilterColumns) -> String? {
    do throws(GroupError) {
      try check(columns: columns)
      return nil
    } catch {
      return error.sentence(on: self)
    }
  }

  /// Changes a text, adds one after the last, or removes it if the text is blank; the last value cannot be removed.
  mutating func set(_ text: String, as part: Part) {
    let text = text.isBlank ? "" : text
    switch part {
    case .level(let index): Self.set(text, at: index, of: &levels)
    case .aggregate(let index): Self.set(text, at: index, of: &aggregates)
    case .across: across = text.isEmpty ? nil : text
    }
  }

  private static func set(_ text: String, at index: Int, of texts: inout [String]) {
    switch (texts.indices.contains(index), text.isEmpty) {
    case (true, true): texts.remove(at: index)
    case (true, false): texts[index] = text
    case (false, true): break
    case (false, false): texts.append(text)
    }
  }
}

extension GroupShape.Part {
  /// The name of the text in a prompt.
  fileprivate var label: String {
    switch self {
    case .level: "group by"
    case .aggregate: "show"
    case .across: "across"
    }
  }
}

extension GroupError {
  /// Returns the first error with its first correction, for one line.
  fileprivate func sentence(on shape: GroupShape) -> String {
    guard let error = faults.errors.first else { return "" }
    let mended = error.replacements.first?.applied(to: shape[part] ?? "")
    return error.description + (mended.map { " Did you mean \($0)?" } ?? "")
  }
}
