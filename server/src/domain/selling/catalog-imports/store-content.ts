import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { deletePieces, endUpload, insertPiece, insertUpload } from './imports.sql.ts'

/** How many bytes are stored in one piece: they are read at once later, and the sender waits after each piece. */
export const pieceBytes = 256 * 1024
/** A file larger than this takes one of the account's places. */
const smallBytes = 64 * 1024

type Storing = Pick<CallContext, 'tenant' | 'tx' | 'commitNow' | 'hold' | 'now'>

/**
 * Stores a file in pieces; returns its length in bytes. No more than one piece is in memory: the sender waits while it is written. Each
 * is committed by itself, so that a slow sender holds no connection of the database, and the last one travels with the import.
 */
export async function storeContent(
  ctx: Storing,
  importId: Id<'imp'>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, import_id: importId }
  let held: Uint8Array[] = []
  let heldBytes = 0
  let position = 0
  try {
    for await (const chunk of chunks) {
      let rest = chunk
      while (heldBytes + rest.length > pieceBytes) {
        const taken = rest.subarray(0, pieceBytes - heldBytes)
        if (position === 0) await ctx.commitNow(insertUpload({ ...key, now: ctx.now }))
        await ctx.commitNow(insertPiece({ ...key, position, content: Buffer.concat([...held, taken]) }))
        position += 1
        rest = rest.subarray(taken.length)
        held = []
        heldBytes = 0
      }
      held.push(rest)
      heldBytes += rest.length
      // guard imports-at-once: an account sends so many large files at once
      if (position > 0 || heldBytes > smallBytes) ctx.hold('imports')
    }
  } catch (error) {
    if (position > 0) await forget(ctx, key)
    throw error
  }
  // guard upload-that-was-swept: no import is made of a file whose pieces were swept
  if (position > 0 && !(await ctx.tx.maybe(endUpload(key)))) throw new Problem('conflict')
  if (heldBytes > 0) ctx.tx.write(insertPiece({ ...key, position, content: Buffer.concat(held) }))
  return position * pieceBytes + heldBytes
}

/** Removes the pieces of an upload that broke off. If this fails too, they are swept later. */
async function forget(ctx: Storing, key: Parameters<typeof deletePieces>[0]): Promise<void> {
  await ctx.commitNow(deletePieces(key)).catch(() => undefined)
  await ctx.commitNow(endUpload(key)).catch(() => undefined)
}
