/** Whether something is asked about a person or a place, by its words. In doubt it is: then a person is asked, and nothing else happens. */
export function isAboutPeople(text: string): boolean {
  const words = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}]+/u)
  return words.some((word) => whole.has(word) || stems.some((stem) => word.includes(stem)))
}

const whole = new Set(
  `age ages alter dob id ids sex sexe sesso sexo name names nom nome nombre naam title state states land pays pais paese city cities ort
   stadt stad ville citta ciudad cidade place places lieu luogo lugar plaats via rue calle zip plz cap cep store stores shop shops branch
   room rooms seat mr mrs who whom where wer wo qui quem chi dove donde onde wie waar`.split(/\s+/),
)

const stems =
  `address adress adres indirizz direccion endereco street strasse straat postal postcode postleit region province provinz county
  country location standort venue airport hotel station pickup dropoff abhol meeting treffpunkt birth born geburt naissan nacimient nascita
  nascimen geboort gender geschlecht gener geslacht salutation anrede civilit national citizen staatsang cittadin passport passeport pasaport
  passaport paspoort document ausweis licen person guest gast passenger passagier travel reisend viajer driver fahrer child kind enfant
  student patient customer kunde client contact phone telefon email mail emergency`.split(/\s+/)
