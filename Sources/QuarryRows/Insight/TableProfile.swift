public import QuarryEngine

/// Asks what the values of columns are like in the rows of a set.
public struct ProfileRequest: Hashable, Sendable {
  /// The rows; their order does not matter.
  public var set: RowSet
  /// The names of the columns; nil for all.
  public var columns: [String]?
  /// Whether different values are counted exactly and quartiles found exactly, which takes longer; otherwise both are estimated where
  /// there are thousands of values.
  public var isExact: Bool
  /// How much room is taken for what is counted; nil for what the rows are worth.
  package var room: SpillBudget?

  /// Makes a request.
  public init(_ set: RowSet, columns: [String]? = nil, isExact: Bool = false) {
    self.set = set
    self.columns = columns
    self.isExact = isExact
  }
}

/// What the values of columns are like in the rows that have been read.
public struct TableProfile: Hashable, Sendable {
  /// The number of rows.
  public var rows: Int
  /// The columns in order.
  public var columns: [ColumnProfile]
  /// Whether all rows of the set have been read, and all remarks made.
  public var isComplete: Bool
  /// How far the reading is.
  public var progress: RowProgress

  /// Makes a profile.
  public init(rows: Int, columns: [ColumnProfile], isComplete: Bool, progress: RowProgress) {
    self.rows = rows
    self.columns = columns
    self.isComplete = isComplete
    self.progress = progress
  }
}

/// What the values of a column are like.
public struct ColumnProfile: Hashable, Sendable {
  /// The name of the column.
  public var name: String
  /// The type that it is declared with; empty where there is none.
  public var declaredType: String
  /// The number of rows.
  public var rows = 0
  /// The number of rows in which it is NULL.
  public var nulls = 0
  /// The number of integers.
  public var integers = 0
  /// The number of reals.
  public var reals = 0
  /// The number of texts.
  public var texts = 0
  /// The number of blobs.
  public var blobs = 0
  /// The number of texts and blobs that have no bytes.
  public var empty = 0
  /// The number of different values, NULL not among them: 1 and 1.0 are one, and texts are told apart by their bytes.
  public var distinct = Cardinality.exact(0)
  /// The least value as min() finds it, by the column's collation, and of a long one the beginning; NULL where there is none.
  public var min = DatabaseValue.null
  /// The greatest value, found and shortened in the same way; NULL where there is none.
  public var max = DatabaseValue.null
  /// The mean of integers and reals, as avg() of them; nil where there are none.
  public var mean: Double?
  /// The value at a quarter of the integers and reals in order; nil where there are none.
  public var p25: Quartile?
  /// The value at the half of them.
  public var p50: Quartile?
  /// The value at three quarters of them.
  public var p75: Quartile?
  /// The least number of characters of a text, counted as `length()` does, or of bytes of a blob; nil where there is neither.
  public var minLength: Int?
  /// The greatest such number.
  public var maxLength: Int?
  /// How numbers or dates are distributed: at most eight ranges of the same width with rounded bounds, without infinities; empty where
  /// there are none.
  public var histogram: [ValueCount] = []
  /// The most frequent values, at most eight, the most frequent first; a long one is shortened.
  public var top: [ValueCount] = []
  /// Whether `top` is exact: there is no more frequent value, and each has been counted in all rows that have been read.
  ///
  /// Where it is false, each of them occurs at least so often.
  public var isTopExact = true
  /// How dates are stored in the column; nil where its values are none.
  public var dates: DateStorage?
  /// What is worth a second look.
  public var remarks: [ColumnRemark] = []

  /// Makes the profile of a column of which no row has been read.
  public init(name: String, declaredType: String = "") {
    self.name = name
    self.declaredType = declaredType
  }
}

/// The number at some rank of the integers and reals of a column: of n of them in order the one at ceil(p·n).
public struct Quartile: Hashable, Sendable {
  /// The number.
  public var value: DatabaseValue
  /// How far the true one may lie from it as a part of it: 0.01 is one percent; nil where it is exact.
  public var error: Double?

  /// Makes a quartile.
  public init(_ value: DatabaseValue, error: Double? = nil) {
    self.value = value
    self.error = error
  }
}

/// What is worth a second look in a column.
public enum ColumnRemark: Hashable, Sendable {
  /// So many texts are written as numbers, and none or few otherwise.
  case numbersAsText(Int)
  /// Dates are stored in several forms, as `2024-05-01`, `2024-05-01T10:00:00` and `01.05.2024`, or as texts and numbers.
  case dateForms([String])
  /// So many texts begin or end with a blank.
  case blanks(Int)
  /// So many texts are not valid UTF-8.
  case malformedTexts(Int)
  /// So many numbers are infinite; the histogram leaves them out.
  case infinities(Int)
  /// The column is named as a key, and so many rows are NULL or have a value that another row has too.
  case repeatedKey(rows: Int)
  /// So many rows refer to a row of a table that is not there.
  case missingParents(rows: Int, table: String)

  /// The remark as a sentence.
  public var sentence: String {
    switch self {
    case .numbersAsText(let count): "\(Self.texts(count)) written as numbers, and compared as texts"
    case .dateForms(let forms): "dates in several forms: \(forms.joined(separator: ", "))"
    case .blanks(let count): "\(Self.texts(count)) with blanks at the beginning or end"
    case .malformedTexts(let count): "\(Self.texts(count)) not valid UTF-8"
    case .infinities(let count): "\(count) infinite \(count == 1 ? "number" : "numbers"), left out of the histogram"
    case .repeatedKey(let rows): "a key that is not unique: \(Self.rows(rows)) NULL or with a value of another row"
    case .missingParents(let rows, let table):
      "\(Self.rows(rows)) without the row in \(table) that \(rows == 1 ? "it refers" : "they refer") to"
    }
  }

  private static func texts(_ count: Int) -> String { count == 1 ? "1 text" : "\(count) texts" }
  private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
