import Foundation
import Loops

/// The program at a terminal of 80 by 24 on a large table, key by key, from the key to the cells that it paints.
struct FullScreenRows {
  let program: Program
  let file: EventsFile
  /// Whether SQLite's command line takes part.
  let isShellAsked: Bool
  /// How many keys are timed while the program works.
  let keyCount: Int

  /// Ours and C's on the whole table.
  func comparisons() -> [Comparison] {
    let last = "row \(grouped(file.rows)) of"
    return [
      Comparison(
        number: "1", what: "start to first rows painted", goals: [.atMost(6, .shell)],
        stretch: [.atMost(4, .shell)], contestants: [(.ours, { try start() })] + (isShellAsked ? [(.shell, { try printRows() })] : [])),
      Comparison(
        number: "2", what: "any row by number, sorted: median of 50", goals: [.atMost(1, .c, plus: .milliseconds(10))],
        stretch: [.atMost(1, .c, plus: .milliseconds(3))], contestants: [(.ours, { try jump() }), (.c, { try fetchRows(50) })]),
      Comparison(
        number: "3", what: "last row, order not yet known", goals: [.atMost(1, .c, plus: .milliseconds(10))],
        contestants: [(.ours, { try time("G", until: last) }), (.c, { try query("SELECT * FROM events ORDER BY id DESC LIMIT 50") })]),
      Comparison(
        number: "4", what: "exact count on the screen, from the start", goals: [.atMost(1.2, .c, plus: .milliseconds(20))],
        contestants: [(.ours, { try count() }), (.c, { try query("SELECT count(*) FROM events") })]),
      Comparison(
        number: "5", what: "filter note ~ zz: all hits known", goals: [.atMost(1.1, .c)], stretch: [.atMost(0.6, .c)],
        contestants: [
          (.ours, { try filter("note ~ zz") { $0.lines[0].contains("· \(grouped(file.hits)) of \(grouped(file.rows)) rows") } }),
          (.c, { try query("SELECT id FROM events WHERE note LIKE '%zz%'") }),
        ]),
      Comparison(
        number: "6", what: "the same: first hits painted", goals: [.within(.milliseconds(50))],
        contestants: [(.ours, { try firstHits() })]),
      Comparison(
        number: "7", what: "sort by amount, no index: first screen", goals: [.atMost(1.2, .c)], stretch: [.atMost(0.7, .c)],
        contestants: [
          (.ours, { try sort { _ in } }), (.c, { try query("SELECT * FROM events ORDER BY amount, id LIMIT 50") }),
        ]),
      Comparison(
        number: "8", what: "the same: whole order, any row at once", goals: [.atMost(1.1, .c)], stretch: [.atMost(0.3, .c)],
        contestants: [(.ours, { try sortWhole() }), (.c, { try query("SELECT id FROM events ORDER BY amount, id") })]),
      Comparison(
        number: "9", what: "memory, natural order", goals: [.within(.mebibytes(64))], stretch: [.within(.mebibytes(40))],
        contestants: [(.ours, { try memory { player in try player.press(wait: "G", for: last) } })]),
      Comparison(
        number: "9", what: "memory, sorted", goals: [.within(.mebibytes(64) + .bytes(8) * Double(file.rows))],
        stretch: [.within(.mebibytes(40) + .bytes(4) * Double(file.rows))], contestants: [(.ours, { try memory(sortAndGo) })]),
      Comparison(
        number: "10", what: "a key while all rows are sorted: p99 of \(keyCount)", goals: [.within(.milliseconds(8))],
        stretch: [.within(.milliseconds(3))], contestants: [(.ours, { try keys() })]),
      Comparison(
        number: "10", what: "a key while values are counted: p99 of \(keyCount)", goals: [.within(.milliseconds(8))],
        stretch: [.within(.milliseconds(3))], contestants: [(.ours, { try keysWhileCounting() })]),
      Comparison(
        number: "10", what: "a key while columns are profiled: p99 of \(keyCount)", goals: [.within(.milliseconds(8))],
        stretch: [.within(.milliseconds(3))], contestants: [(.ours, { try keysWhileProfiling() })]),
    ] + scrolling()
  }

  /// Compares the same on this table and on one with a tenth of its rows: what it takes is not to grow.
  func growth(from tenth: FullScreenRows) -> [Comparison] {
    func flat(_ number: String, _ what: String, _ work: @escaping (FullScreenRows) throws -> Comparison.Result) -> Comparison {
      Comparison(
        number: "16", what: "rows ×10: \(what) (\(number))", goals: [.atMost(1.5, .tenth, plus: .milliseconds(1))],
        contestants: [(.ours, { try work(self) }), (.tenth, { try work(tenth) })])
    }
    // A small table is shown as the filter is typed.
    guard tenth.file.rows > 100_000 else { return [] }
    return [
      flat("1", "start") { try $0.start() }, flat("2", "row by number") { try $0.jump() },
      flat("3", "last row") { try $0.time("G", until: "row \(grouped($0.file.rows)) of") },
      flat("6", "first hits") { try $0.firstHits() }, flat("10", "a key while rows are sorted") { try $0.keys() },
    ]
  }

