internal import COpenSSL

/// An error of a TLS connection.
enum TLSFault: Error, Hashable {
  /// The peer's certificate is for another name.
  case wrongName
  /// The peer's certificate has expired, or is not valid yet.
  case outdated
  /// The peer's certificate is not trusted.
  case untrusted
  /// The peer does not use TLS.
  case noTLS
  /// The peer rejects this program's certificate, or requires one.
  case rejected
  /// The peer has ended the connection for another reason, in OpenSSL's words.
  case alert(String)
  /// The connection has ended without a closing message, for example because the peer was killed.
  case truncated
  /// Any other error, in OpenSSL's words.
  case other(String)

  /// The offset between the number of an alert and OpenSSL's reason code.
  private static let firstAlert: CInt = 1000
  /// The alerts about certificates: handshake_failure, bad_certificate and similar ones, unknown_ca, access_denied, decrypt_error,
  /// certificate_required.
  private static let rejections: Set<CInt> = [40, 41, 42, 43, 44, 45, 46, 48, 49, 51, 116]

  /// Creates the fault for OpenSSL's last error on this thread.
  ///
  /// - Parameter verification: The result of verifying the peer's certificate, or `X509_V_OK` if it was not reached.
  init(verification: CLong) {
    let code = ERR_peek_last_error()
    let reason = ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : 0
    switch reason {
    case SSL_R_CERTIFICATE_VERIFY_FAILED: self = Self.certificateFault(CInt(truncatingIfNeeded: verification))
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: self = .noTLS
    case Self.firstAlert..<(Self.firstAlert + 256):
      self = Self.rejections.contains(reason - Self.firstAlert) ? .rejected : .alert(Self.words(code))
    default: self = .other(Self.words(code))
    }
  }

  private static func certificateFault(_ verification: CInt) -> TLSFault {
    switch verification {
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongName
    case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: .outdated
    default: .untrusted
    }
  }

  /// Returns OpenSSL's message for its last error on this thread, such as `key values mismatch`.
  static func lastWords() -> String { words(ERR_peek_last_error()) }

  private static func words(_ code: CUnsignedLong) -> String {
    ERR_reason_error_string(code).map { String(cString: $0) } ?? "an unknown error"
  }
}
