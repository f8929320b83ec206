public import QuarryEngine

/// Something that the browser wants done outside of itself, as data.
public enum Effect: Hashable, Sendable {
  /// Reads or changes something, and answers.
  case request(IssuedRequest)
  /// Ends the work of a request.
  case cancel(RequestID)
  /// Tells from now on when others write to the files.
  case watchFiles
  /// Looks whether the files are still those that were opened, and tells where not.
  case checkDatabaseFiles
  case loadCatalog
  case countTables([TableReference])
  /// The rows of a set, narrowed and ordered by a view.
  case openRows(GridID, RowSet, RowView, at: OpeningPlace, limit: Int)
  /// What is to be said of a view while its text is written.
  case checkView(GridID, RowView, RowView.Text)
  case complete(GridID, RowView, RowView.Text, caret: Int)
  /// The SELECT of a grid's rows.
  case prepareSQL(GridID, for: SQLPurpose)
  case saveMemory(Memory)
  case loadPage(GridID, PageRequest)
  /// The rows around one, `before` of them ahead of it.
  case loadAround(GridID, RowKey, before: Int, limit: Int)
  case count(GridID)
  case locate(GridID, RowKey)
  case find(GridID, FindRequest)
  /// Ends what rows that are asked for now would wait for: a search, and the making of an order.
  case preempt(GridID)
  case loadReferences(GridID, TableReference)
  case prepareCopy(GridID, CopyRequest)
  /// The grid will never be shown again.
  case forget(GridID)
  /// Stops what runs, but for what fills the screen.
  case stopBackgroundWork(GridID)
  case stopAllWork(GridID)
  /// Ends the opening that is under way.
  case stopOpening
  /// What the statements of a request need before they can run.
  case prepareRun(SQLRequest)
  /// Runs a request with what was given for its parameters; each grid opens with so many rows.
  case run(SQLRequest, [String: ParameterInput], limit: Int)
  case stopScript
  /// Ends what waits for a lock.
  case stopWaiting
  case endTransaction(isCommitted: Bool)
  /// How SQLite would run a statement.
  case explain(String)
  /// What may stand at the caret, a number of bytes, of the editor's text.
  case completeSQL(String, caret: Int)
  // With the terminal.
  /// Lets the person's own editor change a text.
  case editExternally(String)
  case copyToClipboard(CopyText)
  case suspend
  case repaint
  case quit
}

/// What the SELECT of a grid is wanted for.
public enum SQLPurpose: Hashable, Sendable { case editor, plan }

/// Where a text of the editor is kept.
public enum TextOrigin: Hashable, Sendable {
  /// Among the saved statements, by its name.
  case statement(String)
  case file(path: String)

  /// What it is called on the screen.
  var title: String {
    switch self {
    case .statement(let name): name
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    }
  }
}

/// Where a grid that opens puts its cursor.
public enum OpeningPlace: Hashable, Sendable {
  case first
  /// The row of this key where it is one of the set, else the first.
  ///
  /// - Parameter amongFew: Whether the source has so few rows that all may be passed.
  case kept(RowKey, amongFew: Bool)
  /// The row of this number, from 0, or the last.
  case number(Int)
  /// The first row with these values; without one the opening fails.
  case matching([ColumnMatch])
}

/// What of a grid is to be copied, and how it is written.
public struct CopyRequest: Hashable, Sendable {
  var title: String
  var tableName: String
  var content: Content

  enum Content: Hashable, Sendable {
    /// One value, as it is.
    case value(RowKey, column: Int)
    /// Rows from one to another, both with it, and the places of their columns.
    case rows(from: RowKey, through: RowKey, columns: [Int], format: ExportFormat)
  }
}
