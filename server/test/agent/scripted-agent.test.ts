import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buying, startBuying } from '../harness/buying.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { type End, ScriptedAgent } from './scripted-agent.ts'
import { openToolClient, type ToolClient } from './tool-client.ts'
import { type Line, transcriptPage } from './transcript.ts'
import { chargesOf, openWorld, type World } from './world.ts'

let buying: Buying
beforeAll(async () => {
  buying = await startBuying()
})
afterAll(() => buying?.stop())

const runs: { scenario: Scenario; lines: Line[]; end: End }[] = []

/** A client whose every call stands in the transcript. */
function recorded(client: ToolClient, lines: Line[]): ToolClient {
  return {
    list: () => client.list(),
    async call(name, args) {
      const line: Line = { kind: 'call', name, args, seen: null }
      lines.push(line)
      const seen = await client.call(name, args)
      line.seen = seen
      return seen
    },
  }
}

async function go(scenario: Scenario, world: World): Promise<{ lines: Line[]; end: End }> {
  const lines: Line[] = []
  const deeds = [...(scenario.person ?? [])]
  const lost = new Set([scenario.loses])
  const client = openToolClient({
    url: `${buying.app.url}/mcp/v1`,
    key: () => world.agentKey.token,
    isLost: (name) => lost.delete(name),
  })
  const agent = new ScriptedAgent({
    client: recorded(client, lines),
    newKey: randomUUID,
    pass: (seconds) => delay(seconds * 1000),
    async tell(text) {
      lines.push({ kind: 'told', text })
      const deed = deeds.shift()
      if (!deed) throw new Error(`nobody expected to be told: ${text}`)
      await deed.act?.(world)
      lines.push({ kind: 'did', text: deed.does })
      return deed.reaction
    },
  })
  const end = await agent.pursue(scenario.wish)
  expect(deeds).toEqual([])
  return { lines, end }
}

test.each(scenarios)(
  '$name: the agent reaches the right end and nothing is bought twice',
  async (scenario) => {
    const world = await openWorld(buying, scenario)
    await scenario.prepare?.(world)
    const { lines, end } = await go(scenario, world)
    runs.push({ scenario, lines, end })
    await buying.settled()
    const { status, charged, says } = scenario.ends
    const told = JSON.stringify({ end, lines }, null, 1)
    expect(end.object?.status ?? null, told).toBe(status)
    expect(end.lastWords).toMatch(says)
    const { body } = await buying.app.get('/v1/purchase_intents', { key: world.account.keys.secret_test })
    expect(body.data.map((row: { status: string }) => row.status)).toEqual(status === null ? [] : [status])
    expect(await chargesOf(world)).toEqual(charged)
    await buying.audit()
  },
)

test('the page of the docs shows what happened', async () => {
  expect(runs.length).toBeGreaterThanOrEqual(20)
  await expect(transcriptPage(runs)).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/agents.md'))
})
