import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BadRequest, type Fields, isObject } from './fields.ts'
import type { Settings } from './merchant/memory.ts'
import { merchantDefaults, parseSettings } from './merchant/merchant-server.ts'
import {
  type ProcessorSettings,
  parseProcessorSettings,
  processorDefaults,
} from './processor/processor-settings.ts'
import { parseShopsSettings, type ShopsSettings, shopsDefaults } from './shops/shops-server.ts'
import { shops } from './strangers/shop-list.ts'

export const help = `prokura-sandbox: the outside world of test mode (payment processor, merchant backend, shops, global catalog,
Stripe, shops with web pages)

  prokura-sandbox --state DIR [--processor-port N] [--merchant-port N] [--shops-port N] [--catalog-port N]
                  [--stripe-port N] [--link-port N] [--strangers-port N] [--strangers-web-port N] [--config FILE]

  --state DIR          the folder of the append-only logs; it is created if it does not exist
  --processor-port N   the port of the payment processor; 0 (the default) takes a free one
  --merchant-port N    the port of the merchant backend, in the same way
  --shops-port N       the port of the shops, in the same way
  --catalog-port N     the port of the global catalog, in the same way
  --stripe-port N      the port of the simulator of Stripe, in the same way
  --link-port N        the port of the simulator of Link, in the same way
  --strangers-port N   the port where the shops with web pages testify, in the same way
  --strangers-web-port N
                       the port of their pages, which have names of their own and TLS, in the same way
  --shop NAME=PORT     a shop of your own at this port of 127.0.0.1, under https://NAME.shop.test; several times for several shops
  --role ROLE          run only this service: processor, merchant, shops, catalog, stripe, link or strangers
  --processor-url URL  the payment processor that the shops charge at, if it runs elsewhere (needed with --role shops or strangers)
  --config FILE        a JSON file: {"merchant": {"late_after_ms", "slow_ack_ms", "default_unit_amount", "default_currency"},
                       "shops": {"slow_ms", "late_confirmation_ms"}, "processor": {"closes_keys"}}
  --json               print one line of JSON when ready: {"processor_url", "merchant_url", "shops_url", "catalog_url",
                       "stripe_url", "link_url", "strangers_url", "strangers": {"shops", "addresses", "authority"}, "control_token"}
  --parent-pipe        stop when standard input closes
  --help               show this help

  prokura-sandbox ucp-suite --help
                       what the official suite of UCP talks to
  prokura-sandbox integrator --help
                       a site whose pages show components
  prokura-sandbox model --help
                       a language model that answers by rules
  prokura-sandbox link --help
                       a wallet whose person approves each purchase

Every service listens on 127.0.0.1, and answers only requests to 127.0.0.1 or localhost. Requests that change a service (/control/…) need
the token in DIR/control.token as a bearer token. GET /log of a service answers everything that it has recorded, as a JSON array; the catalog
records nothing.
`

type Role = 'processor' | 'merchant' | 'shops' | 'catalog' | 'stripe' | 'link' | 'strangers'

export type Options = {
  stateDir: string
  roles: Role[]
  ports: Record<Role, number>
  strangersWebPort: number
  shopsElsewhere: Record<string, number>
  processorUrl: string | undefined
  processorSettings: ProcessorSettings
  merchantSettings: Settings
  shopsSettings: ShopsSettings
  json: boolean
  parentPipe: boolean
  parentFd: number | undefined
}

const roles: readonly Role[] = ['processor', 'merchant', 'shops', 'catalog', 'stripe', 'link', 'strangers']
/** The services that a file can set. */
const configurable: readonly Role[] = ['processor', 'merchant', 'shops']

/** Throws with a sentence for the person at the command line. Undefined when only help was asked for. */
export function parseOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      state: { type: 'string' },
      'processor-port': { type: 'string', default: '0' },
      'merchant-port': { type: 'string', default: '0' },
      'shops-port': { type: 'string', default: '0' },
      'catalog-port': { type: 'string', default: '0' },
      'stripe-port': { type: 'string', default: '0' },
      'link-port': { type: 'string', default: '0' },
      'strangers-port': { type: 'string', default: '0' },
      'strangers-web-port': { type: 'string', default: '0' },
      shop: { type: 'string', multiple: true, default: [] },
      role: { type: 'string' },
      'processor-url': { type: 'string' },
      config: { type: 'string' },
      json: { type: 'boolean', default: false },
      'parent-pipe': { type: 'boolean', default: false },
      'parent-fd': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if (values.state === undefined) throw new BadRequest('--state DIR is required')
  const role = roles.find((name) => name === values.role)
  if (values.role !== undefined && role === undefined)
    throw new BadRequest(`--role must be one of ${roles.join(', ')}`)
  if ((role === 'shops' || role === 'strangers') && values['processor-url'] === undefined)
    throw new BadRequest(`--role ${role} needs --processor-url`)
  const config = values.config === undefined ? {} : readConfig(values.config)
  return {
    stateDir: values.state,
    roles: role === undefined ? [...roles] : [role],
    ports: {
      processor: portOf(values['processor-port']),
      merchant: portOf(values['merchant-port']),
      shops: portOf(values['shops-port']),
      catalog: portOf(values['catalog-port']),
      stripe: portOf(values['stripe-port']),
      link: portOf(values['link-port']),
      strangers: portOf(values['strangers-port']),
    },
    strangersWebPort: portOf(values['strangers-web-port']),
    shopsElsewhere: Object.fromEntries(values.shop.map(shopOf)),
    processorUrl: values['processor-url'] === undefined ? undefined : originOf(values['processor-url']),
    processorSettings: { ...processorDefaults, ...parseProcessorSettings(section(config, 'processor')) },
    merchantSettings: { ...merchantDefaults, ...parseSettings(section(config, 'merchant')) },
    shopsSettings: { ...shopsDefaults, ...parseShopsSettings(section(config, 'shops')) },
    json: values.json,
    parentPipe: values['parent-pipe'],
    parentFd: values['parent-fd'] === undefined ? undefined : Number(values['parent-fd']),
  }
}

function readConfig(path: string): Fields {
  const config: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isObject(config)) throw new BadRequest('the file of --config must hold a JSON object')
  const unknown = Object.keys(config).find((name) => !configurable.some((role) => role === name))
  if (unknown !== undefined)
    throw new BadRequest(`--config does not know the section ${unknown}: use merchant, shops or processor`)
  return config
}

function section(config: Fields, name: string): Fields {
  const value = config[name] ?? {}
  if (!isObject(value)) throw new BadRequest(`--config: ${name} must be an object`)
  return value
}

function originOf(url: string): string {
  if (!URL.canParse(url)) throw new BadRequest('--processor-url must be a URL')
  return new URL(url).origin
}

function shopOf(value: string): [string, number] {
  const [name = '', port = ''] = value.split('=')
  if (!/^[a-z][a-z0-9-]{0,29}$/.test(name) || Object.hasOwn(shops, name))
    throw new BadRequest(`--shop ${value}: the name must be new, of small letters, digits and hyphens`)
  return [name, portOf(port)]
}

function portOf(value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new BadRequest(`"${value}" is not a port: use a number from 0 to 65535`)
  return port
}
