import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ServerEvent, eventParser } from './sse.ts'

const parseIn = (text: string, cuts: number[]) => {
  const events: ServerEvent[] = []
  const parse = eventParser((event) => events.push(event))
  const bytes = new TextEncoder().encode(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  places.slice(1).forEach((to, i) => parse(bytes.slice(places[i] ?? 0, to)))
  return events
}

const stream = ': hello\nevent: readings\ndata: {"name":"Køl 1"}\n\nevent: ping\ndata:\n\ndata: one\ndata: two\r\n\r\n'

test('events, comments, empty data, several data lines and both line ends', () => {
  expect(parseIn(stream, [])).toEqual([
    { event: 'readings', data: '{"name":"Køl 1"}' },
    { event: 'ping', data: '' },
    { event: 'message', data: 'one\ntwo' },
  ])
})

test('the network may cut the bytes anywhere, within a letter too', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
      expect(parseIn(stream, cuts)).toEqual(parseIn(stream, []))
    }),
  )
})
