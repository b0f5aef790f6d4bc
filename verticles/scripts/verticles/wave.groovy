// A source: publishes a wave that goes up to `high` and down again, one step at a time.
// settings: topic, everyMs, high
@Field int n = 0

def start() {
  def high = galop.settings.high
  galop.every(galop.settings.everyMs) {
    def step = n++ % (2 * high)
    galop.publish(galop.settings.topic, [value: step <= high ? step : 2 * high - step])
  }
}
