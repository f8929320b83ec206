import QuarryEngine
import QuarryRows

extension Command {
  static let foreignKeyLens: Command = "foreign-key-lens"
}

extension RowsCommands {
  static let lensCommands: [Binding] = [
    Binding(
      .foreignKeyLens, "Show or hide the referenced row's name in foreign keys", brief: "Foreign key lens",
      aliases: ["labels", "lookup", "resolve foreign keys", "parent names"], keys: [.grid: ["g k"]],
      unless: needs(needsGrid, "these rows are not from a single table") {
        $1.grid?.rowSet.sourceTable != nil && $1.grid?.schema != nil || $1.grid?.foreignKeys.isEmpty == false
      }
    ) { _, context, _ in
      context.toggleLens()
    }
  ]
}

/// The lens that shows the rows referenced by foreign keys.
extension RowsContext {
  fileprivate mutating func toggleLens() {
    let (changes, glyphs) = (workspace.source.nameChanges, appearance.glyphs)
    workspace.changeGrid { grid in
      grid.lens = grid.lens == nil ? ReferenceLabels(nameChanges: changes) : nil
      grid.layout.replaceNeeds(grid.needs(glyphs: glyphs))
    }
    guard let grid else { return }
    if grid.lens == nil { stopLens(of: grid.id) }
  }

  private mutating func stopLens(of grid: GridID) {
    for slot in [LoadReferredRows.slot(grid), LoadInboundReferences.slot(grid), LoadReferenceStrip.slot(grid)] { supersede(slot) }
  }

  /// Reads the references that the lens of the visible grid does not know yet.
  mutating func followLens() {
    guard let grid, grid.lens != nil else { return }
    let keys = grid.foreignKeys
    let (changes, staged) = (workspace.source.nameChanges, workspace.staged)
    let nearby = grid.referencesNearby(staged)
    let missing = workspace.changeGrid { $0.lens?.demand(nearby, nameChanges: changes) }
    if let missing = missing ?? nil, !missing.isEmpty {
      ask(LoadReferredRows(keys: keys, references: missing, labels: environment.options.labels, in: LoadReferredRows.slot(grid.id))) {
        _, context, result in
        guard case .success(let rows) = result else { return }
        context.workspace.change(grid.id) { $0.lens?.receive(rows) }
      }
    }
    followInbound(of: grid)
    followStrip()
  }

  private mutating func followInbound(of grid: GridPane) {
    guard let lens = grid.lens, lens.inbound == nil, !lens.awaitsInbound, let table = grid.rowSet.sourceTable else { return }
    workspace.change(grid.id) { $0.lens?.awaitsInbound = true }
    ask(LoadInboundReferences(grid: grid.id, table: table)) { _, context, result in
      guard case .success(let inbound) = result else { return }
      context.workspace.change(grid.id) { $0.lens?.inbound = inbound }
    }
  }

  /// Reads the strip below the grid if the cursor has moved to another row or another reference.
  private mutating func followStrip() {
    guard let grid, let subject = grid.stripSubject,
      workspace.changeGrid({ $0.lens?.strip.turn(to: subject) }) == true
    else { return }
    let referred = subject.reference.flatMap { reference in
      grid.foreignKeys.indices.contains(reference.key) ? grid.foreignKeys[reference.key].rows(with: reference.values) : nil
    }
    ask(LoadReferenceStrip(grid: grid.id, referred: referred, referring: subject.referring)) { _, context, report in
      context.workspace.change(grid.id) { $0.lens?.strip.receive(report, of: subject) }
    } then: { _, _, _ in
    }
  }
}

extension GridPane {
  /// The subject of the strip.
  ///
  /// It consists of the reference of the cursor's column, or of the first foreign key, and of the references to the cursor's row.
  fileprivate var stripSubject: ReferenceStrip.Subject? {
    guard let lens, let row = currentRow else { return nil }
    let keys = foreignKeys
    let cell = { (index: Int) in row[index] ?? CellValue.null }
    let ofColumn = keys.indices.filter { key in
      keys[key].columns.contains { name in currentColumn?.name.isSameIdentifier(as: name) == true }
    }
    let reference = (ofColumn + keys.indices).lazy.compactMap { self.reference(by: $0, in: cell) }.first
    let referring = (lens.inbound ?? []).compactMap { inbound in inbound.referringRows { value(of: $0, in: row.cells) } }
    return ReferenceStrip.Subject(reference: reference, referring: referring)
  }
}

extension ForeignKeySchema {
  /// Returns the rows that values of the key reference.
  fileprivate func rows(with values: [DatabaseValue]) -> RowSet? {
    let byName = Dictionary(zip(columns, values)) { first, _ in first }
    return referencedRows { byName[$0] }
  }
}
