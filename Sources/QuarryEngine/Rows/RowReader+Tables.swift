internal import Synchronization

extension RowReader {
  /// A page of a table, numbered as far as its number is known.
  func page(_ request: PageRequest, of table: TableRows, in database: Database) throws -> RowPage {
    let current = try checkedState(of: table, in: database)
    let numbers = state.withLock(\.numbers)
    var page =
      if case .number(let number) = request.position {
        try self.page(number: number, limit: request.limit, of: table.rows, numbers, current, in: database)
      } else {
        try table.rows.page(request.position, limit: request.limit, in: database)
      }
    if page.firstNumber?.isExact != true {
      page.firstNumber =
        try walkedNumber(of: page, request, numbers, current)
        ?? page.firstNumber ?? table.rows.firstNumber(of: page, numbers, current, in: database)
    }
    state.withLock { $0.numbers.walk(page, in: current) }
    return page
  }

  private func page(
    number: Int, limit: Int, of rows: KeysetRows, _ numbers: RowNumbers, _ current: DataState, in database: Database
  ) throws -> RowPage {
    guard number > 0 else { return try rows.page(.first, limit: limit, in: database) }
    switch try rows.place(ofNumber: number, numbers, current, in: database) {
    case .exact(let place):
      var page = try rows.forward(from: place, isInclusive: true, limit: limit, in: database)
      page.firstNumber = .exact(number)
      return page
    case .estimated(let place):
      return try rows.forward(from: place, isInclusive: true, limit: limit, in: database)
    case .pastEnd:
      return try rows.page(.last, limit: 1, in: database)
    }
  }

  /// The number of a page's first row, told from the row that the page was asked for by.
  private func walkedNumber(of page: RowPage, _ request: PageRequest, _ numbers: RowNumbers, _ current: DataState) -> RowNumber? {
    let number: Int? =
      switch request.position {
      case .after(let key): numbers.walkedNumber(of: key, in: current).map { $0 + 1 }
      case .before(let key): numbers.walkedNumber(of: key, in: current).map { $0 - page.rows.count }
      case .from(let key) where page.rows.first?.key == key: numbers.walkedNumber(of: key, in: current)
      default: nil
      }
    return number.map { .exact($0) }
  }
}
