/**
 * Countries in which every address has a postal code and mail is not sorted without it. All others are taken without one: some have none
 * (HK, AE), in some it is customary to leave it out (IE), and of some nobody here is sure.
 */
const countries: ReadonlySet<string> = new Set(
  `AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FM FO FR GB GF GG GL GP GR GU HU IM IN IT JE JP KR LI LT LU LV MC MF MH MP MQ MX NC
  NL NO NZ PF PL PM PR PT PW RE RO RU SE SG SK SM TW UA UM US VA VI WF YT ZA`.split(/\s+/),
)

export function hasPostalCodes(country: string): boolean {
  return countries.has(country)
}
