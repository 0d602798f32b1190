import { join } from 'node:path'
import { startTestApp } from '../harness/app.ts'
import { startMcpFixtures } from './mcp-fixtures.ts'
import {
  type Expected,
  isFailing,
  openKeyProxy,
  readExpected,
  runConformance,
  surprises,
} from './mcp-runner.ts'
import type { SuiteRun, Tally } from './suite.ts'

/** The number of scenarios that the runner has for servers of each revision. With fewer, it would have left some out. */
const scenariosOf = { '2025-11-25': 33, '2026-07-28': 50 } as const
/** Of those that the runner knows; older ones are held to by `server/test/conformance/mcp-oracle.test.ts` and by the clients of their time. */
const revisions = Object.keys(scenariosOf) as (keyof typeof scenariosOf)[] // the keys of a constant

/**
 * The official conformance runner, for both revisions: against `/mcp/v1` of a running API, and against its protocol with tools that the
 * runner calls by name. What may fail is written down with its reason; what fails beyond that, and what passes against it, fails here.
 */
export async function runMcpConformance({ server, tally }: SuiteRun): Promise<void> {
  const app = await startTestApp({ server, checkReplies: false })
  const proxy = await openKeyProxy(app.url, app.account.keys.secret_test)
  const fixtures = await startMcpFixtures()
  try {
    for (const revision of revisions) {
      const expected = readExpected(join(import.meta.dirname, `../conformance/mcp/${revision}.yaml`))
      await judge({ about: `product ${revision}`, revision, url: proxy.url, expected, tally })
      const withTools = new Map([...expected].filter(([, reason]) => reason !== forWantOfATool))
      await judge({ about: `fixtures ${revision}`, revision, url: fixtures.url, expected: withTools, tally })
    }
  } finally {
    await fixtures.stop()
    await proxy.close()
    await app.stop()
  }
}

/** The reason of what the product cannot show and the same code must show with the fixtures. */
const forWantOfATool = "calls a tool of the runner's, which the fixtures have"

type Judged = {
  about: string
  revision: keyof typeof scenariosOf
  url: string
  expected: Expected
  tally: Tally
}

async function judge({ about, revision, url, expected, tally }: Judged): Promise<void> {
  const report = await runConformance({ url: `${url}/mcp/v1`, revision, expected })
  const { scenarios } = report
  if (scenarios.size !== scenariosOf[revision])
    tally.fail(`${about}: ${scenarios.size} scenarios ran, not ${scenariosOf[revision]}\n${report.said}`)
  if (report.exitCode !== 0) tally.fail(`${about}: the runner ended with ${report.exitCode}\n${report.said}`)
  for (const fault of surprises(report, expected)) tally.fail(`${about}: ${fault}`)
  const all = [...scenarios.values()]
  const passed = all.filter((checks) => !checks.some(isFailing)).length
  const checks = all.flat().filter(({ status }) => status === 'SUCCESS').length
  tally.pass(checks)
  tally.figure(
    `${about} scenarios`,
    `${passed} of ${scenarios.size} pass, ${scenarios.size - passed} expected to fail`,
  )
  tally.figure(`${about} checks`, checks)
}
