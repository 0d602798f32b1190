import { Secret } from '../secrets/secret.ts'
import { modelFaults, type NamedModel, namedModel } from './model-address.ts'

/** The model that is asked about pages. */
export type PageReaderConfig = NamedModel & { readonly key: Secret | null; readonly keyFile: string | null }

export const pageReaderSettings = {
  PROKURA_PAGE_READER_MODEL: {
    kind: { type: 'text' },
    default: null,
    description:
      'The language model that workers ask about pages where the rules are stuck: openai-compatible/NAME for any API of chat completions, or ' +
      'anthropic/NAME. Without it, none is asked.',
  },
  PROKURA_PAGE_READER_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: null,
    description:
      'The base of the API of that model, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1. With anthropic/NAME, ' +
      'https://api.anthropic.com/v1 without it.',
  },
  PROKURA_PAGE_READER_KEY: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description: 'The key for PROKURA_PAGE_READER_URL, where it wants one.',
  },
  PROKURA_PAGE_READER_KEY_FILE: {
    kind: { type: 'text' },
    default: null,
    description: 'A file with that key instead, which workers read when they start.',
  },
} as const

type Name = keyof typeof pageReaderSettings

export function pageReaderOf(text: (name: Name) => string | null): PageReaderConfig | null {
  const named = namedModel(text('PROKURA_PAGE_READER_MODEL'), text('PROKURA_PAGE_READER_URL'))
  if (named === null) return null
  const key = text('PROKURA_PAGE_READER_KEY')
  return {
    ...named,
    key: key === null ? null : new Secret(key),
    keyFile: text('PROKURA_PAGE_READER_KEY_FILE'),
  }
}

export function pageReaderFaults(values: ReadonlyMap<string, unknown>): string[] {
  const text = (name: Name) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : null
  }
  const keys = (['PROKURA_PAGE_READER_KEY', 'PROKURA_PAGE_READER_KEY_FILE'] as const).filter(
    (name) => text(name) !== null,
  )
  return [
    ...modelFaults({
      prefix: 'PROKURA_PAGE_READER',
      name: text('PROKURA_PAGE_READER_MODEL'),
      url: text('PROKURA_PAGE_READER_URL'),
      keys,
    }),
    ...(keys.length > 1 ? [`${keys.join(' and ')} are both set; set only one of them`] : []),
  ]
}
