internal import QuarryEngine

extension FilterColumns {
  /// Joins each qualifier with the name that follows it: `old.Total` becomes one word.
  ///
  /// A qualifier before a period without a name is joined too, so that it can be completed.
  func qualified(_ tokens: [FilterToken], in bytes: [UInt8]) -> [FilterToken] {
    guard !qualifiers.isEmpty else { return tokens }
    var joined: [FilterToken] = []
    var index = 0
    while index < tokens.count {
      var token = tokens[index]
      index += 1
      let word = String(decoding: bytes[token.range], as: UTF8.self)
      if token.kind == .word, qualifiers.contains(where: { $0.isSameIdentifier(as: word) }), index < tokens.count,
        tokens[index].kind == .symbol(.point), tokens[index].start == token.end
      {
        token.end = tokens[index].end
        index += 1
        if index < tokens.count, tokens[index].start == token.end, tokens[index].isBareName {
          token.end = tokens[index].end
          index += 1
        }
      }
      joined.append(token)
    }
    return joined
  }
}

extension FilterToken {
  /// Whether it is a word that may be a name behind a qualifier, even a reserved one.
  fileprivate var isBareName: Bool {
    switch kind {
    case .word, .keyword: true
    default: false
    }
  }
}
