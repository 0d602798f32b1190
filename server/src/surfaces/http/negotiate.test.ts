import { expect, test } from 'vitest'
import { acceptedType, bestCoding, saysThatItTakes } from './negotiate.ts'

const json = 'application/json'
const stream = 'text/event-stream'
const lines = 'application/x-ndjson'
const csv = 'text/csv'
const html = 'text/html'

/** What browsers send when somebody opens an address. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

test.each<[string, string | undefined, string | null]>([
  ['nothing said', undefined, json],
  ['an empty header', ' ', json],
  ['anything', '*/*', json],
  ['what EventSource sends', stream, stream],
  ['with a charset', 'text/event-stream; charset=utf-8', stream],
  ['in capitals', 'Text/Event-Stream', stream],
  ['a wildcard of its kind', 'text/*', stream],
  ['the other one less', 'application/json;q=1, text/event-stream;q=0.1', json],
  ['the other one more', 'application/json;q=0.1, text/event-stream', stream],
  ['refused by name', 'text/event-stream;q=0, application/json', json],
  ['refused by name, the rest welcome', 'text/event-stream;q=0, */*', json],
  ['of equal ones the first named', 'application/json, text/event-stream', json],
  ['of equal ones the first named, again', 'text/event-stream, application/json', stream],
  ['named before a wildcard of one weight', '*/*, text/event-stream', stream],
  ['a wildcard that weighs more', 'text/event-stream;q=0.5, */*', json],
  [
    'the narrowest range decides',
    'application/*;q=0.9, application/json;q=0.2, text/event-stream;q=0.3',
    stream,
  ],
  ['a browser', browser, json],
  ['a weight that is none', 'text/event-stream;q=much, application/json;q=0.1', json],
  ['a weight above all', 'text/event-stream;q=7, application/json;q=0.1', json],
  ['spaces around the weight', 'text/event-stream ; q = 0.1 , application/json ; q = 0.2', json],
  ['another parameter beside it', 'text/event-stream;level=1;q=0.1, application/json;q=0.2', json],
  ['nothing that is offered', 'text/html', null],
  ['all refused', '*/*;q=0', null],
  ['all refused but one', '*/*;q=0, application/json;q=0.001', json],
  ['no type at all', 'json', null],
])('JSON or a stream: %s', (_what, accept, type) => {
  expect(acceptedType([json, stream], accept)).toBe(type)
})

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['*/*', true],
  ['text/*, application/*', true],
  ['TEXT/Event-Stream', true],
  ['text/event-stream;q=0, */*', false],
  ['application/json', false],
])('only a header that says so takes a stream: %s', (accept, takes) => {
  expect(saysThatItTakes(stream, accept)).toBe(takes)
})

test.each<[string | undefined, string | null]>([
  [undefined, json],
  ['*/*', json],
  [lines, lines],
  [csv, csv],
  ['text/*', csv],
  ['application/json, application/x-ndjson, text/csv', json],
  ['text/csv, application/x-ndjson, application/json', csv],
  ['application/x-ndjson;q=0, application/json', json],
  ['application/x-ndjson;q=0, application/*', json],
  ['application/json;q=0, application/*', lines],
  ['text/csv;q=0.9, application/x-ndjson;q=0.95', lines],
  ['text/csv;q=0.9, */*;q=0.1', csv],
  ['application/xml', null],
])('an export for %s is %s', (accept, type) => {
  expect(acceptedType([json, lines, csv], accept)).toBe(type)
})

test.each<[string | undefined, string | null]>([
  [undefined, json],
  ['*/*', json],
  [browser, html],
  ['text/html', html],
  ['application/json, text/html;q=0.9', json],
])('a page for %s is %s', (accept, type) => {
  expect(acceptedType([json, html], accept)).toBe(type)
})

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['identity, gzip;q=0.2', 'identity'],
  ['br;q=0.0, *;q=0', 'identity'],
  ['BR ; Q=1', 'br'],
  ['zstd', 'identity'],
  ['gzip;q=nonsense', 'identity'],
])('%s is answered as %s', (accept, coding) => {
  expect(bestCoding(accept, ['identity', 'gzip', 'br'])).toBe(coding)
})

test('a coding that is not offered is not chosen, however much it is liked', () => {
  expect(bestCoding('br, gzip;q=0.1', ['identity', 'gzip'])).toBe('gzip')
  expect(bestCoding('br', ['identity', 'gzip'])).toBe('identity')
})
