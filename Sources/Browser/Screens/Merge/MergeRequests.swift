import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

/// An action that writes the result of a merge, unless it has other conflicts.
struct WriteMerge: Action {
  let merge: PendingMerge
  let decisions: [MergeConflict.ID: MergeDecision]

  var queue: ActionQueue { ActionQueue("merge") }
  var activity: Activity? { Activity(name: "merging", urgency: .change, outlastsEscape: true) }

  func run(in services: Services, report: @escaping @Sendable (MergedFile.Progress) -> Void) async throws -> [MergeConflict] {
    do {
      return try await merge.write(decisions, progress: report).conflicts
    } catch let error as OutputFileError {
      throw Problem(error.description)
    }
  }
}

extension MergedFile.Progress: ActivityReport {
  func badge(of activity: Activity) -> String? { "\(activity.name): \(words)" }

  /// The current step: `comparing Track, 500 rows`.
  private var words: String {
    switch self {
    case .comparing(let table, let rows): "comparing \(table), \(Plural.of(rows, "row"))"
    case .file(.copying(let bytes, let total)): "copying \(ByteSize.text(bytes)) of \(ByteSize.text(total))"
    case .file(.checking): "checking the result"
    }
  }
}

/// A request that reads the row of a conflict in the three databases.
struct LoadMergeRecord: Request {
  let merge: PendingMerge
  let conflict: MergeConflict

  var slot: RequestSlot? { RequestSlot("merge record") }
  var activity: Activity? { Activity(name: "reading the row", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> MergeRecord {
    try await merge.record(of: conflict)
  }

  static func == (left: Self, right: Self) -> Bool { left.merge == right.merge && left.conflict.id == right.conflict.id }

  func hash(into hasher: inout Hasher) { hasher.combine(conflict.id) }
}

extension MergeScreen {
  /// Shows the whole row of the three databases, or the whole SQL of an object.
  mutating func openRecord(_ context: inout ScreenContext<Self>) {
    guard let current else { return }
    guard !current.key.isEmpty else {
      let lines = MergeText.values(of: current, decision: decisions[current.id], columns: .max)
      return context.send(DetailsIntent.lines(title: current.title, lines, isOverList: true))
    }
    context.ask(LoadMergeRecord(merge: merge, conflict: current)) { screen, context, result in
      switch result {
      case .success(let record): context.send(DetailsIntent.lines(title: current.title, record.lines, isOverList: true))
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Opens the field for a value that neither side has.
  mutating func edit(_ context: inout ScreenContext<Self>) {
    guard let current else { return }
    context.ask(LoadMergeRecord(merge: merge, conflict: current)) { screen, context, result in
      switch result {
      case .success(let record): screen.edit(current, record, &context)
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  private func edit(_ conflict: MergeConflict, _ record: MergeRecord, _ context: inout ScreenContext<Self>) {
    guard let schema = record.schema, let name = conflict.column, let column = schema.column(named: name), conflict.id == current?.id else {
      return context.notify("the table has no such column: take mine or theirs", .warning)
    }
    let old = if case .value(let value)? = decisions[conflict.id] { value } else { conflict.mine ?? conflict.theirs ?? .value(.null) }
    if StagedValue(old).byteCount > CellEditor.longest || old.value == nil {
      return context.notify("the value is too large to edit here, or not valid UTF-8: take mine or theirs", .warning)
    }
    let type = FilterColumn(column, isStrict: schema.entry.isStrict).type
    let isJSON = column.declaredType.uppercased() == "JSON"
    let accept = context.handler { (screen: inout Self, context: inout ScreenContext<Self>, value: StoredValue) in
      screen.decide(.value(value), &context)
    }
    let row = cursor.index - cursor.top
    context.present(
      CellEditor(
        CellEditor.Subject(
          title: "\(conflict.title) \(name)", column: column, reading: ParameterReading(type: isJSON ? .json : nil, expression: type),
          typeName: isJSON ? "json" : type.formName, value: StagedValue(old),
          anchor: Rect(column: 16, row: row + 3, columns: 40, rows: 1), accept: accept)))
  }
}

extension MergeRecord {
  private typealias Side = (name: String, place: KeyPath<Field, StoredValue?>)

  /// The columns with the values of the three databases; those of a side that has changed stand out.
  fileprivate var lines: [StyledLine] {
    let sides: [Side] = [("base", \.base), ("mine", \.mine), ("theirs", \.theirs)]
    let shown = sides.filter { side in fields.contains { $0[keyPath: side.place] != nil } }
    let missing = sides.map(\.name).filter { name in !shown.contains { $0.name == name } }
    let sentence =
      missing.isEmpty ? [] : [StyledLine("There is no such row in \(missing.joined(separator: " and ")).", .muted), StyledLine()]
    let names = min(Self.widestName, fields.map { TextWidth.columns(of: $0.name) }.max() ?? 0)
    return sentence + fields.flatMap { lines(of: $0, in: shown, names) }
  }

  private static let widestName = 24

  private func lines(of field: Field, in sides: [Side], _ names: Int) -> [StyledLine] {
    let values = sides.map { field[keyPath: $0.place] }
    let isSame = values.allSatisfy { $0 == values.first }
    let shown: [(label: String, value: StoredValue?, role: Role)] =
      isSame
      ? values.prefix(1).map { ("", $0, .muted) }
      : zip(sides, values).map { side, value in (side.name, value, side.name != "base" && value != field.base ? .changed : .text) }
    return shown.enumerated().flatMap { offset, line in
      MergeText.labeled(line.label, line.value.map(MergeText.fullText) ?? "no such column", line.role, .max).enumerated().map {
        StyledLine([StyledLine.Run(text: TextWidth.padded(offset + $0 == 0 ? field.name : "", to: names) + "  ", role: .key)] + $1.runs)
      }
    }
  }
}
