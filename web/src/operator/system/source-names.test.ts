import { expect, test } from 'vitest'
import { nameOf } from './source-names.ts'

test.each([
  ['energi-data-service: FcrDK1', 'FCR prices', 'Energi Data Service · FcrDK1'],
  ['entsoe: A44 SE1', 'Day-ahead prices SE1', 'ENTSO-E · A44 SE1'],
  ['energi-data-service: NewSet', 'energi-data-service: NewSet', 'Energi Data Service · NewSet'],
  ['Edge edge-nord-01', 'Edge edge-nord-01', 'MQTT'],
])('%s is %s from %s', (source, words, from) => {
  expect(nameOf(source)).toEqual({ words, from })
})
