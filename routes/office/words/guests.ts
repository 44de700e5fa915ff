import { plural, sentences } from '../../../display/language.ts'

/** The words of the page about the guests' own pages. */
export const words = sentences({
  title: { en: 'Guests’ pages', de: 'Seiten für Gäste', pt: 'Páginas dos clientes' },
  intro: {
    en: 'Guests see the menu and order by themselves. Everything is off until you turn it on here.',
    de: 'Gäste sehen die Karte und bestellen selbst. Alles ist aus, bis Sie es hier einschalten.',
    pt: 'Os clientes veem a ementa e pedem sozinhos. Tudo está desligado até o ligar aqui.',
  },
  saved: { en: 'Saved.', de: 'Gespeichert.', pt: 'Guardado.' },
  save: { en: 'Save', de: 'Speichern', pt: 'Guardar' },
  noLocation: {
    en: 'There is no location yet. Import a menu first.',
    de: 'Noch gibt es keinen Standort. Importieren Sie zuerst eine Karte.',
    pt: 'Ainda não há nenhum local. Importe primeiro uma ementa.',
  },

  storefront: { en: 'Storefront', de: 'Bestellseite', pt: 'Loja na internet' },
  storefrontHelp: {
    en: 'On their own phone or computer, from anywhere.',
    de: 'Auf dem eigenen Telefon oder Computer, von überall.',
    pt: 'No seu telemóvel ou computador, a partir de qualquer lugar.',
  },
  qr: { en: 'QR codes at the tables', de: 'QR-Codes an den Tischen', pt: 'Códigos QR nas mesas' },
  qrHelp: {
    en: 'On their own phone, at the table whose code they have scanned.',
    de: 'Auf dem eigenen Telefon, am Tisch, dessen Code sie gescannt haben.',
    pt: 'No seu telemóvel, na mesa cujo código leram.',
  },
  kiosk: { en: 'Kiosk', de: 'Bestellterminal', pt: 'Quiosque' },
  kioskHelp: {
    en: 'On a screen in the restaurant that you have paired.',
    de: 'An einem Bildschirm im Restaurant, den Sie gekoppelt haben.',
    pt: 'Num ecrã do restaurante que emparelhou.',
  },
  isOn: { en: 'On', de: 'Ein', pt: 'Ligado' },
  atTable: { en: 'At the table', de: 'Am Tisch', pt: 'À mesa' },

  missing: { en: 'Still missing', de: 'Was noch fehlt', pt: 'O que ainda falta' },
  noMode: {
    en: (kind: string) => `${kind} is on, but no location offers it. Tick one below.`,
    de: kind => `${kind}: eingeschaltet, aber kein Standort bietet es an. Wählen Sie unten einen aus.`,
    pt: kind => `${kind}: está ligado, mas nenhum local o oferece. Escolha um em baixo.`,
  },
  notPublished: {
    en: (place: string) => `${place} is not published, so guests do not see it.`,
    de: place => `${place} ist nicht veröffentlicht und für Gäste nicht zu sehen.`,
    pt: place => `${place} não está publicado e os clientes não o veem.`,
  },
  notServed: {
    en: (place: string, mode: string) => `${place} does not offer “${mode}” in its restaurant file (“service_modes”).`,
    de: (place, mode) => `${place} bietet „${mode}“ in der Restaurantdatei nicht an („service_modes“).`,
    pt: (place, mode) => `${place} não oferece «${mode}» no ficheiro do restaurante («service_modes»).`,
  },
  noHours: {
    en: (place: string) => `${place} has no opening hours, so guests could order at any time.`,
    de: place => `${place} hat keine Öffnungszeiten, Gäste könnten also jederzeit bestellen.`,
    pt: place => `${place} não tem horário, por isso os clientes poderiam pedir a qualquer hora.`,
  },
  noStation: {
    en: (place: string) => `${place} has no kitchen station, so orders only appear on the page Orders.`,
    de: place => `${place} hat keine Küchenstation, Bestellungen erscheinen also nur auf der Seite Bestellungen.`,
    pt: place => `${place} não tem nenhum posto de cozinha, por isso os pedidos só aparecem na página Pedidos.`,
  },
  noDishes: {
    en: (place: string) => `${place} has nothing on its menu now.`,
    de: place => `${place} hat gerade nichts auf der Karte.`,
    pt: place => `${place} não tem agora nada na ementa.`,
  },
  noTables: {
    en: (place: string) => `${place} has no tables yet. Add them to the restaurant file (“tables”).`,
    de: place => `${place} hat noch keine Tische. Tragen Sie sie in der Restaurantdatei ein („tables“).`,
    pt: place => `${place} ainda não tem mesas. Acrescente-as ao ficheiro do restaurante («tables»).`,
  },
  noCodes: {
    en: (place: string, count: number) =>
      plural('en', count, {
        one: `${place}: 1 table has no code yet.`,
        other: `${place}: ${count} tables have no code yet.`,
      }),
    de: (place, count) =>
      plural('de', count, {
        one: `${place}: 1 Tisch hat noch keinen Code.`,
        other: `${place}: ${count} Tische haben noch keinen Code.`,
      }),
    pt: (place, count) =>
      plural('pt', count, {
        one: `${place}: 1 mesa ainda não tem código.`,
        other: `${place}: ${count} mesas ainda não têm código.`,
      }),
  },
  noKiosk: {
    en: (place: string) => `No kiosk is paired with ${place}.`,
    de: place => `Mit ${place} ist kein Bestellterminal gekoppelt.`,
    pt: place => `Nenhum quiosque está emparelhado com ${place}.`,
  },
  noZones: {
    en: (place: string) => `${place} has no delivery zones, so it delivers to every address.`,
    de: place => `${place} hat keine Liefergebiete und liefert also an jede Adresse.`,
    pt: place => `${place} não tem zonas de entrega, por isso entrega em qualquer morada.`,
  },
  unknownAllergens: {
    en: (place: string, count: number) =>
      plural('en', count, {
        one: `${place}: 1 dish has no allergens declared. Guests read “not stated”.`,
        other: `${place}: ${count} dishes have no allergens declared. Guests read “not stated”.`,
      }),
    de: (place, count) =>
      plural('de', count, {
        one: `${place}: Für 1 Gericht sind keine Allergene angegeben. Gäste lesen „nicht angegeben“.`,
        other: `${place}: Für ${count} Gerichte sind keine Allergene angegeben. Gäste lesen „nicht angegeben“.`,
      }),
    pt: (place, count) =>
      plural('pt', count, {
        one: `${place}: 1 prato não tem nenhum alergénio declarado. Os clientes leem «não indicados».`,
        other: `${place}: ${count} pratos não têm nenhum alergénio declarado. Os clientes leem «não indicados».`,
      }),
  },
  onlyHere: {
    en: 'No phone can reach this site: its address only works on this machine. Set HOST=0.0.0.0 and restart, or put a proxy in front (docs/deploy.md).',
    de: 'Kein Telefon findet diese Website: Ihre Adresse funktioniert nur auf diesem Rechner. Setzen Sie HOST=0.0.0.0 und starten neu, oder stellen Sie einen Proxy davor (docs/deploy.md).',
    pt: 'Nenhum telemóvel encontra este site: o endereço só funciona nesta máquina. Defina HOST=0.0.0.0 e reinicie, ou ponha um proxy à frente (docs/deploy.md).',
  },
  toFile: { en: 'Import', de: 'Importieren', pt: 'Importar' },
  toCards: { en: 'Make them', de: 'Erzeugen', pt: 'Criar' },
  toDevices: { en: 'Pair one', de: 'Koppeln', pt: 'Emparelhar' },
  toSheet: { en: 'See which', de: 'Welche?', pt: 'Ver quais' },

  rules: { en: 'Rules', de: 'Regeln', pt: 'Regras' },
  confirmFirst: {
    en: 'Staff confirm the first order of a table before the kitchen gets it',
    de: 'Das Personal bestätigt die erste Bestellung eines Tisches, bevor die Küche sie bekommt',
    pt: 'O pessoal confirma o primeiro pedido de uma mesa antes de ir para a cozinha',
  },
  confirmFirstHelp: {
    en: 'A code can be photographed and used from elsewhere. Once a table is paid, its next order is a first one again.',
    de: 'Ein Code kann fotografiert und anderswo benutzt werden. Ist ein Tisch bezahlt, ist seine nächste Bestellung wieder eine erste.',
    pt: 'Um código pode ser fotografado e usado noutro sítio. Depois de a mesa pagar, o pedido seguinte volta a ser o primeiro.',
  },
  cancelMinutes: {
    en: 'Minutes in which guests may cancel their own order',
    de: 'Minuten, in denen Gäste ihre eigene Bestellung stornieren dürfen',
    pt: 'Minutos em que os clientes podem cancelar o seu próprio pedido',
  },
  cancelHelp: {
    en: '0: not at all. Never after the kitchen has finished a dish.',
    de: '0: gar nicht. Nie, nachdem die Küche ein Gericht fertiggestellt hat.',
    pt: '0: nunca. Em caso algum depois de a cozinha acabar um prato.',
  },
  upsell: { en: 'Offered once in the cart', de: 'Einmal im Warenkorb angeboten', pt: 'Sugeridos uma vez no carrinho' },
  upsellHelp: {
    en: 'Up to three dishes, with an equally large “No, thanks”. Nothing is ticked for the guest.',
    de: 'Bis zu drei Gerichte, mit einem gleich großen „Nein, danke“. Nichts ist für den Gast angekreuzt.',
    pt: 'Até três pratos, com um «Não, obrigado» do mesmo tamanho. Nada vem já escolhido.',
  },
  dish: {
    en: (number: number) => `Dish ${number}`,
    de: number => `Gericht ${number}`,
    pt: number => `Prato ${number}`,
  },
  none: { en: 'none', de: 'keines', pt: 'nenhum' },

  addresses: { en: 'Where guests find these pages', de: 'Wo Gäste sie finden', pt: 'Onde os clientes as encontram' },
  addressesHelp: {
    en: 'Addresses of this machine only work in its own network. An address with a name and https works everywhere (docs/guests.md).',
    de: 'Adressen dieses Rechners funktionieren nur in seinem Netz. Mit einem Namen und https funktionieren sie überall (docs/guests.md).',
    pt: 'Os endereços desta máquina só funcionam na sua rede. Com um nome e https funcionam em qualquer lugar (docs/guests.md).',
  },
  onPaired: {
    en: 'on the paired screen',
    de: 'auf dem gekoppelten Bildschirm',
    pt: 'no ecrã emparelhado',
  },
  eachTable: { en: 'on the card of each table', de: 'auf der Karte jedes Tisches', pt: 'no cartão de cada mesa' },
  printables: { en: 'Print cards and menus', de: 'Karten und Speisekarten drucken', pt: 'Imprimir cartões e ementas' },
  pairKiosk: { en: 'Pair a kiosk', de: 'Bestellterminal koppeln', pt: 'Emparelhar um quiosque' },

  codes: { en: 'Codes of the tables', de: 'Codes der Tische', pt: 'Códigos das mesas' },
  codesHelp: {
    en: 'If a card was photographed or lost, give its table a new code. The old one stops working at once; print a new card.',
    de: 'Wurde eine Karte fotografiert oder verloren, geben Sie ihrem Tisch einen neuen Code. Der alte gilt sofort nicht mehr; drucken Sie eine neue Karte.',
    pt: 'Se um cartão foi fotografado ou perdido, dê um novo código à mesa. O antigo deixa logo de valer; imprima um novo cartão.',
  },
  table: { en: 'Table', de: 'Tisch', pt: 'Mesa' },
  since: { en: 'Code since', de: 'Code seit', pt: 'Código desde' },
  noCode: { en: 'no code yet', de: 'noch kein Code', pt: 'ainda sem código' },
  reset: { en: 'New code', de: 'Neuer Code', pt: 'Novo código' },
  resetOf: {
    en: (table: string) => `New code for ${table}`,
    de: table => `Neuer Code für ${table}`,
    pt: table => `Novo código para ${table}`,
  },
  resetAll: {
    en: (place: string) => `New codes for all tables of ${place}`,
    de: place => `Neue Codes für alle Tische von ${place}`,
    pt: place => `Novos códigos para todas as mesas de ${place}`,
  },
  resetDone: {
    en: 'Done. The old cards no longer work: print new ones.',
    de: 'Erledigt. Die alten Karten funktionieren nicht mehr: Drucken Sie neue.',
    pt: 'Feito. Os cartões antigos já não funcionam: imprima novos.',
  },
  printNew: { en: 'Print cards', de: 'Karten drucken', pt: 'Imprimir cartões' },
  unpublished: { en: 'not published', de: 'nicht veröffentlicht', pt: 'não publicado' },
})
