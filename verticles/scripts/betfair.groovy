// Turns one message of a betting exchange's odds stream (op "mcm", market change message) into records
// of runners and of the market's status. What they hold is said in betfair.js, which does the same; the
// cases in betfair.cases.yaml are run with both.
//
// Settings: maxMarkets, how many markets are remembered (default 500); beyond, closed ones are
// forgotten first, then those that were silent for the longest.

@Field static final LADDERS = ['atb', 'atl', 'batb', 'batl']
@Field int maxMarkets = 500

def init(Map settings) {
  def given = settings.getOrDefault('maxMarkets', maxMarkets)
  if (!(given instanceof Integer && given > 0)) {
    throw new IllegalArgumentException('the setting maxMarkets must be a whole number above 0')
  }
  maxMarkets = given
}

def enrich(record, Map state) {
  Map message = record.data
  if (!(message.op instanceof String)) throw new IllegalArgumentException('the message has no op')
  if (message.op != 'mcm' || !message.mc) return null
  def timeUs = message.pt instanceof Number ? message.pt * 1000L : record.timeUs
  Map markets = state.computeIfAbsent('markets') { [:] }
  List runners = [], statuses = []
  for (Map change in message.mc) marketChange(markets, change, timeUs, runners, statuses)
  runners + statuses
}

def marketChange(Map markets, Map change, timeUs, List runners, List statuses) {
  if (!(change.id instanceof String)) throw new IllegalArgumentException('a market change has no id')
  Map market = marketOf(markets, change.id)
  if (change.img) market.runners.values().each { it.remove('odds'); it.remove('volume') }
  if (change.marketDefinition) define(market, change.marketDefinition, timeUs, statuses)
  for (Map one in (change.rc ?: [])) runners << runnerChange(market, one, timeUs)
}

// The order of the map is that of insertion, so the first market was silent for the longest.
Map marketOf(Map markets, String id) {
  Map market = markets.remove(id) ?: [id: id, status: null, runners: [:]]
  markets[id] = market
  if (markets.size() > maxMarkets) forgetOne(markets, id)
  market
}

def forgetOne(Map markets, String newest) {
  def others = markets.keySet().findAll { it != newest }
  def oldest = others.find { markets[it].status == 'CLOSED' } ?: others.find { true }
  if (oldest != null) markets.remove(oldest)
}

Map runnerOf(Map market, id) {
  market.runners.computeIfAbsent(id.toString()) { [:] }
}

def define(Map market, Map definition, timeUs, List statuses) {
  List listed = definition.runners ?: []
  for (Map one in listed) {
    if (one.name) runnerOf(market, one.id).name = one.name
  }
  if (definition.status == market.status) return
  market.status = definition.status
  statuses << [
    topic: 'race/' + market.id + '/status',
    timeUs: timeUs,
    data: known(
      market: market.id,
      name: definition.name ?: definition.eventName,
      event: definition.eventName,
      venue: definition.venue,
      status: definition.status,
      inPlay: definition.inPlay == true,
      start: definition.marketTime,
      runners: listed.collect { known(id: it.id, name: runnerOf(market, it.id).name, status: it.status) }
    )
  ]
}

// A price of 0 is none; a volume of 0 is one.
Map runnerChange(Map market, Map change, timeUs) {
  if (change.id == null) throw new IllegalArgumentException('a runner change has no id')
  Map runner = runnerOf(market, change.id)
  if ((change.ltp ?: 0) > 0) runner.odds = change.ltp
  if (change.tv instanceof Number) runner.volume = change.tv
  Map data = known(
    market: market.id, runner: change.id, name: runner.name, odds: runner.odds, volume: runner.volume)
  for (String ladder in LADDERS) {
    if (change[ladder] != null) data[ladder] = change[ladder]
  }
  [topic: 'race/' + market.id + '/runner/' + change.id, timeUs: timeUs, data: data]
}

Map known(Map fields) {
  fields.values().removeIf { it == null }
  fields
}
