// The essential part of Foundation, or all of it where a platform has no other.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
