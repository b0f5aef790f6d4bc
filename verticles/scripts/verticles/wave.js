// A source: publishes a wave that goes up to `high` and down again, one step at a time.
// settings: topic, everyMs, high
const { topic, everyMs, high } = galop.settings
let n = 0

function start() {
  galop.every(everyMs, () => {
    const step = n++ % (2 * high)
    return galop.publish(topic, { value: step <= high ? step : 2 * high - step })
  })
}
