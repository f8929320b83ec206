internal import QuarryEngine

/// Some rows that follow one another, and what they are in a format.
///
/// One thread at a time has a page: the one that fills it with rows and hands on its text, or the one that makes its text.
final class ExportPage: @unchecked Sendable {
  // Sendable because it is handed from one thread to the other.
  private(set) var rows: RowBatch
  private(set) var text = ByteBuffer(capacity: 256 << 10)
  private let format: any RowFormat

  init(_ format: any RowFormat, columnCount: Int) {
    self.format = format
    rows = RowBatch(columnCount: columnCount)
  }

  /// Adds the current row of a statement that has at least as many columns.
  ///
  /// - Throws: `DatabaseError`
  func append(_ statement: Statement) throws {
    try rows.append(statement)
  }

  /// Adds a row of as many values as there are columns, each of which `lend` lends.
  func append<Values: Collection>(_ values: Values, _ lend: (Values.Element, (BorrowedValue) -> Void) throws -> Void) rethrows {
    try rows.append(values, lend)
  }

  /// Makes the rows the text.
  ///
  /// - Parameter isFirst: Whether no rows came before.
  func makeText(isFirst: Bool) {
    format.write(rows, isFirst: isFirst, &text)
    rows.removeAll()
  }

  /// Adds what `body` writes to the text.
  func append(_ body: (inout ByteBuffer) -> Void) {
    body(&text)
  }

  func removeText() {
    text.truncate(to: 0)
  }
}

/// A thread that makes the text of one page while the next is filled.
final class FormattingThread: Sendable {
  private let state: Monitor<State>

  private struct State: Sendable {
    var page: ExportPage
    var isFirst = true
    var isTextMade = true
    var isEnded = false
  }

  /// Starts the thread.
  ///
  /// - Parameter page: An empty page, which the first exchange gives back.
  init(_ page: ExportPage) throws(ThreadError) {
    let state = Monitor(State(page: page))
    self.state = state
    _ = try WorkerThread { while Self.makeText(state) {} }
  }

  deinit {
    state.change { $0.isEnded = true }
  }

  /// Takes a page whose text is to be made, and gives back the one before it, with its text.
  func exchange(_ page: ExportPage, isFirst: Bool) -> ExportPage {
    state.wait { state in
      guard state.isTextMade else { return nil }
      defer { (state.page, state.isFirst, state.isTextMade) = (page, isFirst, false) }
      return state.page
    }
  }

  /// Waits for the text of the page that was given last, which the thread leaves alone from then on.
  func finishedPage() -> ExportPage {
    state.wait { $0.isTextMade ? $0.page : nil }
  }

  /// Makes the text of the next page; returns false once there will be none.
  private static func makeText(_ state: Monitor<State>) -> Bool {
    let next: (page: ExportPage, isFirst: Bool)? = state.wait { state in
      if !state.isTextMade { return .some((state.page, state.isFirst)) }
      return state.isEnded ? .some(nil) : nil
    }
    guard let next else { return false }
    next.page.makeText(isFirst: next.isFirst)
    state.change { $0.isTextMade = true }
    return true
  }
}
