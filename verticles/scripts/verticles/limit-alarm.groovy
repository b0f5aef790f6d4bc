// A consumer: publishes an alarm under alarm/<topic> when a value crosses a limit, and when it is
// back. The alarm's id is made from the record's, so that several nodes may run the same rule.
// settings: filter, field, limit
@Field Map<String, Boolean> above = [:]

def start() {
  def (filter, field, limit) = ['filter', 'field', 'limit'].collect { galop.settings[it] }
  galop.consume(filter) { record ->
    def value = record.data[field]
    if (!(value instanceof Number)) throw new IllegalArgumentException("${record.topic} has no number '$field'")
    boolean isAbove = value > limit
    if (isAbove == (above[record.topic] ?: false)) return
    above[record.topic] = isAbove
    galop.publish("alarm/$record.topic", [state: isAbove ? 'high' : 'normal', value: value, limit: limit],
        "alarm:${record.id.replace('#', '.')}", record.timeUs)
  }
}
