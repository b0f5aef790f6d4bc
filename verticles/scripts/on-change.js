// Lets a record pass only when one of its fields is another than in the topic's last record, so that
// a sensor which repeats itself costs no storage and no bandwidth.
//
// Settings: field, the field to watch (default "value"); step, by how much a number must differ to
// count (default 0: by anything); maxTopics, how many are remembered (default 10000).

const last = new Map()
let field = 'value'
let step = 0
let maxTopics = 10000

function init(settings) {
  field = settings.field || field
  step = settings.step || step
  maxTopics = settings.maxTopics || maxTopics
}

function enrich(record) {
  const value = record.data[field]
  if (value === undefined) throw new TypeError("there is no field '" + field + "'")
  const known = last.has(record.topic)
  if (known && !differs(last.get(record.topic), value)) return null
  if (!known && last.size >= maxTopics) last.delete(last.keys().next().value)
  last.set(record.topic, value)
  return record
}

function differs(before, now) {
  if (typeof before === 'number' && typeof now === 'number') {
    return step > 0 ? Math.abs(now - before) >= step : now !== before
  }
  return JSON.stringify(before) !== JSON.stringify(now)
}
