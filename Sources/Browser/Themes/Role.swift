/// A meaning that a theme gives a look.
public enum Role: String, CaseIterable, Hashable, Sendable {
  case text, muted, accent, selection, header, border
  case null, number
  case textValue = "text-value"
  case blob, date, key
  case error, warning, success, match
  case keyword, string, comment, parameter
}
