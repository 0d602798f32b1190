import { type Command, Option } from 'commander'
import type { Mode } from '../../contract/context.ts'
import { processEnvironment } from '../../platform/config/config.ts'
import { CommandFailure } from '../failure.ts'
import { sharedEnvironment } from '../role-config.ts'
import { plainly } from '../terminal.ts'
import { openStateFolder, stateFiles } from '../up/state-folder.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of our own API, whose shapes its contract fixes
type Answer = any

export type ApiOptions = { state: string; mode?: Mode; json?: boolean }

/** An ordinary client of the public interface, with a key of the first account. */
export type ProductApi = {
  readonly mode: Mode
  get(path: string): Promise<Answer>
  post(path: string, body?: object): Promise<Answer>
  remove(path: string): Promise<Answer>
  /** A stream of events, as they are: a message to answer, or what comes after the event with this id. Null: there is nothing to send. */
  stream(
    path: string,
    asked: { body?: object; after?: string | null; signal: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array> | null>
  /** The bytes as they are: nothing is taken out of them. */
  download(path: string): Promise<{ bytes: Uint8Array; type: string | null }>
  /** A command for this service and mode, as a person would type it. */
  command(words: string): string
}

/** Nobody is there, at this moment at least. */
export class Unreachable extends CommandFailure {}

/** What the service refuses, with the code that says why. */
export class Refusal extends CommandFailure {
  readonly code: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the details that its code promises
  readonly detail: any

  constructor(status: number, answer: Answer) {
    super(`The service refused this (${status}): ${wordsOf(answer)}`)
    const { detail } = answer ?? {}
    this.detail = Array.isArray(detail) ? null : (detail ?? null)
    this.code = this.detail?.code ?? null
  }
}

const usualFolder = '.prokura'

export function folderHere(): string {
  return processEnvironment().PROKURA_STATE_DIR ?? usualFolder
}

/** The options of every command that asks the service on somebody's behalf. */
export function asksService(command: Command, { json = 'print one line of JSON' } = {}): Command {
  return command
    .addOption(
      new Option(
        '--mode <mode>',
        'test or live (default: the mode of PROKURA_API_KEY, otherwise test)',
      ).choices(['test', 'live']),
    )
    .option('--json', json)
    .option('--state <dir>', 'the state folder of the service', folderHere())
}

/** The service that runs in this folder, and the key of its account; `PROKURA_API_KEY` is used instead of that where it is set. */
export function productApi(
  { state, mode, json = false }: ApiOptions,
  key: string | undefined = keyOf(state, mode),
): ProductApi {
  const base = sharedEnvironment(state).PROKURA_PUBLIC_URL
  if (!base || !key)
    throw new CommandFailure(
      `No service has been started in ${state} yet. Start it with \`npm start\` in another terminal.`,
    )

  async function send(method: string, path: string, { body, accept, after, signal }: Sent) {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(typeof after === 'string' ? { 'last-event-id': after } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch(() => {
      signal?.throwIfAborted()
      throw new Unreachable(`Nothing answers at ${base}. Start it with \`npm start\` in another terminal.`)
    })
    if (response.ok) return response
    throw new Refusal(response.status, await response.json().catch(() => null))
  }

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await send(method, path, { accept: 'application/json', ...(body ? { body } : {}) })
    const answer: Answer = await response.json().catch(() => null)
    // People read it on a terminal, and merchants have written some of it.
    return json ? answer : plainly(answer)
  }

  const isUsual = state === folderHere()
  return {
    mode: modeOf(key),
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    remove: (path) => call('DELETE', path),
    async stream(path, { body, ...more }) {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await send(method, path, {
        accept: 'text/event-stream',
        ...(body === undefined ? {} : { body }),
        ...more,
      })
      return response.status === 204 ? null : response.body
    },
    async download(path) {
      const response = await send('GET', path, { accept: 'application/octet-stream' })
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        type: response.headers.get('x-content-type'),
      }
    },
    command: (words) =>
      `\`prokura ${words}${mode === 'live' ? ' --mode live' : ''}${isUsual ? '' : ` --state ${state}`}\``,
  }
}

type Sent = { accept: string; body?: object; after?: string | null; signal?: AbortSignal }

type Account = { keys: { secret_test: string; secret_live: string } }

function keyOf(state: string, mode: Mode | undefined): string | undefined {
  const given = processEnvironment().PROKURA_API_KEY
  if (given !== undefined) {
    if (mode !== undefined && mode !== modeOf(given))
      throw new CommandFailure(
        `PROKURA_API_KEY is a key of ${modeOf(given)} mode. Set one of ${mode} mode, or leave --mode out.`,
      )
    return given
  }
  const folder = openStateFolder(state, { create: false })
  return folder.read<Account>(stateFiles.account)?.keys[mode === 'live' ? 'secret_live' : 'secret_test']
}

function modeOf(key: string): Mode {
  return key.startsWith('pr_sk_live_') ? 'live' : 'test'
}

function wordsOf(answer: Answer): string {
  const detail = answer?.detail
  if (Array.isArray(detail))
    return `${detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')}.`
  const { message, param } = detail ?? {}
  if (typeof message !== 'string') return 'it did not say why.'
  return typeof param === 'string' ? `${message} It is about ${param}.` : message
}
