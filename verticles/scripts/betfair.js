// Turns one message of a betting exchange's odds stream (op "mcm", market change message) into
//
//   race/<market>/runner/<id>   {market, runner, name?, odds?, volume?, atb?, atl?, batb?, batl?}
//                               one for each runner change; odds and volume are the last known ones
//                               where the change has none, the ladders are what the change holds
//   race/<market>/status        {market, name?, event?, venue?, status, inPlay, start?,
//                               runners: [{id, name?, status?}]}
//                               one whenever the market's status is another than before
//
// Both carry the message's publish time. Messages without market changes (heartbeats) are dropped.
// Runner changes come first, so that their ids (message id and #1, #2, …) depend on the message alone:
// whether there is a status after them depends on what was seen before, which a restart forgets.
//
// Settings: maxMarkets, how many markets are remembered (default 500); beyond, closed ones are
// forgotten first, then those that were silent for the longest.

'use rhino'

const LADDERS = ['atb', 'atl', 'batb', 'batl']
let maxMarkets = 500

function init(settings) {
  if (settings.maxMarkets === undefined) return
  if (!(Number.isInteger(settings.maxMarkets) && settings.maxMarkets > 0)) {
    throw new RangeError('the setting maxMarkets must be a whole number above 0')
  }
  maxMarkets = settings.maxMarkets
}

function enrich(record, state) {
  const message = record.data
  if (typeof message.op !== 'string') throw new TypeError('the message has no op')
  if (message.op !== 'mcm' || !message.mc) return null
  const timeUs = typeof message.pt === 'number' ? message.pt * 1000 : record.timeUs
  const runners = [], statuses = []
  const markets = state.markets || (state.markets = {})
  for (let change of message.mc) marketChange(markets, change, timeUs, runners, statuses)
  return runners.concat(statuses)
}

function marketChange(markets, change, timeUs, runners, statuses) {
  if (typeof change.id !== 'string') throw new TypeError('a market change has no id')
  const market = marketOf(markets, change.id)
  if (change.img) Object.values(market.runners).forEach(forgetPrices)
  if (change.marketDefinition) define(market, change.marketDefinition, timeUs, statuses)
  for (let one of change.rc || []) runners.push(runnerChange(market, one, timeUs))
}

// The keys keep the order of insertion, so the first market was silent for the longest.
function marketOf(markets, id) {
  const known = own(markets, id)
  const market = known || { id: id, runners: {} }
  delete markets[id]
  markets[id] = market
  if (!known) makeRoom(markets, Object.keys(markets).filter(other => other !== id))
  return market
}

function makeRoom(markets, others) {
  if (others.length < maxMarkets) return
  const oldest = others.find(id => markets[id].status === 'CLOSED') || others[0]
  delete markets[oldest]
}

function runnerOf(market, id) {
  return own(market.runners, id) || (market.runners[id] = {})
}

// Ids are the stream's, and every object inherits members as "constructor", which all share.
function own(object, key) {
  const value = object[key]
  return value === Object.prototype[key] ? undefined : value
}

function forgetPrices(runner) {
  delete runner.odds
  delete runner.volume
}

function define(market, definition, timeUs, statuses) {
  const listed = definition.runners || []
  for (let one of listed) {
    if (one.name) runnerOf(market, one.id).name = one.name
  }
  if (definition.status === market.status) return
  market.status = definition.status
  statuses.push({
    topic: 'race/' + market.id + '/status',
    timeUs: timeUs,
    data: {
      market: market.id,
      name: definition.name || definition.eventName,
      event: definition.eventName,
      venue: definition.venue,
      status: definition.status,
      inPlay: definition.inPlay === true,
      start: definition.marketTime,
      runners: listed.map(one => ({ id: one.id, name: runnerOf(market, one.id).name, status: one.status })),
    },
  })
}

// A price of 0 is none; a volume of 0 is one.
function runnerChange(market, change, timeUs) {
  if (change.id === undefined) throw new TypeError('a runner change has no id')
  const runner = runnerOf(market, change.id)
  if (change.ltp > 0) runner.odds = change.ltp
  if (typeof change.tv === 'number') runner.volume = change.tv
  const data = {
    market: market.id,
    runner: change.id,
    name: runner.name,
    odds: runner.odds,
    volume: runner.volume,
  }
  for (let ladder of LADDERS) {
    if (change[ladder]) data[ladder] = change[ladder]
  }
  return { topic: 'race/' + market.id + '/runner/' + change.id, timeUs: timeUs, data: data }
}
