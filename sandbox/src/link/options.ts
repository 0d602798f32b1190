import { parseArgs } from 'node:util'
import { BadRequest } from '../fields.ts'

export const help = `prokura-sandbox link: Link's agent wallet, with a page on which a person approves

  prokura-sandbox link --state DIR [--port N]

  --state DIR      the folder of the control token
  --port N         the port to listen on, at http://127.0.0.1:N; 0 (the default) takes a free one
  --json           print one line of JSON when ready: {"link_url", "control_token"}
  --parent-pipe    stop when standard input closes
  --help           show this help

It has Link's addresses for signing in (/device/code, /device/token) and for spending (/spend_requests), and knows test mode alone. A charge
by the card of a request is POST /control/requests/ID/charge {"amount"}. GET /log answers what was done.
`

type LinkOptions = { stateDir: string; port: number; json: boolean; parentPipe: boolean }

/** Throws with a sentence for the person at the command line. Undefined when only help was asked for. */
export function parseLinkOptions(args: string[]): LinkOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      state: { type: 'string' },
      port: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
      'parent-pipe': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if (values.state === undefined) throw new BadRequest('--state DIR is required')
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 65_536
  if (port > 65_535) throw new BadRequest(`"${values.port}" is not a port`)
  return { stateDir: values.state, port, json: values.json, parentPipe: values['parent-pipe'] }
}
