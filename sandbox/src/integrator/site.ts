import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { BadRequest, isObject } from '../fields.ts'
import type { RunningServer } from '../json-server.ts'
import type { IntegratorOptions } from './options.ts'
import { openService, type Service } from './service-calls.ts'

const page = readFileSync(join(import.meta.dirname, 'add-card.html'), 'utf8')

/** The site of an integrator: its pages have a publishable key, and its server, which answers them, the secret one. */
export async function startIntegrator(options: IntegratorOptions): Promise<RunningServer> {
  const service = openService(options)
  const profileId = await service.addVisitor()
  const shown = page
    .replaceAll('{{elements}}', options.elementsUrl)
    .replaceAll('{{publishable_key}}', options.publishableKey)
    .replaceAll('{{profile_id}}', profileId)
  const server = createServer(async (request, response) => {
    const { status, type, body } = await answer(request, { service, profileId, shown })
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // of a server that listens at a port
  return {
    url: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Site = { service: Service; profileId: string; shown: string }

async function answer(request: IncomingMessage, { service, profileId, shown }: Site) {
  if (request.method === 'GET' && request.url === '/')
    return { status: 200, type: 'text/html; charset=utf-8', body: shown }
  if (request.method !== 'POST' || request.url !== '/purchases')
    return json(404, { summary: 'There is nothing here.' })
  try {
    return json(200, { summary: await service.buy(profileId, await paymentMethodIn(request)) })
  } catch (error) {
    return json(error instanceof BadRequest ? error.status : 502, { summary: String(error) })
  }
}

function json(status: number, body: object) {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

async function paymentMethodIn(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const id = isObject(body) ? body.payment_method_id : undefined
  if (typeof id !== 'string') throw new BadRequest('payment_method_id must be a string')
  return id
}
