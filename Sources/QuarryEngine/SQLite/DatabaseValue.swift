/// A value as SQLite stores it, with its storage class.
///
/// See <https://www.sqlite.org/datatype3.html>.
public enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
