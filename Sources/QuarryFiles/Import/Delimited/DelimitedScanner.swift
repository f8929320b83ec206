/// Finds the records and fields of a delimited text, as RFC 4180 has them, in bytes that lie in memory.
///
/// A quote is one only at the beginning of a field; elsewhere it is a character as any other, as the sqlite3 shell has it. The fields refer
/// to the bytes as they stand: ``unquote(_:count:)`` makes one of the doubled quotes.
///
/// No library does this: SwiftCSV and its like read a whole file as a string and make a string of each field.
struct DelimitedScanner {
  /// What lies at the position.
  enum Outcome: Equatable {
    case record
    /// A line without a byte.
    case blank
    /// A line that is a comment.
    case comment
    /// A record of which more has to be read.
    case incomplete
    /// A record that is none, up to the end of the line of the fault, which is at this place.
    case fault(RecordFault.Reason, at: UnsafeMutablePointer<UInt8>)
  }

  /// Where the next record begins.
  private(set) var position: UnsafeMutablePointer<UInt8>
  /// The line on which it begins, from 1.
  private(set) var line: Int
  /// The number of fields of the last record, even if there was no room for all of them.
  private(set) var fieldCount = 0
  /// Where the last record ends, without the end of its line.
  private(set) var contentEnd: UnsafeMutablePointer<UInt8>
  /// Whether a field of the last record has a quote that stands there twice.
  private(set) var hasDoubledQuotes = false

  private let base: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>
  private let isLast: Bool
  private let separator: UInt8
  private let lineEnd: UInt8
  private let comment: [UInt8]
  private let separators: UInt64
  private let lineEnds: UInt64

  private static let quote = UInt8(ascii: "\"")
  private static let carriageReturn: UInt8 = 0x0D

  /// Makes a scanner.
  ///
  /// - Parameters:
  ///   - base: where the bytes begin that offsets count from; the two bytes at `base + count` are overwritten.
  ///   - isLast: whether the text ends with these bytes.
  init(
    _ dialect: DelimitedDialect, base: UnsafeMutablePointer<UInt8>, from start: Int, count: Int, line: Int, isLast: Bool
  ) {
    (self.base, end, position, contentEnd) = (base, base + count, base + start, base + start)
    (self.line, self.isLast, lineEnd, comment) = (line, isLast, dialect.lineEnd, dialect.comment)
    separator = dialect.separator ?? dialect.lineEnd
    separators = ByteScan.repeated(separator)
    lineEnds = ByteScan.repeated(lineEnd)
    // With these, a search ends by itself.
    end[0] = lineEnd
    end[1] = Self.quote
  }

  var isAtEnd: Bool { position == end }
  var offset: Int { position - base }

  /// Scans the record at the position and goes to the one after it, unless it is incomplete.
  ///
  /// - Parameters:
  ///   - fields: where its fields go.
  ///   - room: how many there is room for; the others are only counted.
  mutating func next(into fields: UnsafeMutablePointer<RecordField>, room: Int) -> Outcome {
    var place = position
    var lines = 0
    (fieldCount, hasDoubledQuotes) = (0, false)
    if let blankEnd = endOfBlankLine() { return finish(.blank, content: place, next: blankEnd, lines: 1) }
    if !comment.isEmpty, let outcome = commentLine() { return outcome }
    while true {
      let field: RecordField
      let contentEnd: UnsafeMutablePointer<UInt8>
      if place.pointee == Self.quote, place < end {
        guard let close = closingQuote(from: place + 1) else { return isLast ? unclosed(at: place) : .incomplete }
        field = RecordField(.text, offset: place + 1 - base, length: close - place - 1)
        lines &+= ByteScan.count(lineEnd, from: place + 1, to: close)
        place = close + 1
        contentEnd = place
        if isBeforeLineEnd(place) { place += 1 }
        if place.pointee != separator, place.pointee != lineEnd { return textAfterQuote(at: contentEnd, lines: lines) }
      } else {
        let start = place
        place = ByteScan.first(of: separators, or: lineEnds, from: place)
        contentEnd = place > start && place < end && place[-1] == Self.carriageReturn && place.pointee == lineEnd ? place - 1 : place
        field = contentEnd == start ? .null : RecordField(.plain, offset: start - base, length: contentEnd - start)
      }
      if place == end, !isLast { return .incomplete }
      if fieldCount < room { fields[fieldCount] = field }
      fieldCount &+= 1
      if place.pointee == lineEnd {
        return finish(.record, content: contentEnd, next: place == end ? end : place + 1, lines: lines + 1)
      }
      place += 1
    }
  }

  /// Makes one quote of each two in the fields that had quotes around them.
  func unquote(_ fields: UnsafeMutablePointer<RecordField>, count: Int) {
    for index in 0..<count where fields[index].kind == .text {
      fields[index] = unquoted(fields[index])
    }
  }

