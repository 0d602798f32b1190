import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../src/schema/schema-node.ts'
import { runCommand } from '../gate/run-command.ts'
import { type GeneratedClient, heyApi, openapiFetch, orval } from './clients/programs.ts'
import { moved } from './progress.ts'
import type { SuiteRun } from './suite.ts'
import { startService } from './whole-product.ts'

const root = join(import.meta.dirname, '../../..')
/** Only so that a program that hangs ends. */
const limitMs = 600_000

/**
 * Clients made by public generators from the document that a running product serves. They compile under `tsc --strict`, and a
 * program that has its types from them alone can buy.
 */
export async function runClients({ size, only, tally }: SuiteRun): Promise<void> {
  const all = size === 'gate' ? [openapiFetch] : [openapiFetch, heyApi, orval]
  const service = await startService({ workers: 1, databaseUrl: null })
  // Inside the repository, so that programs find its packages.
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp/clients-'))
  try {
    const document = await (await fetch(`${service.ready.base_url}/openapi.json`)).text()
    for (const client of all.filter(({ name }) => only === null || name.includes(only))) {
      const fault = await tryClient(client, {
        folder: join(folder, client.name.replaceAll('/', '_')),
        document,
        baseUrl: service.ready.base_url,
        key: service.ready.keys.secret_test,
      })
      if (fault === null) tally.pass()
      else tally.fail(`${client.name} ${fault}`)
    }
    await service.audit(tally)
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Place = { folder: string; document: string; baseUrl: string; key: string }

async function tryClient(client: GeneratedClient, place: Place): Promise<string | null> {
  const { folder, document, baseUrl, key } = place
  mkdirSync(folder)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('openapi.json', document)
  write('package.json', JSON.stringify({ private: true, type: 'commonjs' }))
  write('tsconfig.json', JSON.stringify(compiling))
  write('buy.ts', client.program)
  for (const [name, text] of Object.entries(client.files)) write(name, text.replaceAll('{base_url}', baseUrl))
  const [generator = '', ...settings] = client.generator
  const steps = {
    generated: [join(root, 'node_modules', generator), ...settings],
    compiled: [join(root, 'node_modules/typescript-7/bin/tsc'), '--project', '.', '--pretty', 'false'],
    bought: ['out/buy.js', baseUrl, key],
  }
  for (const [step, args] of Object.entries(steps)) {
    const { exitCode, output } = await runCommand({ args, cwd: folder, limitMs, onLine: moved })
    if (exitCode !== 0) return `was not ${step}: ${output.slice(-2000)}`
    if (step === 'bought') return faultOfPurchase(output)
  }
  return 'was not tried'
}

/** As strangers compile, with every check that is called strict. */
const compiling = {
  compilerOptions: {
    strict: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'commonjs',
    moduleResolution: 'bundler',
    types: ['node'],
    skipLibCheck: true,
    outDir: 'out',
    rootDir: '.',
  },
  files: ['buy.ts'],
}

function faultOfPurchase(output: string): string | null {
  const line = output.split('\n').find((each) => each.startsWith('{')) ?? ''
  const told: unknown = line === '' ? null : JSON.parse(line)
  if (!isObject(told)) return `said nothing of its purchase: ${output.slice(-2000)}`
  const { status, actual_amount: actual, max_allowed_amount: most } = told
  const isWithin = typeof actual === 'number' && typeof most === 'number' && actual > 0 && actual <= most
  return status === 'succeeded' && isWithin ? null : `ended otherwise: ${line}`
}