  // MARK: Sessions

  private func play(_ body: (Player) throws -> Amount) throws -> Comparison.Result {
    let player = try Player(program, [file.path, "-t", "events", "--read-only"])
    defer { player.end() }
    return (try body(player), nil)
  }

  /// Plays from when the count is known.
  private func playOnRows(_ body: (Player) throws -> Amount) throws -> Comparison.Result {
    try play { player in
      try player.wait(for: "row 1 of \(grouped(file.rows))")
      player.settle()
      return try body(player)
    }
  }

  private func start() throws -> Comparison.Result {
    try play { try $0.wait(for: Self.firstTime) }
  }

  /// Returns how long SQLite's command line takes for the first rows.
  private func printRows() throws -> Comparison.Result {
    (try program.time("sqlite3", [file.path, "SELECT * FROM events LIMIT 50"]), nil)
  }

  private func count() throws -> Comparison.Result {
    try play { try $0.wait(for: "row 1 of \(grouped(file.rows))") }
  }

  private func time(_ keys: String, until text: String) throws -> Comparison.Result {
    try playOnRows { try $0.press(wait: keys, for: text) }
  }

  private func filter(_ text: String, _ isShown: (Screen) -> Bool) throws -> Comparison.Result {
    try playOnRows { player in
      try player.press(wait: "&\(text)", for: "● scan")
      player.settle()
      player.press("\r")
      return try player.wait(for: "the hits", isShown)
    }
  }

  private func firstHits() throws -> Comparison.Result {
    try filter("note ~ zz") { showsRow($0) && !showsFirstRow($0) }
  }

  /// The time that the table's first row has.
  private static let firstTime = "2015-01-01T00:00:07"

  /// Returns whether there is a row in the first line under the header: what the title says may be cut.
  private func showsRow(_ screen: Screen) -> Bool {
    screen.lines[3].contains(/20\d\d-\d\d-\d\dT/)
  }

  private func showsFirstRow(_ screen: Screen) -> Bool {
    screen.lines[3].contains(Self.firstTime)
  }

  private func sort(_ body: (Player) throws -> Void) throws -> Comparison.Result {
    try playOnRows { try beginSort($0, body) }
  }

  @discardableResult
  private func beginSort(_ player: Player, _ body: (Player) throws -> Void = { _ in }) throws -> Amount {
    player.press("gs")
    try player.wait(for: "sort ›")
    try player.press(wait: "amount", for: "● scan + sort")
    player.settle()
    player.press("\r")
    let time = try player.wait(for: "the rows by amount") { showsRow($0) && !showsFirstRow($0) }
    try body(player)
    return time
  }

  private func sortWhole() throws -> Comparison.Result {
    try playOnRows { player in
      try beginSort(player) + goToLastKnown(player)
    }
  }

  /// Goes to a row that is known only once all are in order: those at the ends are known before.
  private func goToLastKnown(_ player: Player) throws -> Amount {
    let row = file.rows - file.rows / 1000
    return try player.press(wait: "\(row)G", for: "row \(grouped(row)) of")
  }

  private func sortAndGo(_ player: Player) throws {
    try beginSort(player)
    _ = try goToLastKnown(player)
  }

  private func jump() throws -> Comparison.Result {
    try playOnRows { player in
      try sortAndGo(player)
      let times = try someRows(50).map { try player.press(wait: "\($0)G", for: "row \(grouped($0)) of") }
      return .percentile(0.5, of: times)
    }
  }

  private func memory(_ body: (Player) throws -> Void) throws -> Comparison.Result {
    try playOnRows { player in
      try body(player)
      player.settle()
      return try player.memory
    }
  }

  /// Returns how long a key takes while the rows are being sorted, which is begun again each time that it may be at its end.
  private func keys() throws -> Comparison.Result {
    try playOnRows { player in
      var times: [Amount] = []
      while times.count < keyCount {
        try beginSort(player)
        try player.press(wait: "gg", for: "row 1 of")
        for row in 2...51 { times.append(try player.press(wait: "j", for: "row \(row) of")) }
        // From the top, so that the natural order shows its own.
        try player.press(wait: "gg", for: "row 1 of")
        try player.press(wait: "gS", for: "the natural order", showsFirstRow)
        player.settle()
      }
      return .percentile(0.99, of: times)
    }
  }

