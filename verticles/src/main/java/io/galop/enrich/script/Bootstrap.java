package io.galop.enrich.script;

import org.graalvm.polyglot.Source;

/**
 * The JavaScript between Galop and a script's function. Records cross as JSON text, since a script
 * is then given plain objects of its own language with everything they can do, and since parsing
 * and printing inside the engine is cheaper than field-by-field access from outside.
 */
final class Bootstrap {
  static final String NAME = "galop";

  /**
   * A function of the script's {@code enrich} that makes a function (id, topic, timeUs, data as
   * text) → null, or an array of topic, timeUs, data as text for each record in turn; topic and
   * timeUs are null where they are the record's own.
   */
  static final Source SOURCE =
      Source.newBuilder(
              "js",
              """
              (function () {
                const parse = JSON.parse, print = JSON.stringify, isArray = Array.isArray
                const freeze = Object.freeze, isFinite = Number.isFinite

                function refuse(rule) {
                  throw new TypeError('enrich returned ' + rule)
                }
                function finite(key, value) {
                  if (typeof value === 'number' && !isFinite(value)) {
                    refuse("the field '" + key + "' with " + value + ', which JSON cannot hold')
                  }
                  return value
                }
                function text(data) {
                  if (data === null || typeof data !== 'object' || isArray(data)) {
                    refuse('a record whose data is no object')
                  }
                  const printed = print(data)
                  if (printed.indexOf('null') >= 0) print(data, finite)
                  return printed
                }
                function append(output, to) {
                  if (output === null || typeof output !== 'object' || isArray(output)) {
                    refuse('something that is no record: {topic, timeUs, data}')
                  }
                  const topic = output.topic, timeUs = output.timeUs
                  if (topic !== undefined && typeof topic !== 'string') {
                    refuse('a record whose topic is no text')
                  }
                  if (timeUs !== undefined && !(Number.isSafeInteger(timeUs) && timeUs >= 0)) {
                    refuse('a record whose timeUs is no whole number of microseconds')
                  }
                  to.push(topic === undefined ? null : topic)
                  to.push(timeUs === undefined ? null : timeUs)
                  to.push(text(output.data))
                }
                return function (enrich, maxOutputs) {
                  return function (id, topic, timeUs, data) {
                    const record = freeze({ id: id, topic: topic, timeUs: timeUs, data: parse(data) })
                    const result = enrich(record)
                    if (result === null || result === undefined) return null
                    const outputs = isArray(result) ? result : [result]
                    if (outputs.length > maxOutputs) {
                      refuse(outputs.length + ' records, maxOutputs is ' + maxOutputs)
                    }
                    const flat = []
                    for (let i = 0; i < outputs.length; i++) append(outputs[i], flat)
                    return flat
                  }
                }
              })()
              """,
              NAME)
          .internal(true)
          .buildLiteral();

  private Bootstrap() {}
}
