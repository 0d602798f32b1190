import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { movesMax } from '../src/channels/browser/page-reader.ts'
import { demoShops } from '../src/cli/commands/demo-shop.ts'
import { sandboxScenarios } from '../src/cli/up/sandbox-world.ts'
import { channels, followers, operations, product } from '../src/composition.ts'
import { type Operation, standsOn } from '../src/contract/operation.ts'
import { belongsTo, scopePresets, toolsetNames } from '../src/contract/scopes.ts'
import { testCardNumbers } from '../src/contract/test-card-numbers.ts'
import { deliveryRetrySeconds, quoteRetrySeconds } from '../src/core/backoff.ts'
import { testCards, testCvcs } from '../src/domain/buyers/payment-methods/test-cards.ts'
import { settingsTable } from '../src/platform/config/settings-table.ts'
import { releases } from '../src/protocols/ucp/releases.ts'
import { protocolVersions } from '../src/surfaces/v1/mcp/revisions.ts'

const root = join(import.meta.dirname, '../..')
/** A page on one line: how it is wrapped says nothing. */
const textOf = (page: string) => readFileSync(join(root, page), 'utf8').replaceAll(/\s+/g, ' ')
const tools = operations.filter((operation) => standsOn(operation, 'mcp'))

/** The row of a table that begins so. */
function rowOf(page: string, first: string): string {
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  return lines.find((line) => line.startsWith(`| ${first} |`)) ?? ''
}

describe('what the pages say of the code is what the code says', () => {
  test('the glossary explains each word once, and names every way of buying', () => {
    const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    const words = [...glossary.matchAll(/^\| ([^|]+) \|/gm)].map(([, word = '']) =>
      word.replace(/ \(.*\)$/, ''),
    )
    expect(words.length).toBeGreaterThan(100)
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
    const row = rowOf('docs/glossary.md', 'channel')
    expect(
      ['native', ...channels.map(({ name }) => name)].filter((name) => !row.includes(`\`${name}\``)),
    ).toEqual([])
  })

  test('the guide for buyers names every preset, every toolset that an agent has tools in, every revision of MCP and every test card', () => {
    const guide = textOf('docs/buyers.md')
    for (const name of [...scopePresets, ...Object.keys(testCards), ...testCvcs])
      expect(guide).toContain(`\`${name}\``)
    const of = (toolset: (typeof toolsetNames)[number]) => (operation: Operation) =>
      belongsTo(toolset, operation, product.scopes)
    const agents = tools.filter(
      ({ scope }) => scope === null || product.scopes.presets.buyer_agent.includes(scope),
    )
    const [some, none] = [true, false].map((has) =>
      toolsetNames.filter((name) => agents.some(of(name)) === has),
    )
    expect(guide).toContain(`has tools in ${listed(some ?? [])}, and none in ${listed(none ?? [])}.`)
    expect(guide).toContain(
      `have the ${inWords(tools.filter(of('discovery')).length)} that search the catalog and the registry`,
    )
    expect(guide).toContain(
      `revisions ${protocolVersions.slice(0, -1).join(', ')} and ${protocolVersions.at(-1)}`,
    )
  })

  test('the guide to testing has the number of every test card', () => {
    for (const [name, number] of Object.entries(testCardNumbers))
      expect(rowOf('docs/testing.md', `\`${number}\``)).toContain(`| \`${name}\` |`)
  })

  test('the guide for buyers has the limits of one account as they are set by default', () => {
    const guide = textOf('docs/buyers.md')
    const [streams, requests, quotes, intents] = [
      settingsTable.PROKURA_LIMIT_STREAMS.default,
      settingsTable.PROKURA_LIMIT_REQUESTS.default,
      settingsTable.PROKURA_LIMIT_QUOTE_WAITS.default,
      settingsTable.PROKURA_LIMIT_INTENT_WAITS.default,
    ]
    expect(guide).toContain(
      `${streams} event streams, ${requests} requests, ${quotes} requests that wait for a quote and ${intents} that wait for a purchase`,
    )
  })

  test('the guides for merchants and for webhooks have the times of retries, and what each item of the sandbox tries', () => {
    for (const page of ['docs/merchants.md', 'docs/webhooks.md'])
      expect(textOf(page)).toContain(`Retries come after ${retries(deliveryRetrySeconds)} (±20 %)`)
    expect(textOf('docs/webhooks.md')).toContain(`at 0, ${listed(quoteRetrySeconds, '')} seconds`)
    const guide =
      readFileSync(join(root, 'docs/merchants.md'), 'utf8').split('## What each item tries')[1] ?? ''
    expect(sandboxScenarios.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  })

  test('the guides for UCP and for buying anywhere name every release and every language, and how often a model is asked', () => {
    expect(textOf('docs/ucp.md')).toContain(`The releases ${listed(releases)} are spoken`)
    const codes = globSync('server/src/browser/reading/words/??.ts', { cwd: root }).map((path) =>
      basename(path, '.ts'),
    )
    const anywhere = textOf('docs/anywhere.md')
    const [, languages = ''] = /It reads pages in (.+?), by their/.exec(anywhere) ?? []
    expect(languages.split(/, | and /).toSorted()).toEqual(languageNames(codes))
    expect(anywhere).toContain(`**At most** ${movesMax} moves`)
  })

  test('every shop that the demo buys at is described, and every follower of events is named', () => {
    const shops = readFileSync(join(root, 'docs/testing.md'), 'utf8')
    expect(demoShops.filter((name) => !shops.includes(`\n## \`${name}\``))).toEqual([])
    const operating = textOf('docs/operations.md')
    expect(
      followers.filter(({ name }) => !operating.includes(`\`${name}\``)).map(({ name }) => name),
    ).toEqual([])
  })
})

/** `a`, `b` and `c`. */
function listed(values: readonly (string | number)[], quote = '`'): string {
  const quoted = values.map((value) => `${quote}${value}${quote}`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

function inWords(count: number): string {
  return (
    ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][count] ?? String(count)
  )
}

/** Times as a guide writes them: 5 s, 5 min, 2 h. */
function retries(seconds: readonly number[]): string {
  const words = seconds.map((each) => {
    if (each < 60) return `${each} s`
    return each < 3600 ? `${each / 60} min` : `${each / 3600} h`
  })
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The English names of languages, in alphabetical order. */
function languageNames(codes: readonly string[]): string[] {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return codes.map((code) => names.of(code) ?? code).toSorted()
}
