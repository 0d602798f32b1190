import type { PriceWords } from './price-words.ts'

/** What is asked today. */
export const now: PriceWords = {
  en: `now | now only | sale | sale price | on sale | special price | special | our price | today | today s price | offer price
    | deal price | deal | current price | discounted price | you pay | your price | promo price | final price | only | just
    | price after discount | reduced to | new price | price now | now price | price today | selling price | offer | current | black friday | cyber monday | flash sale | clearance | clearance price | promotional price | exclusive online price | everyday low price | low price | our everyday low price | web price | internet price | buy`,
  de: `jetzt | nur | nur noch | aktueller preis | angebotspreis | sonderpreis | aktionspreis | sale | unser preis | neuer preis
    | reduziert auf | heute | angebot | aktion | jetzt nur | preis jetzt | aktuell | reduzierter preis | verkaufspreis | kaufpreis | kaufen`,
  fr: `maintenant | prix actuel | prix promo | prix soldé | promo | soldes | prix réduit | nouveau prix | aujourd hui
    | notre prix | prix promotionnel | seulement | prix remisé | vente flash | offre | prix de vente | prix spécial | promotion`,
  es: `ahora | precio actual | precio de oferta | oferta | precio especial | hoy | solo | sólo | precio rebajado | rebaja
    | nuestro precio | precio final | precio promocional | por | precio con descuento | precio oferta | promoción | precio de venta`,
  it: `ora | adesso | prezzo attuale | prezzo scontato | prezzo speciale | offerta | solo | oggi | prezzo in offerta | promo
    | in offerta | prezzo promozionale | prezzo finale | a soli | soltanto | prezzo di vendita | ora solo`,
  nl: `nu | nu voor | actuele prijs | aanbieding | aanbiedingsprijs | actieprijs | actie | voor | onze prijs | slechts
    | vandaag | nu slechts | huidige prijs | sale | voor slechts | verkoopprijs`,
  pt: `agora | por | preço atual | preço promocional | oferta | promoção | hoje | só | apenas | preço especial | por apenas
    | preço com desconto | preço final | preço de venda`,
  pl: `teraz | cena promocyjna | promocja | tylko | aktualna cena | dziś | cena specjalna | nowa cena | cena po obniżce
    | wyprzedaż | cena aktualna | obecna cena | teraz tylko`,
  sv: `nu | nu endast | kampanjpris | reapris | extrapris | rea | endast | nuvarande pris | nytt pris | vårt pris | kampanj | pris nu`,
  da: `nu | tilbud | tilbudspris | kun | nuværende pris | udsalg | nu kun | ny pris | udsalgspris`,
  no: `nå | tilbud | tilbudspris | kun | salgspris | nåpris | salg | nå kun | nåværende pris`,
  fi: `nyt | tarjous | tarjoushinta | vain | alennettu hinta | nykyinen hinta | ale | nyt vain | alehinta`,
  cs: `nyní | akce | akční cena | teď | pouze | jen | aktuální cena | výprodej | nová cena | cena po slevě | naše cena`,
  sk: `teraz | akcia | akciová cena | iba | len | aktuálna cena | nová cena | cena po zľave | naša cena`,
  hu: `most | akció | akciós ár | csak | jelenlegi ár | most csak | kedvezményes ár | új ár`,
  ro: `acum | preț actual | preț redus | ofertă | preț promoțional | doar | promoție | preț special | preț nou`,
  bg: `сега | промо цена | промоция | само | текуща цена | намалена цена | нова цена`,
  el: `τώρα | τιμή προσφοράς | προσφορά | μόνο | τελική τιμή | ειδική τιμή | τώρα μόνο`,
  tr: `şimdi | indirimli fiyat | kampanyalı fiyat | sadece | güncel fiyat | indirimli | kampanya | yeni fiyat | satış fiyatı`,
  ru: `сейчас | цена со скидкой | акция | только | новая цена | сегодня | спеццена | распродажа | цена по акции | текущая цена
    | всего | наша цена`,
  uk: `зараз | акція | ціна зі знижкою | лише | тільки | нова ціна | сьогодні | акційна ціна | поточна ціна | всього`,
  ja: `現在価格 | セール価格 | セール | 特別価格 | 特価 | 販売価格 | 割引価格 | 今なら | 当店価格 | 値下げ後 | 本日限り | 現在の価格`,
  zh: `现价 | 促销价 | 特价 | 优惠价 | 活动价 | 售价 | 現價 | 特價 | 優惠價 | 售價 | 预售价 | 零售价 | 零售價 | 到手价 | 到手價 | 直降价 | 促銷價 | 限时价 | 秒杀价 | 折后价 | 折後價 | 现在 | 現在`,
  ko: `할인가 | 판매가 | 특가 | 현재가 | 세일가 | 현재 가격 | 판매 가격 | 할인 가격 | 지금 | 세일`,
  ar: `الآن | السعر الحالي | سعر العرض | سعر خاص | بعد الخصم | فقط | عرض | السعر بعد الخصم | سعر البيع`,
  he: `עכשיו | מחיר מבצע | מבצע | רק | מחיר נוכחי | כעת | מחיר סופי | במבצע | מחיר מיוחד`,
  hi: `अब | अभी | ऑफर मूल्य | विशेष मूल्य | केवल | डील | सेल मूल्य | बिक्री मूल्य | सिर्फ | सेल | डील मूल्य`,
  th: `ตอนนี้ | ราคาพิเศษ | ราคาโปรโมชั่น | ลดเหลือ | เพียง | ราคาขาย | ราคาปัจจุบัน | ราคาลด`,
  vi: `bây giờ | giá khuyến mãi | giá ưu đãi | chỉ | chỉ còn | giá hiện tại | còn | giá bán | khuyến mãi | giá sale | giá mới`,
  id: `sekarang | harga promo | harga diskon | harga spesial | hanya | harga saat ini | harga jual | promo | harga sekarang`,
  ms: `sekarang | harga jualan | harga promosi | hanya | kini`,
  hr: `sada | akcija | akcijska cijena | samo | trenutna cijena`,
  sl: `zdaj | akcijska cena | samo | akcija`,
  lt: `dabar | akcijos kaina | tik | akcija`,
  lv: `tagad | akcijas cena | tikai | akcija`,
  et: `nüüd | soodushind | ainult | pakkumine`,
  fa: `اکنون | قیمت ویژه | فقط | قیمت فعلی | حالا`,
}

