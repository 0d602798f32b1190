import type { Sentences } from './sentences.ts'

export const de: Sentences = {
  found: (count) => `Ich habe ${count} passende gefunden.`,
  foundOne: (title, price) => `Ich habe eines gefunden: ${title}, ${price}.`,
  nothing: (query) =>
    `Zu „${query}“ habe ich nichts gefunden. Versuch es mit anderen Wörtern oder weniger Bedingungen.`,
  nothingCheaper: 'Günstiger habe ich nichts gefunden.',
  nothingMore: 'Andere habe ich nicht gefunden.',
  noneLikeThat: (wanted) => `In ${wanted} gibt es keines davon. Das ist da:`,
  which: 'Welches möchtest du?',
  onlyShown: (count) => `Ich habe dir ${count} gezeigt. Welches davon meinst du?`,
  detail: (title, price, merchant) => `${title} kostet ${price} bei ${merchant}.`,
  options: (name, values) => `${name}: ${values}.`,
  shallI: 'Soll ich es kaufen?',
  askOption: (title, name, values) => `${title}: welche Auswahl bei „${name}“? Es gibt ${values}.`,
  notInOption: (title, wanted, values) => `${title} gibt es nicht in ${wanted}. Es gibt ${values}.`,
  soldOut: (title) => `${title} ist gerade nicht verfügbar.`,
  notBuyable: (title) => `${title} kann ich nicht kaufen: Der Shop verkauft es nicht auf diesem Weg.`,
  needsInput: (title, labels) =>
    `Für ${title} muss der Shop mehr wissen: ${labels}. Das kann ich hier nicht eingeben.`,
  overBudget: (title, price) =>
    `${title} kostet ${price}, mehr als du ausgeben möchtest. Ich habe es nicht gekauft.`,
  otherCurrency: (title, price) =>
    `${title} kostet ${price}. Mit deiner Grenze in einer anderen Währung kann ich das nicht vergleichen, deshalb habe ich es nicht gekauft.`,
  approve: (title, merchant, cap) =>
    `${title} von ${merchant}: höchstens ${cap}, mit Lieferung und Steuern. Freigeben kann ich das nicht. Bitte tu das mit dem Knopf.`,
  payFirst: (title) => `Für ${title} fehlt noch ein Zahlungsmittel. Bitte wähl eines mit dem Knopf.`,
  needsPerson: (title) => `${title} wartet auf dich. Bitte mach mit dem Knopf weiter.`,
  buying: (title) => `Ich kaufe ${title}. Ich sage dir hier Bescheid, wenn es erledigt ist.`,
  bought: (title, amount) => `${title} ist gekauft. Berechnet wurden ${amount}.`,
  failed: (title, reason) => `${title} wurde nicht gekauft: ${reason}`,
  cancelled: (title) => `Der Kauf von ${title} ist storniert.`,
  declined: (title) => `Der Kauf von ${title} wurde abgelehnt. Es wurde nichts gekauft.`,
  approvedByPerson: 'Eine Nachricht gibt keinen Kauf frei. Bitte nimm den Knopf.',
  alreadyAsked:
    'Dieser Kauf wartet schon auf deine Freigabe und ändert sich nicht mehr. Storniere ihn zuerst und sag mir dann, was du möchtest.',
  noPurchase: 'Es gibt noch keinen Kauf.',
  cannotReturn: (merchant) =>
    `Zurückschicken kann ich nichts. Frag bitte bei ${merchant}: Der Shop sagt, wie er Waren zurücknimmt.`,
  sortedByPrice: 'Hier sind sie nach Preis, das günstigste zuerst.',
  noRatings: 'Die Shops nennen mir keine Bewertungen, danach kann ich nicht vergleichen.',
  noDelivery: 'Wie lange eine Lieferung dauert, sagt ein Shop erst, wenn er nach dem Endpreis gefragt wird.',
  nothingShown: 'Ich habe dir noch nichts gezeigt. Was suchst du?',
  refused: {
    address: 'Adressen kann ich nicht ändern. Bitte tu das dort, wo du dein Profil verwaltest.',
    card: 'Karten kann ich weder hinzufügen noch ändern. Bitte tu das dort, wo du dein Profil verwaltest.',
    limit: 'Limits kann ich nicht ändern. Das kann nur jemand, der dieses Konto verwaltet.',
    person: 'Ich kann dich mit niemandem verbinden. Ich folge Regeln und kann nur einkaufen.',
    other: 'Ich kann nur einkaufen: Produkte suchen, sie kaufen und sagen, wie es um einen Kauf steht.',
  },
  greet: 'Hallo! Was suchst du?',
  thank: 'Gern.',
  help: 'Ich suche Produkte, vergleiche sie nach Preis, kaufe, was du aussuchst, und sage dir, wie es läuft. Ich folge Regeln und bin kein Mensch. Was deine Freigabe braucht, gibst du mit einem Knopf frei.',
  unclear:
    'Das habe ich nicht verstanden. Sag mir, was du suchst, zum Beispiel „ein Wasserkocher unter 40 €“.',
  fine: 'In Ordnung.',
  toolFailed: (message) => `Das hat nicht geklappt: ${message}`,
  notices: {
    stopped: 'Angehalten.',
    key_ended: 'Dieser Chat darf nicht mehr für dich handeln: Der Schlüssel deiner Anwendung ist beendet.',
    frozen: 'Käufe sind hier gerade gesperrt. Wer dieses Konto verwaltet, kann das beenden.',
    too_many_steps: 'Ich höre hier auf: Das brauchte zu viele Schritte. Bitte frag nach weniger auf einmal.',
    too_long: 'Ich höre hier auf: Das hat zu lange gedauert. Bitte versuch es noch einmal.',
    too_many_tokens: 'Ich höre hier auf: Diese Antwort wurde zu lang. Bitte frag nach weniger auf einmal.',
    tokens_of_day_used:
      'Was dieses Konto heute von seinem Sprachmodell nutzen darf, ist verbraucht. Bitte versuch es morgen wieder.',
    cost_of_day_used:
      'Was dieses Konto heute für sein Sprachmodell ausgeben darf, ist ausgegeben. Bitte versuch es morgen wieder.',
    internal_error: 'Bei uns ist etwas schiefgegangen. Bitte schreib noch einmal.',
    amount_not_known:
      '[Ein Satz fehlt hier: Er nannte einen Betrag, den hier kein Produkt und kein Kauf hat.]',
    model_unavailable: 'Das Sprachmodell antwortet gerade nicht. Bitte versuch es später noch einmal.',
    model_overloaded: 'Das Sprachmodell ist überlastet. Bitte versuch es in einer Minute noch einmal.',
    model_unreadable:
      'Das Sprachmodell hat etwas geantwortet, was sich nicht lesen lässt. Bitte versuch es noch einmal.',
  },
}
