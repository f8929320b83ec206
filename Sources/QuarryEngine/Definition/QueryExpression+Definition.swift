extension QueryExpression {
  /// The expression as a definition holds it, which writes the parentheses around it itself.
  var definitionSQL: String {
    enclosure == .own ? String(queryString.unicodeScalars.dropFirst().dropLast()) : queryString
  }
}
