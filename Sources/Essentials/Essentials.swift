// The essential part of Foundation, or all of Foundation on platforms without FoundationEssentials.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
