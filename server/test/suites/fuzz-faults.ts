import type { TSchema } from 'typebox'
import type { Tenant } from '../../src/contract/context.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { Problem } from '../../src/contract/problem.ts'
import { isObject } from '../../src/schema/schema-node.ts'
import { boundsOf, changedBound, nameOf } from './bounds.ts'
import { seededRandom, shuffled } from './random.ts'

/** One fault in one operation. The operation is as in the contract. */
type PlantedFault = { fault: string; operation: Operation }

type Plant = { id: string; fault: string; change: (operation: Operation) => Partial<Operation> }

/**
 * The operations with six faults of the kinds that fuzzing is for. Besides, a bound of every kind is missing somewhere else; the seed
 * chooses where. `aim` names the owner whose objects one of the faults shows.
 */
export function plantFaults(operations: readonly Operation[], seed: number) {
  let victim: Tenant | undefined
  const plants: Plant[] = [
    {
      id: 'v1_create_profile',
      fault: 'a bound is missing',
      change: ({ body }) => ({ body: withMember(body, 'first_name', { type: 'string' }) }),
    },
    {
      id: 'v1_list_profiles',
      fault: 'a 500',
      change: ({ handle }) => ({
        handle: async (ctx, args) => {
          if (isObject(args.query) && args.query.q !== undefined) throw new Error('planted')
          return handle(ctx, args)
        },
      }),
    },
    {
      id: 'v1_create_profile_address',
      fault: 'an extra field in the answer',
      change: ({ handle }) => ({
        handle: async (ctx, args) => {
          const reply = await handle(ctx, args)
          if (reply instanceof Problem || !('body' in reply)) return reply
          return { ...reply, body: { ...reply.body, internal_note: 'planted' } }
        },
      }),
    },
    {
      id: 'v1_update_profile',
      fault: 'a type is coerced',
      change: ({ body }) => ({
        body: withMember(body, 'dob', {
          type: 'object',
          required: ['day', 'month', 'year'],
          properties: {
            day: { type: ['integer', 'string'] },
            month: { type: ['integer', 'string'] },
            year: { type: ['integer', 'string'] },
          },
          additionalProperties: false,
        }),
      }),
    },
    {
      id: 'v1_get_profile',
      fault: "another tenant's id is served",
      change: ({ handle }) => ({
        handle: async (ctx, args) => {
          try {
            return await handle(ctx, args)
          } catch (error) {
            if (!(error instanceof Problem) || !victim) throw error
            return handle({ ...ctx, tenant: victim }, args)
          }
        },
      }),
    },
    {
      id: 'v1_archive_profile',
      fault: 'it never succeeds',
      change: () => ({
        handle: async () => {
          throw new Problem('not_found', { param: 'profile_id' })
        },
      }),
    },
  ]
  const taken = new Set(plants.map(({ id }) => id))
  plants.push(
    ...missingBounds(
      operations.filter(({ id }) => !taken.has(id)),
      seededRandom(seed),
    ),
  )
  const faults: PlantedFault[] = []
  const faulty = operations.map((operation) => {
    const plant = plants.find(({ id }) => id === operation.id)
    if (!plant) return operation
    faults.push({ fault: `${plant.fault} in ${plant.id}`, operation })
    return { ...operation, ...plant.change(operation) }
  })
  if (faults.length !== plants.length) throw new Error('an operation to plant a fault in is gone')
  return {
    operations: faulty,
    faults,
    aim: (tenant: Tenant) => {
      victim = tenant
    },
  }
}

/** One bound of every kind that the contract has, each in an operation of its own. */
function missingBounds(operations: readonly Operation[], random: () => number): Plant[] {
  const places = operations.flatMap(({ id, query, body, content }) => [
    ...boundsOf(query).map((bound) => ({ id, section: 'query' as const, bound })),
    // The content of a file has no schema.
    ...(content ? [] : boundsOf(body)).map((bound) => ({ id, section: 'body' as const, bound })),
  ])
  const plants = new Map<string, Plant>()
  const used = new Set<string>()
  for (const { id, section, bound } of shuffled(places, random)) {
    if (plants.has(bound.keyword) || used.has(id)) continue
    used.add(id)
    plants.set(bound.keyword, {
      id,
      fault: `${section}: without ${nameOf(bound)}`,
      // A name of its own: without one, the document names a body after its operation, and another operation may have that schema.
      change: (operation) => ({
        [section]: {
          ...changedBound(operation[section], bound, null),
          ...(section === 'body' ? { 'x-component': `Without_${bound.keyword}` } : {}),
        },
      }),
    })
  }
  return [...plants.values()]
}

function withMember(schema: TSchema | undefined, name: string, member: object): TSchema {
  const properties: unknown = isObject(schema) ? schema.properties : undefined
  return { ...schema, properties: { ...(isObject(properties) ? properties : {}), [name]: member } }
}
