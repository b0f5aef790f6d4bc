package io.galop.extend.js;

import org.graalvm.polyglot.Source;

/** The JavaScript between {@link JsHost} and a script: gives it objects of its own language. */
final class JsBootstrap {
  /** A function of the host that makes the object {@code galop}. */
  static final Source SOURCE =
      Source.newBuilder(
              "js",
              """
              (function (host) {
                const parse = JSON.parse, print = JSON.stringify

                function finite(key, value) {
                  if (typeof value === 'number' && !Number.isFinite(value)) {
                    throw new TypeError("the field '" + key + "' is " + value + ', which JSON cannot hold')
                  }
                  return value
                }
                function text(data) {
                  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
                    throw new TypeError('data must be an object')
                  }
                  const printed = print(data)
                  return printed.indexOf('null') < 0 ? printed : print(data, finite)
                }
                function callable(handler, of) {
                  if (typeof handler !== 'function') throw new TypeError(of + ' needs a function')
                }
                function publish(topic, data, options) {
                  const given = options === undefined ? {} : options
                  for (const name of Object.keys(given)) {
                    if (name !== 'id' && name !== 'timeUs') {
                      throw new TypeError("publish knows the options id and timeUs, not '" + name + "'")
                    }
                  }
                  const id = given.id === undefined ? null : String(given.id)
                  const timeUs = given.timeUs === undefined ? null : given.timeUs
                  if (timeUs !== null && !Number.isSafeInteger(timeUs)) {
                    throw new TypeError('timeUs must be a whole number of microseconds')
                  }
                  const line = text(data)
                  return new Promise(function (resolve, reject) {
                    host.publish(String(topic), line, id, timeUs, resolve, function (reason, message, id) {
                      const error = new Error(message)
                      error.reason = reason
                      error.id = id
                      reject(error)
                    })
                  })
                }
                function consume(filter, handler, onMissed) {
                  callable(handler, 'consume')
                  const ongoing = host.consume(String(filter), function (id, topic, timeUs, data) {
                    return handler({ id: id, topic: topic, timeUs: timeUs, data: parse(data) })
                  }, onMissed === undefined ? function () {} : onMissed)
                  return function () { ongoing.end() }
                }
                function every(ms, handler) {
                  callable(handler, 'every')
                  const ongoing = host.every(ms, handler)
                  return function () { ongoing.end() }
                }
                function say(level) {
                  return function (...parts) { host.log(level, parts.map(String).join(' ')) }
                }
                return Object.freeze({
                  publish, consume, every,
                  settings: Object.freeze(parse(host.settings())),
                  instance: host.instance(),
                  instances: host.instances(),
                  log: Object.freeze({
                    debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error')
                  })
                })
              })
              """,
              "galop")
          .internal(true)
          .buildLiteral();

  private JsBootstrap() {}
}
