import { parseArgs } from 'node:util'
import { BadRequest } from '../fields.ts'

export const help = `prokura-sandbox ucp-suite: what the official suite of UCP talks to, in front of a running service

  prokura-sandbox ucp-suite --url URL --key KEY --data DIR [--slug SLUG] [--simulation-secret SECRET] [--port N]

  --url URL            the service
  --key KEY            the secret key of test mode of an account that is the suite's alone: it becomes the suite's shop
  --data DIR           the data folder of the suite, such as test_data/flower_shop
  --slug SLUG          the slug of the shop; flower-shop is the default
  --simulation-secret SECRET
                       what the suite sends to simulate shipping; without it nothing does
  --port N             the port to listen on; 0 (the default) takes a free one
  --json               print one line of JSON when ready: {"server_url", "items"}
  --parent-pipe        stop when standard input closes
  --help               show this help

It makes the shop, or completes it, and then translates what the suite says in its release (2026-01-11) and what the service answers.
It listens on 127.0.0.1, and forgets what it has heard when it ends.
`

export type SuiteOptions = {
  url: string
  key: string
  dataDir: string
  slug: string
  simulationSecret: string | undefined
  port: number
  json: boolean
  parentPipe: boolean
}

/** Throws with a sentence for the person at the command line. Undefined when only help was asked for. */
export function parseSuiteOptions(args: string[]): SuiteOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      data: { type: 'string' },
      slug: { type: 'string', default: 'flower-shop' },
      'simulation-secret': { type: 'string' },
      port: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      'parent-pipe': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const { url, key, data } = values
  if (url === undefined || !URL.canParse(url)) throw new BadRequest('--url must be the URL of the service')
  if (key === undefined || !key.includes('_test_'))
    throw new BadRequest('--key must be a secret key of test mode: orders of this shop confirm themselves')
  if (data === undefined) throw new BadRequest('--data must be the data folder of the suite')
  const port = Number(values.port)
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535) throw new BadRequest(`"${values.port}" is not a port`)
  return {
    url: new URL(url).origin,
    key,
    dataDir: data,
    slug: values.slug,
    simulationSecret: values['simulation-secret'],
    port,
    json: values.json,
    parentPipe: values['parent-pipe'],
  }
}
