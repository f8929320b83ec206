/// A state of the screen, and the keys that lead from the rows of a table to it.
struct ScreenState {
  let name: String
  let keys: [String]

  static let grid = ScreenState(name: "grid", keys: ["j"])

  static let all: [ScreenState] = [
    grid,
    ScreenState(name: "prompt", keys: [":prof"]),
    ScreenState(name: "filter bar", keys: ["&", "id > "]),
    ScreenState(name: "find", keys: ["/na"]),
    ScreenState(name: "cell editor", keys: ["l", "e", "x"]),
    ScreenState(name: "staged edits", keys: ["l", "e", "7\r", "dd"]),
    ScreenState(name: "changes", keys: ["l", "e", "7\r", "\u{13}"]),
    ScreenState(name: "question", keys: ["l", "e", "7\r", "\u{11}"]),
    ScreenState(name: "SQL editor", keys: ["\u{1B}OS", "SELECT id,\rname FROM t"]),
    ScreenState(
      name: "running query",
      keys: ["\u{1B}OS", "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n", "\u{1B}[15~"]),
    ScreenState(name: "record", keys: ["\r"]),
    ScreenState(name: "help", keys: ["?"]),
    ScreenState(name: "palette", keys: ["\u{10}"]),
    ScreenState(name: "counts", keys: ["#"]),
    ScreenState(name: "chart", keys: ["gv"]),
    ScreenState(name: "map", keys: ["gm"]),
    ScreenState(name: "commits", keys: ["gu"]),
    ScreenState(name: "details", keys: ["i"]),
    ScreenState(name: "keys that have begun", keys: ["g"]),
    externalEditor,
  ]

  /// `VISUAL` must name a program that waits for a line.
  static let externalEditor = ScreenState(name: "external editor", keys: ["l", "E"])
}

extension PseudoTerminal {
  /// Types the keys that lead to a state.
  func enter(_ state: ScreenState) {
    for keys in state.keys where !hasEnded {
      type(keys)
      settle(20)
    }
  }
}
