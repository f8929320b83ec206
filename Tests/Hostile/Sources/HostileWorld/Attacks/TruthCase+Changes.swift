/// The steps that change rows.
extension TruthCase {
  /// Changes the cell under the cursor.
  func edit() {
    guard let row = model.current, !model.staged.deletions.contains(row.id) else { return }
    while model.column == 0 || trial.random.oneIn(3) { goRight() }
    let column = model.column
    type("e")
    let title = "─ \(TruthModel.columns[column]) · \(TruthModel.types[column]) ─"
    let old = model.shown(row, column)
    let value = old == TruthModel.null ? "NULL" : old
    let isOpen = terminal.wait(upTo: Self.patience) { model in
      let lines = model.screen.lines
      guard let top = lines.firstIndex(where: { $0.contains(title) }), top + 1 < lines.count else { return false }
      return lines[top + 1].contains("│ \(value) ")
    }
    guard isOpen else {
      return trial.report(
        "truth: the field does not show the value",
        "\(line): \(title), \(value)\n\(terminal.model.screen.lines.joined(separator: "\n"))")
    }
    fresh += 1
    let texts = ["", "w\(fresh)", "\(fresh)", "\(fresh).5", "o\(fresh)"]
    type("\(texts[column])\r")
    stage { $0.edits[row.id, default: [:]][column] = texts[column] }
  }

  private func goRight() {
    // From the last column back to the first.
    if model.column == TruthModel.columns.count - 1 {
      type("4h")
      model.column = 0
    } else {
      type("l")
      model.column += 1
    }
  }

  /// Stages the deletion of a row without other changes.
  func delete() {
    guard let row = model.current, !model.staged.ids.contains(row.id) else { return }
    type("dd")
    stage { $0.deletions.insert(row.id) }
  }

  private func stage(_ change: (inout TruthModel.Staged) -> Void) {
    history.append(model.staged)
    undone = []
    change(&model.staged)
    // The next row may be the one that is looked at.
    model.cursor = .anywhere
    expectTruth()
  }

  func undo() {
    guard let before = history.popLast() else { return }
    undone.append(model.staged)
    model.staged = before
    model.cursor = .anywhere
    type("u")
    expectTruth()
  }

  func redo() {
    guard let next = undone.popLast() else { return }
    history.append(model.staged)
    model.staged = next
    model.cursor = .anywhere
    type("\u{12}")
    expectTruth()
  }

  /// Commits, and expects the shell to find exactly what was staged.
  func commit() throws {
    guard !model.staged.isEmpty else { return }
    let (staged, before) = (model.staged, model.all)
    type("\u{13}")
    guard wait(for: "nothing is written yet") else { return }
    type("\r")
    model.staged = TruthModel.Staged()
    guard wait("the commit", until: { !TruthScreen($0.screen).title.contains("change") }) else { return }
    (history, undone) = ([], [])
    model.cursor = .anywhere
    trial.count("commits")
    try model.read(trial)
    var expected = before
    for (id, cells) in staged.edits {
      for (column, text) in cells { expected[id]?.cells[column] = text }
    }
    for id in staged.deletions { expected[id] = nil }
    trial.expect(model.all == expected, "truth: a commit writes something else", "\(line): \(differences(expected))")
    beforeCommit = before.filter { staged.ids.contains($0.key) }
    expectTruth()
  }

  /// Undoes the last commit, and expects the rows of before.
  func undoCommit() throws {
    guard !beforeCommit.isEmpty, model.staged.isEmpty, stagedRows.isDisjoint(with: beforeCommit.keys) else { return }
    var expected = model.all
    for (id, row) in beforeCommit { expected[id] = row }
    beforeCommit = [:]
    type("gu")
    guard wait(for: "│ ▌ ") else { return }
    type("u")
    guard wait(for: " undone: ") else { return }
    type("\u{1B}")
    terminal.wait(milliseconds: 70)
    model.cursor = .anywhere
    trial.count("commits undone")
    try model.read(trial)
    trial.expect(model.all == expected, "truth: an undo writes something else", "\(line): \(differences(expected))")
    expectTruth()
  }

  private func differences(_ expected: [Int: TruthModel.Row]) -> String {
    Set(expected.keys).union(model.all.keys).sorted().filter { expected[$0] != model.all[$0] }.prefix(5).map { id in
      "\(expected[id].map { "\($0.cells)" } ?? "nothing") expected, \(model.all[id].map { "\($0.cells)" } ?? "nothing") found"
    }.joined(separator: "; ")
  }

  /// The rows that have staged changes, or would have some after undos and redos.
  private var stagedRows: Set<Int> { (history + undone + [model.staged]).reduce(into: []) { $0.formUnion($1.ids) } }

  /// Lets another program write rows that have no staged changes, also after an undo or a redo.
  func write() throws {
    let staged = stagedRows
    let ids = model.all.keys.filter { !staged.contains($0) }.sorted()
    // No row has this one.
    let id = trial.random.pick(ids, default: -99_999)
    fresh += 1
    let statements = [
      "INSERT INTO t VALUES (NULL, 'f\(fresh)', \(fresh % 50), 0.25, NULL)", "UPDATE t SET n = \(fresh) WHERE id = \(id)",
      "UPDATE t SET name = 'f\(fresh)', note = NULL WHERE id = \(id)", "DELETE FROM t WHERE id = \(id)",
      "INSERT INTO t VALUES (\((ids.first ?? 1) - 1), 'f\(fresh)', 7, 1.5, 'o')",
      "BEGIN; UPDATE t SET size = size + 1 WHERE id = \(id); ROLLBACK",
    ]
    let sql = trial.random.pick(statements, default: "SELECT 1")
    story.append("other: \(sql)")
    trial.count("writes of others")
    // An undo would meet a conflict.
    if beforeCommit[id] != nil || sql.hasPrefix("INSERT") { beforeCommit = [:] }
    try trial.shell(["-cmd", ".timeout 20000", trial.files.path("app.db"), sql])
    let current = model.current?.id
    try model.read(trial)
    // The cursor stays on its row if that is still there.
    model.cursor = current.flatMap { id in model.rows.contains { $0.id == id } ? .on(id: id) : nil } ?? .anywhere
    expectTruth()
  }

  // MARK: Waiting

  private func wait(for text: String) -> Bool {
    wait(text, until: { $0.screen.lines.contains { $0.contains(text) } })
  }

  private func wait(_ what: String, until isSo: (TerminalModel) -> Bool) -> Bool {
    let isThere = terminal.wait(upTo: Self.patience, until: isSo)
    let screen = terminal.model.screen.lines.joined(separator: "\n")
    trial.expect(isThere, "truth: something does not appear", "\(line): \(what)\n\(screen)")
    return isThere
  }
}
