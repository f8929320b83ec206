/// The parts of a file that belong to no record and are not faults.
///
/// They are counted and reported.
struct DroppedLines {
  private var blankCount = 0
  private var commentCount = 0
  private var passedOver = PassedOverKeys()

  /// Adds the counts of a batch.
  mutating func add(_ batch: RecordBatch) {
    blankCount += batch.blankLineCount
    commentCount += batch.commentLineCount
    passedOver.add(batch.passedOver)
  }

  /// Notes for the user, as sentences.
  var notes: [String] {
    [RecordNotes.note(onComments: commentCount), RecordNotes.note(onBlankLines: blankCount), RecordNotes.note(onPassedOver: passedOver)]
      .compactMap(\.self)
  }
}

/// Keys of a JSON object beside its records: the first ones and their number.
struct PassedOverKeys {
  private(set) var first: [String] = []
  private(set) var count = 0

  /// The maximum number of keys in a note.
  static let most = 5

  mutating func add(_ keys: [String]) {
    count += keys.count
    first += keys.prefix(Self.most - first.count)
  }
}

/// The faults of a block, to be rejected among its records in line order.
struct FaultsInOrder {
  private var rest: ArraySlice<RecordFault>

  init(_ faults: [RecordFault]) {
    rest = faults[...]
  }

  /// Calls `body` with the next faults that begin before a line, or with all remaining faults by default.
  mutating func take(before line: Int = .max, _ body: (RecordFault) throws -> Void) rethrows {
    while let fault = rest.first, fault.line < line {
      rest.removeFirst()
      try body(fault)
    }
  }
}
