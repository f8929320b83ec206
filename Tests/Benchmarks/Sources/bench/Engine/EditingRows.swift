import QuarryChanges
import QuarryEngine
import QuarryRows

/// The number of cells that are staged.
private let cellCount = 10_000

/// Compares writing staged cells with a record of what they were, and taking that back, with the UPDATEs alone.
func editingRows(of file: EventsFile, in folder: TemporaryFolder) -> [Comparison] {
  let files = Lazily {
    (ours: try EditedFile(file, named: "ours.db", in: folder), byC: try EditedFile(file, named: "c.db", in: folder))
  }
  let count = min(cellCount, file.rows)
  let first = (file.rows - count) / 2
  let together = Lazily { try EditedCells((1...count).map { Int64(first + $0) }, of: file.path) }
  let scattered = Lazily { try EditedCells((1...count).map { Int64($0 * (file.rows / count)) }, of: file.path) }
  return [
    committing(together, in: files, "rows together", goal: 2, stretch: 1.55),
    committing(scattered, in: files, "rows scattered", goal: 1.4, stretch: 1.1),
    undoing(together, in: files, "rows together", goal: 1.9, stretch: 1.5),
    undoing(scattered, in: files, "rows scattered", goal: 1.4, stretch: 1.05),
  ]
}

private typealias Files = Lazily<(ours: EditedFile, byC: EditedFile)>

private func committing(_ cells: Lazily<EditedCells>, in files: Files, _ what: String, goal: Double, stretch: Double) -> Comparison {
  let ours: Comparison.Work = {
    let (file, cells) = (try files.value.ours, try cells.value)
    let amount = try file.commit(cells)
    let checksum = try file.checksum()
    _ = try file.undo()
    return (amount, checksum)
  }
  let byC: Comparison.Work = {
    let (file, cells) = (try files.value.byC, try cells.value)
    let amount = try file.update(cells, to: cells.new)
    let checksum = try file.checksum()
    _ = try file.update(cells, to: cells.old)
    return (amount, checksum)
  }
  return Comparison(
    number: "23", what: "commit of 10,000 staged cells, \(what)", goals: [.atMost(goal, .c)], stretch: [.atMost(stretch, .c)],
    contestants: [(.ours, ours), (.c, byC)])
}

private func undoing(_ cells: Lazily<EditedCells>, in files: Files, _ what: String, goal: Double, stretch: Double) -> Comparison {
  let ours: Comparison.Work = {
    let file = try files.value.ours
    _ = try file.commit(try cells.value)
    return (try file.undo(), try file.checksum())
  }
  let byC: Comparison.Work = {
    let (file, cells) = (try files.value.byC, try cells.value)
    _ = try file.update(cells, to: cells.new)
    return (try file.update(cells, to: cells.old), try file.checksum())
  }
  return Comparison(
    number: "23", what: "undo of that commit, \(what)", goals: [.atMost(goal, .c)], stretch: [.atMost(stretch, .c)],
    contestants: [(.ours, ours), (.c, byC)])
}

/// Measures staging one cell more beside many.
func stagingCells() -> [Comparison] {
  let stage: Comparison.Work = {
    var changes = StagedChanges()
    let others = 1000
    func set(_ id: Int) throws {
      try changes.set(.value(.text("edited \(id)")), column: "note", row: .stored(.rowID(Int64(id))), of: EditedCells.table)
    }
    for id in 1...cellCount { try set(id) }
    let (amount, checksum) = try measured {
      for id in cellCount + 1...cellCount + others { try set(id) }
      return Int64(changes.counts.cells)
    }
    return (amount / others, checksum)
  }
  return [Comparison(number: "23", what: "stage one cell beside 10,000 staged ones", goals: [], contestants: [(.ours, stage)])]
}

/// A value that is made when it is first asked for.
final class Lazily<Value> {
  private let make: () throws -> Value
  private var made: Value?

  init(_ make: @escaping () throws -> Value) {
    self.make = make
  }

  var value: Value {
    get throws {
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
