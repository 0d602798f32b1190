import type { ShopWords } from './shop-words.ts'

export const nl: ShopWords = {
  language: 'nl',
  actions: {
    add_to_cart: `in winkelwagen | toevoegen aan winkelwagen | in winkelmand | aan winkelwagen toevoegen | in mijn winkelwagen
      | toevoegen aan winkelmand | in winkelmandje | voeg toe aan winkelwagen | in het winkelmandje
      | voeg aan winkelmand toe | voeg aan winkelwagen toe | voeg toe aan winkelmand | voeg toe aan winkelmandje | in de winkelwagen`,
    buy_now: `nu kopen | koop nu | direct kopen | kopen`,
    view_cart: `bekijk winkelwagen | winkelwagen | naar winkelwagen | winkelmand | winkelmandje | winkelwagen bekijken | mijn winkelwagen
      | naar winkelmand | naar de winkelwagen
      | bekijk winkelmand | bekijk winkelmandje | toon winkelmand`,
    checkout: `afrekenen | naar de kassa | naar kassa | verder naar bestellen | ik ga bestellen | doorgaan naar afrekenen | naar afrekenen
      | door naar afrekenen | verder met bestellen`,
    continue: `doorgaan | verder | volgende | ga verder | naar betaling | verder naar verzending | verder naar betaling | volgende stap
      | opslaan en doorgaan | naar verzending | bevestigen | doorgaan naar betaling | doorgaan naar verzending | opslaan`,
    as_guest: `doorgaan als gast | bestellen als gast | als gast | verder als gast | zonder account | gast | afrekenen als gast
      | bestellen zonder account | doorgaan zonder account | geen account aanmaken | geen klantaccount aanmaken
      | zonder registratie | zonder te registreren`,
    sign_in: `inloggen | aanmelden | log in`,
    place_order: `bestelling plaatsen | bestellen en betalen | betalen | nu betalen | bestelling met betalingsverplichting | plaats bestelling
      | bestelling bevestigen | bestelling afronden | afronden en betalen | bestellen | bestel en betaal | betaal nu | koop en betaal
      | nu bestellen | betaling bevestigen | betaal`,
    accept_cookies: `accepteren | alles accepteren | alle cookies accepteren | akkoord | alle accepteren | cookies accepteren | ja ik accepteer
      | toestaan | alles toestaan | begrepen`,
    reject_cookies: `weigeren | alles weigeren | alleen noodzakelijk | alleen noodzakelijke | alle weigeren | alleen noodzakelijke cookies
      | doorgaan zonder te accepteren | cookies weigeren | afwijzen | alles afwijzen | alleen functioneel`,
    close: `sluiten | sluit | later | niet nu`,
    decline_offer: `nee bedankt | nee dank je | overslaan | zonder bescherming | nee | geen interesse | geen bescherming | zonder verzekering`,
    keep_address: `dit adres behouden | ingevoerd adres gebruiken | mijn adres gebruiken | ingevoerde adres | adres behouden
      | ingevoerde adres gebruiken | gebruik ingevoerd adres`,
    apply_code: `toepassen | code toepassen | verzilveren | inwisselen | gebruik code | korting toepassen`,
    have_code: `kortingscode | kortingscode invoeren | heb je een kortingscode | actiecode | heb je een code | kortingscode toevoegen
      | ik heb een kortingscode | waardebon | heeft u een kortingscode`,
    pay_by_card: `creditcard | betalen met creditcard | betaalkaart | kaart | betalen met kaart | creditcard of betaalpas`,
    ship_here: `naar dit adres verzenden | hier bezorgen | op dit adres bezorgen`,
    continue_shopping: `verder winkelen | terug naar de winkel | doorgaan met winkelen | terug naar winkel | annuleren`,
    subscribe: `abonneren | inschrijven | aanmelden voor nieuwsbrief | account aanmaken | registreren | gratis proberen | schrijf je in`,
    remove: `verwijderen | verwijder | winkelwagen legen`,
    other: `toevoegen aan verlanglijst | op verlanglijst | bewaren | vergelijken | betalen met paypal | doorgaan met paypal
      | doorgaan met google | cookie instellingen | instellingen | zoeken | algemene voorwaarden | uitloggen | wachtwoord vergeten
      | lees verder | meer informatie | winkelwagen bijwerken | achteraf betalen | cadeaubon | adres wijzigen | bestelling annuleren
      | houd me op de hoogte`,
  },
  totals: {
    subtotal: `subtotaal | artikelen | totaal artikelen | producten | tussentotaal`,
    shipping: `verzending | verzendkosten | bezorging | bezorgkosten | levering | verzend en administratiekosten | leveringskosten | porto`,
    tax: `btw | belasting | belastingen`,
    tax_included: `inclusief btw | incl btw | waarvan btw | btw inbegrepen | inclusief belasting | inbegrepen btw`,
    discount: `korting | kortingscode | actie | kortingsbon | kortingen`,
    fee: `toeslag | servicekosten | administratiekosten | transactiekosten | statiegeld | kosten | verpakkingskosten | fooi | betaalkosten`,
    total: `totaal | totaalbedrag | te betalen | totaal te betalen | totaalprijs | totaal incl btw | totaal inclusief btw | eindtotaal`,
    other: `je bespaart | u bespaart | stuksprijs | prijs | bestelnummer | totaal excl btw | totaal exclusief btw | besparing`,
  },
  states: {
    in_stock: `op voorraad | beschikbaar | direct leverbaar`,
    sold_out: `uitverkocht | niet op voorraad | niet beschikbaar | niet leverbaar | niet meer leverbaar | tijdelijk uitverkocht
      | niet meer beschikbaar | onvoldoende voorraad`,
    low_stock: `nog maar | bijna uitverkocht | laatste stuks | beperkte voorraad`,
    not_found: `pagina niet gevonden | niet gevonden | bestaat niet | product niet gevonden`,
    error: `er is iets misgegaan | er ging iets mis | er is een fout opgetreden | onverwachte fout | probeer het later | serverfout | iets fout gegaan`,
    payment_declined: `kaart is geweigerd | betaling geweigerd | betaling is geweigerd | kaart geweigerd | onvoldoende saldo
      | kaart is verlopen | betaling is afgewezen | ongeldig kaartnummer`,
    payment_failed: `betaling mislukt | betaling is mislukt | betaling kon niet | betaling is niet gelukt | betaling geannuleerd`,
    confirmation: `bedankt voor je bestelling | bedankt voor uw bestelling | bestelling ontvangen | bestelling bevestigd | orderbevestiging
      | bestelling is geplaatst | bedankt voor je aankoop | bedankt voor uw aankoop | bestelling geplaatst | bestelling is ontvangen
      | we hebben je bestelling ontvangen | bestelling is bevestigd
      | we hebben uw bestelling ontvangen | bestelling is verwerkt | bestelling is succesvol`,
    order_number: `bestelnummer | ordernummer | bestelling | order | bestelnr`,
    processing: `wordt verwerkt | even geduld | een moment | sluit dit venster niet | betaling wordt verwerkt`,
    minimum_quantity: `minimale afname | minimaal aantal | minimale bestelhoeveelheid | minstens | minimum bestelbedrag | minimaal`,
    session_expired: `sessie is verlopen | sessie verlopen`,
    empty_cart: `winkelwagen is leeg | winkelmand is leeg | je winkelwagen is leeg | winkelmandje is leeg | geen producten in je winkelwagen`,
    cart: `winkelwagen | winkelmand | winkelmandje`,
    checkout: `afrekenen | bezorgadres | verzendadres | factuuradres | jouw gegevens | contactgegevens | afleveradres`,
    payment: `betaling | betaalmethode | betaalwijze | betaalgegevens`,
    review: `bestelling controleren | overzicht | controleer je bestelling | besteloverzicht | controleer uw bestelling`,
    captcha: `ik ben geen robot | bevestig dat je een mens bent | captcha | beveiligingscontrole | ben je een mens`,
    sign_in_needed: `log in om | je moet ingelogd zijn | alleen voor leden | alleen voor klanten | inloggen vereist | meld je aan om`,
    code_refused: `ongeldige code | code is ongeldig | kortingscode is ongeldig | code is verlopen | code is niet geldig | ongeldige kortingscode
      | code bestaat niet | kortingscode is verlopen | kortingscode is niet geldig | niet van toepassing`,
    added: `toegevoegd aan je winkelwagen | toegevoegd aan winkelwagen | is toegevoegd | toegevoegd aan uw winkelwagen
      | in je winkelmand | toegevoegd aan je winkelmandje`,
    code_taken: `code toegepast | korting toegepast | kortingscode toegepast | is toegepast`,
    undeliverable: `leveren niet | bezorgen niet | verzenden niet naar | geen verzendmethoden | niet mogelijk te bezorgen | geen verzendmethode`,
    price_changed: `prijs is gewijzigd | prijzen zijn gewijzigd | prijs is veranderd | totaal is gewijzigd | prijs is aangepast | nieuwe prijs`,
    subscription: `abonnement | per maand | maandelijks | elke maand | proefperiode | automatisch verlengd | per jaar | gratis proefperiode`,
    quantity: `aantal | hoeveelheid | stuks`,
  },
  fields: {
    email: `e mail | email | e mailadres | emailadres | mailadres`,
    salutation: `aanhef | geslacht`,
    full_name: `naam | volledige naam | voor en achternaam | ontvanger | je naam | uw naam`,
    first_name: `voornaam`,
    last_name: `achternaam | familienaam`,
    company: `bedrijf | bedrijfsnaam | organisatie`,
    phone: `telefoon | telefoonnummer | mobiel | mobiel nummer | gsm`,
    line1: `adres | straat en huisnummer | adresregel 1 | eerste adresregel | straat huisnummer | straat en nummer | bezorgadres | straat nr`,
    line2: `adresregel 2 | tweede adresregel | appartement | bus | verdieping`,
    street: `straat | straatnaam`,
    house_number: `huisnummer | huisnr | nr | nummer`,
    house_addition: `toevoeging | huisnummer toevoeging | huisnummertoevoeging | huisletter | toev`,
    postal_code: `postcode`,
    city: `plaats | stad | woonplaats | gemeente | plaatsnaam`,
    state: `provincie | staat | regio`,
    country: `land | land regio`,
    card_number: `kaartnummer | creditcardnummer | nummer van de kaart
      | kaart nummer | kaart nr`,
    card_expiry: `vervaldatum | geldig tot | mm jj | mm jjjj | verloopdatum | einddatum`,
    card_expiry_month: `maand | vervalmaand`,
    card_expiry_year: `jaar | vervaljaar | jj | jjjj`,
    card_code: `beveiligingscode | cvc | veiligheidscode | cvc code | kaartverificatiecode | controlecode
      | ccv | cvv | csc | cvn | ccv nummer | cvv nummer | cvc nummer | ccv code | cvv code`,
    card_holder: `naam op kaart | kaarthouder | naam kaarthouder | naam op de kaart | naam van de kaarthouder`,
    quantity: `aantal | hoeveelheid`,
    promo_code: `kortingscode | actiecode | couponcode | waardebon | cadeaubon of kortingscode | vouchercode | promotiecode`,
    password: `wachtwoord`,
    one_time_code: `verificatiecode | bevestigingscode | eenmalige code`,
    newsletter: `nieuwsbrief`,
    terms_consent: `algemene voorwaarden | ik ga akkoord met | voorwaarden | privacybeleid | ik accepteer de | ik heb gelezen`,
    marketing_consent: `aanbiedingen ontvangen | nieuws en aanbiedingen | aanbiedingen en nieuws | op de hoogte van | reclame | acties per e mail`,
    save_card: `kaart opslaan | kaart bewaren | kaartgegevens opslaan | onthoud mijn kaart | gegevens opslaan | creditcard opslaan`,
    create_account: `account aanmaken | maak een account`,
    billing_same: `zelfde als bezorgadres | factuuradres is hetzelfde | zelfde adres | gelijk aan bezorgadres | hetzelfde als verzendadres
      | factuuradres is gelijk | gelijk aan verzendadres`,
    ship_elsewhere: `verzenden naar een ander adres | ander afleveradres | ander bezorgadres`,
    bill_elsewhere: `ander factuuradres`,
    date_of_birth: `geboortedatum`,
    order_notes: `opmerkingen | opmerking | bezorginstructies | bericht | notities`,
    search: `zoeken | zoek`,
    other: `fax | btw nummer | kvk | cadeaubon | gebruikersnaam | onthoud mij | ingelogd blijven
      | geldig vanaf | geboorteplaats | klantenkaart | klantnummer | lidnummer`,
  },
  payments: {
    method: `betaalmethode | betaalwijze | betaling`,
    card: `creditcard | betaalkaart | debitcard | kaart | bankpas | credit of debitcard`,
    wallet: `paypal | apple pay | google pay`,
    invoice: `op rekening | achteraf betalen | factuur | riverty | betaal later | binnen 30 dagen`,
    instalments: `in termijnen | gespreid betalen | klarna | in3 | termijnen | in delen`,
    cash: `rembours | contant | bij afhalen | betalen bij aflevering`,
    transfer: `ideal | overschrijving | bankoverschrijving | bancontact | vooruitbetaling | automatische incasso`,
    gift_card: `cadeaubon | cadeaukaart`,
  },
  deliveries: {
    method: `verzendmethode | bezorgmethode | verzending | bezorging | levering | verzendwijze | leveringsmethode | bezorgopties`,
    standard: `standaard | standaard verzending | thuisbezorgd | gewoon | thuis`,
    express: `express | spoed | snel | spoedlevering`,
    pickup: `afhalen | ophalen | afhaalpunt | in de winkel | postnl punt | ophaalpunt`,
    today: `vandaag`,
    tomorrow: `morgen | volgende werkdag`,
    hours: `uur`,
    days: `dag | dagen | werkdagen | werkdag`,
    weeks: `week | weken`,
  },
}
