import Terminal

extension Capabilities {
  /// Reads the sequences of the current terminal's keys.
  package static func readKeys() -> KeySequences {
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in plainKeys + modifiedKeys + functionKeys {
      let sequence = bytes(name)
      // What one sequence stands for is said by the first name in the list.
      if !sequence.isEmpty, keys[sequence] == nil { keys[sequence] = key }
    }
    return KeySequences(keys)
  }

  private static let plainKeys: [(String, Key)] = [
    ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)), ("khome", Key(.home)), ("kend", Key(.end)),
    ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)), ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kbs", Key(.backspace)),
    ("kcbt", Key(.tab, .shift)), ("kent", Key(.enter)), ("kri", Key(.up, .shift)), ("kind", Key(.down, .shift)),
  ]

  /// The keys with modifiers, by the names of ncurses' extended capabilities: `kDN5` is Control-Down.
  private static let modifiedKeys: [(String, Key)] = {
    let codes: [(String, Key.Code)] = [
      ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home), ("kEND", .end), ("kPRV", .pageUp),
      ("kNXT", .pageDown),
      ("kIC", .insert), ("kDC", .delete),
    ]
    return codes.flatMap { name, code in
      [(name, Key(code, .shift))] + (3...8).map { (name + String($0), Key(code, FunctionKeys.modifiers($0))) }
    }
  }()

  /// F1 to F12.
  ///
  /// The numbers above are a terminal's names for F1 to F12 with modifiers, which xterm's way of writing them tells better.
  private static let functionKeys: [(String, Key)] = (1...12).map { ("kf\($0)", Key(.function($0))) }
}
