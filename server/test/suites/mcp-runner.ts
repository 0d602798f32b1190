import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
)

type CheckStatus = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'

type RunnerCheck = { id: string; status: CheckStatus; errorMessage?: string }

export type RunnerReport = {
  /** The runner's own verdict over what the revision requires. */
  exitCode: number | null
  said: string
  scenarios: ReadonlyMap<string, readonly RunnerCheck[]>
}

/** Runs the official runner against a server: every scenario that a revision requires, and those it only reports. */
export async function runConformance(options: {
  url: string
  revision: string
  expected: Expected
}): Promise<RunnerReport> {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-mcp-'))
  try {
    const args = ['server', '--url', options.url, '--requirements', options.revision]
    const expectedFailures = join(folder, 'expected.yaml')
    const entries = [...options.expected.keys()].map((entry) => `  - ${entry}\n`)
    writeFileSync(expectedFailures, `server:\n${entries.join('')}`)
    const files = ['--expected-failures', expectedFailures, '--output-dir', folder]
    const child = spawn(process.execPath, [program, ...args, ...files], { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    const [exitCode] = await once(child, 'close')
    return { exitCode, said, scenarios: readScenarios(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readScenarios(folder: string): Map<string, RunnerCheck[]> {
  const scenarios = new Map<string, RunnerCheck[]>()
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1]
    if (scenario === undefined) continue
    const checks: RunnerCheck[] = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))
    scenarios.set(scenario, checks)
  }
  return scenarios
}

/** `scenario` or `scenario:check`, and why it may fail. */
export type Expected = ReadonlyMap<string, string>

/** Reads a file of expected failures as the runner takes it. Every entry must say why in a comment on its line. */
export function readExpected(path: string): Expected {
  const entries = new Map<string, string>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#') || line === 'server:' || line === 'server: []') continue
    const [, entry, reason] = /^ {2}- (\S+) # (\S.*)$/.exec(line) ?? []
    if (entry === undefined || reason === undefined)
      throw new Error(`${path}: an entry without a reason: ${line}`)
    entries.set(entry, reason)
  }
  return entries
}

/** The faults of a report: checks that fail and should not, and entries that should fail and do not. */
export function surprises({ scenarios }: RunnerReport, expected: Expected): string[] {
  const faults: string[] = []
  const failing = new Set<string>()
  for (const [scenario, checks] of scenarios) {
    for (const { id, status, errorMessage } of checks.filter(isFailing)) {
      failing.add(scenario).add(`${scenario}:${id}`)
      if (!expected.has(scenario) && !expected.has(`${scenario}:${id}`))
        faults.push(`${scenario} ${status} ${id}: ${errorMessage ?? ''}`)
    }
  }
  for (const entry of expected.keys())
    if (!failing.has(entry)) faults.push(`${entry} passes, or did not run, though it is expected to fail`)
  return faults
}

export function isFailing({ status }: RunnerCheck): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}

/** The runner sends no key. This proxy adds one, and passes everything else on unchanged. */
export async function openKeyProxy(
  url: string,
  key: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const onward = request(
      new URL(incoming.url ?? '/', url),
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
