import { Socket } from 'node:net'
import { readOrMakeControlToken } from './control-token.ts'
import type { RunningServer } from './json-server.ts'
import { startMerchant } from './merchant/merchant-server.ts'
import { help, type Options, parseOptions } from './options.ts'
import { startProcessor } from './processor/processor-server.ts'
import { startShops } from './shops/shops-server.ts'

await main()

async function main(): Promise<void> {
  try {
    const options = parseOptions(process.argv.slice(2))
    if (options === undefined) process.stdout.write(help)
    else await run(options)
  } catch (error) {
    process.stderr.write(`prokura-sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

async function run(options: Options): Promise<void> {
  const running: RunningServer[] = []
  // Before the start, so that a parent that goes away meanwhile still takes us along.
  stopWithParent(options, () => stop(running))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(running))
  const started = await start(options, running)
  process.stdout.write(options.json ? `${JSON.stringify(started)}\n` : describe(started))
}

type Started = {
  processor_url: string | null
  merchant_url: string | null
  shops_url: string | null
  control_token: string
}

async function start(options: Options, running: RunningServer[]): Promise<Started> {
  const { stateDir, ports, roles } = options
  const controlToken = readOrMakeControlToken(stateDir)
  const keep = (server: RunningServer) => {
    running.push(server)
    return server.url
  }
  const processor = roles.includes('processor')
    ? keep(
        await startProcessor({
          stateDir,
          port: ports.processor,
          settings: options.processorSettings,
          controlToken,
        }),
      )
    : null
  const merchant = roles.includes('merchant')
    ? keep(
        await startMerchant({
          stateDir,
          port: ports.merchant,
          settings: options.merchantSettings,
          controlToken,
        }),
      )
    : null
  const processorUrl = options.processorUrl ?? processor
  const shops =
    roles.includes('shops') && processorUrl !== null
      ? keep(
          await startShops({
            stateDir,
            port: ports.shops,
            processorUrl,
            settings: options.shopsSettings,
            controlToken,
          }),
        )
      : null
  return { processor_url: processor, merchant_url: merchant, shops_url: shops, control_token: controlToken }
}

function describe(started: Started): string {
  const lines = Object.entries(started).flatMap(([name, url]) => (url === null ? [] : [`${name} ${url}`]))
  return `${lines.join('\n')}\n`
}

function stopWithParent({ parentPipe, parentFd }: Options, end: () => void): void {
  const pipes = [
    ...(parentPipe ? [process.stdin] : []),
    ...(parentFd === undefined ? [] : [new Socket({ fd: parentFd })]),
  ]
  for (const pipe of pipes) {
    pipe.on('end', end)
    pipe.on('close', end)
    pipe.on('error', end)
    pipe.resume()
  }
}

const STOP_WITHIN_MS = 2_000

let isStopping = false

function stop(running: readonly RunningServer[]): void {
  if (isStopping) return
  isStopping = true
  // Open connections may hang, but everything that was answered is on disk already.
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref()
  void Promise.all(running.map((server) => server.close())).finally(() => process.exit(0))
}
