import { startProcessor } from '../src/processor/processor-server.ts'
import { type ProcessorSettings, processorDefaults } from '../src/processor/processor-settings.ts'
import { controlToken, post, type Reply, readLog, temporaryFolder } from './run-sandbox.ts'

export const payment = { card: 'visa_auto_approved', amount: 1000, currency: 'USD', reference: 'cart_1' }

export const budget = {
  card: 'visa_auto_approved',
  limit: 1000,
  currency: 'usd',
  merchant: 'shop.example',
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  reference: 'cart_2',
}

export type OpenProcessor = Awaited<ReturnType<typeof openProcessor>>

/** A processor with a memory of its own, and its usual calls: each under a key of its own, unless the test names one. */
export async function openProcessor() {
  const folder = temporaryFolder()
  const options = { stateDir: folder.path, port: 0, controlToken }
  let server = await startProcessor(options)
  let counter = 0

  function call(path: string, body: object, options: { key?: string; fault?: string } = {}): Promise<Reply> {
    counter += 1
    return post(server.url + path, body, {
      'idempotency-key': options.key ?? `key-${counter}`,
      ...(options.fault === undefined ? {} : { 'sandbox-fault': options.fault }),
    })
  }

  return {
    get url() {
      return server.url
    },
    call,
    /** What its log says that it did. */
    async results(): Promise<unknown[]> {
      const entries = await readLog(server.url)
      return entries.map((entry) => `${entry.operation} ${entry.amount} ${entry.result}`)
    },
    /** The path of a new authorization. */
    async authorized(): Promise<string> {
      const { body } = await call('/v1/authorizations', payment)
      return `/v1/authorizations/${body.id}`
    },
    /** The path of a new credential. */
    async credential(fields: object = {}): Promise<string> {
      const { body } = await call('/v1/credentials', { ...budget, ...fields })
      return `/v1/credentials/${body.id}`
    },
    /** Ends it, and starts it again on the same memory, at another address. */
    async restart(settings: ProcessorSettings = processorDefaults): Promise<void> {
      await server.close()
      server = await startProcessor({ ...options, settings })
    },
    async close(): Promise<void> {
      await server.close()
      folder.remove()
    },
  }
}
