import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Backlog, watchBacklog } from './backlog.ts'
import { createMetrics, watchPools } from './metrics.ts'

const folder = join(import.meta.dirname, '../../../../docs/grafana')
const dashboardText = readFileSync(join(folder, 'prokura.json'), 'utf8')
const rules = readFileSync(join(folder, 'prokura.rules.yml'), 'utf8')

type Panel = { id: number; type: string; title: string; datasource?: unknown; targets?: { expr: string }[] }
const dashboard: { schemaVersion: number; __inputs: { name: string }[]; panels: Panel[] } =
  JSON.parse(dashboardText)

test('the dashboard and the alarms name no metric that the product does not have', async () => {
  const exported = await exportedNames()
  const series = new Set([...exported.keys()].flatMap((name) => seriesOf(name, exported.get(name) ?? '')))
  const asked = namesIn([...expressions(), ...alarms().map(({ expr }) => expr)])
  expect(asked.filter((name) => !series.has(name))).toEqual([])
  expect(asked.length).toBeGreaterThan(20)
})

test('every metric of the product is on the dashboard', async () => {
  const shown = new Set(namesIn(expressions()))
  const exported = await exportedNames()
  const ours = [...exported].filter(([name]) => name.startsWith('prokura_'))
  const missing = ours.filter(([name, type]) => !seriesOf(name, type).some((one) => shown.has(one)))
  expect(missing).toEqual([])
  expect(ours.length).toBeGreaterThan(20)
})

test('the dashboard can be imported: one data source to choose, and panels that all use it', () => {
  expect(dashboard.__inputs.map(({ name }) => name)).toEqual(['DS_PROMETHEUS'])
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36)
  const charts = dashboard.panels.filter(({ type }) => type !== 'row')
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  for (const { title, datasource, targets } of charts) {
    expect(datasource, title).toEqual({ type: 'prometheus', uid: ['$', '{DS_PROMETHEUS}'].join('') })
    expect(targets?.length, title).toBeGreaterThan(0)
  }
})

test('every alarm says how urgent it is and what to do, and its expression is whole', () => {
  expect(alarms().length).toBeGreaterThan(10)
  for (const { name, text, expr } of alarms()) {
    expect(text, name).toMatch(/labels: \{ severity: (page|ticket) \}/)
    expect(text, name).toMatch(/summary: \S/)
    expect(text, name).toMatch(/description: \S/)
    expect(text, name).toMatch(/for: \d+m/)
    for (const [open, close] of ['()', '{}', '[]'].map((pair) => [...pair]))
      expect(expr.split(open ?? '').length, name).toBe(expr.split(close ?? '').length)
  }
})

async function exportedNames(): Promise<Map<string, string>> {
  const metrics = createMetrics({ defaults: true })
  watchPools(metrics, { size: () => ({ writers: 1, idle: 1, waiting: 0 }) })
  watchBacklog(metrics, async () => nothing)
  const all = await metrics.registry.getMetricsAsJSON()
  return new Map(all.map(({ name, type }) => [name, String(type)]))
}

function seriesOf(name: string, type: string): string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name]
}

function namesIn(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(/\b(?:prokura|process|nodejs)_[a-z0-9_]+/g) ?? []))]
}

function expressions(): string[] {
  return dashboard.panels.flatMap(({ targets }) => targets?.map(({ expr }) => expr) ?? [])
}

function alarms(): { name: string; text: string; expr: string }[] {
  return rules
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((text) => ({
      name: text.split('\n')[0] ?? '',
      text,
      expr: /expr: (?:>-\n\s+)?(.+)/.exec(text)?.[1] ?? '',
    }))
}

const nothing: Backlog = {
  due: [],
  oldest: [],
  unserved: [],
  failing: [],
  openPurchases: [],
  openEffects: [],
  held: [],
  unknownOutcomes: [],
  unrelayed: { events: 0, oldestSeconds: 0 },
  followers: [],
}
