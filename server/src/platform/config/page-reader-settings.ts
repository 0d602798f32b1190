import { Secret } from '../secrets/secret.ts'

/** A model behind an endpoint of chat completions. */
export type PageReaderConfig = {
  readonly url: string
  readonly model: string
  readonly key: Secret | null
  readonly keyFile: string | null
}

export const pageReaderSettings = {
  PROKURA_PAGE_READER_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: null,
    description:
      'A model that workers ask about pages where the rules are stuck: the base of an API of chat completions, such as https://api.openai.com/v1. ' +
      'Without it, none is asked.',
  },
  PROKURA_PAGE_READER_MODEL: {
    kind: { type: 'text' },
    default: null,
    description: 'The name of that model. It is set together with PROKURA_PAGE_READER_URL.',
  },
  PROKURA_PAGE_READER_KEY: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description: 'The bearer token for PROKURA_PAGE_READER_URL, where it wants one.',
  },
  PROKURA_PAGE_READER_KEY_FILE: {
    kind: { type: 'text' },
    default: null,
    description: 'A file with that token instead, which workers read when they start.',
  },
} as const

type Name = keyof typeof pageReaderSettings

export function pageReaderOf(text: (name: Name) => string | null): PageReaderConfig | null {
  const [url, model] = [text('PROKURA_PAGE_READER_URL'), text('PROKURA_PAGE_READER_MODEL')]
  if (url === null || model === null) return null
  const key = text('PROKURA_PAGE_READER_KEY')
  return {
    url,
    model,
    key: key === null ? null : new Secret(key),
    keyFile: text('PROKURA_PAGE_READER_KEY_FILE'),
  }
}

/** A half of it would look like none, and a token that goes over the network in the clear is everybody's. */
export function pageReaderFaults(values: ReadonlyMap<string, unknown>): string[] {
  const isSet = (name: Name) => typeof values.get(name) === 'string'
  const hasKey = isSet('PROKURA_PAGE_READER_KEY') || isSet('PROKURA_PAGE_READER_KEY_FILE')
  return [
    ...(isSet('PROKURA_PAGE_READER_URL') === isSet('PROKURA_PAGE_READER_MODEL')
      ? []
      : ['PROKURA_PAGE_READER_URL and PROKURA_PAGE_READER_MODEL are set together; set both or none']),
    ...(isSet('PROKURA_PAGE_READER_KEY') && isSet('PROKURA_PAGE_READER_KEY_FILE')
      ? ['PROKURA_PAGE_READER_KEY and PROKURA_PAGE_READER_KEY_FILE are both set; set only one of them']
      : []),
    ...(hasKey && goesInTheClear(values.get('PROKURA_PAGE_READER_URL'))
      ? ['PROKURA_PAGE_READER_URL is plain http, and would carry the key in the clear; use https']
      : []),
  ]
}

/** Whether what is sent there leaves this machine without TLS. */
export function goesInTheClear(address: unknown): boolean {
  const url = URL.parse(String(address))
  return url?.protocol === 'http:' && !ownHosts.has(url.hostname)
}

const ownHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
