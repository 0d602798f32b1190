import { tokensOf } from './words/words.ts'

/** A value of a choice without what shops write beside it: `L (+$5.00)`, `42 – sold out`, `Blau*`. */
export function plainOption(text: string): string {
  const value = text.replace(/\s*[([{].*$|\s+[-–—|+]\s.*$|\s*\+\s*[^\p{L}].*$/u, '')
  return tokensOf(value === '' ? text : value).join(' ')
}

/** Names of the same choice in several languages. */
const sameNames: readonly string[][] = [
  'color colour farbe couleur coloris kleur colore cor kolor farg 色 カラー'.split(' '),
  'size größe groesse taille pointure talla tamaño taglia misura maat tamanho rozmiar storlek サイズ'.split(
    ' ',
  ),
  'material matière materiale materiaal materiał 素材'.split(' '),
  'style stil fit passform estilo stile model modell modèle modelo modello スタイル'.split(' '),
  'length länge longueur largo longitud lunghezza lengte comprimento długość längd'.split(' '),
].map((names) => names.map((name) => tokensOf(name).join(' ')))

export function isSameName(a: string, b: string): boolean {
  const [left, right] = [tokensOf(a).join(' '), tokensOf(b).join(' ')]
  if (left === right) return left !== ''
  const has = (names: readonly string[], name: string) =>
    names.some((one) => ` ${name} `.includes(` ${one} `))
  return (
    sameNames.some((names) => has(names, left) && has(names, right)) ||
    isWithin(left, right) ||
    isWithin(right, left)
  )
}

/** `jacket size` has the choice `size`. */
function isWithin(inner: string, outer: string): boolean {
  return inner.length > 2 && ` ${outer} `.includes(` ${inner} `)
}
