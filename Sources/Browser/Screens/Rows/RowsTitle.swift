import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows

/// The title of the rows of a grid.
struct RowsTitle {
  let grid: GridPane
  /// The followed end of the rows; nil for none.
  let followed: EndFollowing?

  /// Returns the name of the rows with their facts.
  ///
  /// - Parameter name: The role of the name.
  func line(_ name: Role, _ environment: ScreenEnvironment) -> StyledLine {
    var line = StyledLine(grid.title, name)
    line.runs += facts(environment).runs
    return line
  }

  private static func noun(_ noun: String, of count: RowNumber) -> String { count.value == 1 ? " \(noun)" : " \(noun)s" }

  /// Returns the number of rows, and the conditions that select them.
  func facts(_ environment: ScreenEnvironment) -> StyledLine {
    let (appearance, workspace) = (environment.appearance, environment.workspace)
    let separator = appearance.glyphs.separator
    var line = StyledLine()
    if grid.partial?.isStopped == true {
      line = line.adding("\(separator)stopped: \(environment.keyHint(.refresh)) reads again", .warning)
    }
    line = line.adding(count(environment), .muted)
    if !grid.order.isEmpty {
      let keys = grid.order.map { "\($0.name)\($0.isDescending ? appearance.glyphs.descending : appearance.glyphs.ascending)" }
      line = line.adding(separator, .muted).adding("sort \(keys.joined(separator: " "))", .accent)
    }
    let hidden = grid.layout.hidden.count
    if hidden > 0 { line = line.adding(separator + "\(Plural.of(hidden, "column")) hidden", .muted) }
    if workspace.isOutdated(grid) {
      line = line.adding("\(separator)outdated: \(environment.keyHint(.refresh)) refreshes", .warning)
    }
    if let followed, followed.grid == grid.id {
      line = line.adding(separator, .muted).adding(followed.title(appearance), .accent)
    }
    let changes = grid.table.map { workspace.staged.counts(of: $0).changes } ?? 0
    if changes > 0 { line = line.adding(separator, .muted).adding(Plural.of(changes, "change"), .changed) }
    if grid.selection != nil {
      line = line.adding(separator, .muted).adding(appearance.sentence(grid.selectionTitle) + " selected", .accent)
    }
    return line
  }

  /// Returns the number of rows, or of groups and of their rows: ` · 12 of 3,503 rows`; empty before a count has begun.
  private func count(_ environment: ScreenEnvironment) -> String {
    guard let total = grid.total else { return "" }
    let (appearance, workspace) = (environment.appearance, environment.workspace)
    let all = grid.grouping.flatMap(workspace.sourceTotal)
    if let partial = grid.partial { return count(partial, of: all, appearance) }
    let source = workspace.sourceTotal(of: grid)
    let of = source.map { " of \($0.text(appearance))" } ?? ""
    let isPart = grid.table.flatMap(workspace.files.file).map { !$0.isComplete } ?? false
    let part = isPart ? workspace.files.areReading ? " so far" : " of part of the file" : ""
    let rows = Self.noun(grid.grouping == nil ? "row" : "group", of: source ?? total) + part
    let grouped = all.map { " of \($0.text(appearance))\(Self.noun("row", of: $0))" } ?? ""
    return appearance.glyphs.separator + total.text(appearance) + of + rows + grouped
  }

  /// Returns the number of groups and of rows that have been read: ` · ≥ 12 groups · ≥ 400,000 of 3,000,000 rows`.
  private func count(_ partial: PartialGroups, of all: RowNumber?, _ appearance: Appearance) -> String {
    let shown = grid.window.rows.count < partial.count ? "\(Plural.grouped(grid.window.rows.count)) of " : ""
    let groups = RowNumber.atLeast(partial.count)
    let read = RowNumber.atLeast(partial.read)
    let rows = read.text(appearance) + (all.map { " of \($0.text(appearance))" } ?? "") + Self.noun("row", of: all ?? read)
    let separator = appearance.glyphs.separator
    return separator + shown + groups.text(appearance) + Self.noun("group", of: groups) + separator + rows
  }
}

extension Workspace {
  /// Returns the number of rows without the filter, if it is known; nil without a filter.
  func sourceTotal(of grid: GridPane) -> RowNumber? {
    grid.view.filter.isBlank ? nil : grid.rowSet.rememberedTable.flatMap(count) ?? grid.tally.unfiltered
  }

  /// Returns the number of rows that groups consist of, if it is known.
  func sourceTotal(of grouping: Grouping) -> RowNumber? {
    let source = grouping.source
    if source.total?.isExact == true || !source.view.filter.isBlank { return source.total }
    return source.rowSet.rememberedTable.flatMap(count) ?? source.total
  }

  /// Returns whether there have been external changes since the rows of a snapshot were read.
  func isOutdated(_ grid: GridPane) -> Bool {
    grid.isSnapshot && grid.freshness.fileChanges != source.fileChanges && !grid.isResult
  }
}
