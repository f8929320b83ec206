internal import QuarryEngine

/// The sample database of `--demo`: in memory, and there for as long as this value keeps a connection to it.
struct DemoDatabase {
  /// Any connection of the process that opens this path reaches the same database.
  static let path = ":memory:demo"

  private let keeper: DatabaseQueue

  /// Makes the database.
  init() throws {
    var configuration = Configuration()
    // The script finds every key in its place, and 100,000 look-ups would be felt.
    configuration.foreignKeysEnabled = false
    keeper = try DatabaseQueue(path: Self.path, configuration: configuration)
    try keeper.write { db in
      try Script(DemoScript.sql).forEach(db) { try $0.execute() }
    }
  }
}
