#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Data: OrderedOperand, CastTarget { public static var castType: StaticString { "BLOB" } }
extension Date: OrderedOperand {}
extension UUID: OrderedOperand {}
extension URL: OrderedOperand {}
