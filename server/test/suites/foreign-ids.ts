import { operations } from '../../src/composition.ts'
import { type Ids, makeIds, type Owner, type World } from './fixtures.ts'
import { pathParams } from './scenes.ts'

/** Objects of another owner: made once, and compared again in the end. */
export type ForeignIds = {
  shared(names: readonly string[], owner: Owner): Promise<Ids>
  /** Those that a stranger changed. */
  touched(): Promise<string[]>
}

export function createForeignIds(world: World): ForeignIds {
  const made = new Map<string, Promise<Ids>>()
  const snapshots = new Map<string, { owner: Owner; path: string; before: string }>()
  async function make(names: readonly string[], owner: Owner): Promise<Ids> {
    // The one profile of such an owner gets its address before it is looked at.
    if (owner.profileId !== undefined && names.join() === 'profile_id')
      await shared(['profile_id', 'address_id'], owner)
    const ids = await makeIds(names, world, owner)
    const path = readPath(names, ids)
    if (path) {
      const { text } = await world.client.rest({ method: 'GET', path, key: owner.key })
      snapshots.set(path, { owner, path, before: text })
    }
    return ids
  }
  function shared(names: readonly string[], owner: Owner): Promise<Ids> {
    const name = [...names, owner.account.accountId, owner.mode, owner.profileId].join()
    const ids = made.get(name) ?? make(names, owner)
    made.set(name, ids)
    return ids
  }
  return {
    shared,
    async touched() {
      const problems: string[] = []
      for (const { owner, path, before } of snapshots.values()) {
        const { text } = await world.client.rest({ method: 'GET', path, key: owner.key })
        if (text !== before) problems.push(`GET ${path} changed from ${before} to ${text}`)
      }
      return problems
    },
  }
}

/** The path at which the object of these parameters can be read, if there is one. */
function readPath(names: readonly string[], ids: Ids): string | null {
  const reading = operations.find(
    (operation) =>
      operation.method === 'GET' &&
      operation.path.endsWith('}') &&
      pathParams(operation).join() === names.join(),
  )
  return reading ? reading.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => ids[name] ?? '') : null
}
