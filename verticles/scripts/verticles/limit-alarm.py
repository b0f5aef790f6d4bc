# A consumer: publishes an alarm under alarm/<topic> when a value crosses a limit, and when it is
# back. The alarm's id is made from the record's, so that several nodes may run the same rule.
# settings: filter, field, limit
field, limit = galop.settings['field'], galop.settings['limit']
above = {}


def handle(record):
    value = record.data.get(field)
    if not isinstance(value, (int, float)):
        raise TypeError(f"{record.topic} has no number '{field}'")
    is_above = value > limit
    if is_above == above.get(record.topic, False):
        return None
    above[record.topic] = is_above
    return galop.publish(
        'alarm/' + record.topic,
        {'state': 'high' if is_above else 'normal', 'value': value, 'limit': limit},
        id='alarm:' + record.id.replace('#', '.'),
        time_us=record.time_us)


def start():
    galop.consume(galop.settings['filter'], handle)
