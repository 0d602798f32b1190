/** A language model behind one of two wires, as settings name it. */
const providers = ['openai-compatible', 'anthropic'] as const
type ModelProvider = (typeof providers)[number]

export type NamedModel = {
  readonly provider: ModelProvider
  readonly model: string
  readonly url: string
}

const usualUrls: Readonly<Record<ModelProvider, string | null>> = {
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com/v1',
}

/** Null: none is named, or not whole. */
export function namedModel(name: string | null, url: string | null): NamedModel | null {
  const named = readName(name)
  const at = named === null ? null : (url ?? usualUrls[named.provider])
  return named === null || at === null ? null : { ...named, url: at }
}

/** Names of models may have slashes of their own. */
function readName(text: string | null): Pick<NamedModel, 'provider' | 'model'> | null {
  const at = text?.indexOf('/') ?? -1
  const provider = providers.find((each) => each === text?.slice(0, at))
  const model = text?.slice(at + 1).trim() ?? ''
  return provider === undefined || model === '' ? null : { provider, model }
}

/** The settings of one model, by the beginning of their names: `PROKURA_CHAT`. */
type ModelSettings = {
  readonly prefix: string
  readonly name: string | null
  readonly url: string | null
  /** The names of those that are set and hold a key. */
  readonly keys: readonly string[]
}

/** Half of them would look like none, and a key that goes over the network in the clear is everybody's. */
export function modelFaults({ prefix, name, url, keys }: ModelSettings): string[] {
  const model = readName(name)
  const isOfNone = name === null && (url !== null || keys.length > 0)
  return [
    ...(name !== null && model === null
      ? [`${prefix}_MODEL must be openai-compatible/NAME or anthropic/NAME, not ${JSON.stringify(name)}`]
      : []),
    ...(model?.provider === 'openai-compatible' && url === null
      ? [`${prefix}_MODEL needs ${prefix}_URL, the base of the API of the model`]
      : []),
    ...(isOfNone
      ? [
          `${[...(url === null ? [] : [`${prefix}_URL`]), ...keys].join(' and ')} would be for ${prefix}_MODEL, which is not set`,
        ]
      : []),
    ...(keys.length > 0 && goesInTheClear(url)
      ? [`${prefix}_URL is plain http, and would carry the key in the clear; use https`]
      : []),
  ]
}

/** Whether what is sent there leaves this machine without TLS. */
function goesInTheClear(address: unknown): boolean {
  const url = URL.parse(String(address))
  return url?.protocol === 'http:' && !ownHosts.has(url.hostname)
}

const ownHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
