import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { Tell } from '../peer.ts'

export const version = '2.2.1'

/** EverShop 2.2.1 imports `concat-stream` without naming it among its dependencies. */
const dependencies = { '@evershop/evershop': version, 'concat-stream': '2.0.0' }

/** Where EverShop looks for each file of an extension. Here they are texts: what they import is in the shop's own folder alone. */
const extensionFiles: Readonly<Record<string, string>> = {
  'bootstrap.js': 'bootstrap.js',
  'card-form.js': 'pages/frontStore/checkout/CardPayment.js',
  'parse-body.js': 'api/payOrder/[context]bodyParser[auth].js',
  'pay-order.js': 'api/payOrder/payOrder.js',
}

/** Everything that is the shop's own, by its path in the shop's folder. */
async function shopFiles(): Promise<Map<string, string>> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  const extension = 'extensions/card-payment'
  const files = new Map([
    ['package.json', json({ name: 'shop', private: true, type: 'module', dependencies })],
    [
      'config/default.json',
      json({
        shop: { language: 'en', currency: 'USD' },
        system: { extensions: [{ name: 'card-payment', resolve: extension, enabled: true, priority: 10 }] },
      }),
    ],
    [`${extension}/package.json`, json({ name: 'card-payment', version: '1.0.0', type: 'module' })],
    [
      `${extension}/dist/api/payOrder/route.json`,
      json({ methods: ['POST'], path: '/cardPayments', access: 'public' }),
    ],
  ])
  for (const [from, to] of Object.entries(extensionFiles))
    files.set(
      `${extension}/dist/${to}`,
      await readFile(join(import.meta.dirname, 'card-payment', `${from}.txt`), 'utf8'),
    )
  return files
}

/** Installs the package and builds the shop's pages, as its makers say, unless this folder has just that. */
export async function installEvershop(folder: string, tell: Tell): Promise<void> {
  const files = await shopFiles()
  // What is only read when the shop runs needs no new build.
  const built = [...files].filter(([path]) => !path.includes('/dist/api/') && !path.endsWith('bootstrap.js'))
  const wanted = createHash('sha256').update(JSON.stringify(built)).digest('hex')
  const mark = join(folder, 'built')
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  if ((await readFile(mark, 'utf8').catch(() => '')) === wanted)
    return tell(`EverShop ${version} is installed and built`)
  await rm(mark, { force: true })
  await mkdir(join(folder, 'media'), { recursive: true })
  await mkdir(join(folder, 'public'), { recursive: true })
  tell(`Installing EverShop ${version} from the npm registry (about a minute) …`)
  await run(folder, ['npm', 'install', '--no-audit', '--no-fund', '--loglevel', 'error'], 'install.log')
  tell('Building its pages (a few minutes) …')
  await rm(join(folder, '.evershop'), { recursive: true, force: true })
  await run(folder, [process.execPath, evershopProgram(folder), 'build'], 'build.log')
  // The build ends with exit code 0 whatever became of it.
  if (!existsSync(join(folder, '.evershop/build/frontStore')))
    throw new Error(`EverShop could not be built. ${join(folder, 'build.log')} says why.`)
  await writeFile(mark, wanted)
}

export function evershopProgram(folder: string): string {
  return join(folder, 'node_modules/@evershop/evershop/dist/bin/evershop.js')
}

/** The shop starts further processes as `node`, which has to be the one that installed it. */
export function shopEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, NODE_OPTIONS: __, ...env } = process.env
  return { ...env, PATH: `${dirname(process.execPath)}${delimiter}${env.PATH ?? ''}`, ...more }
}

/** Runs a program of the shop to its end, with its words in a file of the folder. */
export async function run(
  folder: string,
  [command = '', ...args]: readonly string[],
  logName: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const log = join(folder, logName)
  const file = openSync(log, 'w')
  const child = spawn(command, args, {
    cwd: folder,
    env: shopEnvironment(env),
    stdio: ['ignore', file, file],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0)
    throw new Error(`${command} ${args[0] ?? ''} failed with exit code ${code}. ${log} says why.`)
}
