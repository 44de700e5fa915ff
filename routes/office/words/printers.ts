import { plural, sentences } from '../../../display/language.ts'
import type { JobKind } from '../../../store/printing/jobs.ts'

/** The words of the pages about printers. */
export const words = sentences({
  title: { en: 'Printers', de: 'Drucker', pt: 'Impressoras' },
  help: {
    en: 'These printers ask this server for their slips. They need no open port and no driver.',
    de: 'Diese Drucker holen sich ihre Belege von diesem Server. Sie brauchen keinen offenen Port und keinen Treiber.',
    pt: 'Estas impressoras vêm buscar os talões a este servidor. Não precisam de portas abertas nem de controladores.',
  },
  none: {
    en: 'There are no printers yet.',
    de: 'Noch gibt es keinen Drucker.',
    pt: 'Ainda não há nenhuma impressora.',
  },
  printer: { en: 'Printer', de: 'Drucker', pt: 'Impressora' },
  prints: { en: 'Prints', de: 'Druckt', pt: 'Imprime' },
  state: { en: 'State', de: 'Zustand', pt: 'Estado' },
  waiting: { en: 'Waiting', de: 'Wartend', pt: 'Em espera' },
  ready: { en: 'ready', de: 'bereit', pt: 'pronta' },
  notHeard: { en: 'not heard from yet', de: 'noch nicht gemeldet', pt: 'ainda sem sinal' },
  heardAt: {
    en: (time: string) => `last heard from at ${time}`,
    de: time => `zuletzt gemeldet um ${time}`,
    pt: time => `último sinal às ${time}`,
  },
  all: { en: 'All printers', de: 'Alle Drucker', pt: 'Todas as impressoras' },

  add: { en: 'Add a printer', de: 'Drucker hinzufügen', pt: 'Adicionar uma impressora' },
  addButton: { en: 'Add', de: 'Hinzufügen', pt: 'Adicionar' },
  name: { en: 'Name', de: 'Name', pt: 'Nome' },
  nameHelp: { en: 'Such as “Grill”', de: 'Etwa „Grill“', pt: 'Por exemplo «Grelha»' },
  protocol: { en: 'Kind', de: 'Art', pt: 'Tipo' },
  location: { en: 'Location', de: 'Standort', pt: 'Local' },
  paper: { en: 'Paper', de: 'Papier', pt: 'Papel' },
  columns: { en: 'Characters in a line', de: 'Zeichen in einer Zeile', pt: 'Carateres por linha' },
  columnsHelp: {
    en: 'Leave it empty for the usual number: 48 on paper of 80 mm, 32 on 58 mm.',
    de: 'Leer lassen für die übliche Zahl: 48 auf Papier von 80 mm, 32 auf 58 mm.',
    pt: 'Deixe vazio para o número habitual: 48 em papel de 80 mm, 32 em 58 mm.',
  },
  occasion: { en: 'When', de: 'Wann', pt: 'Quando' },
  stations: { en: 'Stations', de: 'Stationen', pt: 'Postos' },
  stationsHelp: {
    en: 'If you choose none, it prints the tickets of all stations.',
    de: 'Wenn Sie keine wählen, druckt er die Bons aller Stationen.',
    pt: 'Se não escolher nenhum, imprime os talões de todos os postos.',
  },
  characters: { en: 'Characters', de: 'Zeichen', pt: 'Carateres' },
  charactersHelp: {
    en: 'Print a test page and choose the last kind that is printed correctly. Characters that the printer lacks are written with plain letters.',
    de: 'Drucken Sie eine Testseite und wählen Sie die letzte Art, die richtig gedruckt ist. Zeichen, die der Drucker nicht hat, werden mit einfachen Buchstaben geschrieben.',
    pt: 'Imprima uma página de teste e escolha o último tipo que ficou bem. Os carateres que a impressora não tem são escritos com letras simples.',
  },
  noPlaces: {
    en: 'There is no published location yet. Import a menu first.',
    de: 'Noch gibt es keinen veröffentlichten Standort. Importieren Sie zuerst eine Karte.',
    pt: 'Ainda não há nenhum local publicado. Importe primeiro uma ementa.',
  },
  save: { en: 'Save', de: 'Speichern', pt: 'Guardar' },
  saved: { en: 'Saved.', de: 'Gespeichert.', pt: 'Guardado.' },
  settings: { en: 'What it prints', de: 'Was er druckt', pt: 'O que imprime' },

  language: {
    en: 'Language of the kitchen’s slips',
    de: 'Sprache der Belege in der Küche',
    pt: 'Idioma dos talões da cozinha',
  },

  address: { en: 'Its address', de: 'Seine Adresse', pt: 'O seu endereço' },
  addressOnce: {
    en: 'Enter this address in the printer now. It is shown only once. Keep it secret: anyone who knows it can read the tickets.',
    de: 'Tragen Sie diese Adresse jetzt im Drucker ein. Sie wird nur einmal gezeigt. Halten Sie sie geheim: Wer sie kennt, kann die Bons lesen.',
    pt: 'Introduza agora este endereço na impressora. Só é mostrado uma vez. Mantenha-o secreto: quem o souber pode ler os talões.',
  },
  addressHidden: {
    en: 'The address is secret and was shown once. If you make a new one, the old one stops working.',
    de: 'Die Adresse ist geheim und wurde einmal gezeigt. Wenn Sie eine neue erzeugen, gilt die alte nicht mehr.',
    pt: 'O endereço é secreto e foi mostrado uma vez. Se criar um novo, o antigo deixa de funcionar.',
  },
  newAddress: { en: 'Make a new address', de: 'Neue Adresse erzeugen', pt: 'Criar um endereço novo' },
  onlyHere: {
    en: 'This address only works on this machine. For a printer, set HOST=0.0.0.0 and restart, or put a proxy in front (docs/deploy.md).',
    de: 'Diese Adresse funktioniert nur auf diesem Rechner. Für einen Drucker setzen Sie HOST=0.0.0.0 und starten neu, oder stellen Sie einen Proxy davor (docs/deploy.md).',
    pt: 'Este endereço só funciona nesta máquina. Para uma impressora, defina HOST=0.0.0.0 e reinicie, ou ponha um proxy à frente (docs/deploy.md).',
  },
  starSteps: {
    en: [
      'Hold the feed button while you switch the printer on: it prints its network address.',
      'Open that address in a browser and log in.',
      'Under CloudPRNT, switch the service on and enter the address above as the server URL.',
      'Set the polling time to 5 seconds. Save and restart the printer.',
    ],
    de: [
      'Schalten Sie den Drucker mit gedrückter Vorschubtaste ein: Er druckt seine Netzadresse.',
      'Öffnen Sie diese Adresse im Browser und melden Sie sich an.',
      'Schalten Sie unter CloudPRNT den Dienst ein und tragen Sie die Adresse oben als Server-URL ein.',
      'Stellen Sie die Abfragezeit auf 5 Sekunden. Speichern Sie und starten Sie den Drucker neu.',
    ],
    pt: [
      'Ligue a impressora com o botão de avanço premido: ela imprime o seu endereço de rede.',
      'Abra esse endereço num navegador e inicie sessão.',
      'Em CloudPRNT, ligue o serviço e introduza o endereço acima como URL do servidor.',
      'Defina o intervalo de consulta para 5 segundos. Guarde e reinicie a impressora.',
    ],
  },
  epsonSteps: {
    en: [
      'Hold the feed button with the cover closed: the printer prints its network address.',
      'Open that address in a browser and log in to Web Config.',
      'Switch on Server Direct Print, enter the address above as the URL of server 1 and set the interval to 5 seconds.',
      'Under Status Notification, enter the same address, so that an empty roll is noticed before the next slip.',
    ],
    de: [
      'Halten Sie bei geschlossener Klappe die Vorschubtaste: Der Drucker druckt seine Netzadresse.',
      'Öffnen Sie diese Adresse im Browser und melden Sie sich bei Web Config an.',
      'Schalten Sie Server Direct Print ein, tragen Sie die Adresse oben als URL von Server 1 ein und stellen Sie das Intervall auf 5 Sekunden.',
      'Tragen Sie unter Status Notification dieselbe Adresse ein, damit eine leere Rolle vor dem nächsten Beleg auffällt.',
    ],
    pt: [
      'Mantenha o botão de avanço premido com a tampa fechada: a impressora imprime o seu endereço de rede.',
      'Abra esse endereço num navegador e inicie sessão no Web Config.',
      'Em Server Direct Print, ligue o serviço, introduza o endereço acima como URL do servidor 1 e defina o intervalo para 5 segundos.',
      'Em Status Notification, introduza o mesmo endereço, para que a falta de papel se note antes do próximo talão.',
    ],
  },

  test: { en: 'Print a test page', de: 'Testseite drucken', pt: 'Imprimir uma página de teste' },
  sent: {
    en: 'The slip waits for the printer.',
    de: 'Der Beleg wartet auf den Drucker.',
    pt: 'O talão espera pela impressora.',
  },
  jobs: { en: 'Slips that are not printed', de: 'Belege, die nicht gedruckt sind', pt: 'Talões por imprimir' },
  noJobs: { en: 'Everything is printed.', de: 'Alles ist gedruckt.', pt: 'Está tudo impresso.' },
  offered: { en: 'offered', de: 'angeboten', pt: 'oferecido' },
  fetched: { en: 'fetched, not confirmed', de: 'abgeholt, nicht bestätigt', pt: 'recolhido, não confirmado' },
  old: { en: 'old: print or discard?', de: 'alt: drucken oder verwerfen?', pt: 'antigo: imprimir ou descartar?' },
  failed: { en: 'failed', de: 'fehlgeschlagen', pt: 'falhou' },
  isWaiting: { en: 'waiting', de: 'wartet', pt: 'em espera' },
  question: {
    en: (jobs: number) =>
      plural('en', jobs, {
        one: 'One slip is older than 30 minutes or has failed. It is printed only if you choose to.',
        other: `${jobs} slips are older than 30 minutes or have failed. They are printed only if you choose to.`,
      }),
    de: jobs =>
      plural('de', jobs, {
        one: 'Ein Beleg ist älter als 30 Minuten oder fehlgeschlagen. Er wird nur gedruckt, wenn Sie es sagen.',
        other: `${jobs} Belege sind älter als 30 Minuten oder fehlgeschlagen. Sie werden nur gedruckt, wenn Sie es sagen.`,
      }),
    pt: jobs =>
      plural('pt', jobs, {
        one: 'Um talão tem mais de 30 minutos ou falhou. Só é impresso se o disser.',
        other: `${jobs} talões têm mais de 30 minutos ou falharam. Só são impressos se o disser.`,
      }),
  },
  printAll: { en: 'Print all of them', de: 'Alle drucken', pt: 'Imprimir todos' },
  discard: { en: 'Discard them', de: 'Verwerfen', pt: 'Descartar' },
  remove: { en: 'Remove this printer', de: 'Diesen Drucker entfernen', pt: 'Remover esta impressora' },
  removeHelp: {
    en: 'Its address stops working at once, and slips that wait for it are not printed.',
    de: 'Seine Adresse wird sofort ungültig, und Belege, die auf ihn warten, werden nicht gedruckt.',
    pt: 'O seu endereço deixa logo de funcionar, e os talões que esperam por ela não são impressos.',
  },
  printOn: {
    en: (title: string) => `Print on ${title}`,
    de: title => `Auf ${title} drucken`,
    pt: title => `Imprimir em ${title}`,
  },
})

/** The kinds of slips. */
export const kindWords = sentences<Record<JobKind, string>>({
  ticket: { en: 'ticket', de: 'Bon', pt: 'talão' },
  changed: { en: 'change', de: 'Änderung', pt: 'alteração' },
  void: { en: 'void', de: 'Storno', pt: 'anulação' },
  copy: { en: 'copy of a ticket', de: 'Kopie eines Bons', pt: 'cópia de um talão' },
  receipt: { en: 'receipt', de: 'Quittung', pt: 'recibo' },
  test: { en: 'test page', de: 'Testseite', pt: 'página de teste' },
})