/** That it is a price, that its tax is in it, and that its delivery is not. These words are taken out before others are looked for. */
export const plain: PriceWords = {
  en: `price | each | ea | per item | per piece | per unit sold | incl vat | inc vat | including vat | vat included | inc tax
    | incl tax | including tax | tax included | incl gst | inc gst | including gst | gst included | plus shipping | plus delivery
    | excl shipping | excluding shipping | tax included shipping calculated at checkout | in stock | one time purchase
    | buy once | buy it now | cash price | online price | pay in full | total price | a piece | incl taxes | inclusive of all taxes | incl of all taxes
    | one off purchase | new | free returns | vat incl | with vat | price incl vat | pay today | taxes included | excludes shipping
    | buy new | mrp incl of all taxes`,
  de: `preis | inkl mwst | inkl ust | inklusive mwst | einschließlich mwst | inkl gesetzl mwst | inkl mehrwertsteuer | zzgl versand
    | zzgl versandkosten | exkl versand | plus versand | pro stück | je stück | stückpreis | auf lager | bruttopreis | gesamtpreis
    | preis inkl mwst | inkl gesetzlicher mwst | brutto | einmalkauf | neu | ohne versand | zuzüglich versandkosten | endpreis
    | sofort lieferbar | online preis | inkl 19 mwst | inkl 7 mwst | inkl 20 mwst | mwst inkl | neuware`,
  fr: `prix | ttc | tva incluse | tva comprise | l unité | la pièce | hors livraison | hors frais de port | en stock | prix ttc
    | prix unitaire ttc | toutes taxes comprises | dont tva | à l unité | achat unique | pièce | neuf | comptant | taxes incluses`,
  es: `precio | iva incluido | iva incl | impuestos incluidos | unidad | la unidad | gastos de envío no incluidos | en stock | c u
    | precio con iva | con iva | disponible | por unidad | compra única | nuevo | al contado | pvp | imp incluidos`,
  it: `prezzo | iva inclusa | iva incl | iva compresa | cad | cadauno | al pezzo | spedizione esclusa | disponibile | con iva
    | prezzo ivato | più spese di spedizione | nuovo | acquisto singolo | escl spedizione | tasse incluse`,
  nl: `prijs | incl btw | inclusief btw | per stuk | excl verzendkosten | exclusief verzendkosten | op voorraad | stuk | btw inbegrepen | nieuw
    | eenmalige aankoop`,
  pt: `preço | iva incluído | com iva | impostos incluídos | unidade | a unidade | por unidade | à vista | em estoque | em stock
    | portes não incluídos | novo | iva incl | c iva | no cartão à vista | compra única`,
  pl: `cena | brutto | z vat | szt | za sztukę | zawiera vat | w tym vat | cena brutto | dostępny | plus dostawa | cena z vat | nowy
    | w magazynie | za szt | cena za sztukę`,
  sv: `pris | inkl moms | inklusive moms | st | styck | per styck | i lager | exkl frakt | pris inkl moms | ny`,
  da: `pris | inkl moms | stk | pr stk | på lager | ekskl fragt | pris inkl moms | ny`,
  no: `pris | inkl mva | inkl moms | stk | pr stk | på lager | ekskl frakt | pris inkl mva | ny`,
  fi: `hinta | sis alv | sisältää alv | kpl | varastossa | hinta sis alv | uusi | sis arvonlisäveron`,
  cs: `cena | s dph | včetně dph | ks | za kus | skladem | cena s dph | vč dph | kus | nový`,
  sk: `cena | s dph | vrátane dph | ks | za kus | skladom | cena s dph | kus`,
  hu: `ár | bruttó | bruttó ár | áfával | db | raktáron | az ár tartalmazza az áfát | áfa val | darab | ára`,
  ro: `preț | tva inclus | cu tva | buc | bucată | în stoc | pret | bucata`,
  bg: `цена | с ддс | бр | в наличност | с включен ддс`,
  el: `τιμή | με φπα | τεμ | τεμάχιο | διαθέσιμο | συμπεριλαμβανομένου φπα | περιλαμβάνεται φπα`,
  tr: `fiyat | fiyatı | kdv dahil | adet | stokta | vergiler dahil | peşin fiyat | kdv dâhil`,
  ru: `цена | с ндс | шт | за штуку | в наличии | руб | включая ндс | цена за шт | за шт`,
  uk: `ціна | з пдв | шт | за штуку | в наявності | грн | ціна за шт | за шт`,
  ja: `価格 | 税込価格 | 税込 | 税込み | 消費税込 | 値段 | 個 | 点 | 在庫あり | 送料別 | 新品 | 税込金額 | 1点`,
  zh: `价格 | 價格 | 含税 | 含稅 | 单价 | 單價 | 有货 | 現貨 | 价 | 價 | 全新 | 件 | 个 | 個`,
  ko: `가격 | 부가세 포함 | vat 포함 | 세금 포함 | 개 | 재고 있음 | 신품`,
  ar: `السعر | سعر | شامل الضريبة | شاملة الضريبة | شامل ضريبة القيمة المضافة | متوفر | للقطعة | الثمن | شامل القيمة المضافة`,
  he: `מחיר | כולל מע מ | כולל מעמ | ליחידה | במלאי | המחיר | יחידה`,
  hi: `मूल्य | कीमत | दाम | सभी करों सहित | कर सहित | प्रति पीस | स्टॉक में`,
  th: `ราคา | รวมภาษี | รวม vat | ชิ้น | บาท | มีสินค้า | รวมภาษีมูลค่าเพิ่ม`,
  vi: `giá | đã bao gồm vat | đã gồm vat | cái | còn hàng | chiếc | đã bao gồm thuế | giá đã có vat`,
  id: `harga | termasuk ppn | termasuk pajak | pcs | tersedia | stok tersedia | harga satuan | sudah termasuk ppn`,
  ms: `harga | termasuk cukai | sst termasuk`,
  hr: `cijena | s pdv om | pdv uključen | kom | na zalihi | uključen pdv | cena | sa pdv om`,
  sl: `cena | z ddv | kos | na zalogi`,
  lt: `kaina | su pvm | vnt`,
  lv: `cena | ar pvn | gab`,
  et: `hind | koos km | tk | km ga`,
  fa: `قیمت | با مالیات | عدد`,
}
