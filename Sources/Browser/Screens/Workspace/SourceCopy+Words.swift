import Essentials
import QuarrySources

extension SourceCopy {
  /// The progress of the copy, or its time: `copying Track: 25 % read, 3 s left`, `a copy of 14:05:09`.
  var words: String {
    switch self {
    case .underWay(let name, let progress): "copying \(name): \(progress.words)"
    case .ready(let moment): "a copy of \(moment.timeOfDay)"
    }
  }
}

extension Date {
  /// The local time of day.
  fileprivate var timeOfDay: String {
    let moment = Calendar.current.dateComponents([.hour, .minute, .second], from: self)
    return [moment.hour, moment.minute, moment.second].map { number in
      let number = number ?? 0
      return number < 10 ? "0\(number)" : String(number)
    }.joined(separator: ":")
  }
}
