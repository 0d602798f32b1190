import { expect, test } from 'vitest'
import { operations, product } from '../../composition.ts'
import { openApiDocument } from '../../contract/openapi.ts'
import { viewerDocument } from './viewer-document.ts'

type Parameter = { name: string; in: string; required: boolean; examples?: Record<string, object> }
type Shown = { operationId: string; parameters?: Parameter[] }

const document = openApiDocument(operations, product)

function parametersOf(shown: object): (Parameter & { of: string })[] {
  return Object.values(shown)
    .flatMap((methods) => Object.values(methods as Record<string, Shown>))
    .flatMap(({ operationId, parameters = [] }) => parameters.map((each) => ({ ...each, of: operationId })))
}

test('the request that a reader of the reference copies has no filter but those of an example', () => {
  const optional = parametersOf(viewerDocument(document).paths).filter(
    (each) => each.in === 'query' && !each.required,
  )
  expect(optional.length).toBeGreaterThan(50)
  const own = new Map(parametersOf(document.paths).map((each) => [`${each.of} ${each.name}`, each.examples]))
  for (const { of, name, examples } of optional) {
    expect([of, name, examples?.default]).toEqual([of, name, { 'x-disabled': true }])
    const kept = own.get(`${of} ${name}`) ?? {}
    for (const [example, shown] of Object.entries(examples ?? {}))
      expect([of, name, shown]).toEqual([of, name, kept[example] ?? { 'x-disabled': true }])
  }
})

test('everything else of the document is as it is for everybody', () => {
  const shown = viewerDocument(document)
  expect({ ...shown, paths: {} }).toEqual({ ...document, paths: {} })
  const others = ({ in: place, required }: Parameter) => place !== 'query' || required
  expect(parametersOf(shown.paths).filter(others)).toEqual(parametersOf(document.paths).filter(others))
})
