internal import QuarryEngine

/// A page of consecutive rows, and their text in a format.
///
/// Only one thread at a time uses a page: the thread that fills it and passes on its text, or the thread that formats it.
final class ExportPage: @unchecked Sendable {
  // Sendable because it is passed from one thread to the other.
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

  /// Adds a row with one value per column, each lent by `lend`.
  func append<Values: Collection>(_ values: Values, _ lend: (Values.Element, (BorrowedValue) -> Void) throws -> Void) rethrows {
    try rows.append(values, lend)
  }

  /// Formats the rows.
  ///
  /// - Parameter isFirst: Whether no rows precede the page.
  func makeText(isFirst: Bool) {
    format.write(rows, isFirst: isFirst, &text)
    rows.removeAll()
  }

  /// Adds the output of `body` to the text.
  func append(_ body: (inout ByteBuffer) -> Void) {
    body(&text)
  }

  func removeText() {
    text.truncate(to: 0)
  }
}

/// A thread that formats one page while the next one is filled.
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
  /// - Parameter page: An empty page, returned by the first exchange.
  init(_ page: ExportPage) throws(ThreadError) {
    let state = Monitor(State(page: page))
    self.state = state
    _ = try WorkerThread { while Self.makeText(state) {} }
  }

  deinit {
    state.change { $0.isEnded = true }
  }

  /// Passes a page to the thread, and returns the previous one with its text.
  func exchange(_ page: ExportPage, isFirst: Bool) -> ExportPage {
    state.wait { state in
      guard state.isTextMade else { return nil }
      defer { (state.page, state.isFirst, state.isTextMade) = (page, isFirst, false) }
      return state.page
    }
  }

  /// Waits for the text of the page passed last.
  ///
  /// The thread does not use the page afterwards.
  func finishedPage() -> ExportPage {
    state.wait { $0.isTextMade ? $0.page : nil }
  }

  /// Formats the next page.
  ///
  /// Returns false if there will be no more.
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
