import { expect, test } from 'vitest'
import { help, parseSuiteOptions } from './options.ts'

const enough = ['--url', 'http://127.0.0.1:3000/', '--key', 'pr_sk_test_x', '--data', 'flower_shop']

test('what is left out has a default', () => {
  expect(parseSuiteOptions(enough)).toEqual({
    url: 'http://127.0.0.1:3000',
    key: 'pr_sk_test_x',
    dataDir: 'flower_shop',
    slug: 'flower-shop',
    simulationSecret: undefined,
    port: 0,
    json: false,
    parentPipe: false,
  })
  expect(parseSuiteOptions(['--help'])).toBeUndefined()
})

test.each([
  [['--url', 'here'], '--url must be the URL of the service'],
  [['--key', 'pr_sk_live_x'], '--key must be a secret key of test mode'],
  [['--port', '70000'], '"70000" is not a port'],
  [['--slugs', 'x'], "Unknown option '--slugs'"],
])('%j is refused', (wrong, words) => {
  expect(() => parseSuiteOptions([...enough, ...wrong])).toThrow(words)
  expect(() => parseSuiteOptions(enough.slice(0, 4))).toThrow('--data must be the data folder of the suite')
})

test('help names every option', () => {
  for (const name of ['url', 'key', 'data', 'slug', 'simulation-secret', 'port', 'json', 'parent-pipe'])
    expect(help).toContain(`--${name} `)
})
