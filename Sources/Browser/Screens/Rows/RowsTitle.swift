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
    if let total = grid.total {
      let source = workspace.sourceTotal(of: grid)
      let of = source.map { " of \($0.text(appearance))" } ?? ""
      let isPart = grid.table.flatMap(workspace.files.file).map { !$0.isComplete } ?? false
      let part = isPart ? workspace.files.areReading ? " so far" : " of part of the file" : ""
      let rows = Self.noun(grid.grouping == nil ? "row" : "group", of: source ?? total) + part
      line = line.adding(separator + total.text(appearance) + of + rows, .muted)
      if let all = grid.grouping?.source.total { line = line.adding(" of \(all.text(appearance))\(Self.noun("row", of: all))", .muted) }
    }
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
}

extension Workspace {
  /// Returns the number of rows without the filter, if it is known; nil without a filter.
  func sourceTotal(of grid: GridPane) -> RowNumber? {
    grid.view.filter.isBlank ? nil : grid.rowSet.rememberedTable.flatMap(count) ?? grid.tally.unfiltered
  }

  /// Returns whether there have been external changes since the rows of a snapshot were read.
  func isOutdated(_ grid: GridPane) -> Bool {
    grid.isSnapshot && grid.freshness.fileChanges != source.fileChanges && !grid.isResult
  }
}
