internal import QuarryEngine

extension FilterColumns {
  /// Returns the columns of numbers, or of dates stored as numbers, with the condition that matches the number or date in a text; none for
  /// any other text.
  ///
  ///     10248 in Orders: (OrderID = 10248)
  func holders(of text: String) -> [(column: FilterColumn, condition: TypedExpression)] {
    holders(ofNumber: text) + holders(ofDate: text)
  }

  private func holders(ofNumber text: String) -> [(column: FilterColumn, condition: TypedExpression)] {
    let value: TypedExpression
    switch FilterLiteral(number: text) {
    case .integer(let number): value = .integer(Constant(Int(number)))
    case .real(let number): value = .real(Constant(number))
    default: return []
    }
    return numbers.compactMap { column in
      (try? TypedExpression(columnNamed: column.name, type: column.type).equals(value)).map { (column, $0) }
    }
  }

  private func holders(ofDate text: String) -> [(column: FilterColumn, condition: TypedExpression)] {
    guard let date = try? WrittenDate(text) else { return [] }
    return numericDates.compactMap { column in
      guard let (start, end) = date.bounds(in: column.dates), let end else { return nil }
      let operand = TypedExpression(columnNamed: column.name, type: column.type)
      let range = (TypedExpression(literal: start), TypedExpression(literal: end))
      return (try? FilterChecker.compared(operand, .equal, range.0, range.1)).map { (column, $0) }
    }
  }
}
