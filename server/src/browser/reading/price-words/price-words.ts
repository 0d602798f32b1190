/**
 * What stands beside an amount on the page of a product. `now`: it is asked today; `plain`: it says nothing else than that it is a price;
 * `usual`: the ordinary price, which is also the current one where no other stands there; `was`: an earlier one; `from`: the lowest of
 * several; `net`: without tax; `other`: something else than what one unit costs.
 */
export type PriceWord = 'now' | 'plain' | 'usual' | 'was' | 'from' | 'net' | 'other'

/** The words of each language, phrases separated by `|`, in lower case, without punctuation. */
export type PriceWords = Readonly<Record<string, string>>
