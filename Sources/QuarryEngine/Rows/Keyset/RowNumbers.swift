/// What is known of the numbers of a set's rows, each fact with the state of the file in which it was found.
struct RowNumbers: Sendable {
  /// The last exact count, and the state as the background connection names it.
  private(set) var count: (rows: Int, state: DataState)?
  private(set) var anchors: (made: Anchors, state: DataState)?
  /// One state, as each of the two connections sees it.
  private var link: (foreground: DataState, background: DataState)?
  /// The numbers of the first and last rows of pages, counted from a known row, for one state of the foreground connection.
  private var walked: (numbers: [RowKey: Int], state: DataState) = ([:], .unknown)

  /// The greatest number of rows whose numbers are kept.
  private static let walkedLimit = 256

  mutating func set(count: Int, in state: DataState) {
    self.count = (count, state)
  }

  mutating func set(anchors: Anchors, in state: DataState) {
    self.anchors = (anchors, state)
  }

  mutating func link(foreground: DataState, background: DataState) {
    link = (foreground, background)
  }

  /// Whether the anchors of the state that was counted are not all made.
  var wantsAnchors: Bool {
    guard let count else { return false }
    return !(anchors.map { $0.state == count.state && $0.made.isComplete } ?? false)
  }

  /// Returns the count if it was made in this state of the background connection.
  func count(in background: DataState) -> Int? {
    count.flatMap { $0.state == background ? $0.rows : nil }
  }

  /// Returns the anchors to extend in this state of the background connection.
  func anchorsToExtend(in background: DataState) -> Anchors {
    anchors.flatMap { $0.state == background ? $0.made : nil } ?? Anchors()
  }

  /// Returns the count if the foreground connection still reads the state in which it was made.
  func exactCount(in foreground: DataState) -> Int? {
    count.flatMap { isSame(foreground, $0.state) ? $0.rows : nil }
  }

  /// Returns the anchors made so far if the foreground connection still reads the state in which they were made.
  func exactAnchors(in foreground: DataState) -> Anchors? {
    anchors.flatMap { isSame(foreground, $0.state) ? $0.made : nil }
  }

  private func isSame(_ foreground: DataState, _ background: DataState) -> Bool {
    link.map { $0.foreground == foreground && $0.background == background } ?? false
  }

  /// Returns the number of a row that was the first or last of a page.
  func walkedNumber(of key: RowKey, in foreground: DataState) -> Int? {
    walked.state == foreground ? walked.numbers[key] : nil
  }

  /// Keeps the numbers of a page's first and last row.
  mutating func walk(_ page: RowPage, in foreground: DataState) {
    guard case .exact(let first)? = page.firstNumber, let head = page.rows.first, let tail = page.rows.last else { return }
    if walked.state != foreground || walked.numbers.count >= Self.walkedLimit {
      walked = ([:], foreground)
    }
    walked.numbers[head.key] = first
    walked.numbers[tail.key] = first + page.rows.count - 1
  }
}
