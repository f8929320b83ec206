import QuarryChanges
import QuarryEngine
package import QuarryFiles
import QuarrySources

/// A request that reads a preview of a file to import: its columns, their targets, and its first rows.
struct LoadImportPreview: Request {
  let plan: ImportPlan

  struct Answer: Hashable, Sendable {
    var preview: ImportPreview
    /// The columns of the table that can receive values; empty for a new table.
    var tableColumns: [String] = []
    /// The path of the rejects file; nil if a row that fails ends the import.
    var rejectsPath: String?
  }

  var slot: RequestSlot? { RequestSlot("import preview") }
  var activity: Activity? { Activity(name: "reading the file", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Answer {
    var answer = Answer(preview: try await preview(in: services), rejectsPath: plan.rejectsPath.map(RejectsFile.free))
    if case .existing(let table) = plan.target {
      let columns = try await services.source.schema(of: table).columns
      answer.tableColumns = columns.filter { $0.generation == nil && !$0.isHidden }.map(\.name)
    }
    return answer
  }

  private func preview(in services: Services) async throws -> ImportPreview {
    do {
      return try await services.files.preview(of: plan)
    } catch let error as FileReadError {
      // The command line has an option for the encoding, and this form has a line.
      let guess = error.proposedEncoding.map { " It may be \($0.title)." } ?? ""
      throw error.encodingFault.map { Problem("\($0) Choose its encoding above.\(guess)") } ?? error
    }
  }
}

/// An action that imports a file in one transaction.
package struct ImportFile: Action {
  let plan: ImportPlan
  /// The notes about the format that the preview has already shown.
  var toldNotes: [String] = []
  /// Whether the changes are recorded, so that they can be undone.
  var isRecorded = true

  package init(plan: ImportPlan, toldNotes: [String] = [], isRecorded: Bool = true) {
    self.plan = plan
    self.toldNotes = toldNotes
    self.isRecorded = isRecorded
  }

  enum Answer: Sendable {
    /// The file was imported, and rows that failed are in the rejects file.
    case imported(ImportResult, rejectsPath: String?)
    /// Nothing was written, for a reason that another plan can avoid.
    case refused(String)
    /// The import cannot be recorded, for this reason.
    case unrecorded(String)
  }

  /// The file's name without its folder.
  var name: String { plan.path.split(separator: "/").last.map(String.init) ?? plan.path }
  var queue: ActionQueue { .script }
  var activity: Activity? { Activity(name: "importing \(name)", urgency: .change, outlastsEscape: true) }

  func run(in services: Services, report: @escaping @Sendable (ImportProgress) -> Void) async throws -> Answer {
    try await services.requireSameFiles()
    services.stopBackgroundReading()
    if !isRecorded { await services.source.commits?.skipRecording() }
    var plan = plan
    plan.rejectsPath = plan.rejectsPath.map(RejectsFile.free)
    do {
      return .imported(try await services.files.importRows(plan, progress: report), rejectsPath: plan.rejectsPath)
    } catch let error as ChangesTooLarge {
      return .unrecorded(error.description)
    } catch let error as ChangesUnrecorded {
      return .unrecorded(error.reason)
    } catch let failure as ImportFailure {
      return .refused(failure.sentence)
    } catch let error as FileReadError {
      return .refused("\(Problem(describing: error).text.withoutFullStop): nothing was imported")
    }
  }
}

extension ImportFailure {
  /// The reason for the screen.
  fileprivate var sentence: String {
    switch reason {
    case .plan(let problems): problems.joined(separator: "\n")
    case .row(let reject) where reject.isOfTakenKey:
      "\(reject.clause): nothing was imported; choose above what to do with a row that has the same key or fails"
    case .row(let reject): "\(reject.clause): nothing was imported; rows that fail can go to a file instead"
    case .references(let sentence), .rejectsFile(let sentence): "\(sentence.withoutFullStop): nothing was imported"
    }
  }
}

extension ImportProgress: ActivityReport {
  func badge(of activity: Activity) -> String? {
    let isOfKnownSize = (byteCount ?? 0) > 0
    return "\(activity.name): " + (isOfKnownSize ? "\(Plural.of(rows, "row")), " : "") + words
  }
}
