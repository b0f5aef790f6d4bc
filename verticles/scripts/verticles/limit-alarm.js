// A consumer: publishes an alarm under alarm/<topic> when a value crosses a limit, and when it is
// back. The alarm's id is made from the record's, so that several nodes may run the same rule.
// settings: filter, field, limit
const { filter, field, limit } = galop.settings
const above = new Map()

function start() {
  galop.consume(filter, record => {
    const value = record.data[field]
    if (typeof value !== 'number') throw new TypeError(`${record.topic} has no number '${field}'`)
    const isAbove = value > limit
    if (isAbove === (above.get(record.topic) ?? false)) return
    above.set(record.topic, isAbove)
    return galop.publish(
      'alarm/' + record.topic,
      { state: isAbove ? 'high' : 'normal', value, limit },
      { id: 'alarm:' + record.id.replaceAll('#', '.'), timeUs: record.timeUs })
  })
}
