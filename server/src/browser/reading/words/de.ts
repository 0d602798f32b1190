import type { ShopWords } from './shop-words.ts'

export const de: ShopWords = {
  language: 'de',
  actions: {
    add_to_cart: `in den warenkorb | in den einkaufswagen | zum warenkorb hinzufügen | in warenkorb | warenkorb hinzufügen
      | in die einkaufstasche | in den warenkorb legen | in den korb | hinzufügen | in die tasche | zur tasche hinzufügen`,
    buy_now: `jetzt kaufen | sofort kaufen | sofortkauf | kaufen | direkt kaufen | jetzt bestellen`,
    view_cart: `warenkorb anzeigen | warenkorb ansehen | zum warenkorb | warenkorb | einkaufswagen | zum einkaufswagen
      | mein warenkorb | ihr warenkorb | einkaufstasche | warenkorb bearbeiten`,
    checkout: `zur kasse | kasse | zur kasse gehen | weiter zur kasse | zum checkout | zur bestellung | zur kasse fortfahren
      | checkout | zur sicheren kasse | kasse gehen`,
    continue: `weiter | fortfahren | nächster schritt | weiter zum versand | weiter zur zahlung | zur zahlung | weiter zur lieferung
      | speichern und weiter | weiter zur übersicht | bestätigen | bestellung prüfen | zur übersicht | versandkosten aktualisieren
      | übernehmen und weiter | speichern | zahlung und versand | adresse übernehmen | bestellung überprüfen`,
    as_guest: `als gast bestellen | als gast fortfahren | als gast | gastbestellung | weiter als gast | ohne kundenkonto
      | ohne registrierung | als gast kaufen | ohne anmeldung | als gast zur kasse | gast | ohne konto | ohne registrierung bestellen
      | kein kundenkonto anlegen | kein konto anlegen | kein kundenkonto erstellen
      | bestellung als gast | ohne kundenkonto bestellen`,
    sign_in: `anmelden | einloggen | login | jetzt anmelden | ich bin bereits kunde`,
    place_order: `zahlungspflichtig bestellen | kostenpflichtig bestellen | jetzt zahlungspflichtig bestellen | jetzt kaufen
      | bestellung abschicken | bestellung abschließen | kauf abschließen | jetzt bezahlen | bezahlen | jetzt bestellen
      | bestellung aufgeben | jetzt kostenpflichtig bestellen | bestellen | kaufen und bezahlen | bestellung abgeben
      | zahlung abschließen | verbindlich bestellen | zahlung bestätigen | zahlungspflichtig kaufen | bestellung bestätigen
      | kostenpflichtig kaufen`,
    accept_cookies: `alle akzeptieren | akzeptieren | zustimmen | alle cookies akzeptieren | einverstanden | alles akzeptieren
      | alle zulassen | ich stimme zu | cookies akzeptieren | allen zustimmen | verstanden | ok | annehmen
      | akzeptieren und schließen | alles klar`,
    reject_cookies: `ablehnen | alle ablehnen | nur notwendige | nur notwendige cookies | nur erforderliche | nur essenzielle
      | cookies ablehnen | alles ablehnen | nur notwendige akzeptieren | nur technisch notwendige | weiter ohne zustimmung
      | nur essenzielle cookies akzeptieren | nur technisch notwendige cookies | nur erforderliche cookies | notwendige cookies`,
    close: `schließen | ausblenden | fenster schließen | später | nicht jetzt | vielleicht später`,
    decline_offer: `nein danke | kein interesse | überspringen | ohne schutz | nein | ohne versicherung | nein danke ohne
      | nicht interessiert | ohne garantie | ich verzichte`,
    keep_address: `eingegebene adresse verwenden | adresse beibehalten | meine adresse verwenden | eingegebene adresse
      | ihre eingabe | diese adresse beibehalten | ursprüngliche adresse | trotzdem verwenden | eingabe beibehalten
      | adresse übernehmen wie eingegeben | ihre eingegebene adresse | adresse wie eingegeben verwenden`,
    apply_code: `einlösen | gutschein einlösen | code einlösen | anwenden | code anwenden | rabatt anwenden | gutschein anwenden
      | hinzufügen`,
    have_code: `gutscheincode eingeben | gutschein eingeben | haben sie einen gutschein | gutscheincode | rabattcode
      | rabattcode eingeben | aktionscode | gutschein hinzufügen | hast du einen gutschein | ich habe einen gutschein
      | gutschein vorhanden`,
    pay_by_card: `kreditkarte | mit karte zahlen | mit kreditkarte zahlen | per kreditkarte | mit karte bezahlen
      | mit kreditkarte bezahlen | kartenzahlung | debitkarte | kredit oder debitkarte`,
    ship_here: `an diese adresse liefern | an diese adresse senden | hierhin liefern | an diese adresse versenden
      | an diese adresse`,
    continue_shopping: `weiter einkaufen | einkauf fortsetzen | zurück zum shop | weiter shoppen | zum shop | jetzt einkaufen
      | mit dem einkauf fortfahren | zurück zum einkauf | abbrechen`,
    subscribe: `abonnieren | newsletter abonnieren | registrieren | konto erstellen | jetzt registrieren | kostenlos testen
      | neues konto | jetzt sichern | anmelden zum newsletter | newsletter anmelden | kundenkonto anlegen`,
    remove: `entfernen | löschen | aus dem warenkorb entfernen | artikel entfernen | warenkorb leeren`,
    other: `auf den merkzettel | zur wunschliste hinzufügen | auf die wunschliste | merken | vergleichen | zum vergleich hinzufügen
      | mit paypal zahlen | direkt zu paypal | weiter mit paypal | mit paypal kaufen | warenkorb aktualisieren | benachrichtigen
      | weiterlesen | cookie einstellungen | einstellungen | suchen | agb | datenschutz | abmelden | passwort vergessen
      | bewertung abgeben | mit google anmelden | mit apple anmelden | weitere informationen | kauf auf rechnung | mehr erfahren
      | bestellung stornieren | ratenkauf | ja schützen | impressum | weitere | adresse ändern | einstellungen speichern
      | meine bestellungen | auswahl speichern`,
  },
  totals: {
    subtotal: `zwischensumme | warenwert | summe artikel | artikel | summe der artikel | warenkorbwert | produkte | positionen
      | artikelsumme | bestellwert`,
    shipping: `versand | versandkosten | lieferung | lieferkosten | porto | liefergebühr | versand und bearbeitung | versandgebühr
      | versandkostenpauschale | zustellung | abholung | standardversand | expressversand`,
    tax: `mwst | mehrwertsteuer | ust | umsatzsteuer | steuer | steuern | zzgl mwst | zuzüglich mwst | zzgl ust | zzgl steuern`,
    tax_included: `inkl mwst | inklusive mwst | enthaltene mwst | enthaltene mehrwertsteuer | darin enthalten | inkl ust
      | inkl steuern | davon mwst | mwst enthalten | enthaltene steuer | enthaltene steuern | enthaltene ust | inkl mehrwertsteuer
      | enthält mwst | im preis enthalten | inkl gesetzl mwst | darin enthaltene mwst | steuern enthalten | enthaltene umsatzsteuer
      | davon mehrwertsteuer | inkl 19 mwst | inkl 7 mwst | inkl 20 mwst | enthalten`,
    discount: `rabatt | gutschein | nachlass | aktionsrabatt | gutscheincode | rabattcode | ermäßigung | preisnachlass | aktion
      | skonto | rabatte`,
    fee: `gebühr | gebühren | bearbeitungsgebühr | nachnahmegebühr | servicegebühr | mindermengenzuschlag | zuschlag | pfand
      | zahlungsgebühr | verpackung | trinkgeld | spende | geschenkverpackung | zahlungsaufschlag | zahlungsartgebühr`,
    total: `gesamtsumme | gesamt | summe | gesamtbetrag | endsumme | gesamtpreis | zu zahlen | rechnungsbetrag | zahlbetrag
      | endbetrag | zu zahlender betrag | bestellsumme | total | gesamtsumme inkl mwst | summe inkl mwst | gesamt inkl mwst
      | gesamtbetrag inkl mwst | summe inkl ust`,
    other: `sie sparen | du sparst | einzelpreis | stückpreis | preis | uvp | statt | bestellnummer | grundpreis | netto
      | gesamtsumme ohne mwst | nettosumme | ersparnis | gesamtsumme netto | summe netto | summe ohne mwst | gesamt netto
      | noch bis zum kostenlosen versand | versandkostenfrei ab | zzgl versand | gesamtersparnis`,
  },
  states: {
    in_stock: `auf lager | verfügbar | sofort lieferbar | lieferbar | vorrätig | sofort verfügbar | lagernd`,
    sold_out: `ausverkauft | nicht verfügbar | nicht auf lager | nicht lieferbar | vergriffen | derzeit nicht verfügbar
      | nicht mehr verfügbar | momentan nicht verfügbar | leider ausverkauft | nicht vorrätig | zur zeit nicht lieferbar
      | nicht mehr lieferbar | nicht genügend auf lager | nicht in ausreichender menge | nicht ausreichend verfügbar`,
    low_stock: `nur noch wenige | fast ausverkauft | nur noch 1 | nur noch 2 | nur noch 3 | letzte stücke | geringer bestand
      | nur noch | wenige verfügbar`,
    not_found: `seite nicht gefunden | nicht gefunden | seite existiert nicht | produkt nicht gefunden | artikel nicht gefunden
      | seite wurde nicht gefunden | konnte nicht gefunden werden`,
    error: `etwas ist schiefgelaufen | ein fehler ist aufgetreten | unerwarteter fehler | interner serverfehler | serverfehler
      | versuchen sie es später | technischer fehler | es ist ein fehler | versuchen sie es erneut | schiefgegangen
      | technisches problem`,
    payment_declined: `karte wurde abgelehnt | zahlung wurde abgelehnt | zahlung abgelehnt | karte abgelehnt | abgelehnt
      | nicht genügend guthaben | karte wurde nicht akzeptiert | kartennummer ist ungültig | karte ist abgelaufen
      | ungültige kartennummer`,
    payment_failed: `zahlung fehlgeschlagen | zahlung konnte nicht | zahlung ist fehlgeschlagen | zahlung war nicht erfolgreich
      | problem mit ihrer zahlung | zahlung wurde abgebrochen | transaktion fehlgeschlagen | konnte nicht belastet werden`,
    confirmation: `vielen dank für ihre bestellung | danke für ihre bestellung | vielen dank für deine bestellung
      | danke für deine bestellung | bestellung eingegangen | bestellbestätigung | bestellung ist eingegangen | danke für ihren einkauf
      | vielen dank für ihren einkauf | bestellung erfolgreich | ihre bestellung wurde aufgegeben | bestellung bestätigt
      | bestellung wurde bestätigt | haben ihre bestellung erhalten | bestellung abgeschlossen | vielen dank für deinen einkauf
      | bestellung wurde aufgegeben | bestellung wurde erfolgreich | bestellung wurde entgegengenommen | bestellung aufgegeben`,
    order_number: `bestellnummer | bestellnr | auftragsnummer | bestell nr | bestellung nr | ihre bestellnummer lautet
      | bestellung | bestellnummer lautet | auftragsnr | bestell nummer | vorgangsnummer`,
    processing: `wird verarbeitet | wird bearbeitet | bitte warten | einen moment | einen augenblick | fenster nicht schließen
      | zahlung wird verarbeitet | bestellung wird verarbeitet | bitte haben sie geduld`,
    minimum_quantity: `mindestmenge | mindestbestellmenge | mindestbestellwert | mindestens | mindestabnahme
      | nur im vielfachen`,
    session_expired: `sitzung ist abgelaufen | sitzung abgelaufen | session ist abgelaufen | session abgelaufen
      | sitzung ist leider abgelaufen`,
    empty_cart: `warenkorb ist leer | ihr warenkorb ist leer | dein warenkorb ist leer | keine artikel im warenkorb
      | einkaufswagen ist leer | warenkorb ist noch leer | warenkorb ist derzeit leer | keine produkte im warenkorb`,
    cart: `warenkorb | ihr warenkorb | einkaufswagen | mein warenkorb | einkaufstasche`,
    checkout: `kasse | lieferadresse | versandadresse | rechnungsadresse | rechnungs und lieferadresse | kontaktdaten
      | versand und rechnungsadresse | ihre daten`,
    payment: `zahlung | zahlungsart | zahlungsmethode | bezahlung | zahlungsdaten | bezahlen`,
    review: `bestellung prüfen | bestellübersicht | übersicht | zusammenfassung | bestellung überprüfen | prüfen und bestellen
      | ihre bestellung`,
    captcha: `ich bin kein roboter | sind sie ein mensch | captcha | sicherheitsprüfung | bestätigen sie dass sie ein mensch sind
      | ungewöhnlicher datenverkehr | browser wird überprüft | sicherheitsabfrage`,
    sign_in_needed: `bitte melden sie sich an | bitte anmelden | bitte loggen sie sich ein | nur für kunden
      | nur für registrierte kunden | anmeldung erforderlich | melden sie sich an um | sie müssen angemeldet sein
      | sie müssen sich anmelden | melde dich an`,
    code_refused: `ungültiger code | code ist ungültig | gutschein ist ungültig | gutscheincode ist ungültig | gutschein ist abgelaufen
      | code ist abgelaufen | ungültiger gutschein | code ist nicht gültig | ungültiger gutscheincode | gutschein ist nicht gültig
      | nicht einlösbar | gutschein existiert nicht | code existiert nicht | gutscheincode existiert nicht | nicht bekannt
      | konnte nicht eingelöst | kennen wir nicht | unbekannter gutschein | kann nicht eingelöst`,
    added: `in den warenkorb gelegt | zum warenkorb hinzugefügt | wurde hinzugefügt | in ihrem warenkorb
      | liegt im warenkorb | in den einkaufswagen gelegt | erfolgreich hinzugefügt | wurde in den warenkorb`,
    code_taken: `gutschein eingelöst | code eingelöst | rabatt angewendet | gutschein wurde eingelöst | gutscheincode eingelöst
      | gutschein angewendet | erfolgreich eingelöst | wurde angewendet | gutschein hinzugefügt | wurde eingelöst`,
    undeliverable: `liefern nicht nach | liefern leider nicht | versenden nicht nach | lieferung nicht möglich
      | lieferung an diese adresse | keine versandart verfügbar | nicht möglich zu liefern | nicht liefern
      | keine versandarten verfügbar | kein versand nach | nicht geliefert werden | nicht versendet werden`,
    price_changed: `preis hat sich geändert | preise haben sich geändert | preis wurde geändert | preis wurde aktualisiert
      | preisänderung | gesamtsumme hat sich geändert | preise wurden aktualisiert | neuer preis | betrag hat sich geändert`,
    subscription: `abonnement | abo | pro monat | monatlich | verlängert sich | probezeit | probemonat | kostenlos testen
      | jederzeit kündbar | spar abo | im abo | mitgliedschaft | automatische lieferung | pro jahr | jährlich | testphase`,
    quantity: `menge | anzahl | stück | stk`,
  },
  fields: {
    email: `e mail | email | e mail adresse | mailadresse | ihre e mail | e mailadresse | emailadresse | mail`,
    salutation: `anrede | titel anrede | geschlecht`,
    full_name: `name | vor und nachname | vollständiger name | ihr name | empfänger | vorname nachname | vor und zuname
      | name vorname | vorname und nachname`,
    first_name: `vorname`,
    last_name: `nachname | familienname | zuname`,
    company: `firma | unternehmen | firmenname`,
    phone: `telefon | telefonnummer | handy | mobil | mobilnummer | handynummer | tel | rufnummer | mobiltelefon`,
    line1: `adresse | straße und hausnummer | straße hausnummer | straße nr | anschrift | straße und nr | lieferadresse
      | adresszeile 1 | erste adresszeile | straße u hausnummer | straße hausnr | straße u nr`,
    line2: `adresszusatz | adresszeile 2 | zweite adresszeile | zusatz | zusätzliche adresse | wohnung | etage | c o | adresse 2 | stockwerk`,
    street: `straße | strasse | straßenname | str`,
    house_number: `hausnummer | hausnr | haus nr | nr | nummer | hnr`,
    house_addition: `hausnummernzusatz | hausnummerzusatz | zusatz hausnummer`,
    postal_code: `plz | postleitzahl`,
    city: `ort | stadt | wohnort | gemeinde`,
    state: `bundesland | kanton | region | provinz`,
    country: `land | staat | lieferland | land region`,
    card_number: `kartennummer | kreditkartennummer | karten nr | kreditkarten nr | nummer der karte | kartennr
      | karten nummer`,
    card_expiry: `gültig bis | ablaufdatum | verfallsdatum | gültigkeit | mm jj | mm jjjj | karte gültig bis | gültig bis mm jj`,
    card_expiry_month: `monat | ablaufmonat | gültig bis monat`,
    card_expiry_year: `jahr | ablaufjahr | jj | jjjj | gültig bis jahr`,
    card_code: `prüfziffer | kartenprüfnummer | sicherheitscode | prüfnummer | kartenprüfziffer | kpn | sicherheitsnummer
      | cvc prüfziffer | prüfziffer cvc
      | ccv | cvv | cvc | csc | cvn | ccv nummer | cvv nummer | cvc nummer | kartenprüfcode`,
    card_holder: `karteninhaber | name auf der karte | name des karteninhabers | inhaber | kontoinhaber`,
    quantity: `menge | anzahl | stückzahl | stück`,
    promo_code: `gutscheincode | gutschein | rabattcode | aktionscode | promo code | gutschein code | vorteilscode`,
    password: `passwort | kennwort`,
    one_time_code: `bestätigungscode | einmalcode | sicherheitscode per e mail | tan | verifizierungscode | anmeldecode
      | code aus der e mail | einmalpasswort`,
    newsletter: `newsletter | newsletter erhalten | newsletter abonnieren`,
    terms_consent: `agb | allgemeine geschäftsbedingungen | ich habe die | ich akzeptiere die | ich stimme den | widerrufsbelehrung
      | nutzungsbedingungen | datenschutzerklärung | geschäftsbedingungen | ich stimme zu`,
    marketing_consent: `werbung | angebote per e mail | informiert werden | neuigkeiten und angebote | über angebote | werbliche
      | angebote erhalten | neuigkeiten erhalten`,
    save_card: `karte speichern | zahlungsdaten speichern | kreditkarte speichern | karte merken | für künftige einkäufe speichern
      | zahlungsart speichern | daten speichern`,
    create_account: `konto erstellen | kundenkonto anlegen | registrieren | kundenkonto erstellen | konto anlegen
      | kundenkonto eröffnen`,
    billing_same: `rechnungsadresse entspricht | rechnungsadresse ist gleich | wie lieferadresse | gleiche adresse
      | identisch mit lieferadresse | rechnungsadresse gleich | entspricht der lieferadresse | stimmt mit lieferadresse überein
      | lieferadresse entspricht rechnungsadresse | entspricht lieferadresse | gleich lieferadresse`,
    ship_elsewhere: `abweichende lieferadresse | an eine andere adresse liefern | an andere adresse liefern | andere lieferadresse`,
    bill_elsewhere: `abweichende rechnungsadresse | andere rechnungsadresse`,
    date_of_birth: `geburtsdatum | geburtstag`,
    order_notes: `anmerkungen | bemerkungen | hinweise | kommentar | nachricht | lieferhinweise | anmerkung | bemerkung | mitteilung`,
    search: `suche | suchen | suchbegriff | produkte suchen`,
    other: `ortsteil | stadtteil | titel | fax | ust id | umsatzsteuer id | geschenkkarte | benutzername | kundennummer | angemeldet bleiben | packstation | postnummer
      | gültig ab | geburtsort | geburtsname | treuekarte | treuekartennummer | steuernummer | wunschtermin | liefertermin`,
  },
  payments: {
    method: `zahlungsart | zahlungsmethode | zahlart | zahlungsweise | zahlung | wie möchten sie zahlen`,
    card: `kreditkarte | debitkarte | karte | kartenzahlung | kredit oder debitkarte | kredit debitkarte | bankkarte`,
    wallet: `paypal | apple pay | google pay | amazon pay | amazon payments`,
    invoice: `rechnung | auf rechnung | kauf auf rechnung | rechnungskauf | später bezahlen | in 30 tagen bezahlen | zahlungsziel`,
    instalments: `ratenzahlung | ratenkauf | raten | in raten | finanzierung | klarna | monatsraten | teilzahlung`,
    cash: `nachnahme | barzahlung | bei abholung | bar | zahlung bei abholung`,
    transfer: `vorkasse | überweisung | lastschrift | sofortüberweisung | banküberweisung | sepa lastschrift | giropay | bankeinzug
      | vorauskasse`,
    gift_card: `geschenkkarte | geschenkgutschein | guthaben`,
  },
  deliveries: {
    method: `versandart | lieferart | versandmethode | versandoptionen | lieferung | versand | lieferoption | zustellung`,
    standard: `standard | standardversand | normal | dhl paket | paket | standardlieferung | versand | regulär`,
    express: `express | expressversand | über nacht | eilversand | eilzustellung | expresslieferung`,
    pickup: `abholung | selbstabholung | abholen | im laden abholen | filiale | packstation | paketshop | click collect
      | im geschäft abholen`,
    today: `heute | am selben tag`,
    tomorrow: `morgen | nächster werktag | nächsten tag | am nächsten werktag`,
    hours: `stunde | stunden`,
    days: `tag | tage | tagen | werktag | werktage | werktagen | arbeitstage`,
    weeks: `woche | wochen`,
  },
}
