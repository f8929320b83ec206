extension EditorPane {
  /// What is selected; nil without a selection.
  var selectedText: String? {
    selectedRange.map { String(decoding: text.utf8.dropFirst($0.lowerBound).prefix($0.count), as: UTF8.self) }
  }

  /// The bytes of the text.
  var byteCount: Int {
    buffer.offset(of: TextPosition(line: buffer.lines.count - 1, offset: buffer.lines.last?.count ?? 0))
  }
}
