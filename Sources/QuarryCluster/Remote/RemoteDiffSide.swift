package import QuarryChanges
internal import QuarryEngine

extension RemoteDataSource {
  /// Returns the database as one of two that are compared.
  ///
  /// Its rows are read some at a time, so that no transaction keeps the servers from clearing their logs.
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
    // A page by key, which a new leader may be asked for again.
    try await link.beginningAnew { try await link.wholeValues(of: sql, width: width, limit: .max) }
  }

  func state() async throws -> DiffState {
    let state = try await link.dataState(on: .background)
    return DiffState(data: state, connection: link.connection(of: state))
  }

  /// Its nodes agree on what they store, and counting would keep one of them busy that cannot be stopped.
  func checkReached(_ count: Int, of table: TableReference, since state: DiffState) async throws {}

  func isUTF8() async throws -> Bool { true }

  func copy(_ sql: SQLText, of table: String) async throws -> TableReference {
    throw DiffObstacle("the table has no key that “\(name)” can sort by: --key names the columns of one")
  }

  func drop(_ copy: TableReference) async throws {}
}
