import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Mppx, stripe } from 'mppx/server'

/** The key and the profile by which the simulator knows sellers elsewhere. */
const seller = { secretKey: 'sk_test_stranger', networkId: 'profile_sandbox' }

type Seller = {
  origin: string
  host: string
  /** How many answers were sold. */
  sold(): number
  /** Breaks the connection of the next answer that is paid for, after it was charged. */
  loseNext(): void
  stop(): Promise<void>
}

/**
 * A paid API as its README tells people to write one: the library with its own method of Stripe, as it is installed. It captures at once,
 * confirms in the request that makes the payment, and names the token at the top level.
 */
export async function startMppxSeller(stripeUrl: string): Promise<Seller> {
  const ordinary = globalThis.fetch
  // The library has the address of Stripe in its code, and nothing else is changed in what it sends.
  globalThis.fetch = (input, init) =>
    typeof input === 'string' && input.startsWith('https://api.stripe.com/')
      ? ordinary(input.replace('https://api.stripe.com', stripeUrl), init)
      : ordinary(input, init)
  let sold = 0
  let isLost = false
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const paid = await Mppx.toNodeListener(charge)(request, response)
    if (paid.status === 402) return
    sold += 1
    if (isLost) {
      isLost = false
      return void response.destroy()
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":42}')
  })
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const mppx = Mppx.create({
    methods: [stripe.charge({ ...seller, paymentMethodTypes: ['card'] })],
    secretKey: 'the secret of a paid API, 32 bytes and more',
    realm: host,
  })
  const charge = mppx.charge({ amount: '12.50', currency: 'usd', decimals: 2, description: 'One answer' })
  return {
    origin: `http://${host}`,
    host,
    sold: () => sold,
    loseNext: () => {
      isLost = true
    },
    async stop() {
      globalThis.fetch = ordinary
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
