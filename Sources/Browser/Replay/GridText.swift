import QuarryEngine
import QuarryRows

/// The contents of a grid as SQL and as Swift code.
struct GridText {
  let grid: GridPane

  /// Returns the SELECT that returns the rows of the grid: the visible columns, and the rows in their order.
  ///
  /// - Throws: `Problem` with the reason why no SELECT is available.
  func sql() throws(Problem) -> String {
    switch grid.rowSet.source {
    case .table:
      let statement: ViewStatement?
      do throws(RowViewError) {
        statement = try ViewStatement(plainRows, grid.view, columns: grid.filterColumns, shown: shown, isWhole: isWhole)
      } catch {
        throw Problem(error.faults.errors.first?.sentence ?? "")
      }
      if let statement { return statement.sql }
    case .query, .returned:
      if let listing = try listing() { return listing.sql }
    }
    throw Problem("these rows come from a statement with RETURNING: no SELECT can read them again")
  }

  /// Returns a Swift file that returns the rows of the grid.
  ///
  /// - Throws: `Problem` with the reason why no Swift file is available.
  func swift(_ opened: OpenedFiles) throws(Problem) -> String {
    let rows = grid.window.rows.map { row in grid.layout.shown.map { row[$0] ?? .null } }
    do throws(SwiftFileError) {
      if let grouping = grid.grouping, case .table(let table) = grouping.source.rowSet.source {
        return try SwiftFile(
          grouping.groups, of: grouping.source.view, grid.view, shown: shown, sample: rows, path: opened.paths(of: table.database).first
        ).text
      }
      if case .table(let table) = grid.rowSet.source {
        return try SwiftFile(
          plainRows, grid.view, columns: grid.filterColumns, shown: shown, sample: rows, path: opened.paths(of: table.database).first
        ).text
      }
    } catch {
      throw Problem(error.sentence)
    }
    guard let listing = try listing() else {
      throw Problem("these rows come from a statement with RETURNING: no query can read them again")
    }
    return SwiftFile(listing, path: opened.files.first?.path).text
  }

  /// The rows without the filter and the order of the view.
  private var plainRows: RowSet { RowSet(grid.rowSet.source, matching: grid.rowSet.matching) }

  private var shown: [RowSetColumn] { grid.layout.shown.compactMap { grid.column(at: $0) } }

  /// Whether all columns of the table are visible in their order, without computed ones.
  private var isWhole: Bool { grid.view.columns.isEmpty && grid.layout.shown == Array(grid.columns.indices) }

  private func listing() throws(Problem) -> QueryListing? {
    do throws(RowViewError) {
      return QueryListing(
        of: try grid.view.compiled(for: grid.filterColumns).applied(to: grid.rowSet), showing: grid.layout.shown, of: grid.columns)
    } catch {
      throw Problem(error.faults.errors.first?.sentence ?? "")
    }
  }
}