  private func unquoted(_ field: RecordField) -> RecordField {
    let start = base + field.offset
    let end = start + Int(field.length)
    // The closing quote ends the search.
    var source = ByteScan.first(of: Self.quotes, or: Self.quotes, from: start)
    var destination = source
    while source < end {
      // The first quote of two stays, and what follows the second one is moved up to the next.
      destination.pointee = Self.quote
      let length = ByteScan.move(from: source + 2, to: destination + 1, upTo: Self.quotes)
      source += 2 + length
      destination += 1 + length
    }
    return RecordField(.text, offset: field.offset, length: destination - start)
  }

  /// Returns the fields of the last record as strings, without the quotes that stand for others.
  func texts(of fields: UnsafeMutablePointer<RecordField>) -> [String] {
    (0..<fieldCount).map { index in
      let field = fields[index]
      let bytes = UnsafeBufferPointer(start: base + (field.kind == .null ? 0 : field.offset), count: Int(field.length))
      let text = String(decoding: bytes, as: UTF8.self)
      return field.kind == .text ? text.replacing("\"\"", with: "\"") : text
    }
  }

  /// Returns the fault of the record that was scanned last.
  func fault(
    _ reason: RecordFault.Reason, at place: UnsafeMutablePointer<UInt8>, recordFrom start: UnsafeMutablePointer<UInt8>, line: Int
  ) -> RecordFault {
    let before = UnsafeBufferPointer(start: start, count: place - start)
    let lineStart = before.lastIndex(of: lineEnd).map { start + $0 + 1 } ?? start
    return RecordFault(
      tableIndex: 0, line: line, faultLine: line + before.count { $0 == lineEnd }, column: place - lineStart + 1, reason: reason,
      bytes: Array(UnsafeBufferPointer(start: start, count: contentEnd - start)))
  }

  // MARK: - Parts

  private static let quotes = ByteScan.repeated(quote)

  /// Goes past the line, if it is a comment; nil for any other.
  private mutating func commentLine() -> Outcome? {
    let there = UnsafeBufferPointer(start: position, count: min(comment.count, end - position))
    guard there.elementsEqual(comment.prefix(there.count)) else { return nil }
    if there.count < comment.count { return isLast ? nil : .incomplete }
    let next = ByteScan.first(of: lineEnds, or: lineEnds, from: position)
    if next == end, !isLast { return .incomplete }
    return finish(.comment, content: next, next: next == end ? end : next + 1, lines: 1)
  }

  /// Returns what follows the line, if it has no byte.
  private func endOfBlankLine() -> UnsafeMutablePointer<UInt8>? {
    if position.pointee == lineEnd { return position + 1 }
    return position + 1 < end && isBeforeLineEnd(position) ? position + 2 : nil
  }

  /// Returns whether a carriage return and the end of the line stand there; also if what follows the carriage return is not known yet.
  @inline(__always)
  private func isBeforeLineEnd(_ place: UnsafeMutablePointer<UInt8>) -> Bool {
    guard place.pointee == Self.carriageReturn, lineEnd != Self.carriageReturn else { return false }
    return place + 1 == end ? !isLast : place[1] == lineEnd
  }

  /// Returns the place of the quote that ends a field; nil where there is none yet.
  private mutating func closingQuote(from start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>? {
    var place = start
    while true {
      place = ByteScan.first(of: Self.quotes, or: Self.quotes, from: place)
      // What follows the last byte may be a second quote.
      if place >= end || (place + 1 == end && !isLast) { return nil }
      if place[1] != Self.quote || place + 1 == end { return place }
      hasDoubledQuotes = true
      place += 2
    }
  }

  private mutating func unclosed(at place: UnsafeMutablePointer<UInt8>) -> Outcome {
    finish(.fault(.unclosedQuote, at: place), content: end, next: end, lines: ByteScan.count(lineEnd, from: position, to: end) + 1)
  }

  private mutating func textAfterQuote(at place: UnsafeMutablePointer<UInt8>, lines: Int) -> Outcome {
    let next = ByteScan.first(of: lineEnds, or: lineEnds, from: place)
    if next == end, !isLast { return .incomplete }
    let content = next[-1] == Self.carriageReturn ? next - 1 : next
    return finish(.fault(.textAfterQuote, at: place), content: content, next: next == end ? end : next + 1, lines: lines + 1)
  }

  @inline(__always)
  private mutating func finish(
    _ outcome: Outcome, content: UnsafeMutablePointer<UInt8>, next: UnsafeMutablePointer<UInt8>, lines: Int
  ) -> Outcome {
    contentEnd = content
    position = next
    line &+= lines
    return outcome
  }
}
