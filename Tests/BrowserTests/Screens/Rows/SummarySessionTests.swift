import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@testable import Browser

@Suite("What is kept beside the rows", .gated)
struct SummarySessionTests {
  private static func subject(_ columns: [Int]) -> SelectionSummary.Subject {
    SelectionSummary.Subject(grid: GridID(number: 1), rows: .all, columns: columns, fileChanges: 0, stagedRevision: 0)
  }

  private static let values: ValueSummary = {
    var summarizer = ValueSummarizer()
    summarizer.add(.integer(3), by: .binary)
    return summarizer.result
  }()

  @Test("a summary is begun once for the same cells, and what is read of others counts for nothing")
  func reading() {
    var session = SummarySession()
    let summary = SelectionSummary(subject: Self.subject([1]), column: nil)
    #expect(session.begin(summary) && !session.begin(summary))
    session.receive(Self.values, of: Self.subject([2]), isComplete: true)
    #expect(session.summary?.isComplete == false)
    session.receive(Self.values, of: Self.subject([1]), isComplete: true)
    #expect(session.summary?.isComplete == true && session.summary?.values == Self.values)
    #expect(session.clear() && !session.clear())
  }

  @Test("cells that are loaded are summed up at once, and none without a selection")
  func following() {
    var (session, context) = (SummarySession(), RowsFixture.context())
    session.follow(&context)
    #expect(session.summary == nil)
    context.workspace.changeGrid { grid in
      grid.startSelection()
      _ = grid.moveRows(by: 2)
    }
    session.follow(&context)
    #expect(session.summary?.isComplete == true && context.outstanding(SummarizeSelection.self).isEmpty)
  }

  @Test("each change of what is staged is saved once, and a failure is kept until the next one is saved")
  func saving() {
    var saved = SavedStaging()
    #expect(!saved.begin(0) && saved.begin(1) && !saved.begin(1))
    saved.end(.failure(Problem("the disk is full")))
    #expect(saved.problem?.text == "the disk is full")
    #expect(saved.begin(2) == true)
    saved.end(.success(()))
    #expect(saved.problem == nil)
  }
}
