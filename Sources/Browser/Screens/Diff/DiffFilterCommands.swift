import QuarryChanges
import QuarryEngine
import Terminal

/// The filter bar and the search of a comparison.
extension DiffScreen {
  private static let needsBar: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.filters.bar.isTyping ? nil : "this works in the filter bar"
  }
  private static let needsTable: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.hasBar ? nil : "only the changed rows of a table can be filtered"
  }

  static let filtering: [CommandBinding<Self>] = [
    CommandBinding(
      .filter, "Filter by columns of either side: new.Country = 'US'", brief: "Filter", keys: [.diff: ["&", "f6"], .bar: ["f6"]],
      hint: "filter", hintedWhen: { screen, _ in screen.hasBar && !screen.filters.bar.isTyping }, unless: needsTable
    ) { screen, _, _ in
      screen.filters.bar.isTyping ? screen.filters.close() : screen.beginFilter()
    },
    CommandBinding(
      .dropFilter, "Remove the filter", keys: [.diff: ["F", "g F"]],
      unless: { screen, _ in screen.tableIndex.map(screen.filters.isFiltered) == true ? nil : "there is no filter to remove" }
    ) { screen, _, _ in
      screen.apply("")
    },
    CommandBinding(.accept, "Apply the filter", keys: [.bar: ["enter"]], hint: "apply", unless: needsBar) { screen, context, _ in
      screen.acceptFilter(&context)
    },
    CommandBinding(.complete, "Complete the word at the caret", keys: [.bar: ["tab"]], hint: "complete", unless: needsBar) { screen, _, _ in
      if let columns = screen.table?.filterColumns { screen.filters.complete(columns) }
    },
    CommandBinding(
      .applyReplacement, "Apply the suggested correction", keys: [.bar: ["alt-enter"]], hint: "fix",
      hintedWhen: { screen, _ in screen.filters.bar.report?.remark?.mended.isEmpty == false }, unless: needsBar
    ) { screen, context, _ in
      guard let columns = screen.table?.filterColumns, let mended = screen.filters.bar.report?.remark?.mended.first else {
        return context.notify("there is no correction to apply")
      }
      screen.filters.bar.replaceText(mended)
      screen.filters.check(columns)
    },
    CommandBinding(.historyOlder, "Go up in the list of completions", keys: [.bar: ["up"]], unless: needsBar) { screen, _, _ in
      screen.filters.bar.moveInList(by: -1)
    },
    CommandBinding(.historyNewer, "Go down in the list of completions", keys: [.bar: ["down"]], unless: needsBar) { screen, _, _ in
      screen.filters.bar.moveInList(by: 1)
    },
    CommandBinding(
      .find, "Find a text in the changes of all tables", keys: [.diff: ["/"]], hint: "find", hintedWhen: { screen, _ in !screen.isSame }
    ) { _, context, _ in
      context.prompt("find", placeholder: "part of a value") { screen, context, text in
        if !text.isBlank { screen.needle = text }
        screen.find(backwards: false, isAgain: text.isBlank, &context)
      }
    },
    CommandBinding(
      .findNext, "Go to the next match", keys: [.diff: ["f3"]], unless: { screen, environment in environment.needsNeedle(screen.needle) }
    ) { screen, context, _ in
      screen.find(backwards: false, isAgain: true, &context)
    },
    CommandBinding(
      .findPrevious, "Go to the previous match", keys: [.diff: ["shift-f3"]],
      unless: { screen, environment in environment.needsNeedle(screen.needle) }
    ) { screen, context, _ in
      screen.find(backwards: true, isAgain: true, &context)
    },
  ]

  // MARK: Filters

  private mutating func beginFilter() {
    guard let index = tableIndex, let columns = table?.filterColumns else { return }
    pane = .changes
    filters.begin(index, columns)
  }

  private mutating func acceptFilter(_ context: inout ScreenContext<Self>) {
    guard let columns = table?.filterColumns, !filters.acceptCompletion(columns) else { return }
    if let fault = filters.bar.report?.faults.first, !filters.bar.field.text.isBlank {
      return context.notify(fault.sentence, .error)
    }
    apply(filters.bar.field.text)
    filters.close()
  }

  /// Filters the rows of the table, or shows all of them for an empty text.
  private mutating func apply(_ text: String) {
    guard let index = tableIndex else { return }
    filters[index] = text.isBlank ? nil : DiffFilters.Applied(text: text)
    rows.select(0)
    rows.forgetRows()
  }

  /// Checks differences that were found since the filter was applied.
  mutating func followFilter(_ store: DifferenceStore, _ context: inout ScreenContext<Self>) {
    guard let index = tableIndex, let request = filters.wish(store, table: index, stored: tables[index].stored) else { return }
    context.ask(request) { screen, _, count in
      screen.filters.receive(count, request, isComplete: false)
    } then: { screen, context, result in
      switch result {
      case .success(let count): screen.filters.receive(count, request, isComplete: true)
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard filters.bar.isTyping, let columns = table?.filterColumns else { return false }
    filters.edit(columns) { $0.handle(key) }
    return true
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    guard filters.bar.isTyping, let columns = table?.filterColumns else { return }
    var left = 0
    filters.edit(columns) { field in
      left = field.insert(text)
      return true
    }
    context.notifyLeftOut(left)
  }

  // MARK: Finding

  /// Finds the next text, in this entry, then in the following ones, then in the ones before.
  ///
  /// - Parameter isAgain: Whether to begin after the change under the cursor.
  private func find(backwards: Bool, isAgain: Bool, _ context: inout ScreenContext<Self>) {
    guard let needle, let store = progress?.store else { return }
    if entry == .schema, let found = schemaMatch(needle, from: position + (isAgain ? (backwards ? -1 : 1) : 0), backwards) {
      return context.then(context.handler { screen, _ in screen.reveal(.schema, at: found) })
    }
    let request = FindDifference(store: store, text: needle, places: places(backwards, isAgain), isBackwards: backwards)
    context.ask(request) { screen, context, result in
      switch result {
      case .success(let found?): screen.reveal(.table(found.table), at: found.position)
      case .success(nil):
        let all = screen.schemaMatch(needle, from: backwards ? screen.schemaChanges.count - 1 : 0, backwards)
        if let all { screen.reveal(.schema, at: all) } else { context.notifyNotFound(needle, isFound: false) }
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Returns the tables in the order of a search; the current one is also the last, from its other end.
  private func places(_ backwards: Bool, _ isAgain: Bool) -> [FindDifference.Place] {
    let entries = backwards ? entries.reversed() : entries
    let index = entries.firstIndex(of: entry) ?? 0
    let order = Array(entries[index...] + entries[...index])
    return order.enumerated().compactMap { offset, entry in
      guard case .table(let table) = entry, count(of: entry) > 0 else { return nil }
      let end = backwards ? count(of: entry) - 1 : 0
      let position = offset == 0 ? position + (isAgain ? (backwards ? -1 : 1) : 0) : end
      return FindDifference.Place(table: table, position: position, isFiltered: filters.isFiltered(table))
    }
  }

  private func schemaMatch(_ needle: String, from start: Int, _ backwards: Bool) -> Int? {
    let range =
      backwards
      ? Array((0..<max(0, min(start + 1, schemaChanges.count))).reversed()) : Array(max(0, start)..<max(max(0, start), schemaChanges.count))
    let wanted = needle.lowercased()
    return range.first { index in
      let change = schemaChanges[index]
      return [change.kind, change.name, change.from ?? "", change.to ?? ""].contains { $0.lowercased().contains(wanted) }
    }
  }

  private mutating func reveal(_ entry: Entry, at position: Int) {
    select(entry, at: position)
    pane = .changes
    rows.reveals = .match
  }
}
