import { BadRequest, integer, text } from '../fields.ts'
import { json, list, type Route, type RunningServer, serveJson } from '../json-server.ts'
import { cardNetwork } from './card-network.ts'
import { signInRoutes, signOut } from './device-sign-in.ts'
import { emptyMemory, type Fault, type Memory, passTime } from './memory.ts'
import { approvalPages } from './pages.ts'
import { spendRequestRoutes } from './spend-requests.ts'

/**
 * Link's agent wallet, as far as the service uses it: a person signs a program in, the program asks to spend, the person decides on a page,
 * and an approved request has a card, always that of Link's test mode. It remembers its requests until it ends.
 */
export async function startLink(options: { port: number; controlToken: string }): Promise<RunningServer> {
  const memory = emptyMemory()
  let url = ''
  const server = await serveJson({
    ...options,
    routes: [
      ...signInRoutes(memory, () => url),
      ...spendRequestRoutes(memory, () => url),
      ...approvalPages(memory),
      ...cardNetwork(memory),
      ...controls(memory),
    ],
    settled: async () => undefined,
  })
  url = server.url
  return server
}

/** What merchants, banks and tests do to it. */
function controls(memory: Memory): Route[] {
  const control = { method: 'POST', isControl: true } as const
  const requestOf = (id: string | undefined) => {
    passTime(memory)
    const request = memory.requests.get(id ?? '')
    if (!request) throw new BadRequest('there is no such request', 'not_found', 404)
    return request
  }
  return [
    {
      ...control,
      path: '/control/faults',
      handle(call) {
        const { operation, how } = call.body()
        memory.faults.push({ operation, how } as Fault) // tests write no other
        return json(201, {})
      },
    },
    {
      ...control,
      path: '/control/clock',
      handle(call) {
        memory.aheadMs += integer(call.body(), 'forward_seconds', { min: 0, max: 400 * 86_400 }) * 1000
        return json(200, { ahead_seconds: memory.aheadMs / 1000 })
      },
    },
    {
      ...control,
      path: '/control/wallets/:code/sign_out',
      handle({ params }) {
        signOut(memory, `wallet_${params.code}`)
        return json(200, {})
      },
    },
    {
      ...control,
      path: '/control/wallets/:code/empty',
      handle(call) {
        const wallet = `wallet_${call.params.code}`
        if (call.body().is_empty === true) memory.emptyWallets.add(wallet)
        else memory.emptyWallets.delete(wallet)
        return json(200, {})
      },
    },
    {
      ...control,
      path: '/control/requests/:id/action',
      handle(call) {
        const request = requestOf(call.params.id)
        request.status = 'requires_action'
        request.goesOn = text(call.body(), 'resolution') === 'auto_resume'
        return json(200, { id: request.id })
      },
    },
    {
      ...control,
      path: '/control/requests/:id/charge',
      handle(call) {
        const request = requestOf(call.params.id)
        const amount = integer(call.body(), 'amount', { min: 1, max: 500_000 })
        const isTaken = request.status === 'approved' && amount <= request.amount
        if (isTaken) Object.assign(request, { status: 'succeeded', charged: amount })
        else if (request.status === 'approved') request.status = 'failed'
        return json(200, { approved: isTaken })
      },
    },
    {
      ...control,
      path: '/control/requests/:id/refund',
      handle(call) {
        const request = requestOf(call.params.id)
        request.refunded += integer(call.body(), 'amount', {
          min: 1,
          max: request.charged - request.refunded,
        })
        return json(200, { refunded: request.refunded })
      },
    },
    { method: 'GET', path: '/log', handle: () => list(memory.log) },
    { method: 'GET', path: '/observations', handle: () => list(memory.observations) },
    { method: 'GET', path: '/health', handle: () => json(200, { ok: true, service: 'link' }) },
  ]
}
