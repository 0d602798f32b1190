import type { ShopWords } from './shop-words.ts'

export const pl: ShopWords = {
  language: 'pl',
  actions: {
    add_to_cart: `dodaj do koszyka | do koszyka | wrzuć do koszyka | włóż do koszyka | dodaj produkt do koszyka`,
    buy_now: `kup teraz | kup | kupuję | zamów teraz`,
    view_cart: `zobacz koszyk | koszyk | przejdź do koszyka | pokaż koszyk | mój koszyk | twój koszyk`,
    checkout: `przejdź do kasy | do kasy | kasa | złóż zamówienie | zamawiam | przejdź do zamówienia | realizuj zamówienie
      | przejdź do realizacji | dostawa i płatność`,
    continue: `dalej | kontynuuj | następny | przejdź dalej | przejdź do płatności | przejdź do dostawy | następny krok | zapisz i kontynuuj
      | potwierdź | zapisz | kontynuuj zamówienie`,
    as_guest: `kontynuuj jako gość | kup jako gość | jako gość | gość | kup bez rejestracji | zakupy bez rejestracji | zamów bez rejestracji
      | bez rejestracji | kontynuuj bez logowania | zamówienie bez rejestracji
      | bez zakładania konta | bez konta | bez logowania`,
    sign_in: `zaloguj się | zaloguj | logowanie`,
    place_order: `kupuję i płacę | zamawiam i płacę | zamawiam z obowiązkiem zapłaty | zapłać | zapłać teraz | złóż zamówienie i zapłać
      | potwierdzam zamówienie | potwierdź zamówienie | zamówienie z obowiązkiem zapłaty | kup i zapłać | płacę | złóż zamówienie
      | potwierdź i zapłać | zamawiam i place | opłać zamówienie | potwierdź płatność`,
    accept_cookies: `akceptuj | akceptuję | akceptuj wszystkie | zaakceptuj wszystkie | zgadzam się | akceptuj wszystko | zgoda | rozumiem
      | zaakceptuj | zezwól na wszystkie | akceptuję wszystkie | przejdź do serwisu`,
    reject_cookies: `odrzuć | odrzuć wszystkie | tylko niezbędne | odmów | odrzucam | odrzuć wszystko | nie zgadzam się | akceptuj tylko niezbędne
      | tylko niezbędne pliki cookie`,
    close: `zamknij | później | nie teraz`,
    decline_offer: `nie dziękuję | nie dzięki | pomiń | bez ochrony | nie | bez ubezpieczenia | rezygnuję`,
    keep_address: `zachowaj ten adres | użyj mojego adresu | użyj wpisanego adresu | wpisany adres | pozostaw adres | zachowaj adres
      | podany adres | użyj podanego adresu`,
    apply_code: `zastosuj | zastosuj kod | użyj kodu | zrealizuj | aktywuj | dodaj kod | zastosuj kupon`,
    have_code: `kod rabatowy | mam kod rabatowy | masz kod rabatowy | wpisz kod | kod promocyjny | dodaj kod rabatowy | masz kupon | posiadasz kod`,
    pay_by_card: `karta płatnicza | karta kredytowa | zapłać kartą | karta | płatność kartą | karta kredytowa lub debetowa`,
    ship_here: `wyślij na ten adres | dostarcz tutaj | dostarcz na ten adres`,
    continue_shopping: `kontynuuj zakupy | wróć do sklepu | powrót do sklepu | wróć do zakupów | anuluj`,
    subscribe: `zapisz się | subskrybuj | zarejestruj się | załóż konto | utwórz konto | wypróbuj za darmo`,
    remove: `usuń | wyczyść koszyk | usuń z koszyka`,
    other: `dodaj do ulubionych | dodaj do listy życzeń | porównaj | zapłać z paypal | kontynuuj z google | ustawienia cookies | ustawienia
      | powiadom mnie | szukaj | regulamin | wyloguj | czytaj więcej | więcej | aktualizuj koszyk | raty | zapłać później | karta podarunkowa
      | zmień adres | nie pamiętam hasła | zapomniałem hasła | anuluj zamówienie`,
  },
  totals: {
    subtotal: `suma częściowa | wartość produktów | produkty | wartość koszyka | wartość zamówienia | suma produktów | kwota produktów`,
    shipping: `dostawa | wysyłka | koszt dostawy | koszty dostawy | koszt wysyłki | przesyłka | koszty wysyłki`,
    tax: `podatek | vat | podatek vat`,
    tax_included: `w tym vat | zawiera vat | z vat | vat wliczony | w tym podatek | zawiera podatek`,
    discount: `rabat | zniżka | kod rabatowy | kupon | promocja | rabaty`,
    fee: `opłata | opłata serwisowa | prowizja | opłata manipulacyjna | dopłata | kaucja | koszt płatności | opakowanie | napiwek`,
    total: `razem | suma | łącznie | do zapłaty | razem do zapłaty | kwota do zapłaty | łączna kwota | całkowita kwota | total
      | suma do zapłaty | razem z vat | suma brutto | łącznie z vat`,
    other: `oszczędzasz | cena | cena jednostkowa | numer zamówienia | netto | suma netto | razem netto | bez vat | punkty`,
  },
  states: {
    in_stock: `dostępny | w magazynie | na stanie | dostępne | dostępna`,
    sold_out: `wyprzedane | brak w magazynie | niedostępny | produkt niedostępny | wyprzedany | brak na stanie | niedostępna | chwilowo niedostępny
      | niedostępne | niewystarczająca ilość`,
    low_stock: `ostatnie sztuki | zostało tylko | mało sztuk | zostały tylko | końcówka`,
    not_found: `strona nie została znaleziona | nie znaleziono | nie znaleziono strony | nie istnieje | produkt nie istnieje`,
    error: `coś poszło nie tak | wystąpił błąd | błąd serwera | nieoczekiwany błąd | spróbuj ponownie | spróbuj później`,
    payment_declined: `karta została odrzucona | płatność odrzucona | płatność została odrzucona | karta odrzucona | brak środków
      | karta wygasła | nieprawidłowy numer karty | niewystarczające środki`,
    payment_failed: `płatność nie powiodła się | błąd płatności | nie udało się przetworzyć płatności | płatność nieudana | płatność anulowana
      | płatność została anulowana`,
    confirmation: `dziękujemy za zamówienie | dziękujemy za zakup | zamówienie przyjęte | potwierdzenie zamówienia | zamówienie zostało złożone
      | dziękujemy za zakupy | zamówienie złożone | dziękujemy za złożenie zamówienia | zamówienie potwierdzone | otrzymaliśmy twoje zamówienie
      | zamówienie zostało przyjęte | zamówienie zostało przetworzone | zamówienie zostało zrealizowane`,
    order_number: `numer zamówienia | nr zamówienia | zamówienie | zamówienie nr | zamówienie numer`,
    processing: `przetwarzanie | proszę czekać | chwileczkę | trwa przetwarzanie | nie zamykaj tego okna | jest przetwarzane`,
    minimum_quantity: `minimalna ilość | minimalne zamówienie | co najmniej | minimum logistyczne | minimalna liczba | minimalna wartość`,
    session_expired: `sesja wygasła | twoja sesja wygasła`,
    empty_cart: `koszyk jest pusty | twój koszyk jest pusty | brak produktów w koszyku`,
    cart: `koszyk | twój koszyk | koszyk zakupowy`,
    checkout: `kasa | adres dostawy | dane do wysyłki | dane dostawy | dane kontaktowe | adres do faktury | dane do faktury`,
    payment: `płatność | metoda płatności | sposób płatności | forma płatności`,
    review: `podsumowanie | podsumowanie zamówienia | sprawdź zamówienie`,
    captcha: `nie jestem robotem | potwierdź że jesteś człowiekiem | captcha | weryfikacja bezpieczeństwa | sprawdzanie bezpieczeństwa`,
    sign_in_needed: `zaloguj się aby | musisz się zalogować | tylko dla klientów | tylko dla zalogowanych | wymagane logowanie | zaloguj się żeby`,
    code_refused: `nieprawidłowy kod | kod jest nieprawidłowy | kod wygasł | kod jest nieważny | kupon nie istnieje | kod nie istnieje | nieważny kod
      | kod rabatowy jest nieprawidłowy | kupon jest nieprawidłowy | niepoprawny kod | kod stracił ważność`,
    added: `dodano do koszyka | został dodany do koszyka | dodany do koszyka | produkt dodany | dodano produkt
      | została dodana do koszyka`,
    code_taken: `kod został zastosowany | rabat został naliczony | kod zastosowany | kupon zastosowany | kod rabatowy został dodany | został zastosowany`,
    undeliverable: `nie dostarczamy | nie wysyłamy | dostawa niedostępna | brak metod dostawy | brak dostępnych metod dostawy | nie realizujemy dostaw`,
    price_changed: `cena uległa zmianie | ceny uległy zmianie | cena zmieniła się | cena została zmieniona | nowa cena | cena została zaktualizowana`,
    subscription: `subskrypcja | miesięcznie | na miesiąc | co miesiąc | okres próbny | odnawia się | abonament | rocznie | prenumerata`,
    quantity: `ilość | liczba | szt | sztuk`,
  },
  fields: {
    email: `e mail | email | adres e mail | adres email | mail`,
    salutation: `forma grzecznościowa | zwrot grzecznościowy | płeć`,
    full_name: `imię i nazwisko | pełne imię i nazwisko | odbiorca | imię nazwisko`,
    first_name: `imię`,
    last_name: `nazwisko`,
    company: `firma | nazwa firmy`,
    phone: `telefon | numer telefonu | telefon komórkowy | nr telefonu | tel`,
    line1: `adres | ulica i numer | ulica i numer domu | adres dostawy | ulica numer domu | ulica nr domu | ulica i nr | pierwsza linia adresu`,
    line2: `mieszkanie | numer mieszkania | nr mieszkania | lokal | nr lokalu | numer lokalu | adres cd | druga linia adresu | piętro | dodatkowe informacje`,
    street: `ulica | nazwa ulicy`,
    house_number: `numer domu | nr domu | numer budynku | numer`,
    house_addition: ``,
    postal_code: `kod pocztowy`,
    city: `miasto | miejscowość`,
    state: `województwo | region | stan`,
    country: `kraj | państwo`,
    card_number: `numer karty | nr karty | numer karty płatniczej`,
    card_expiry: `data ważności | ważna do | termin ważności | mm rr | mm rrrr | data wygaśnięcia`,
    card_expiry_month: `miesiąc | miesiąc ważności`,
    card_expiry_year: `rok | rok ważności | rr | rrrr`,
    card_code: `kod cvv | kod cvc | kod bezpieczeństwa | cvv | cvc | kod zabezpieczający
      | ccv | csc | cvn | numer ccv | numer cvv | numer cvc | kod ccv`,
    card_holder: `posiadacz karty | imię i nazwisko na karcie | właściciel karty | imię i nazwisko posiadacza karty | nazwisko na karcie`,
    quantity: `ilość | liczba sztuk`,
    promo_code: `kod rabatowy | kod promocyjny | kupon | kod kuponu | kod zniżkowy | bon`,
    password: `hasło`,
    one_time_code: `kod weryfikacyjny | kod potwierdzający | kod jednorazowy | kod z wiadomości`,
    newsletter: `newsletter`,
    terms_consent: `regulamin | akceptuję regulamin | warunki | politykę prywatności | polityka prywatności | zapoznałem się | regulaminem`,
    marketing_consent: `informacje handlowe | oferty i nowości | informacji handlowych | informacje o promocjach | marketing | marketingowych | promocjach`,
    save_card: `zapisz kartę | zapamiętaj kartę | zapisz dane karty`,
    create_account: `załóż konto | utwórz konto | zarejestruj mnie`,
    billing_same: `taki sam jak adres dostawy | adres rozliczeniowy taki sam | ten sam adres | jak adres dostawy | takie same jak`,
    ship_elsewhere: `wysłać na inny adres | dostawa na inny adres | inny adres dostawy | wysyłka na inny adres`,
    bill_elsewhere: `inny adres rozliczeniowy | inne dane do faktury`,
    date_of_birth: `data urodzenia`,
    order_notes: `uwagi | komentarz | uwagi do zamówienia | wiadomość | komentarz do zamówienia`,
    search: `szukaj | wyszukaj`,
    other: `nip | fax | karta podarunkowa | nazwa użytkownika | zapamiętaj mnie | faktura vat | chcę fakturę
      | ważna od | miejsce urodzenia | karta lojalnościowa | numer karty lojalnościowej`,
  },
  payments: {
    method: `metoda płatności | sposób płatności | forma płatności | płatność`,
    card: `karta płatnicza | karta kredytowa | karta | karta debetowa | kartą`,
    wallet: `paypal | blik | apple pay | google pay`,
    invoice: `faktura | odroczona płatność | zapłać później | kup teraz zapłać później | paypo | płatność odroczona`,
    instalments: `raty | na raty | klarna | ratalna`,
    cash: `za pobraniem | pobranie | gotówka | płatność przy odbiorze | przy odbiorze`,
    transfer: `przelew | przelew bankowy | przelewy24 | payu | szybki przelew | przelew tradycyjny`,
    gift_card: `karta podarunkowa`,
  },
  deliveries: {
    method: `metoda dostawy | sposób dostawy | dostawa | wysyłka | forma dostawy | opcje dostawy`,
    standard: `standardowa | kurier | standard | poczta polska | ekonomiczna`,
    express: `ekspres | ekspresowa | express | ekspresowy | szybka`,
    pickup: `odbiór | odbiór osobisty | paczkomat | punkt odbioru | odbiór w sklepie | w punkcie`,
    today: `dzisiaj | dziś`,
    tomorrow: `jutro | następny dzień`,
    hours: `godzin | godziny | godz`,
    days: `dzień | dni | dni robocze | dni roboczych | dzień roboczy`,
    weeks: `tydzień | tygodnie | tygodni`,
  },
}
