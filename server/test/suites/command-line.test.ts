import { expect, test } from 'vitest'
import { readSuiteCommand } from './command-line.ts'

const suites = {
  races: { about: 'requests that collide' },
  upgrade: { about: 'two versions' },
  elements: { about: 'components' },
}
const read = (...args: string[]) => readSuiteCommand(args, suites)

test('a suite runs in the size of the gate by default, under the given seed', () => {
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

test('the suite of components runs in the engines that are named', () => {
  expect(read('elements', '--engines', 'firefox,webkit')).toMatchObject({
    kind: 'run',
    engines: ['firefox', 'webkit'],
  })
})

test('without a name, and with --help, it lists all suites; with a name and --help it describes that suite', () => {
  for (const listed of [read(), read('--help')])
    expect(listed).toMatchObject({
      kind: 'told',
      code: 0,
      text: expect.stringMatching(/races.*\n.*upgrade.*\n.*elements.*\n.*long.*\n.*document/),
    })
  expect(read('races', '-h')).toMatchObject({
    code: 0,
    text: expect.stringContaining('requests that collide'),
  })
  expect(read('races', '-h')).toMatchObject({ text: expect.not.stringContaining('two versions') })
})

test.each([
  [
    'a name that there is not',
    ['raecs'],
    'There is no suite "raecs". The names are: races, upgrade, elements, long, document.',
  ],
  ['a name that every object has', ['constructor'], 'There is no suite "constructor"'],
  ['such a name with --help', ['raecs', '--help'], 'There is no suite "raecs"'],
  ['two names', ['races', 'upgrade'], '"upgrade" is too much'],
  ['a size that there is not', ['races', '--size', 'huge'], '--size must be gate or long, not "huge"'],
  ['a seed that is no number', ['races', '--seed', 'x1'], '--seed must be a whole number, not "x1"'],
  ['an option that there is not', ['races', '--sede', '1'], "Unknown option '--sede'"],
  ['an option without its value', ['races', '--seed'], "'--seed <value>' argument missing"],
  [
    'engines of another suite',
    ['races', '--engines', 'firefox'],
    '--engines works only with the suite elements',
  ],
  ['an engine that there is not', ['elements', '--engines', 'firefox,opera'], 'There is no engine "opera"'],
  ['a version where none is taken', ['races', '--from', 'HEAD'], '--from works only with the suite upgrade'],
])('%s is a wrong use, which says what is wrong and where help is', (_what, args, text) => {
  const told = read(...args)
  expect(told).toMatchObject({ kind: 'told', code: 2 })
  expect(told).toMatchObject({ text: expect.stringContaining(text) })
  expect(told).toMatchObject({ text: expect.stringContaining('--help') })
})

test('a self-check runs over as many seeds as requested, where the suite has a separate self-check', () => {
  const checked = { ...suites, fuzz: { about: 'requests', selfCheck: { about: 'planted faults' } } }
  const readChecked = (...args: string[]) => readSuiteCommand(args, checked)
  expect(readChecked('fuzz', '--self-check')).toEqual({
    ...{ kind: 'self-check', name: 'fuzz', seed: null, seeds: 1 },
  })
  expect(readChecked('fuzz', '--self-check', '--seeds', '200', '--seed', '1')).toMatchObject({
    seed: 1,
    seeds: 200,
  })
  for (const [args, text] of [
    [['races', '--self-check'], 'These suites have one: fuzz.'],
    [['fuzz', '--seeds', '2'], '--seeds works only with --self-check'],
    [['fuzz', '--self-check', '--seeds', '0'], '--seeds must be a whole number above 0'],
  ] as const)
    expect(readChecked(...args)).toMatchObject({ code: 2, text: expect.stringContaining(text) })
})

test('the long run takes parts, a seed and a form of its own', () => {
  expect(read('long')).toEqual({ kind: 'long', seed: null, only: null, json: false })
  expect(read('long', '--only', 'races,fuzz', '--json', '--seed', '5')).toEqual({
    ...{ kind: 'long', seed: 5, only: 'races,fuzz', json: true },
  })
  expect(read('long', '--help')).toMatchObject({ code: 0, text: expect.stringContaining('continues where') })
  expect(read('races', '--json')).toMatchObject({ code: 2 })
})
