/** With which digits calls into a country begin: `GB 44`. */
const list = `US 1|CA 1|PR 1|DO 1|JM 1|TT 1|BS 1|BB 1|RU 7|KZ 7|EG 20|ZA 27|GR 30|NL 31|BE 32|FR 33|ES 34|HU 36|IT 39|VA 39|RO 40|CH 41|AT 43|GB 44|GG 44
|JE 44|IM 44|DK 45|SE 46|NO 47|PL 48|DE 49|PE 51|MX 52|CU 53|AR 54|BR 55|CL 56|CO 57|VE 58|MY 60|AU 61|ID 62|PH 63|NZ 64|SG 65|TH 66|JP 81|KR 82|VN 84
|CN 86|TR 90|IN 91|PK 92|AF 93|LK 94|MM 95|IR 98|MA 212|DZ 213|TN 216|LY 218|GM 220|SN 221|ML 223|CI 225|BF 226|NE 227|TG 228|BJ 229|MU 230|LR 231|SL 232
|GH 233|NG 234|CM 237|CV 238|GA 241|CD 243|AO 244|SC 248|RW 250|ET 251|SO 252|DJ 253|KE 254|TZ 255|UG 256|MZ 258|ZM 260|MG 261|RE 262|ZW 263|NA 264|MW 265
|LS 266|BW 267|SZ 268|FO 298|GL 299|GI 350|PT 351|LU 352|IE 353|IS 354|AL 355|MT 356|CY 357|FI 358|AX 358|BG 359|LT 370|LV 371|EE 372|MD 373|AM 374|BY 375
|AD 376|MC 377|SM 378|UA 380|RS 381|ME 382|XK 383|HR 385|SI 386|BA 387|MK 389|CZ 420|SK 421|LI 423|BZ 501|GT 502|SV 503|HN 504|NI 505|CR 506|PA 507|HT 509
|GP 590|BO 591|GY 592|EC 593|GF 594|PY 595|MQ 596|SR 597|UY 598|TL 670|BN 673|PG 675|TO 676|FJ 679|NC 687|PF 689|HK 852|MO 853|KH 855|LA 856|BD 880|TW 886
|MV 960|LB 961|JO 962|SY 963|IQ 964|KW 965|SA 966|YE 967|OM 968|PS 970|AE 971|IL 972|BH 973|QA 974|BT 975|MN 976|NP 977|TJ 992|TM 993|AZ 994|GE 995|KG 996|UZ 998`

const codes: ReadonlyMap<string, string> = new Map(
  list.split(/\s*\|/u).map((entry) => {
    const [country = '', code = ''] = entry.trim().split(' ')
    return [country, code] as const
  }),
)

export function dialCodeOf(country: string): string | null {
  return codes.get(country) ?? null
}

/** What is dialed before a number inside of its country, where it is not 0. */
const trunks: Readonly<Record<string, string>> = {
  '1': '',
  '7': '8',
  '30': '',
  '34': '',
  '36': '06',
  '39': '',
  '45': '',
  '47': '',
  '48': '',
  '52': '',
  '55': '',
  '56': '',
  '57': '',
  '65': '',
  '91': '',
  '351': '',
  '352': '',
  '354': '',
  '356': '',
  '357': '',
  '371': '',
  '372': '',
  '376': '',
  '377': '',
  '420': '',
  '502': '',
  '503': '',
  '504': '',
  '505': '',
  '506': '',
  '507': '',
  '852': '',
  '853': '',
  '965': '',
  '968': '',
  '973': '',
  '974': '',
}

export type PhoneNumber = {
  readonly e164: string
  /** `44`. */
  readonly dialCode: string
  /** Without dial code and without what is dialed before it at home. */
  readonly significant: string
  /** As it is dialed at home. */
  readonly national: string
}

/** A number with its country's code in front; null for any other text. */
export function readPhone(text: string): PhoneNumber | null {
  const digits = text.replaceAll(/\D/gu, '')
  if (!text.trim().startsWith('+') || digits.length < 7 || digits.length > 15) return null
  const known = new Set(codes.values())
  const dialCode = [3, 2, 1].map((length) => digits.slice(0, length)).find((code) => known.has(code))
  if (dialCode === undefined) return null
  const significant = digits.slice(dialCode.length)
  const trunk = dialCode === '86' && /^1\d{10}$/u.test(significant) ? '' : (trunks[dialCode] ?? '0')
  return { e164: `+${digits}`, dialCode, significant, national: trunk + significant }
}

/** Whether a list is one of dial codes: most of its options show one, or are worth that of the country that they name. */
export function isDialList(options: readonly { readonly text: string; readonly value: string }[]): boolean {
  const named = options.filter(({ text, value }) => /\p{L}|\d/u.test(text + value))
  const shown = named.filter(
    ({ text, value }) => dialCodeIn(text) !== null || /^\+\d{1,4}$/u.test(value.trim()),
  )
  return named.length > 0 && shown.length * 10 >= named.length * 6
}

/** `+44` in `United Kingdom (+44)`. */
export function dialCodeIn(text: string): string | null {
  return (
    /(?:\+|(?:^|\()00)\s?(?<code>\d{1,4}(?:[\s-]\d{3})?)(?!\d)/u
      .exec(text)
      ?.groups?.code?.replaceAll(/\D/gu, '') ?? null
  )
}
