import { parseArgs } from 'node:util'
import { BadRequest } from '../fields.ts'
import { behaviors } from './behavior.ts'

export const help = `prokura-sandbox model: a language model that answers by rules, over the wires of OpenAI and Anthropic

  prokura-sandbox model --state DIR [--port N]

  --state DIR      the folder of the control token
  --port N         the port to listen on, at http://127.0.0.1:N; 0 (the default) takes a free one
  --json           print one line of JSON when ready: {"model_url", "model", "control_token"}
  --parent-pipe    stop when standard input closes
  --help           show this help

It has one model, "scripted". SANDBOX_MODEL_KEY is the key that it wants; without it, any key is right. Its addresses, each up to and
without /chat/completions or /messages:

  /v1              by what POST /control/behavior {"behavior"} has set; plain at first
${Object.entries(behaviors)
  .map(([name, does]) => `  ${`/${name}/v1`.padEnd(15)}  ${does}`)
  .join('\n')}

POST /control/script {"rules": [{"when", "say", "calls": [{"name", "args"}]}]} is what plain answers: by the first rule whose regular expression
matches the last message. GET /log answers what it was asked.
`

type ModelOptions = { stateDir: string; port: number; key: string | null; json: boolean; parentPipe: boolean }

/** Throws with a sentence for the person at the command line. Undefined when only help was asked for. */
export function parseModelOptions(args: string[]): ModelOptions | undefined {
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
  // Arguments of a process can be read by everybody on its machine.
  const key = process.env.SANDBOX_MODEL_KEY || null
  return { stateDir: values.state, port, key, json: values.json, parentPipe: values['parent-pipe'] }
}