  /// Returns how long a key takes while the ids are counted, which is begun again each time that it may be at its end: each key sorts the
  /// list in another order.
  private func keysWhileCounting() throws -> Comparison.Result {
    try playOnRows { player in
      var times: [Amount] = []
      while times.count < keyCount {
        try player.press(wait: "#", for: "▼ count")
        for heading in ["value ▲", "value ▼", "▲ count", "▼ count"] { times.append(try player.press(wait: "s", for: heading)) }
        try leave(player, "▼ count")
      }
      return .percentile(0.99, of: times)
    }
  }

  /// Returns how long a key takes while all columns are profiled, which is begun again each time that it may be at its end.
  private func keysWhileProfiling() throws -> Comparison.Result {
    try playOnRows { player in
      var times: [Amount] = []
      while times.count < keyCount {
        try player.press(wait: "g#", for: "1 of 7")
        for row in 2...7 { times.append(try player.press(wait: "j", for: "\(row) of 7")) }
        for row in (1...6).reversed() { times.append(try player.press(wait: "k", for: "\(row) of 7")) }
        try leave(player, "Profile of")
      }
      return .percentile(0.99, of: times)
    }
  }

  /// Goes back to the rows, which shows a text no more.
  private func leave(_ player: Player, _ text: String) throws {
    try player.press(wait: "\u{1B}", for: "the rows") { !$0.contains(text) }
    player.settle()
  }

  // MARK: Scrolling

  private func scrolling() -> [Comparison] {
    [
      Comparison(
        number: "11", what: "scroll by a line, catalog hidden: bytes", goals: [.atMost(3, .text)], stretch: [.atMost(2, .text)],
        contestants: [(.ours, { try scroll(isHidden: true).written }), (.text, { try scroll(isHidden: true).text })]),
      Comparison(
        number: "11", what: "the same, catalog shown", goals: [.atMost(1.3, .text)], stretch: [.atMost(1.1, .text)],
        contestants: [(.ours, { try scroll(isHidden: false).written }), (.text, { try scroll(isHidden: false).text })]),
    ]
  }

  /// Returns what a line takes on average: the bytes that are written, and those of the text that is new: of the line alone where the
  /// terminal can scroll, of all cells that change where it cannot.
  private func scroll(isHidden: Bool) throws -> (written: Comparison.Result, text: Comparison.Result) {
    var (written, text) = (0, 0)
    _ = try playOnRows { player in
      // In so few columns the catalog is hidden until it is asked for.
      if !isHidden { try player.press(wait: "gc", for: "the catalog") { $0.lines[1].contains("Tables") } }
      for row in 2...24 { try player.press(wait: "j", for: "row \(row) of") }
      player.settle()
      for row in 25...30 {
        let (before, start) = (player.screen, player.written)
        try player.press(wait: "j", for: "row \(row) of")
        player.settle()
        written += player.written - start
        text += isHidden ? player.screen.text(ofRow: 21) : player.screen.bytesChanged(from: before)
      }
      return .bytes(0)
    }
    return ((.bytes(Double(written) / 6), nil), (.bytes(Double(text) / 6), nil))
  }

  // MARK: C

  private func query(_ sql: String) throws -> Comparison.Result { try Self.query(file.path, sql, ids: []) }

  private func fetchRows(_ count: Int) throws -> Comparison.Result {
    try Self.query(file.path, "SELECT * FROM events WHERE id = ?", ids: someRows(count).map(Int64.init))
  }

  private static func query(_ path: String, _ sql: String, ids: [Int64]) throws -> Comparison.Result {
    var message: UnsafePointer<CChar>?
    var nanoseconds: Int64 = 0
    _ = loops_query(path, sql, ids, Int64(ids.count), &nanoseconds, &message)
    if let message { throw CError(String(cString: message)) }
    return (.seconds(Double(nanoseconds) / 1e9), nil)
  }

  /// Picks rows all over the table, the same ones each time.
  private func someRows(_ count: Int) -> [Int] {
    (1...count).map { ($0 * 7_368_787) % file.rows + 1 }
  }
}

/// Returns a number with its thousands parted, as the screen has it.
private func grouped(_ number: Int) -> String {
  number.formatted(.number.locale(Locale(identifier: "en_US")))
}

extension Player {
  /// Presses keys and waits for a text that they make appear.
  @discardableResult
  func press(wait keys: String, for text: String) throws -> Amount {
    try press(wait: keys, for: text) { $0.contains(text) }
  }

  @discardableResult
  func press(wait keys: String, for what: String, _ isShown: (Screen) -> Bool) throws -> Amount {
    press(keys)
    return try wait(for: what, isShown)
  }
}
