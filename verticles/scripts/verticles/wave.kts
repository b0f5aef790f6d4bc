// A source: publishes a wave that goes up to `high` and down again, one step at a time.
// settings: topic, everyMs, high
val topic = galop.settings["topic"] as String
val high = galop.settings["high"] as Int
var n = 0

fun start() {
  galop.every((galop.settings["everyMs"] as Int).toLong()) {
    val step = n++ % (2 * high)
    galop.publish(topic, mapOf("value" to if (step <= high) step else 2 * high - step))
  }
}
