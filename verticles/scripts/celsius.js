// Adds the temperature in degrees Celsius to records that give it in Fahrenheit.
//
// Settings: field, where the Fahrenheit value stands (default "value"); into, where the Celsius one
// goes (default "celsius"); decimals, how many are kept (default 2).

let field = 'value'
let into = 'celsius'
let scale = 100

function init(settings) {
  field = settings.field || field
  into = settings.into || into
  scale = Math.pow(10, settings.decimals === undefined ? 2 : settings.decimals)
}

function enrich(record) {
  const fahrenheit = record.data[field]
  if (typeof fahrenheit !== 'number') {
    throw new TypeError("the field '" + field + "' holds no number")
  }
  record.data[into] = Math.round(((fahrenheit - 32) / 1.8) * scale) / scale
  return record
}
