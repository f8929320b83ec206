package import QuarryChanges
internal import QuarryEngine

extension RemoteDataSource {
  /// The database as a side of a comparison.
  ///
  /// Its rows are read in steps, so that no transaction prevents the servers from clearing their logs.
  package var diffSide: any DiffSide { RemoteDiffSide(link) }
}

private struct RemoteDiffSide: DiffSide {
  private let link: RemoteLink

  init(_ link: RemoteLink) {
    self.link = link
  }

  var name: String { link.database.name }

  func schema<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await link.schema().queue.read(body)
  }

  func rows(_ sql: SQLText, width: Int) async throws -> [[StoredValue]] {
    // A page by key, which can be requested again from a new leader.
    try await link.beginningAnew { try await link.wholeValues(of: sql, width: width, limit: .max) }
  }

  func state() async throws -> DiffState {
    let state = try await link.dataState(on: .background)
    return DiffState(data: state, connection: link.connection(of: state))
  }

  /// Does nothing, because the nodes agree on the stored data, and counting would block one of them without a way to cancel it.
  func checkReached(_ count: Int, of table: TableReference, since state: DiffState) async throws {}

  func isUTF8() async throws -> Bool { true }

  func copy(_ sql: SQLText, of table: String) async throws -> TableReference {
    throw DiffObstacle("the table has no key that “\(name)” can sort by: name key columns with --key")
  }

  func drop(_ copy: TableReference) async throws {}
}
