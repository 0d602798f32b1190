import { parseArgs } from 'node:util'
import { BadRequest } from '../fields.ts'

export const help = `prokura-sandbox integrator: a shop assistant's own site, whose pages show components of a running service

  PROKURA_API_KEY=KEY prokura-sandbox integrator --url URL --elements URL --publishable-key KEY --item URL --amount N --currency CODE [--port N]

  --url URL            the service
  --elements URL       where its components come from: PROKURA_ELEMENTS_URL
  --publishable-key KEY
                       the key of its pages, with the capability elements and the origin http://localhost:PORT
  --item URL           what its visitor wants to buy
  --amount N           what that costs, in minor units
  --currency CODE      in which currency
  --port N             the port to listen on, at http://localhost:N
  --json               print one line of JSON when ready: {"site_url"}
  --parent-pipe        stop when standard input closes
  --help               show this help

PROKURA_API_KEY is a secret key of test mode, which stays on this site's server. It has one visitor, for whom it makes a profile when it starts.
`

export type IntegratorOptions = {
  url: string
  elementsUrl: string
  key: string
  publishableKey: string
  item: { url: string; amount: number; currency: string }
  port: number
  json: boolean
  parentPipe: boolean
}

/** Throws with a sentence for the person at the command line. Undefined when only help was asked for. */
export function parseIntegratorOptions(args: string[]): IntegratorOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      elements: { type: 'string' },
      'publishable-key': { type: 'string' },
      item: { type: 'string' },
      amount: { type: 'string' },
      currency: { type: 'string' },
      port: { type: 'string', default: '4242' },
      json: { type: 'boolean', default: false },
      'parent-pipe': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const { currency } = values
  // Arguments of a process can be read by everybody on its machine.
  const key = process.env.PROKURA_API_KEY
  const publishableKey = values['publishable-key']
  if (!key?.startsWith('pr_sk_test_'))
    throw new BadRequest('PROKURA_API_KEY must be a secret key of test mode')
  if (!publishableKey?.startsWith('pr_pk_test_'))
    throw new BadRequest('--publishable-key must be a publishable key of test mode')
  if (!/^[A-Z]{3}$/.test(currency ?? '')) throw new BadRequest('--currency must be a code such as EUR')
  const amount = wholeNumber('--amount', values.amount)
  const port = wholeNumber('--port', values.port)
  if (port > 65_535) throw new BadRequest(`"${values.port}" is not a port`)
  return {
    url: originOf('--url', values.url),
    elementsUrl: originOf('--elements', values.elements),
    key,
    publishableKey,
    item: { url: addressOf('--item', values.item).href, amount, currency: currency ?? '' },
    port,
    json: values.json,
    parentPipe: values['parent-pipe'],
  }
}

function addressOf(option: string, text: string | undefined): URL {
  const url = URL.parse(text ?? '')
  if (url === null) throw new BadRequest(`${option} must be a URL`)
  return url
}

function originOf(option: string, text: string | undefined): string {
  return addressOf(option, text).origin
}

function wholeNumber(option: string, text: string | undefined): number {
  if (!/^\d{1,9}$/.test(text ?? '')) throw new BadRequest(`${option} must be a whole number`)
  return Number(text)
}
