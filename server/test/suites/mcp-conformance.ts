import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startTestApp } from '../harness/app.ts'
import { mainProgram, serviceEnvironment } from '../harness/up.ts'
import {
  isFailing,
  openKeyProxy,
  type RunnerReport,
  readExpected,
  runConformance,
  surprises,
} from './mcp-runner.ts'
import type { SuiteRun, Tally } from './suite.ts'

/** How many scenarios the runner has for servers of each revision: fewer would mean that it left some out. */
const scenariosOf = { '2025-11-25': 33, '2026-07-28': 50 } as const
/** Of those that the runner knows; older ones are held to by `server/src/surfaces/v1/mcp/protocol.test.ts` and by the clients of their time. */
const revisions = Object.keys(scenariosOf) as (keyof typeof scenariosOf)[] // the keys of a constant

/** The product itself, and the same handler with the fixtures that the runner looks for. */
type Subject = 'product' | 'fixtures'

/**
 * The official conformance runner, for both revisions: against `/mcp/v1` of a running API, and against `prokura mcp-fixtures`. What
 * may fail is written down with its reason; what fails beyond that, and what passes against it, fails here.
 */
export async function runMcpConformance({ server, tally }: SuiteRun): Promise<void> {
  const app = await startTestApp({ server, checkReplies: false })
  const proxy = await openKeyProxy(app.url, app.account.keys.secret_test)
  const fixtures = await startFixtures()
  try {
    const passing = new Map<string, ReadonlySet<string>>()
    for (const revision of revisions) {
      const report = await judge({ subject: 'fixtures', revision, url: fixtures.url, tally })
      passing.set(
        revision,
        new Set([...report.scenarios].filter(([, checks]) => !checks.some(isFailing)).map(([name]) => name)),
      )
    }
    for (const revision of revisions) {
      await judge({ subject: 'product', revision, url: proxy.url, tally })
      // What the product cannot show for want of a fixture, the same handler must have shown with it.
      const excused = [...readExpected(expectedFile('product', revision)).keys()].map(
        (entry) => entry.split(':')[0] ?? '',
      )
      const either = new Set([...readExpected(expectedFile('fixtures', revision)).keys()])
      for (const scenario of new Set(excused)) {
        if (passing.get(revision)?.has(scenario) || either.has(scenario)) tally.pass()
        else tally.fail(`${scenario} of ${revision} is shown neither by the product nor by the fixtures`)
      }
    }
  } finally {
    await fixtures.stop()
    await proxy.close()
    await app.stop()
  }
}

type Judged = { subject: Subject; revision: keyof typeof scenariosOf; url: string; tally: Tally }

async function judge({ subject, revision, url, tally }: Judged): Promise<RunnerReport> {
  const expectedFailures = expectedFile(subject, revision)
  const report = await runConformance({ url: `${url}/mcp/v1`, revision, expectedFailures })
  const { scenarios } = report
  const about = `${subject} ${revision}`
  if (scenarios.size !== scenariosOf[revision])
    tally.fail(`${about}: ${scenarios.size} scenarios ran, not ${scenariosOf[revision]}\n${report.said}`)
  if (report.exitCode !== 0) tally.fail(`${about}: the runner ended with ${report.exitCode}\n${report.said}`)
  for (const fault of surprises(report, readExpected(expectedFailures))) tally.fail(`${about}: ${fault}`)
  const all = [...scenarios.values()]
  const passed = all.filter((checks) => !checks.some(isFailing)).length
  const checks = all.flat().filter(({ status }) => status === 'SUCCESS').length
  tally.pass(checks)
  tally.figure(
    `${about} scenarios`,
    `${passed} of ${scenarios.size} pass, ${scenarios.size - passed} expected to fail`,
  )
  tally.figure(`${about} checks`, checks)
  return report
}

function expectedFile(subject: Subject, revision: string): string {
  return join(import.meta.dirname, `../conformance/mcp/${subject}.${revision}.yaml`)
}

async function startFixtures(): Promise<{ url: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(
    process.execPath,
    [mainProgram, 'mcp-fixtures', '--port', '0', '--parent-pipe'],
    {
      env: serviceEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'close')
  if (!child.stdout) throw new Error('the output of the fixtures is a pipe')
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => {
      throw new Error('the fixtures ended before they were ready')
    }),
  ])
  const { base_url: url }: { base_url: string } = JSON.parse(String(line))
  return {
    url,
    async stop() {
      child.stdin?.end()
      await ended
    },
  }
}
