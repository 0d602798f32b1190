import { expect, test } from 'vitest'
import { readBenchCommand } from './command-line.ts'

const benchmarks = [
  { name: 'http', about: 'one operation without database', unit: 'request', seconds: 3 },
  { name: 'start', about: 'starting everything', unit: 'start', seconds: 1 },
]
const read = (...args: string[]) => readBenchCommand(args, benchmarks)

test('benches run by name, each once, or all of them; the defaults are five rounds and the bench’s own seconds', () => {
  const plain = { kind: 'run', rounds: 5, seconds: null, json: false }
  expect(read('start', 'start')).toEqual({ ...plain, names: ['start'] })
  expect(read('all')).toEqual({ ...plain, names: ['http', 'start'] })
  expect(read('http', '--rounds', '2', '--seconds', '0.5', '--json')).toEqual({
    kind: 'run',
    names: ['http'],
    rounds: 2,
    seconds: 0.5,
    json: true,
  })
})

test('without a name, and with --help, it lists all benchmarks; with a name and --help it describes that one', () => {
  for (const listed of [read(), read('list'), read('--help')])
    expect(listed).toMatchObject({ code: 0, text: expect.stringMatching(/http.*\n.*start.*\n.*document/) })
  const told = read('http', '--help')
  expect(told).toMatchObject({ code: 0, text: expect.stringContaining('a turn takes 3 s') })
  expect(told).toMatchObject({ text: expect.not.stringContaining('starting everything') })
})

test.each([
  [
    'a name that there is not',
    ['htpt'],
    'There is no benchmark "htpt". The names are: http, start, all, document.',
  ],
  ['such a name beside a known one', ['http', 'htpt'], 'There is no benchmark "htpt"'],
  ['such a name with --help', ['htpt', '--help'], 'There is no benchmark "htpt"'],
  ['no rounds', ['http', '--rounds', '0'], '--rounds must be a whole number above 0, not "0"'],
  ['half a round', ['http', '--rounds', '1.5'], 'not "1.5"'],
  ['seconds that are no number', ['http', '--seconds', 'x'], '--seconds must be a number above 0, not "x"'],
  ['an option that there is not', ['http', '--round', '1'], "Unknown option '--round'"],
  ['the document beside a bench', ['document', 'http'], 'cannot be combined with benchmarks'],
])('%s is a wrong use, and the message names the fault and the help', (_what, args, text) => {
  const told = read(...args)
  expect(told).toMatchObject({ kind: 'told', code: 2, text: expect.stringContaining(text) })
  expect(told).toMatchObject({ text: expect.stringContaining('--help') })
})
