public import QuarryEngine
public import Terminal

/// Something that happened, told to the browser.
public enum Message: Sendable {
  /// A request has something to tell before its answer.
  case reported(RequestID, any Sendable)
  case answered(RequestID, Result<any Sendable, Problem>)
  case eventArrived(Event)
  /// Characters that were typed faster than they were met, one key after the other.
  case typed(String)
  /// Somebody else has written to one of the files.
  case filesChanged
  /// What is waited for has become another lock, or none.
  case lockWaitChanged(LockWait?)
  /// Files are not where they were opened; nil where they are again.
  case filesMoved(FileMove?)
  case catalogLoaded(Result<Catalog, Problem>)
  case tableCounted(TableReference, RowNumber)
  /// The first rows of a set need many others to be passed.
  case openingProgressed(GridID, RowProgress)
  case rowsOpened(GridID, Result<OpenedRows, Problem>)
  case viewChecked(GridID, RowView, ViewReport)
  case completed(GridID, RowView, [Completion])
  case memoryUnsaved(Problem)
  case pageLoaded(GridID, PageRequest, Result<RowPage, Problem>)
  /// A page that is waited for needs many rows to be passed.
  case pageProgressed(GridID, PageRequest, RowProgress)
  case rowsCounted(GridID, RowNumber, isFinal: Bool)
  /// The count needs many rows to be passed.
  case countProgressed(GridID, RowProgress)
  case countFailed(GridID, Problem)
  case rowLocated(GridID, RowKey, RowNumber?)
  /// A search has passed many rows.
  case findProgressed(GridID, FindRequest, RowProgress)
  case rowFound(GridID, FindRequest, Result<RowMatch?, Problem>)
  case referencesLoaded(GridID, Result<[InboundReference], Problem>)
  case runPrepared(SQLRequest, Result<PreparedRun, SQLFault>)
  case runProgressed(Int, Duration)
  /// Of a run, by its number, the statement of this place has ended.
  case statementRan(Int, Int, StatementOutcome)
  case runEnded(Int, OpenTransaction?)
  /// What went wrong, if anything did, and the transaction that is open all the same.
  case transactionEnded(isCommitted: Bool, Problem?, left: OpenTransaction?)
  case planExplained(String, Result<[PlanStep], Problem>)
  case sqlCompleted(String, caret: Int, [Completion])
  case historyUnsaved(Problem)
  case editedExternally(Result<String, Problem>)
  /// The SELECT of a grid, for the editor.
  case sqlPrepared(String)
  /// Of what is to be copied much has been read.
  case copyProgressed(CopyRequest, RowProgress)
  case copyPrepared(CopyRequest, Result<CopyText, Problem>)
  case copyFailed(Problem)
  /// The text went to the places that `String` names.
  case copied(CopyText, String)
}

/// Whose lock it is that something waits for.
public enum LockWait: Hashable, Sendable {
  case anotherProgram
  /// That of the transaction which is open here.
  case ownTransaction
}

/// What a person is told when something could not be done.
public struct Problem: Error, Hashable, Sendable {
  public var text: String

  public init(_ text: String) {
    self.text = text
  }
}

/// Which grid a request or an answer belongs to; never used twice.
public struct GridID: Hashable, Sendable {
  let number: Int
}

/// What a grid starts with.
public struct OpenedRows: Hashable, Sendable {
  /// Whether they stay what they are when others write.
  var isSnapshot = false
  var columns: [RowSetColumn]
  /// What the schema says of the table or view; nil for a query.
  var schema: TableSchema?
  var page: RowPage
  /// The row on which the cursor is to stand; nil for the first.
  var cursor: RowKey?
  /// How they are seen: the plain view where the one asked for does not go with the columns any more.
  var view = RowView()
  /// What the rows are ordered by; empty in their natural order.
  var order: [OrderMark] = []
  var filterColumns = FilterColumns([])
}

/// What is looked for in a grid's rows, and from where.
public struct FindRequest: Hashable, Sendable {
  var needle: Needle
  /// The places of the columns to look in.
  var columns: [Int]
  var start: RowKey?
  var isBackwards: Bool
}

/// A text for the clipboard, and what it is: `Name`, `3 rows as CSV`.
public struct CopyText: Hashable, Sendable {
  public var text: String
  public var title: String
}

extension Message {
  /// Returns a message for each event, but one for characters that were typed one after the other.
  static func messages(of events: [Event]) -> [Message] {
    var messages: [Message] = []
    var typed: [Character] = []
    func endTyping() {
      if let only = typed.first { messages.append(typed.count == 1 ? .eventArrived(.key(Key(only))) : .typed(String(typed))) }
      typed = []
    }
    for event in events {
      if case .key(let key) = event, key.modifiers.isEmpty, case .character(let character) = key.code {
        typed.append(character)
      } else {
        endTyping()
        messages.append(.eventArrived(event))
      }
    }
    endTyping()
    return messages
  }
}
