import type { ActingContext } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { insertPiece } from './imports.sql.ts'

/** What is read at once later on, and what a sender is held back by. */
export const pieceBytes = 256 * 1024

/**
 * Stores a file in pieces, in the transaction of the call; answers its length. No more than one piece is in memory: the sender waits
 * while it is written. The last one travels with the commit, so that a small file holds no connection while it comes.
 */
export async function storeContent(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  importId: Id<'imp'>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const piece = (position: number, content: Buffer) =>
    insertPiece({
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      import_id: importId,
      position,
      content,
    })
  let held: Uint8Array[] = []
  let heldBytes = 0
  let bytes = 0
  let position = 0
  for await (const chunk of chunks) {
    let rest = chunk
    while (heldBytes + rest.length > pieceBytes) {
      const taken = rest.subarray(0, pieceBytes - heldBytes)
      await ctx.tx.rows(piece(position, Buffer.concat([...held, taken])))
      position += 1
      bytes += pieceBytes
      rest = rest.subarray(taken.length)
      held = []
      heldBytes = 0
    }
    held.push(rest)
    heldBytes += rest.length
  }
  if (heldBytes > 0) ctx.tx.write(piece(position, Buffer.concat(held)))
  return bytes + heldBytes
}
