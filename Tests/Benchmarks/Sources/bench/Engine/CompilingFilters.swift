import QuarryEngine
import QuarryRows

/// Compares compiling a filter of ten terms against a table of a hundred columns.
func compilingFilters() -> [Comparison] {
  [
    Comparison(
      number: "15", what: "compile a filter of ten terms, 100 columns", goals: [.within(.milliseconds(0.05))],
      stretch: [.within(.milliseconds(0.02))],
      contestants: [(.ours, compileFilter)])
  ]
}

private let filter = """
  column_1 > 5 and column_12 ~ love and column_23 between 1 and 9 and column_34 != 'x' and (column_45 = 7 or column_56 ^= ab)
  and column_67 in (1, 2, 3) and length(column_78) < 20 and column_89 is not null and column_100 !~ zz
  """

private let columns: FilterColumns = {
  let types: [ExpressionType] = [.text, .integer]
  return FilterColumns((1...100).map { FilterColumn("column_\($0)", type: types[$0 % 2]) })
}()

/// Compiles it many times, and tells the time of one.
private func compileFilter() throws -> Comparison.Result {
  let count = 2_000
  let (amount, checksum) = try measured {
    var sum = 0
    for _ in 0..<count { sum += try Filter.compile(filter, columns: columns).parameters.count }
    return Int64(sum)
  }
  return (amount / count, checksum)
}
