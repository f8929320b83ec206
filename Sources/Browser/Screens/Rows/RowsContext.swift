import QuarryRows

/// The context of the pane of rows and its session values.
typealias RowsContext = ScreenContext<RowsScreen>

/// The reads of grids.
extension RowsContext {
  /// Changes the visible grid, and issues the reads that it requests.
  mutating func changeGrid(_ body: (inout GridPane) -> [GridRequest]) {
    if let grid = workspace.shownGrid { change(grid, body) }
  }

  /// Changes a grid, and issues the reads that it requests; does nothing if the grid no longer exists.
  mutating func change(_ grid: GridID, _ body: (inout GridPane) -> [GridRequest]) {
    issue(workspace.change(grid, body) ?? [], of: grid)
  }

  /// Issues the reads that a grid has requested.
  mutating func issue(_ requests: [GridRequest], of grid: GridID) {
    for request in requests {
      switch request {
      case .page(let request): load(LoadPage(grid: grid, request: request)) { ArrivedRows(page: $0) }
      case .around(let key, let before, let limit): load(LoadAround(grid: grid, key: key, before: before, limit: limit)) { $0 }
      case .number(let key): locate(key, of: grid)
      }
    }
  }

  private mutating func load<R: PageLoading>(_ request: R, _ arrived: @escaping @Sendable (R.Answer) -> ArrivedRows) {
    ask(request) { rows, context, result in
      rows.receive(result.map(arrived), of: request.request, in: request.grid, &context)
    }
  }

  /// Requests the number of a row, an estimate before the exact one.
  private mutating func locate(_ key: RowKey, of grid: GridID) {
    ask(LocateRow(grid: grid, key: key)) { _, context, number in
      context.change(grid) { $0.receive(number, of: key) }
    } then: { _, _, _ in
    }
  }

  /// Counts the rows of a grid.
  mutating func count(_ grid: GridID) {
    // The groups are counted as they are read.
    guard workspace[grid]?.partial == nil else { return }
    workspace.change(grid) { $0.tally.begin() }
    ask(CountRows(grid: grid)) { rows, context, report in
      rows.receive(report.number, isFinal: false, of: grid, &context)
    } then: { rows, context, result in
      switch result {
      case .success(let number): rows.receive(number, isFinal: true, of: grid, &context)
      case .failure(let problem): rows.receive(problem, ofCounting: grid, &context)
      }
    }
  }

  /// Resumes the count of rows that remain visible, which was cancelled for other rows.
  mutating func countAgain() {
    guard let grid, grid.total?.isExact != true, !grid.tally.isCounting else { return }
    count(grid.id)
  }

  /// Cancels all reads for a grid; later answers are ignored.
  mutating func stopReading(of grid: GridID) {
    workspace.change(grid) { $0.dropRequests() }
    for slot in [
      PageSlot.of(grid), CountRows.slot(grid), LocateRow.slot(grid), FindRow.slot(grid), CountHits.slot(grid), CheckView.slot(grid),
      CompleteView.slot(grid), LoadReferredRows.slot(grid), LoadInboundReferences.slot(grid), LoadReferenceStrip.slot(grid),
    ] {
      supersede(slot)
    }
    call(StopReading(grid: grid))
  }

  /// Releases a grid that can no longer be reached.
  mutating func forget(_ grid: GridID) {
    workspace.remove(grid)
    call(ForgetRows(grid: grid))
  }
}
