public import QuarryEngine

/// A request for a profile of columns in the rows of a set.
public struct ProfileRequest: Hashable, Sendable {
  /// The rows; their order does not matter.
  public var set: RowSet
  /// The names of the columns; nil for all.
  public var columns: [String]?
  /// Whether distinct values are counted exactly and quartiles computed exactly, which takes longer.
  ///
  /// Otherwise both are estimated if there are thousands of values.
  public var isExact: Bool
  /// The memory and disk space for counting; nil for a default that depends on the rows.
  package var room: SpillBudget?

  /// Creates a request.
  public init(_ set: RowSet, columns: [String]? = nil, isExact: Bool = false) {
    self.set = set
    self.columns = columns
    self.isExact = isExact
  }
}

/// A summary of the values of each column in the rows read so far.
public struct TableProfile: Hashable, Sendable {
  /// The number of rows.
  public var rows: Int
  /// The columns in order.
  public var columns: [ColumnProfile]
  /// Whether all rows of the set have been read and all remarks added.
  public var isComplete: Bool
  /// The progress of reading.
  public var progress: RowProgress

  /// Creates a profile.
  public init(rows: Int, columns: [ColumnProfile], isComplete: Bool, progress: RowProgress) {
    self.rows = rows
    self.columns = columns
    self.isComplete = isComplete
    self.progress = progress
  }
}

/// A summary of the values of a column.
public struct ColumnProfile: Hashable, Sendable {
  /// The name of the column.
  public var name: String
  /// The declared type; empty if none is declared.
  public var declaredType: String
  /// The number of rows.
  public var rows = 0
  /// The number of rows in which the column is NULL.
  public var nulls = 0
  /// The number of integers.
  public var integers = 0
  /// The number of reals.
  public var reals = 0
  /// The number of texts.
  public var texts = 0
  /// The number of blobs.
  public var blobs = 0
  /// The number of empty texts and blobs.
  public var empty = 0
  /// The number of distinct values without NULL.
  ///
  /// 1 and 1.0 are one value. Texts are distinguished by their bytes.
  public var distinct = Cardinality.exact(0)
  /// The minimum according to min(), which uses the column's collation, with long values shortened; NULL if there are no values.
  public var min = DatabaseValue.null
  /// The maximum according to max(), shortened in the same way; NULL if there are no values.
  public var max = DatabaseValue.null
  /// The mean of the integers and reals, as computed by avg(); nil if there are none.
  public var mean: Double?
  /// The first quartile of the integers and reals; nil if there are none.
  public var p25: Quartile?
  /// The median of the integers and reals; nil if there are none.
  public var p50: Quartile?
  /// The third quartile of the integers and reals; nil if there are none.
  public var p75: Quartile?
  /// The minimum length, in characters of a text as counted by `length()`, or in bytes of a blob; nil if there are neither.
  public var minLength: Int?
  /// The maximum length, in the same units; nil if there are neither texts nor blobs.
  public var maxLength: Int?
  /// The distribution of numbers or dates: at most eight ranges of equal width with rounded bounds, without infinities; empty if there are
  /// none.
  public var histogram: [ValueCount] = []
  /// The most frequent values, at most eight, the most frequent first; long values are shortened.
  public var top: [ValueCount] = []
  /// Whether `top` is exact: no other value is more frequent, and each count includes all rows read so far.
  ///
  /// If it is false, the counts are lower bounds.
  public var isTopExact = true
  /// The format in which the column stores dates; nil if its values are not dates.
  public var dates: DateStorage?
  /// Remarks on suspicious data.
  public var remarks: [ColumnRemark] = []

  /// Creates the profile of a column before any row has been read.
  public init(name: String, declaredType: String = "") {
    self.name = name
    self.declaredType = declaredType
  }
}

/// A quantile of the integers and reals of a column: the sorted number at position ceil(p·n).
public struct Quartile: Hashable, Sendable {
  /// The number.
  public var value: DatabaseValue
  /// The maximum relative error: 0.01 is one percent; nil if the number is exact.
  public var error: Double?

  /// Creates a quartile.
  public init(_ value: DatabaseValue, error: Double? = nil) {
    self.value = value
    self.error = error
  }
}

/// A remark on suspicious data in a column.
public enum ColumnRemark: Hashable, Sendable {
  /// The number of texts that look like numbers, in a column with no or few other texts.
  case numbersAsText(Int)
  /// The formats in which dates are stored, such as `2024-05-01`, `2024-05-01T10:00:00` and `01.05.2024`, or texts and numbers.
  case dateForms([String])
  /// The number of texts that begin or end with a blank.
  case blanks(Int)
  /// The number of texts that are not valid UTF-8.
  case malformedTexts(Int)
  /// The number of infinite numbers, which the histogram excludes.
  case infinities(Int)
  /// The number of rows with NULL or a repeated value in a column named like a key.
  case repeatedKey(rows: Int)
  /// The number of rows that refer to a missing row of a table.
  case missingParents(rows: Int, table: String)

  /// The remark as a sentence.
  public var sentence: String {
    switch self {
    case .numbersAsText(let count): "\(Self.texts(count)) with numbers, compared as text"
    case .dateForms(let forms): "dates in several forms: \(forms.joined(separator: ", "))"
    case .blanks(let count): "\(Self.texts(count)) with spaces at the beginning or end"
    case .malformedTexts(let count): "\(Self.texts(count)) with invalid UTF-8"
    case .infinities(let count): "\(count) infinite \(count == 1 ? "number" : "numbers"), not in the histogram"
    case .repeatedKey(let rows): "a key that is not unique: \(Self.rows(rows)) with NULL or a duplicate value"
    case .missingParents(let rows, let table):
      "\(Self.rows(rows)) without a referenced row in \(table)"
    }
  }

  private static func texts(_ count: Int) -> String { count == 1 ? "1 text value" : "\(count) text values" }
  private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
