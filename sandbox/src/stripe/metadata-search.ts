import { StripeError } from './stripe-error.ts'
import type { Asked, Done } from './work.ts'

type Found = { readonly metadata: Record<string, string>; readonly created_ms: number }

/** The index learns of an object a while after it was made, and shows it as it was. */
export function metadataSearched<Item extends Found>(
  { form, memory, nowMs, call }: Asked,
  all: Iterable<Item>,
  render: (item: Item) => object,
): Done {
  const [, name = '', value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(form.required('query')) ?? []
  form.number('limit')
  if (value === undefined)
    throw new StripeError(400, { param: 'query', message: 'The query is not understood' })
  const until = nowMs - memory.searchDelayMs
  const data = [...all]
    .filter(({ metadata, created_ms }) => metadata[name] === value && created_ms <= until)
    .map(render)
  return {
    body: { object: 'search_result', url: call.path, has_more: false, next_page: null, data },
  }
}
