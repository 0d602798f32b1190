import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import type { Work } from '../benchmark.ts'
import { quantile } from '../statistics.ts'

type ScriptRun = {
  url: string
  path: string
  seconds: number
  given: Readonly<Record<string, string>>
  clients: number
}

type Step = { set: string } | { name: string; text: string; variables: string[] }

/**
 * Runs a pgbench script where there is no pgbench: prepared statements, variables, and the one expression our scripts use,
 * `\set n :n + 1`. It costs more than pgbench does, so ratios against it flatter us. The report names the one that ran.
 */
export async function driveScript({ url, path, seconds, given, clients }: ScriptRun): Promise<Work> {
  const steps = readScript(path)
  const connections = await Promise.all(Array.from({ length: clients }, () => connect(url)))
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  await Promise.all(
    connections.map(async (connection, client) => {
      const variables: Record<string, string> = { ...given, client_id: String(client) }
      while (performance.now() < endsAt) {
        const sentAt = performance.now()
        for (const step of steps) {
          if ('set' in step) variables[step.set] = String(Number(variables[step.set]) + 1)
          else
            await connection.query({
              name: step.name,
              text: step.text,
              values: step.variables.map((name) => variables[name]),
            })
        }
        latencies.push(performance.now() - sentAt)
      }
    }),
  )
  const took = (performance.now() - startedAt) / 1000
  await Promise.all(connections.map((connection) => connection.end()))
  latencies.sort((a, b) => a - b)
  return {
    operations: latencies.length,
    seconds: took,
    latencyMs: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
  }
}

function readScript(path: string): Step[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  const sets = lines.flatMap((line) => /^\\set (\w+) :\1 \+ 1$/.exec(line)?.[1] ?? [])
  const sql = lines.filter((line) => !/^(?:\\|--)/.test(line)).join('\n')
  const statements = sql.split(/;\s*(?:\n|$)/).filter((text) => text.trim() !== '')
  return [...sets.map((set) => ({ set })), ...statements.map((text, index) => prepare(text, `s${index}`))]
}

function prepare(text: string, name: string): Step {
  const variables: string[] = []
  const numbered = text.replace(/(?<!:):([a-z_]+)\b/g, (_, variable: string) => {
    if (!variables.includes(variable)) variables.push(variable)
    return `$${variables.indexOf(variable) + 1}`
  })
  return { name, text: numbered, variables }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'bench' })
  await client.connect()
  return client
}
