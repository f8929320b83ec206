/// The keys of the pages that were read last, from which the place of a deleted row is told.
struct RecentKeys: Sendable {
  private var pages: [[RowKey]] = []
  /// The numbers of the first and last rows of the pages, as they were then.
  private(set) var numbers: [RowKey: Int] = [:]

  private static let limit = 16

  mutating func add(_ page: RowPage) {
    guard let head = page.rows.first, let tail = page.rows.last else { return }
    if pages.count == Self.limit { pages.removeFirst() }
    pages.append(page.rows.map(\.key))
    if numbers.count > 4 * Self.limit { numbers = [:] }
    guard let first = page.firstNumber?.value else { return }
    numbers[head.key] = first
    numbers[tail.key] = first + page.rows.count - 1
  }

  /// Returns the rows on both sides of one, nearest first.
  func neighbours(of key: RowKey) -> (after: [RowKey], before: [RowKey]) {
    var neighbours: (after: [RowKey], before: [RowKey]) = ([], [])
    for page in pages.reversed() {
      guard let index = page.firstIndex(of: key) else { continue }
      neighbours.after += page[(index + 1)...]
      neighbours.before += page[..<index].reversed()
    }
    return neighbours
  }
}
