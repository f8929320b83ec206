package import QuarryEngine

/// One check of a database, which only reads.
protocol HealthCheck: Sendable {
  /// The name in the results.
  var name: String { get }

  /// Returns the facts and findings about `main`.
  ///
  /// Statements that cannot be divided run in ``QuarryEngine/Database/runUndivided(_:)``. The check may be run again.
  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult]
}

/// A check of the whole database, one after another.
///
/// ```swift
/// for check in HealthInspection(isQuick: false).checks {
///   results += try await check.results(on: queue)
/// }
/// ```
package struct HealthInspection: Sendable {
  /// Whether the checks that read all pages of indexes, or all rows, are replaced by shorter ones.
  package let isQuick: Bool

  package init(isQuick: Bool) {
    self.isQuick = isQuick
  }

  private var checks: [any HealthCheck] {
    [
      IntegrityCheck(isQuick: isQuick), ConstraintCheck(), SchemaCheck(), ReferenceCheck(), ParentKeyCheck(), ReferenceIndexCheck(),
      RepeatedIndexCheck(), KeyCheck(), TypeCheck(isQuick: isQuick), StatisticsCheck(), SizeCheck(), FreePageCheck(), LogCheck(),
      FileCheck(), LibraryCheck(),
    ]
  }

  /// Runs all checks on a connection.
  ///
  /// In rollback journal mode, a check lets a writer proceed and starts again; only its fourth attempt blocks writers until it ends.
  ///
  /// - Parameters:
  ///   - began: Called with the name of each check.
  ///   - body: Called with the results of each check.
  /// - Throws: An error that is neither damage nor a fault of one object, such as an interrupt, and any error of `body`.
  package func run(
    on queue: DatabaseQueue, began: @Sendable (String) -> Void = { _ in }, _ body: ([HealthResult]) throws -> Void
  ) async throws {
    let subject: HealthSubject
    do {
      subject = try await queue.readAgain(of: "main") { try HealthSubject(in: $0) }
    } catch let error as DatabaseError where error.isDamage {
      return try body([HealthResult("schema", nil, .damaged, error.message, remedy: IntegrityCheck.recovery)])
    }
    for check in checks {
      began(check.name)
      try body(try await results(of: check, about: subject, on: queue))
    }
  }

  private func results(of check: any HealthCheck, about subject: HealthSubject, on queue: DatabaseQueue) async throws -> [HealthResult] {
    do {
      return try await queue.readAgain(of: "main") { try check.results(about: subject, in: $0) }
    } catch let error as DatabaseError where error.isDamage {
      return [HealthResult(check.name, nil, .damaged, error.message, remedy: IntegrityCheck.recovery)]
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      return [HealthResult(check.name, nil, .note, "not checked: \(error.message)")]
    }
  }
}

extension DatabaseError {
  /// Whether a part of the file that was read is damaged, or the file is not a database.
  var isDamage: Bool {
    [DatabaseError.SQLITE_CORRUPT, DatabaseError.SQLITE_NOTADB, DatabaseError.SQLITE_IOERR].contains(resultCode)
  }
}

extension HealthCheck {
  /// Runs a part of the check about one object; a fault of the object is a result, so that the others are checked too.
  func part(
    of object: String, in database: Database, _ body: () throws -> [HealthResult]
  ) throws -> [HealthResult] {
    try database.giveWay()
    do {
      return try body()
    } catch let error as DatabaseError where error.isDamage {
      return [HealthResult(name, object, .damaged, error.message, remedy: IntegrityCheck.recovery)]
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      return [HealthResult(name, object, .note, "not checked: \(error.message)")]
    }
  }
}
