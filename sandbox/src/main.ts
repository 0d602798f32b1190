import { Socket } from 'node:net'
import { startCatalog } from './catalog/catalog-server.ts'
import { readOrMakeControlToken } from './control-token.ts'
import { help as integratorHelp, parseIntegratorOptions } from './integrator/options.ts'
import { startIntegrator } from './integrator/site.ts'
import type { RunningServer } from './json-server.ts'
import { startLink } from './link/link-server.ts'
import { help as linkHelp, parseLinkOptions } from './link/options.ts'
import { startMerchant } from './merchant/merchant-server.ts'
import { modelName, startModelServer } from './model/model-server.ts'
import { help as modelHelp, parseModelOptions } from './model/options.ts'
import { help, type Options, parseOptions } from './options.ts'
import { startProcessor } from './processor/processor-server.ts'
import { startShops } from './shops/shops-server.ts'
import { type StrangersFacts, startStrangers } from './strangers/strangers-server.ts'
import { startStripe } from './stripe/stripe-server.ts'
import { parseSuiteOptions, help as suiteHelp } from './ucp-suite/options.ts'
import { startUcpSuite } from './ucp-suite/suite-server.ts'

await main()

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2)
  try {
    if (command === 'ucp-suite') await serveSuite(rest)
    else if (command === 'integrator') await serveIntegrator(rest)
    else if (command === 'model') await serveModel(rest)
    else if (command === 'link') await serveLink(rest)
    else await serveWorld(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`prokura-sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

async function serveWorld(args: string[]): Promise<void> {
  const options = parseOptions(args)
  if (options === undefined) return void process.stdout.write(help)
  const running = stopsWhenTold(options)
  const started = await start(options, running)
  process.stdout.write(options.json ? `${JSON.stringify(started)}\n` : describe(started))
}

async function serveSuite(args: string[]): Promise<void> {
  const options = parseSuiteOptions(args)
  if (options === undefined) return void process.stdout.write(suiteHelp)
  const running = stopsWhenTold({ ...options, parentFd: undefined })
  const suite = await startUcpSuite(options)
  running.push(suite)
  const { url: server_url, items } = suite
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ server_url, items })}\n`
      : `${options.slug} has the ${items.length} products of the suite. Run the suite with --server_url=${server_url}\n`,
  )
}

async function serveIntegrator(args: string[]): Promise<void> {
  const options = parseIntegratorOptions(args)
  if (options === undefined) return void process.stdout.write(integratorHelp)
  const running = stopsWhenTold({ ...options, parentFd: undefined })
  const site = await startIntegrator(options)
  running.push(site)
  process.stdout.write(
    options.json ? `${JSON.stringify({ site_url: site.url })}\n` : `Open ${site.url} in a browser\n`,
  )
}

async function serveModel(args: string[]): Promise<void> {
  const options = parseModelOptions(args)
  if (options === undefined) return void process.stdout.write(modelHelp)
  const running = stopsWhenTold({ ...options, parentFd: undefined })
  const controlToken = readOrMakeControlToken(options.stateDir)
  const model = await startModelServer({ ...options, controlToken })
  running.push(model)
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ model_url: model.url, model: modelName, control_token: controlToken })}\n`
      : `The model ${modelName} answers at ${model.url}/v1\n`,
  )
}

async function serveLink(args: string[]): Promise<void> {
  const options = parseLinkOptions(args)
  if (options === undefined) return void process.stdout.write(linkHelp)
  const running = stopsWhenTold({ ...options, parentFd: undefined })
  const controlToken = readOrMakeControlToken(options.stateDir)
  const link = await startLink({ ...options, controlToken })
  running.push(link)
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ link_url: link.url, control_token: controlToken })}\n`
      : `The wallet answers at ${link.url}\n`,
  )
}

/** What is put into the list ends with this process. */
function stopsWhenTold(options: Pick<Options, 'parentPipe' | 'parentFd'>): RunningServer[] {
  const running: RunningServer[] = []
  // Before the start, so that a parent that goes away meanwhile still takes us along.
  stopWithParent(options, () => stop(running))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(running))
  return running
}

type Started = {
  processor_url: string | null
  merchant_url: string | null
  shops_url: string | null
  catalog_url: string | null
  stripe_url: string | null
  link_url: string | null
  strangers_url: string | null
  strangers: StrangersFacts | null
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
  const catalog = roles.includes('catalog')
    ? keep(await startCatalog({ port: ports.catalog, controlToken }))
    : null
  const stripe = roles.includes('stripe')
    ? keep(await startStripe({ stateDir, port: ports.stripe, controlToken }))
    : null
  const link = roles.includes('link') ? keep(await startLink({ port: ports.link, controlToken })) : null
  const strangers =
    roles.includes('strangers') && processorUrl !== null
      ? await startStrangers({
          stateDir,
          port: ports.strangers,
          webPort: options.strangersWebPort,
          shopsElsewhere: options.shopsElsewhere,
          processorUrl,
          ...(stripe === null ? {} : { stripeUrl: stripe }),
          ...(link === null ? {} : { linkUrl: link }),
          controlToken,
        })
      : null
  if (strangers !== null) keep(strangers)
  return {
    processor_url: processor,
    merchant_url: merchant,
    shops_url: shops,
    catalog_url: catalog,
    stripe_url: stripe,
    link_url: link,
    strangers_url: strangers?.url ?? null,
    strangers: strangers?.facts ?? null,
    control_token: controlToken,
  }
}

function describe(started: Started): string {
  const { strangers, ...addresses } = started
  const all = Object.entries({ ...addresses, ...strangers?.shops })
  const lines = all.flatMap(([name, url]) => (url === null ? [] : [`${name} ${url}`]))
  return `${lines.join('\n')}\n`
}

function stopWithParent(
  { parentPipe, parentFd }: Pick<Options, 'parentPipe' | 'parentFd'>,
  end: () => void,
): void {
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
