import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Card numbers in texts. */
export const cardNumbersGuards: readonly Listed[] = [
  ...missedBeside({
    'card-numbers-with-marks': { how: [' || isGroupedLikeOne(groups)'], only: 'do not hide' },
    'short-ones-beside-a-word': { how: [' || words.areBeside(number.groups)'], only: 'a shorter number' },
    'barcodes-are-none': { how: 'gone', only: 'by chance' },
    'phones-are-none': { how: ['isPhone(digits, groups, text) || '], only: 'by chance' },
  }),
  ...missedBy(['src/schema/card-number.test.ts'], {
    'card-numbers-of-any-script': {
      how: ['digitValues().get(code) ?? letter', 'letter'],
      only: 'do not hide',
    },
    'card-numbers-with-what-nobody-sees': { how: ['unseen', 'letter'], only: 'do not hide' },
  }),
  ...missedBy(['test/conformance/card-numbers.test.ts'], {
    'texts-are-looked-at': { how: ['noCardNumber: true, '], only: 'every text' },
    'card-numbers-within': { how: ['value.some(holdsCardNumber)', 'false'], only: 'not repeated' },
  }),
]
