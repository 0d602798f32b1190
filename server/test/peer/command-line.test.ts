import { expect, test } from 'vitest'
import { readPeerCommand } from './command-line.ts'
import { readPeers } from './read-peers.ts'
import { peer as evershop } from './shops/evershop.ts'

const read = (...args: string[]) => readPeerCommand(args, { evershop: 'a shop', other: 'another' })

test('a peer runs by its name; nothing is kept and printed for people unless it is said', () => {
  expect(read('evershop')).toEqual({ kind: 'run', name: 'evershop', keep: false, json: false })
  expect(read('--json', 'other', '--keep')).toEqual({ kind: 'run', name: 'other', keep: true, json: true })
})

test('a shop that runs already is named by its port, with a plan', () => {
  const at = { kind: 'at', port: 8080, plan: 'shop.json', keep: false, json: false }
  expect(read('at', '8080', '--plan', 'shop.json')).toEqual(at)
  expect(read('--plan', 'shop.json', '--json', 'at', '8080')).toEqual({ ...at, json: true })
})

test('a server that speaks as Stripe is named by its port', () => {
  expect(read('stripe', '8420')).toEqual({ kind: 'stripe', port: 8420, json: false })
  expect(read('--json', 'stripe', '8420')).toEqual({ kind: 'stripe', port: 8420, json: true })
})

test('without a name, and with --help, it lists the peers', () => {
  for (const told of [read(), read('--help'), read('evershop', '-h'), read('at', '--help')])
    expect(told).toMatchObject({ code: 0, text: expect.stringMatching(/evershop +a shop\n.*other +another/) })
})

test.each([
  [
    'a name that there is not',
    ['woo'],
    'There is no peer "woo". The names are: at, stripe, evershop, other.',
  ],
  ['the name of a property that every object has', ['toString'], 'There is no peer "toString"'],
  ['two names', ['evershop', 'other'], 'One peer at a time.'],
  ['an option that there is not', ['evershop', '--kep'], '--kep'],
  ['no port', ['at', '--plan', 'a'], 'Name the port'],
  ['a port that there is not', ['at', '65536', '--plan', 'a'], 'Name the port'],
  ['something else than a port', ['at', '80a', '--plan', 'a'], 'Name the port'],
  ['two shops', ['at', '80', '81', '--plan', 'a'], 'One shop at a time.'],
  ['no port of a server', ['stripe'], 'Name the port at which the server runs'],
  ['two servers', ['stripe', '80', '81'], 'Name the port at which the server runs'],
  ['a server that is to be kept', ['stripe', '80', '--keep'], '--keep is for shops'],
  ['no plan', ['at', '80'], 'Name the file of the plan'],
  ['a plan for a peer that has its own', ['evershop', '--plan', 'a'], '--plan is for "at PORT"'],
])('%s is refused with code 2', (_what, args, said) => {
  expect(read(...args)).toMatchObject({ code: 2, text: expect.stringContaining(said) })
})

test('each file of the folder is a peer by its name', async () => {
  const peers = await readPeers()
  expect(peers.get('evershop')).toBe(evershop)
})
