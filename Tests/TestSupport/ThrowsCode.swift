public import QuarryEngine
public import Testing

/// Expects a ``DatabaseError`` of that code, primary or extended, and returns it.
@discardableResult
public func expectError<Value>(
  _ code: ResultCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) -> DatabaseError? {
  let error = #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) { try body() }
  if let error {
    #expect(code ~= error, "\(error)", sourceLocation: sourceLocation)
  }
  return error
}
