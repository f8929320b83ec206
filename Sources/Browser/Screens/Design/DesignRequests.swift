import QuarryChanges
import QuarryEngine
import QuarrySources

/// A request that reads the definition of a table, and the types and tables to choose from.
struct LoadDesign: Request {
  let table: String?

  var slot: RequestSlot? { RequestSlot("design") }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> StoredDesign {
    try await services.designs.design(of: table)
  }
}

/// A request that makes the plan of a change, and counts the rows that it concerns.
struct PlanDesign: Request {
  let change: TableChange

  var slot: RequestSlot? { RequestSlot("plan of a design") }
  var activity: Activity? { Activity(name: "planning the change", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Result<CountedPlan, DesignFault> {
    do {
      return .success(try await services.designs.plan(change))
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_INTERRUPT {
      throw error
    } catch {
      return .failure(DesignFault(error))
    }
  }
}

/// An action that writes a design in one transaction.
struct RunDesign: Action {
  let plan: TableChangePlan
  /// Whether the change is recorded, so that it can be undone.
  var isRecorded = true

  enum Answer: Sendable {
    case changed(TableChangeResult)
    /// Nothing was written, for this reason.
    case refused(DesignFault)
    /// The change cannot be recorded, for this reason.
    case unrecorded(String)
  }

  var queue: ActionQueue { .script }
  var activity: Activity? { Activity(name: "changing the table", urgency: .change) }

  func run(in services: Services, report: @escaping @Sendable (TableChangeProgress) -> Void) async throws -> Answer {
    try await services.requireSameFiles()
    services.stopBackgroundReading()
    if !isRecorded { await services.source.commits?.skipRecording() }
    do {
      return .changed(try await services.designs.run(plan, progress: report))
    } catch let error as ChangesTooLarge {
      return .unrecorded(error.description)
    } catch let error as ChangesUnrecorded {
      return .unrecorded(error.reason)
    } catch let failure as TableChangeFailure {
      return .refused(DesignFault(failure.description))
    } catch let error as DefinitionError {
      return .refused(DesignFault("\(error): nothing was written"))
    }
  }
}

extension TableChangeProgress: ActivityReport {
  func badge(of activity: Activity) -> String? { "\(activity.name): \(words)" }

  /// The current step: `43 % of the rows copied`.
  private var words: String {
    switch self {
    case .checkingRows: "checking its rows"
    case .copying(let rows, let total?) where total > 0: "\(min(100, 100 * rows / total)) % of the rows copied"
    case .copying: "copying its rows"
    case .executing(let sql): sql.split(separator: " ").prefix(2).joined(separator: " ")
    case .checkingResult: "checking the result"
    }
  }
}
