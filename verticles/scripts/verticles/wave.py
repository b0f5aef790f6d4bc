# A source: publishes a wave that goes up to `high` and down again, one step at a time.
# settings: topic, everyMs, high
n = 0


def step():
    global n
    high = galop.settings['high']
    at = n % (2 * high)
    n += 1
    return galop.publish(galop.settings['topic'], {'value': at if at <= high else 2 * high - at})


def start():
    galop.every(galop.settings['everyMs'], step)
