internal import QuarryEngine

/// The possible continuations of a filter or sort text that is correct but incomplete.
public struct FilterContinuation: Hashable, Sendable {
  /// The column whose values may follow; nil if no column is compared.
  public var column: String?
  /// Names, operators and keywords that may follow or complete the last word; empty if the error itself names the missing part.
  public var texts: [String]

  /// Creates a continuation.
  public init(column: String? = nil, texts: [String] = []) {
    self.column = column
    self.texts = texts
  }
}

extension FilterErrors {
  /// Returns the possible continuations of a text whose only error is that it is incomplete; nil if more text cannot correct it.
  ///
  /// ```swift
  /// let text = "Freight > 5 and"
  /// faults.continuation(of: text) { Filter.completions(of: $0, at: $0.utf8.count, columns: columns) }?.texts   // ["OrderID", …]
  /// ```
  ///
  /// - Parameter complete: Returns the completions at the end of a text.
  public func continuation(of text: String, _ complete: (String) -> FilterCompletions) -> FilterContinuation? {
    let bytes = Array(text.utf8)
    let end = bytes.lastIndex { !$0.isSQLBlank }.map { $0 + 1 } ?? 0
    var completions = complete(text)
    let isFollowed = !complete(text + " ").items.isEmpty
    guard errors.allSatisfy({ $0.isOpen(in: bytes, end: end, completions, isFollowed: isFollowed) }) else { return nil }
    // After a complete word, list the possible next words.
    if end == bytes.count, !completions.items.contains(where: { $0.text.utf8.count > $0.range.count }) {
      completions = complete(text + " ")
    }
    let isBesideColumn = completions.values != nil && errors.allSatisfy { $0.kind == .missingValue }
    // If a value is expected, columns of its type would only hide the values.
    return isBesideColumn
      ? FilterContinuation(column: completions.values?.column)
      : FilterContinuation(texts: completions.items.filter { $0.text.utf8.count > $0.range.count }.map(\.text))
  }
}

extension FilterError {
  /// Returns whether more text at the end can correct the error.
  ///
  /// - Parameters:
  ///   - end: The end of the text without trailing whitespace.
  ///   - isFollowed: Whether anything may follow the text.
  fileprivate func isOpen(in bytes: [UInt8], end: Int, _ completions: FilterCompletions, isFollowed: Bool) -> Bool {
    switch kind {
    case .missingParenthesis, .unfinishedText, .unfinishedName: return true
    case _ where range.upperBound < end: return false
    case .missingValue: return true
    case .missingOperator where range.lowerBound >= end: return true
    case .unexpected where isFollowed: return true
    case .missingOperator, .unexpected, .emptyList, .notTruth:
      return !completions.items.isEmpty || beginsOperator(bytes)
    case .unknownColumn, .unknownFunction, .unknownCollation, .unknownType:
      return range.upperBound == bytes.count && completions.items.contains { $0.text.utf8.count > $0.range.count }
    case .notComparable, .impossibleDate, .badNumber: return beginsDate(bytes, completions)
    case .unknownCharacter: return beginsOperator(bytes)
    case .badBlob: return range.upperBound == bytes.count && bytes.last != UInt8(ascii: "'")
    default: return false
    }
  }

  /// Returns whether the last character begins an operator of two characters.
  private func beginsOperator(_ bytes: [UInt8]) -> Bool {
    bytes.last.map { "!^$|&".utf8.contains($0) } ?? false
  }

  /// Returns whether an unfinished date may be compared with a date column: `1997`, `1997-0`.
  private func beginsDate(_ bytes: [UInt8], _ completions: FilterCompletions) -> Bool {
    guard completions.values?.dates != nil, range.upperBound == bytes.count else { return false }
    let written = bytes.suffix(10).reversed().prefix { $0.isASCIIDigit || $0 == UInt8(ascii: "-") }.reversed()
    return written.count < 10 && zip(written, "0000-00-00".utf8).allSatisfy { $0.isASCIIDigit == $1.isASCIIDigit } && !written.isEmpty
  }
}
