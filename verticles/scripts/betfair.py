# Turns one message of a betting exchange's odds stream (op "mcm", market change message) into records
# of runners and of the market's status. What they hold is said in betfair.js, which does the same; the
# cases in betfair.cases.yaml are run with both.
#
# Settings: maxMarkets, how many markets are remembered (default 500); beyond, closed ones are
# forgotten first, then those that were silent for the longest.

LADDERS = ('atb', 'atl', 'batb', 'batl')
max_markets = 500


def init(settings):
    global max_markets
    given = settings.get('maxMarkets', max_markets)
    if not isinstance(given, int) or given <= 0:
        raise ValueError('the setting maxMarkets must be a whole number above 0')
    max_markets = given


def enrich(record, state):
    message = record.data
    if not isinstance(message.get('op'), str):
        raise TypeError('the message has no op')
    if message['op'] != 'mcm' or not message.get('mc'):
        return None
    published = message.get('pt')
    time_us = published * 1000 if isinstance(published, (int, float)) else record.timeUs
    if 'markets' not in state:
        state['markets'] = {}
    markets = state['markets']
    runners, statuses = [], []
    for change in message['mc']:
        market_change(markets, change, time_us, runners, statuses)
    return runners + statuses


def market_change(markets, change, time_us, runners, statuses):
    if not isinstance(change.get('id'), str):
        raise TypeError('a market change has no id')
    market = market_of(markets, change['id'])
    if change.get('img'):
        for runner in market['runners'].values():
            runner.pop('odds', None)
            runner.pop('volume', None)
    if change.get('marketDefinition'):
        define(market, change['marketDefinition'], time_us, statuses)
    for one in change.get('rc') or []:
        runners.append(runner_change(market, one, time_us))


# The order of a dict is that of insertion, so the first market was silent for the longest.
def market_of(markets, key):
    market = markets.pop(key, None) or {'id': key, 'status': None, 'runners': {}}
    markets[key] = market
    if len(markets) > max_markets:
        forget_one(markets, key)
    return market


def forget_one(markets, newest):
    others = [key for key in markets.keys() if key != newest]
    closed = [key for key in others if markets[key]['status'] == 'CLOSED']
    for key in (closed or others)[:1]:
        del markets[key]


def runner_of(market, key):
    runners = market['runners']
    if str(key) not in runners:
        runners[str(key)] = {}
    return runners[str(key)]


def define(market, definition, time_us, statuses):
    listed = definition.get('runners') or []
    for one in listed:
        if one.get('name'):
            runner_of(market, one['id'])['name'] = one['name']
    if definition.get('status') == market['status']:
        return
    market['status'] = definition.get('status')
    statuses.append({
        'topic': 'race/' + market['id'] + '/status',
        'timeUs': time_us,
        'data': known({
            'market': market['id'],
            'name': definition.get('name') or definition.get('eventName'),
            'event': definition.get('eventName'),
            'venue': definition.get('venue'),
            'status': definition.get('status'),
            'inPlay': definition.get('inPlay') is True,
            'start': definition.get('marketTime'),
            'runners': [known({
                'id': one['id'],
                'name': runner_of(market, one['id']).get('name'),
                'status': one.get('status'),
            }) for one in listed],
        }),
    })


# A price of 0 is none; a volume of 0 is one.
def runner_change(market, change, time_us):
    if change.get('id') is None:
        raise TypeError('a runner change has no id')
    runner = runner_of(market, change['id'])
    if (change.get('ltp') or 0) > 0:
        runner['odds'] = change['ltp']
    if change.get('tv') is not None:
        runner['volume'] = change['tv']
    data = known({
        'market': market['id'],
        'runner': change['id'],
        'name': runner.get('name'),
        'odds': runner.get('odds'),
        'volume': runner.get('volume'),
    })
    for ladder in LADDERS:
        if change.get(ladder) is not None:
            data[ladder] = change[ladder]
    return {'topic': 'race/' + market['id'] + '/runner/' + str(change['id']), 'timeUs': time_us, 'data': data}


def known(fields):
    return {key: value for key, value in fields.items() if value is not None}
