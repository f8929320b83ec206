internal import QuarryEngine

/// One check of a database, which only reads.
protocol HealthCheck: Sendable {
  /// The name in the results.
  var name: String { get }

  /// Returns the facts and findings about `main`.
  ///
  /// Statements that cannot be divided run in ``QuarryEngine/Database/runUndivided(_:)``. The check may be run again.
  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult]
}

extension HealthCheck {
  /// Runs a part of the check about one object; a fault of the object is a result, so that the others are checked too.
  func part(of object: String, in database: Database, _ body: () throws -> [HealthResult]) throws -> [HealthResult] {
    try database.giveWay()
    return try HealthResult.faults(name, object, body)
  }
}

extension HealthResult {
  /// Returns the results of `body`, or its error as a result if it is damage or a fault of an object.
  ///
  /// - Throws: Any other error of `body`, such as an interrupt.
  static func faults(_ check: String, _ object: String? = nil, _ body: () throws -> [HealthResult]) throws -> [HealthResult] {
    do {
      return try body()
    } catch let error as DatabaseError where error.isDamage {
      return [HealthResult(check, object, .damaged, error.message, remedy: .recovery)]
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      return [HealthResult(check, object, .note, "not checked: \(error.message)")]
    }
  }
}

extension DatabaseError {
  /// Whether a part of the file that was read is damaged, or the file is not a database.
  ///
  /// A file that the system cannot read may be whole.
  fileprivate var isDamage: Bool {
    systemError == 0 && [DatabaseError.SQLITE_CORRUPT, DatabaseError.SQLITE_NOTADB].contains(resultCode)
  }
}
