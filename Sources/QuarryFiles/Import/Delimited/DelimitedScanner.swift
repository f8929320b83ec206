/// Finds the records and fields of a delimited text according to RFC 4180, in bytes in memory.
///
/// A quote has its special meaning only at the beginning of a field. Elsewhere it is an ordinary character, as in the sqlite3 shell. The
/// fields refer to the original bytes. ``unquote(_:count:)`` replaces doubled quotes by single ones.
///
/// No library does this: SwiftCSV and similar libraries read a whole file as a string and create a string for each field.
struct DelimitedScanner {
  /// The result of scanning at the position.
  enum Outcome: Equatable {
    case record
    /// An empty line.
    case blank
    /// A comment line.
    case comment
    /// A record that needs more input.
    case incomplete
    /// A malformed record, up to the end of the line with the fault, which is at this place.
    case fault(RecordFault.Reason, at: UnsafeMutablePointer<UInt8>)
  }

  /// The start of the next record.
  private(set) var position: UnsafeMutablePointer<UInt8>
  /// The line on which the next record begins, counted from 1.
  private(set) var line: Int
  /// The number of fields of the last record, even if there was not enough room for all of them.
  private(set) var fieldCount = 0
  /// The end of the last record, before its line end.
  private(set) var contentEnd: UnsafeMutablePointer<UInt8>
  /// Whether a field of the last record contains a doubled quote.
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

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - base: The start of the bytes, from which offsets count. The two bytes at `base + count` are overwritten.
  ///   - isLast: Whether the text ends with these bytes.
  init(
    _ dialect: DelimitedDialect, base: UnsafeMutablePointer<UInt8>, from start: Int, count: Int, line: Int, isLast: Bool
  ) {
    (self.base, end, position, contentEnd) = (base, base + count, base + start, base + start)
    (self.line, self.isLast, lineEnd, comment) = (line, isLast, dialect.lineEnd, dialect.comment)
    separator = dialect.separator ?? dialect.lineEnd
    separators = ByteScan.repeated(separator)
    lineEnds = ByteScan.repeated(lineEnd)
    // These sentinels end every search.
    end[0] = lineEnd
    end[1] = Self.quote
  }

  var isAtEnd: Bool { position == end }
  var offset: Int { position - base }

  /// Scans the record at the position and moves to the next one, unless the record is incomplete.
  ///
  /// - Parameters:
  ///   - fields: The memory for its fields.
  ///   - room: The number of fields that fit into the memory. More fields are only counted.
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

  /// Replaces doubled quotes by single ones in the quoted fields.
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
      // Keep the first of two quotes, and move the bytes after the second one forward.
      destination.pointee = Self.quote
      let length = ByteScan.move(from: source + 2, to: destination + 1, upTo: Self.quotes)
      source += 2 + length
      destination += 1 + length
    }
    return RecordField(.text, offset: field.offset, length: destination - start)
  }

  /// Returns the fields of the last record as strings, with doubled quotes replaced by single ones.
  func texts(of fields: UnsafeMutablePointer<RecordField>) -> [String] {
    (0..<fieldCount).map { index in
      let field = fields[index]
      let bytes = UnsafeBufferPointer(start: base + (field.kind == .null ? 0 : field.offset), count: Int(field.length))
      let text = String(decoding: bytes, as: UTF8.self)
      return field.kind == .text ? text.replacing("\"\"", with: "\"") : text
    }
  }

  /// Returns the fault of the record scanned last.
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

  /// Skips the line if it is a comment.
  ///
  /// Returns nil for any other line.
  private mutating func commentLine() -> Outcome? {
    let there = UnsafeBufferPointer(start: position, count: min(comment.count, end - position))
    guard there.elementsEqual(comment.prefix(there.count)) else { return nil }
    if there.count < comment.count { return isLast ? nil : .incomplete }
    let next = ByteScan.first(of: lineEnds, or: lineEnds, from: position)
    if next == end, !isLast { return .incomplete }
    return finish(.comment, content: next, next: next == end ? end : next + 1, lines: 1)
  }

  /// Returns the position after the line if the line is empty, or nil.
  private func endOfBlankLine() -> UnsafeMutablePointer<UInt8>? {
    if position.pointee == lineEnd { return position + 1 }
    return position + 1 < end && isBeforeLineEnd(position) ? position + 2 : nil
  }

  /// Returns whether a carriage return is followed by the line end.
  ///
  /// Also returns true if the next byte has not been read yet.
  @inline(__always)
  private func isBeforeLineEnd(_ place: UnsafeMutablePointer<UInt8>) -> Bool {
    guard place.pointee == Self.carriageReturn, lineEnd != Self.carriageReturn else { return false }
    return place + 1 == end ? !isLast : place[1] == lineEnd
  }

  /// Returns the position of the closing quote of a field, or nil if it has not been read yet.
  private mutating func closingQuote(from start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>? {
    var place = start
    while true {
      place = ByteScan.first(of: Self.quotes, or: Self.quotes, from: place)
      // A second quote may follow the last byte.
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
