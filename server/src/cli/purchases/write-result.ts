import { writeFile } from 'node:fs/promises'
import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { CommandFailure } from '../failure.ts'
import { out, outJson } from '../terminal.ts'
import type { ProductApi } from './product-api.ts'

type Wanted = {
  /** The cart, where several shops have answered. */
  readonly named?: string
  readonly output?: string
  readonly json: boolean
}

/** What a shop answered to a paid request: into a file, into a pipe, or onto the terminal if that can show it. */
export async function writeResult(
  api: ProductApi,
  path: string,
  { named, output, json }: Wanted,
): Promise<void> {
  const { id, carts }: PurchaseIntent = await api.get(path)
  const paid = carts.filter(({ channel }) => channel === 'mpp')
  const cart = named === undefined ? paid[0] : carts.find((one) => one.id === named)
  if (!cart || (named === undefined && paid.length > 1))
    throw new CommandFailure(
      paid.length > 1
        ? `Several shops have answered: name one of ${paid.map((one) => one.id).join(', ')}.`
        : `${id} bought no answer to a paid request, or has no such cart.`,
    )
  const where = `${path}/carts/${cart.id}/result`
  if (json) return outJson(await api.get(where))
  const { bytes, type } = await api.download(where)
  if (output !== undefined) {
    await writeFile(output, bytes)
    return out(`${bytes.length} bytes of ${type ?? 'an unnamed type'} are in ${output}.`)
  }
  // Into a file or a pipe it goes as it is; a terminal would obey it.
  if (!process.stdout.isTTY) {
    process.stdout.write(bytes)
    return
  }
  if (!isText(type))
    throw new CommandFailure(
      `It is ${bytes.length} bytes of ${type ?? 'an unnamed type'}, which a terminal does not show: add --output FILE.`,
    )
  out(new TextDecoder().decode(bytes))
}

function isText(type: string | null): boolean {
  return type !== null && /^text\/|[/+](json|xml|yaml)\b/.test(type)
}
