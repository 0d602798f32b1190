import { processEnvironment } from '../../platform/config/config.ts'
import { CommandFailure } from '../failure.ts'
import { sharedEnvironment } from '../role-config.ts'
import { openStateFolder, stateFiles } from '../up/state-folder.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of our own API, whose shapes its contract fixes
type Answer = any

/** An ordinary client of the public interface, with the key of the first account. */
export type BuyApi = {
  readonly isTestMode: boolean
  get(path: string): Promise<Answer>
  post(path: string, body: object): Promise<Answer>
}

/** The service that runs in this folder, and the key of its account; `PROKURA_API_KEY` names another one. */
export function buyApi(state: string): BuyApi {
  const base = sharedEnvironment(state).PROKURA_PUBLIC_URL
  const account = openStateFolder(state, { create: false }).read<{ keys: { secret_test: string } }>(
    stateFiles.account,
  )
  const key = processEnvironment().PROKURA_API_KEY ?? account?.keys.secret_test
  if (!base || !key)
    throw new CommandFailure(
      `No service has been started in ${state} yet. Start it with \`npm start\` in another terminal.`,
    )

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new CommandFailure(`Nothing answers at ${base}. Start it with \`npm start\` in another terminal.`)
    })
    const answer: Answer = await response.json().catch(() => null)
    if (response.ok) return answer
    throw new CommandFailure(`The service refused this (${response.status}): ${wordsOf(answer)}`)
  }

  return {
    isTestMode: key.startsWith('pr_sk_test_'),
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  }
}

function wordsOf(answer: Answer): string {
  const detail = answer?.detail
  if (Array.isArray(detail))
    return `${detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')}.`
  return detail?.message ?? 'it did not say why.'
}
