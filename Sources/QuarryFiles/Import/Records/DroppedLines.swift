/// What of a file belongs to no record and is no fault: it is counted and reported.
struct DroppedLines {
  private var blankCount = 0
  private var commentCount = 0
  private var passedOver = PassedOverKeys()

  /// Adds what a batch has.
  mutating func add(_ batch: RecordBatch) {
    blankCount += batch.blankLineCount
    commentCount += batch.commentLineCount
    passedOver.add(batch.passedOver)
  }

  /// What a person should know of it, in sentences.
  var notes: [String] {
    [RecordNotes.note(onComments: commentCount), RecordNotes.note(onBlankLines: blankCount), RecordNotes.note(onPassedOver: passedOver)]
      .compactMap(\.self)
  }
}

/// Keys of a JSON object beside its records: the first of them, and their number.
struct PassedOverKeys {
  private(set) var first: [String] = []
  private(set) var count = 0

  /// How many are named.
  static let most = 5

  mutating func add(_ keys: [String]) {
    count += keys.count
    first += keys.prefix(Self.most - first.count)
  }
}

/// The faults of a block, which are rejected among its records in the order of their lines.
struct FaultsInOrder {
  private var rest: ArraySlice<RecordFault>

  init(_ faults: [RecordFault]) {
    rest = faults[...]
  }

  /// Calls `body` with the next faults, those that begin before a line; with all others where none is given.
  mutating func take(before line: Int = .max, _ body: (RecordFault) throws -> Void) rethrows {
    while let fault = rest.first, fault.line < line {
      rest.removeFirst()
      try body(fault)
    }
  }
}
