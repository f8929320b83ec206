internal import QuarryEngine

extension FilterColumns {
  /// Joins each qualifier with the name that follows it: `old.Total` becomes one word.
  ///
  /// A qualifier before a period without a name is joined too, so that it can be completed.
  func qualified(_ tokens: [FilterToken], in bytes: [UInt8]) -> [FilterToken] {
    let tokens = spelled.isEmpty ? tokens : spelledOut(tokens, in: bytes)
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

extension FilterColumns {
  /// Joins the tokens of each name that looks like a call or a path: `sum(Milliseconds)` becomes one word.
  private func spelledOut(_ tokens: [FilterToken], in bytes: [UInt8]) -> [FilterToken] {
    var joined: [FilterToken] = []
    var index = 0
    while index < tokens.count {
      var token = tokens[index]
      index += 1
      if token.kind == .word, let end = endOfSpelledName(at: token.start, in: bytes) {
        let rest = tokens[index...].prefix { $0.start < end && $0.kind != .end }
        if (rest.last ?? token).end == end {
          token.end = end
          index = rest.endIndex
        }
      }
      joined.append(token)
    }
    return joined
  }

  private func endOfSpelledName(at start: Int, in bytes: [UInt8]) -> Int? {
    let rest = bytes[start...]
    let name = spelled.first { name in
      name.utf8.count <= rest.count && zip(name.utf8, rest).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
    return name.map { start + $0.utf8.count }
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
