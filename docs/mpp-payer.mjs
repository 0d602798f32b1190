// A payer over MPP in one file. It pays with a purchase that was approved at the service. Copy it, and change what you need.
//
//   node docs/mpp-payer.mjs SERVICE KEY PURCHASE MERCHANT ORDERS_URL ORDER
//
// SERVICE: the address of the service that the purchase was made at. KEY: a secret key that may approve purchases. PURCHASE: the id of an
// approved purchase with `execution_method` `payment_token`. MERCHANT: the slug of the merchant. ORDER: the order, as JSON.
import { Credential, Method, Receipt, z } from 'mppx'
import { Mppx } from 'mppx/client'

const [service, key, purchase, slug, url, order] = process.argv.slice(2)

const vault = Method.from({
  name: 'vault',
  intent: 'charge',
  schema: {
    credential: { payload: z.object({ token: z.string() }) },
    request: z.object({ amount: z.string(), currency: z.string(), recipient: z.string() }),
  },
})

/** A token of the purchase, for this challenge and no other. */
async function tokenFor({ id, request }) {
  const response = await fetch(`${service}/v1/purchase_intents/${purchase}/payment_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      merchant: { slug },
      amount: Number(request.amount),
      currency: request.currency.toUpperCase(),
      binding: { challenge_id: id },
    }),
  })
  const made = await response.json()
  if (!response.ok) throw new Error(`no token: ${JSON.stringify(made)}`)
  return made.token
}

const payer = Mppx.create({
  // Pays once, and leaves the fetch of this process as it is.
  polyfill: false,
  maxPaymentRetries: 1,
  methods: [
    Method.toClient(vault, {
      async createCredential({ challenge }) {
        if (challenge.realm !== new URL(url).host) throw new Error(`${challenge.realm} asks for the payment`)
        return Credential.serialize({ challenge, payload: { token: await tokenFor(challenge) } })
      },
    }),
  ],
})

try {
  const response = await payer.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: order,
  })
  const placed = await response.json()
  if (response.status !== 201) throw new Error(JSON.stringify(placed))
  console.log(JSON.stringify({ order: placed, receipt: Receipt.fromResponse(response) }))
} catch (error) {
  console.error(`FAILED: order at ${slug}: ${error.cause?.message ?? error.message}`)
  process.exitCode = 1
}
