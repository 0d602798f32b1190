/**
 * The end of the address of an item's page: there is no name of it yet. Whoever wrote the address has written this too, so what turns the
 * text around, or is not seen, is left out: the amounts beside it stay where they stand.
 */
export function itemName(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.host
  return visible(decoded(last)) || url.host
}

/** Without marks that are obeyed rather than shown. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
