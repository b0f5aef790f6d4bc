/* What makes galop.js understand deltas, so that it is sent fewer bytes. Load it before galop.js.
 *
 * A message that does not begin with "{" has two numbers in front, which stand for filter and topic:
 *   <filter><topic>{...}                     a record as ever, against which the next is told
 *   <filter><topic><check><difference>...    what is different to the last record with these numbers
 * Numbers are in digits of 5 bits, the least first; a character from 32 on says that another
 * follows. The check is the length of all from the value of "body" on, modulo 64. A difference is
 *   <copied><inserted * 2, + 1 if not as much is replaced>[<replaced>]<what is inserted>
 * with quotes and apostrophes swapped in what is inserted. What is left is copied.
 */
var GalopDeltas = (function () {
  var DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  var BODY = ",\"body\":";

  function Reader(text) {
    this.text = text;
    this.at = 0;
  }

  Reader.prototype.number = function () {
    var number = 0, unit = 1, digit;
    do {
      digit = DIGITS.indexOf(this.text.charAt(this.at++));
      number += (digit % 32) * unit;
      unit *= 32;
    } while (digit >= 32);
    return number;
  };

  Reader.prototype.part = function (length) {
    this.at += length;
    return this.text.substring(this.at - length, this.at);
  };

  function swap(quote) {
    return quote === "'" ? "\"" : "'";
  }

  /* The text that differs from a base as told; null if it cannot be against this base. */
  function apply(base, reader) {
    var check = DIGITS.indexOf(reader.part(1)), at = 0, out = "", copied, inserted, replaced;
    while (reader.at < reader.text.length) {
      copied = reader.number();
      inserted = reader.number();
      replaced = inserted % 2 ? reader.number() : inserted / 2;
      inserted = reader.part(Math.floor(inserted / 2));
      out += base.substring(at, at + copied) + inserted.replace(/["']/g, swap);
      at += copied + replaced;
    }
    out += base.substring(at);
    return at <= base.length && out.length % 64 === check ? out : null;
  }

  /* Of one connection. By the number of a filter: its address, what its messages begin with, and
     the last record of each topic from the value of body on. */
  function Deltas() {
    this.filters = {};
  }

  /* The message that a text stands for; null if that cannot be told: then lost says of which filter,
     or is undefined for one that was unregistered. */
  Deltas.prototype.read = function (text) {
    var reader = new Reader(text), filter = reader.number(), topic = reader.number();
    var known = this.filters[filter], rest;
    if (text.charAt(reader.at) === "{") {
      return this.whole(filter, topic, text.substring(reader.at));
    }
    rest = known && known.rests.hasOwnProperty(topic) ? apply(known.rests[topic], reader) : null;
    this.lost = known && known.address;
    if (rest === null) {
      return null;
    }
    known.rests[topic] = rest;
    return known.opening + rest;
  };

  Deltas.prototype.whole = function (filter, topic, message) {
    var body = message.indexOf(BODY) + BODY.length, opening = message.substring(0, body);
    var known = this.filters[filter];
    if (!known || known.opening !== opening) {
      known = {address: JSON.parse(message).address, opening: opening, rests: {}};
      this.filters[filter] = known;
    }
    known.rests[topic] = message.substring(body);
    return message;
  };

  /* What is told of this filter begins anew. */
  Deltas.prototype.forget = function (address) {
    var filter;
    for (filter in this.filters) {
      if (this.filters.hasOwnProperty(filter) && this.filters[filter].address === address) {
        delete this.filters[filter];
      }
    }
  };

  return Deltas;
}());
