import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CopyOfTheTree, copyTheTree, type Line } from './stranger/copy-of-the-tree.ts'
import { tidyTree } from './tidy.ts'

const toys = join(import.meta.dirname, 'fixtures/toy-buying')

const effects = 'server/src/domain/buying/execution/effects'

/** What stands in lists. */
const lines = {
  channel: {
    file: 'server/src/composition.ts',
    before: /(?<=^export const channels = \[[^\]]*)\]/m,
    line: ', toyChannel',
    imported: `import { toyChannel } from './channels/toy/toy.ts'`,
  },
  channelName: {
    file: 'server/src/domain/discovery/registry/found-protocol.ts',
    before: /(?<=^export const registryChannels = \[[^\]]*)\]/m,
    line: `, 'toy'`,
  },
  orderChannel: {
    file: 'server/src/domain/trade/orders/machine.ts',
    before: /(?<=^export const orderChannels = \[[^\]]*)\]/m,
    line: `, 'toy'`,
  },
  rail: {
    file: 'server/src/composition.ts',
    before: /(?<=^export const rails = \[)/m,
    line: 'toyRail, ',
    imported: `import { toyRail } from './rails/toy/toy.ts'`,
  },
  effect: {
    file: `${effects}/effects.ts`,
    before: /^ {2}refund,$/m,
    line: '  reward,\n',
    imported: `import { reward } from './reward.ts'`,
  },
  call: {
    file: 'server/src/domain/buying/rails/port.ts',
    before: /^ {2}readonly refund: /m,
    line: '  readonly reward: RailRelease\n',
  },
  method: {
    file: 'server/src/domain/buying/rails/port.ts',
    before: /^ {2}refund\(/m,
    line: '  reward?(input: RailRelease, call: Call): Promise<RailAnswer>\n',
  },
  crashPoints: {
    file: 'server/src/platform/faults/faults.ts',
    before: /^ {2}'refund',$/m,
    line: `  'reward',\n`,
  },
} as const satisfies Record<string, Line>

let tree: CopyOfTheTree
let compiled: Promise<string>
let tested: ReturnType<CopyOfTheTree['test']>

beforeAll(() => {
  tree = copyTheTree(toys, Object.values(lines))
  compiled = tree.compile(['server/src/composition.ts', 'server/src/work.ts', `${effects}/reward.test.ts`])
  tested = tree.test('toy-purchase', 'effects/reward')
})
afterAll(async () => {
  await Promise.allSettled([compiled, tested])
  tree.remove()
})

test('a way of buying, a payment rail and an effect are a file each, and the lines of lists', () => {
  const files = tree.files(['server'])
  expect(tree.changed(files)).toEqual([...new Set(Object.values(lines).map(({ file }) => file))].sort())
  expect(tree.added.filter((path) => !path.endsWith('.test.ts')).sort()).toEqual([
    'server/src/channels/toy/toy.ts',
    `${effects}/reward.ts`,
    'server/src/rails/toy/toy.ts',
  ])
})

test('with them the type checker is silent, a purchase goes over the channel and is paid by the rail, and the effect is made', async () => {
  expect(await compiled).toBe('')
  // Five kinds of lives in memory, and one purchase of the whole product.
  expect(await tested).toEqual({ failures: [], numPassedTests: 6, numTotalTests: 6 })
})

test('the type checker names each part that is left out, where it is missing, and nothing else', async () => {
  await Promise.allSettled([compiled, tested])
  const [channel, rail] = ['server/src/channels/toy/toy.ts', 'server/src/rails/toy/toy.ts']
  leaveOut(channel, /^ {4}ask: .*\n/m)
  leaveOut(rail, /^ {4}revoke: .*\n/m)
  leaveOut(`${effects}/reward.ts`, /^ {2}done: .*\n/m)
  for (const { file, line } of [lines.effect, lines.crashPoints, lines.orderChannel])
    tree.change(file, line, '')
  const complaints = complaintsOf(await tree.compile(['server/src/composition.ts']))
  const missing = [
    [channel, `'ask' is missing`],
    [`${effects}/effects.ts`, `'reward' is missing`],
    [`${effects}/reward.ts`, `'done' is missing`],
    ['server/src/domain/buying/execution/place/order-at-stranger.ts', `'"toy"' is not assignable`],
    ['server/src/domain/buying/execution/run-cart.ts', `'"reward"' is not assignable`],
    [rail, `'revoke' is missing`],
  ] as const
  expect(complaints.map(({ file }) => file)).toEqual(missing.map(([file]) => file))
  for (const [index, [, what]] of missing.entries()) expect(complaints[index]?.text).toContain(what)
})

test('what no list names is found by the rules', () => {
  tree.restore(lines.channel.file)
  const read = tree.read('server/src/{channels,rails}/*/*.ts', lines.channel.file)
  const found = tidyTree(read).filter(({ path }) => /toy/.test(path))
  expect(found.map(({ path, what }) => `${path}: ${what}`).sort()).toEqual([
    'server/src/channels/toy/toy.ts: no import or string names this file',
    'server/src/channels/toy/toy.ts: toyChannel: nothing uses it: remove it',
    'server/src/rails/toy/toy.ts: no import or string names this file',
    'server/src/rails/toy/toy.ts: toyRail: nothing uses it: remove it',
  ])
})

function leaveOut(path: string, part: RegExp): void {
  const [text] = part.exec(tree.text(path)) ?? []
  tree.change(path, text ?? 'a part of it', '')
}

/** Each error begins a line of its own; what explains it is indented below. */
function complaintsOf(said: string): { file: string; text: string }[] {
  return said
    .split(/\n(?=\S)/)
    .map((text) => ({ file: text.slice(0, text.indexOf('(')), text }))
    .sort((one, other) => (one.file < other.file ? -1 : 1))
}
