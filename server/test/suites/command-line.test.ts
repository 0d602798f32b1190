import { expect, test } from 'vitest'
import { readSuiteCommand } from './command-line.ts'

const suites = { races: { about: 'requests that collide' }, upgrade: { about: 'two versions' } }
const read = (...args: string[]) => readSuiteCommand(args, suites)

test('a suite runs in the size of the gate unless told otherwise, under the seed that is given', () => {
  expect(read('races')).toEqual({
    kind: 'run',
    name: 'races',
    size: 'gate',
    seed: null,
    only: null,
    from: null,
  })
  expect(read('upgrade', '--size', 'long', '--seed', '7', '--from', 'HEAD~3')).toEqual({
    kind: 'run',
    name: 'upgrade',
    size: 'long',
    seed: 7,
    only: null,
    from: 'HEAD~3',
  })
})

test('without a name, and with --help, it lists what there is; with a name it tells of that one', () => {
  for (const listed of [read(), read('--help')])
    expect(listed).toMatchObject({
      kind: 'told',
      code: 0,
      text: expect.stringMatching(/races.*\n.*upgrade.*\n.*document/),
    })
  expect(read('races', '-h')).toMatchObject({
    code: 0,
    text: expect.stringContaining('requests that collide'),
  })
  expect(read('races', '-h')).toMatchObject({ text: expect.not.stringContaining('two versions') })
})

test.each([
  ['a name that there is not', ['raecs'], 'There is no suite "raecs". There are: races, upgrade, document.'],
  ['a name that every object has', ['constructor'], 'There is no suite "constructor"'],
  ['such a name with --help', ['raecs', '--help'], 'There is no suite "raecs"'],
  ['two names', ['races', 'upgrade'], '"upgrade" is too much'],
  ['a size that there is not', ['races', '--size', 'huge'], '--size is gate or long, not "huge"'],
  ['a seed that is no number', ['races', '--seed', 'x1'], '--seed takes a whole number, not "x1"'],
  ['an option that there is not', ['races', '--sede', '1'], "Unknown option '--sede'"],
  ['an option without its value', ['races', '--seed'], "'--seed <value>' argument missing"],
  ['a version where none is taken', ['races', '--from', 'HEAD'], '--from is for the suite upgrade'],
])('%s is a wrong use, which says what is wrong and where help is', (_what, args, text) => {
  const told = read(...args)
  expect(told).toMatchObject({ kind: 'told', code: 2 })
  expect(told).toMatchObject({ text: expect.stringContaining(text) })
  expect(told).toMatchObject({ text: expect.stringContaining('--help') })
})
