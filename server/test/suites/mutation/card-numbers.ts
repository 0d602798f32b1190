import { type Guard, guardsOf } from './guard.ts'

const cardNumber = 'src/schema/card-number.test.ts'
const cardNumbers = 'test/conformance/card-numbers.test.ts'

/** Card numbers in texts. */
export const cardNumbersGuards: readonly Guard[] = [
  ...guardsOf('src/schema/digit-groups.ts', [cardNumber], {
    'card-numbers-of-any-script': {
      keeps: 'a card number in other digits is seen',
      find: 'digitValues().get(code) ?? letter',
      replace: 'letter',
      only: 'do not hide',
    },
    'card-numbers-with-what-nobody-sees': {
      keeps: 'a card number with invisible characters in it is seen',
      find: 'if (invisible.test(char)) return unseen',
      replace: 'if (invisible.test(char)) return letter',
      only: 'do not hide',
    },
  }),
  ...guardsOf('src/schema/card-number.ts', [cardNumber], {
    'card-numbers-with-marks': {
      keeps: 'a card number with dots, slashes or underscores in it is seen',
      find: '(between & mark) === 0 || isGroupedLikeOne(groups)',
      replace: '(between & mark) === 0',
      only: 'do not hide',
    },
    'short-ones-beside-a-word': {
      keeps: 'a short card number beside a word that says so is seen',
      find: ' || words.areBeside(number.groups)',
      replace: '',
      only: 'a shorter number',
    },
    'barcodes-are-none': {
      keeps: 'a barcode in a text is not refused as a card number',
      find: 'if (isBarcode(number.digits) || isInUuid(number.groups, text)) continue',
      replace: '',
      only: 'by chance',
    },
    'phones-are-none': {
      keeps: 'a phone number in a note is not refused as a card number',
      find: 'isPhone(digits, groups, text) || ',
      replace: '',
      only: 'by chance',
    },
  }),
  ...guardsOf('src/contract/schemas.ts', [cardNumbers], {
    'texts-are-looked-at': {
      keeps: 'a card number in a name, a note or a label is refused',
      find: 'return Type.String({ minLength: 1, maxLength, noCardNumber: true, ...options })',
      replace: 'return Type.String({ minLength: 1, maxLength, ...options })',
      only: 'every text',
    },
  }),
  ...guardsOf('src/schema/schema-node.ts', [cardNumbers], {
    'card-numbers-within': {
      keeps: 'a card number deep in the details of a booking is refused',
      find: 'value.some(holdsCardNumber)',
      replace: 'false',
      only: 'not repeated',
    },
  }),
]
