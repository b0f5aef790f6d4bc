// Turns one message of a betting exchange's odds stream (op "mcm", market change message) into records
// of runners and of the market's status. What they hold is said in betfair.js, which does the same; the
// cases in betfair.cases.yaml are run with both.
//
// Settings: maxMarkets, how many markets are remembered (default 500); beyond, closed ones are
// forgotten first, then those that were silent for the longest.

val ladders = listOf("atb", "atl", "batb", "batl")
var maxMarkets = 500

typealias Fields = MutableMap<String, Any?>

fun init(settings: Map<String, Any?>) {
  val given = settings["maxMarkets"] ?: maxMarkets
  require(given is Int && given > 0) { "the setting maxMarkets must be a whole number above 0" }
  maxMarkets = given
}

fun enrich(record: ScriptRecord, state: Fields): Any? {
  val message = record.data
  val op = message["op"] as? String ?: throw IllegalArgumentException("the message has no op")
  if (op != "mcm" || message["mc"] == null) return null
  val published = message["pt"] as? Number
  val timeUs = if (published == null) record.timeUs else published.toLong() * 1000
  val markets = fields(state.getOrPut("markets") { linkedMapOf<String, Any?>() })
  val runners = ArrayList<Any?>()
  val statuses = ArrayList<Any?>()
  for (change in list(message["mc"])) marketChange(markets, fields(change), timeUs, runners, statuses)
  return runners + statuses
}

@Suppress("UNCHECKED_CAST") fun fields(value: Any?) = value as Fields

fun list(value: Any?) = value as? List<*> ?: emptyList<Any?>()

fun marketChange(
    markets: Fields, change: Fields, timeUs: Long, runners: MutableList<Any?>, statuses: MutableList<Any?>
) {
  val id = change["id"] as? String ?: throw IllegalArgumentException("a market change has no id")
  val market = marketOf(markets, id)
  if (change["img"] == true) {
    for (runner in fields(market["runners"]).values) {
      fields(runner).remove("odds")
      fields(runner).remove("volume")
    }
  }
  change["marketDefinition"]?.let { define(market, fields(it), timeUs, statuses) }
  for (one in list(change["rc"])) runners.add(runnerChange(market, fields(one), timeUs))
}

// The order of the map is that of insertion, so the first market was silent for the longest.
fun marketOf(markets: Fields, id: String): Fields {
  val market = markets.remove(id) ?: linkedMapOf("id" to id, "runners" to linkedMapOf<String, Any?>())
  markets[id] = market
  if (markets.size > maxMarkets) forgetOne(markets, id)
  return fields(market)
}

fun forgetOne(markets: Fields, newest: String) {
  val others = markets.keys.filter { it != newest }
  val oldest = others.firstOrNull { fields(markets[it])["status"] == "CLOSED" } ?: others.firstOrNull()
  if (oldest != null) markets.remove(oldest)
}

fun runnerOf(market: Fields, id: Any?) =
    fields(fields(market["runners"]).getOrPut(id.toString()) { linkedMapOf<String, Any?>() })

fun define(market: Fields, definition: Fields, timeUs: Long, statuses: MutableList<Any?>) {
  val listed = list(definition["runners"]).map { fields(it) }
  for (one in listed) {
    if (one["name"] != null) runnerOf(market, one["id"])["name"] = one["name"]
  }
  if (definition["status"] == market["status"]) return
  market["status"] = definition["status"]
  val runners =
      listed.map {
        known("id" to it["id"], "name" to runnerOf(market, it["id"])["name"], "status" to it["status"])
      }
  val data =
      known(
          "market" to market["id"],
          "name" to (definition["name"] ?: definition["eventName"]),
          "event" to definition["eventName"],
          "venue" to definition["venue"],
          "status" to definition["status"],
          "inPlay" to (definition["inPlay"] == true),
          "start" to definition["marketTime"],
          "runners" to runners)
  statuses.add(mapOf("topic" to "race/${market["id"]}/status", "timeUs" to timeUs, "data" to data))
}

// A price of 0 is none; a volume of 0 is one.
fun runnerChange(market: Fields, change: Fields, timeUs: Long): Any {
  val id = change["id"] ?: throw IllegalArgumentException("a runner change has no id")
  val runner = runnerOf(market, id)
  val price = change["ltp"]
  if (price is Number && price.toDouble() > 0) runner["odds"] = price
  if (change["tv"] is Number) runner["volume"] = change["tv"]
  val data =
      known(
          "market" to market["id"],
          "runner" to id,
          "name" to runner["name"],
          "odds" to runner["odds"],
          "volume" to runner["volume"])
  for (ladder in ladders) change[ladder]?.let { data[ladder] = it }
  return mapOf("topic" to "race/${market["id"]}/runner/$id", "timeUs" to timeUs, "data" to data)
}

fun known(vararg fields: Pair<String, Any?>): Fields =
    fields.filter { it.second != null }.toMap(LinkedHashMap())
