// A consumer: publishes an alarm under alarm/<topic> when a value crosses a limit, and when it is
// back. The alarm's id is made from the record's, so that several nodes may run the same rule.
// settings: filter, field, limit
val field = galop.settings["field"] as String
val limit = galop.settings["limit"] as Number
val above = HashMap<String, Boolean>()

fun start() {
  galop.consume(galop.settings["filter"] as String) { record -> handle(record) }
}

fun handle(record: LiveRecord): Any? {
  val value = record.data[field] as? Number
    ?: throw IllegalArgumentException("${record.topic} has no number '$field'")
  val isAbove = value.toDouble() > limit.toDouble()
  if (isAbove == (above[record.topic] ?: false)) return null
  above[record.topic] = isAbove
  val alarm = mapOf("state" to if (isAbove) "high" else "normal", "value" to value, "limit" to limit)
  return galop.publish("alarm/${record.topic}", alarm, "alarm:" + record.id.replace('#', '.'), record.timeUs)
}
