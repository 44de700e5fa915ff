import { MICRO } from '../store/stock/recipes.ts'
import { type Fault, faultTitles } from '../store/terms/faults.ts'
import type { Refusal, RefusalCode, SettingFlaw } from '../store/terms/refusal.ts'
import { type TextFlaw, textFlawText } from '../store/terms/text.ts'
import { findingText } from './finding.ts'
import { writing } from './formats.ts'
import { type Language, quoted } from './language.ts'
import { memberText } from './member.ts'
import { fulfilmentText, modeText, statusText, ticketStateText } from './terms.ts'

const { en, de, pt } = writing

type Sentence<Code extends RefusalCode> = string | ((refusal: Refusal<Code>) => string)

/** The sentence of each refusal in each language: what is wrong, where, and what to do about it. */
const sentences: { [Code in RefusalCode]: Record<Language, Sentence<Code>> } = {
  'unknown order': {
    en: ({ order }) => `There is no order ${order}.`,
    de: ({ order }) => `Es gibt keine Bestellung ${order}.`,
    pt: ({ order }) => `Não existe o pedido ${order}.`,
  },
  'unknown line': {
    en: ({ line }) => `The order has no line ${line}.`,
    de: ({ line }) => `Die Bestellung hat keine Position ${line}.`,
    pt: ({ line }) => `O pedido não tem a linha ${line}.`,
  },
  'unknown location': {
    en: ({ location }) => `There is no location ${location}.`,
    de: ({ location }) => `Es gibt keinen Standort ${location}.`,
    pt: ({ location }) => `Não existe o local ${location}.`,
  },
  'unknown item': {
    en: ({ item }) => `There is no item ${item}.`,
    de: ({ item }) => `Es gibt keinen Artikel ${item}.`,
    pt: ({ item }) => `Não existe o artigo ${item}.`,
  },
  'unknown size': {
    en: ({ size }) => `There is no size ${size}.`,
    de: ({ size }) => `Es gibt keine Größe ${size}.`,
    pt: ({ size }) => `Não existe o tamanho ${size}.`,
  },
  'unknown option': {
    en: ({ option }) => `There is no option ${option}.`,
    de: ({ option }) => `Es gibt keine Option ${option}.`,
    pt: ({ option }) => `Não existe a opção ${option}.`,
  },
  'unknown category': {
    en: ({ category }) => `There is no menu section ${category}.`,
    de: ({ category }) => `Es gibt auf der Karte keinen Bereich ${category}.`,
    pt: ({ category }) => `Não existe a secção ${category} na ementa.`,
  },
  'unknown group': {
    en: ({ group }) => `There is no option group ${group}.`,
    de: ({ group }) => `Es gibt keine Optionsgruppe ${group}.`,
    pt: ({ group }) => `Não existe o grupo de opções ${group}.`,
  },
  'unknown station': {
    en: ({ station }) => `There is no station ${station}.`,
    de: ({ station }) => `Es gibt keine Station ${station}.`,
    pt: ({ station }) => `Não existe o posto ${station}.`,
  },
  'unknown ticket': {
    en: ({ ticket }) => `There is no ticket ${ticket}.`,
    de: ({ ticket }) => `Es gibt keinen Bon ${ticket}.`,
    pt: ({ ticket }) => `Não existe o talão ${ticket}.`,
  },
  'unknown ticket line': {
    en: ({ ticket }) => `Ticket ${ticket} has no such line.`,
    de: ({ ticket }) => `Bon ${ticket} hat diese Position nicht.`,
    pt: ({ ticket }) => `O talão ${ticket} não tem essa linha.`,
  },
  'unknown stock item': {
    en: ({ stock }) => `There is no stock item ${stock}.`,
    de: ({ stock }) => `Es gibt keinen Lagerartikel ${stock}.`,
    pt: ({ stock }) => `Não existe o artigo de stock ${stock}.`,
  },
  'unknown endpoint': {
    en: ({ endpoint }) => `There is no endpoint ${endpoint}.`,
    de: ({ endpoint }) => `Es gibt keinen Empfänger ${endpoint}.`,
    pt: ({ endpoint }) => `Não existe o recetor ${endpoint}.`,
  },
  'unknown event types': {
    en: ({ types, known }) => `There is no event ${quotedList(types, 'en')}. There are: ${known.join(', ')}.`,
    de: ({ types, known }) => `Es gibt kein Ereignis ${quotedList(types, 'de')}. Es gibt: ${known.join(', ')}.`,
    pt: ({ types, known }) => `Não existe o evento ${quotedList(types, 'pt')}. Existem: ${known.join(', ')}.`,
  },
  'unknown staff': {
    en: ({ name }) => `Nobody called ${name} works here.`,
    de: ({ name }) => `Hier arbeitet niemand mit dem Namen ${name}.`,
    pt: ({ name }) => `Ninguém com o nome ${name} trabalha aqui.`,
  },
  'unknown device': {
    en: ({ device }) => `There is no device ${device} in use.`,
    de: ({ device }) => `Kein Gerät ${device} ist in Gebrauch.`,
    pt: ({ device }) => `Não há nenhum dispositivo ${device} em uso.`,
  },
  'unknown session': {
    en: 'This session has already ended.',
    de: 'Diese Anmeldung ist schon beendet.',
    pt: 'Esta sessão já terminou.',
  },
  'unknown setting': {
    en: ({ key, known }) => `There is no setting ${key}. There are: ${known.join(', ')}.`,
    de: ({ key, known }) => `Es gibt keine Einstellung ${key}. Es gibt: ${known.join(', ')}.`,
    pt: ({ key, known }) => `Não existe a definição ${key}. Existem: ${known.join(', ')}.`,
  },

  text: {
    en: ({ field, flaw }) => `The ${field} ${flawText(flaw, 'en')}.`,
    de: ({ field, flaw }) => `${fieldNames[field].de} ${flawText(flaw, 'de')}.`,
    pt: ({ field, flaw }) => `${fieldNames[field].pt} ${flawText(flaw, 'pt')}.`,
  },
  'invalid amount': {
    en: ({ most }) =>
      `An amount in ${most.currency} must be more than 0 and at most ${en.money(most)}${
        most.exponent === 0 ? ', without decimals' : `, with at most ${most.exponent} decimals`
      }.`,
    de: ({ most }) =>
      `Ein Betrag in ${most.currency} muss größer als 0 sein und höchstens ${de.money(most)}${
        most.exponent === 0 ? ', ohne Nachkommastellen' : `, mit höchstens ${most.exponent} Nachkommastellen`
      }.`,
    pt: ({ most }) =>
      `Um valor em ${most.currency} tem de ser maior do que 0 e no máximo ${pt.money(most)}${
        most.exponent === 0 ? ', sem casas decimais' : `, com ${most.exponent} casas decimais no máximo`
      }.`,
  },
  'invalid percent': {
    en: 'A percentage must be more than 0 and at most 100, with at most 4 decimals.',
    de: 'Ein Prozentsatz muss größer als 0 sein und höchstens 100, mit höchstens 4 Nachkommastellen.',
    pt: 'Uma percentagem tem de ser maior do que 0 e no máximo 100, com 4 casas decimais no máximo.',
  },
  'invalid quantity': {
    en: ({ most }) => `A quantity must be more than 0 (or 0 when counting), at most ${most}, with at most 3 decimals.`,
    de: ({ most }) =>
      `Eine Menge muss größer als 0 sein (beim Zählen auch 0), höchstens ${de.number(most)}, mit höchstens 3 Nachkommastellen.`,
    pt: ({ most }) =>
      `Uma quantidade tem de ser maior do que 0 (ou 0 numa contagem), no máximo ${pt.number(most)}, com 3 casas decimais no máximo.`,
  },
  'invalid minutes': {
    en: ({ most }) => `The minutes must be a whole number from 1 to ${most}.`,
    de: ({ most }) => `Die Minuten müssen eine ganze Zahl von 1 bis ${most} sein.`,
    pt: ({ most }) => `Os minutos têm de ser um número inteiro de 1 a ${most}.`,
  },
  'time has passed': {
    en: ({ until, timezone }) => `${en.moment(until, timezone)} has already passed. Choose a later time.`,
    de: ({ until, timezone }) => `${de.moment(until, timezone)} ist schon vorbei. Wählen Sie eine spätere Zeit.`,
    pt: ({ until, timezone }) => `${pt.moment(until, timezone)} já passou. Escolha uma hora mais tarde.`,
  },
  'invalid date': {
    en: ({ date }) => `"${date}" is not a date. Write it like 2026-11-20.`,
    de: ({ date }) => `„${date}“ ist kein Datum. Schreiben Sie es so: 2026-11-20.`,
    pt: ({ date }) => `«${date}» não é uma data. Escreva-a assim: 2026-11-20.`,
  },
  'period reversed': {
    en: ({ from, to }) => `${to} is before ${from}. Give the earlier date first.`,
    de: ({ from, to }) => `${de.day(to)} liegt vor ${de.day(from)}. Geben Sie das frühere Datum zuerst an.`,
    pt: ({ from, to }) => `${pt.day(to)} é anterior a ${pt.day(from)}. Indique primeiro a data mais antiga.`,
  },
  'period too long': {
    en: ({ most }) => `This report covers at most ${most} days at once. Choose a shorter period.`,
    de: ({ most }) => `Dieser Bericht umfasst höchstens ${most} Tage auf einmal. Wählen Sie einen kürzeren Zeitraum.`,
    pt: ({ most }) => `Este relatório abrange no máximo ${most} dias de cada vez. Escolha um período mais curto.`,
  },
  'no digits': {
    en: ({ phone }) => `"${phone}" has no digits to look for.`,
    de: ({ phone }) => `„${phone}“ enthält keine Ziffern, nach denen gesucht werden kann.`,
    pt: ({ phone }) => `«${phone}» não tem algarismos para procurar.`,
  },
  'item blank': {
    en: 'Give the id of the item or a part of its name.',
    de: 'Geben Sie die Nummer des Artikels oder einen Teil seines Namens an.',
    pt: 'Indique o número do artigo ou parte do seu nome.',
  },
  'invalid columns': {
    en: ({ least, most }) => `A line has from ${least} to ${most} characters.`,
    de: ({ least, most }) => `Eine Zeile hat ${least} bis ${most} Zeichen.`,
    pt: ({ least, most }) => `Uma linha tem de ${least} a ${most} carateres.`,
  },
  'invalid setting': {
    en: ({ key, value, flaw }) => `${key} cannot be "${value}": it ${settingFlawText(flaw, 'en')}.`,
    de: ({ key, value, flaw }) => `${key} kann nicht „${value}“ sein: Der Wert ${settingFlawText(flaw, 'de')}.`,
    pt: ({ key, value, flaw }) => `${key} não pode ser «${value}»: o valor ${settingFlawText(flaw, 'pt')}.`,
  },
  'invalid endpoint': {
    en: ({ url, flaw }) => `${url} cannot be an endpoint: it ${endpointFlawText(flaw, 'en')}.`,
    de: ({ url, flaw }) => `${url} kann kein Empfänger sein: Die Adresse ${endpointFlawText(flaw, 'de')}.`,
    pt: ({ url, flaw }) => `${url} não pode ser um recetor: o endereço ${endpointFlawText(flaw, 'pt')}.`,
  },
  'invalid secret': {
    en: ({ flaw }) => `This cannot be a secret: it ${secretFlaws[flaw].en}.`,
    de: ({ flaw }) => `Das kann kein Geheimnis sein: Es ${secretFlaws[flaw].de}.`,
    pt: ({ flaw }) => `Isto não pode ser um segredo: ${secretFlaws[flaw].pt}.`,
  },

  faults: {
    en: ({ faults }) => faults.map(({ title, pointer }) => (pointer ? `${pointer}: ${title}` : title)).join('\n'),
    de: refusal => faultsText(refusal, 'Position', 'de'),
    pt: refusal => faultsText(refusal, 'Linha', 'pt'),
  },
  'unknown table': {
    en: ({ table }) => `This location has no table ${table}.`,
    de: ({ table }) => `Dieser Standort hat keinen Tisch ${table}.`,
    pt: ({ table }) => `Este local não tem a mesa ${table}.`,
  },
  'attempt used': {
    en: ({ attempt }) => `The attempt ${attempt} was already used for an order with different contents.`,
    de: ({ attempt }) => `Der Versuch ${attempt} wurde schon für eine Bestellung mit anderem Inhalt verwendet.`,
    pt: ({ attempt }) => `A tentativa ${attempt} já foi usada para um pedido com outro conteúdo.`,
  },
  'other total': {
    en: ({ total }) => `The order now costs ${en.money(total)}. Confirm the new total with the guest.`,
    de: ({ total }) => `Die Bestellung kostet jetzt ${de.money(total)}. Stimmen Sie den neuen Betrag mit dem Gast ab.`,
    pt: ({ total }) => `O pedido custa agora ${pt.money(total)}. Confirme o novo total com o cliente.`,
  },
  'wanted time': {
    en: ({ at, timezone, why }) => `${en.moment(at, timezone)} ${wantedFlaws[why].en}.`,
    de: ({ at, timezone, why }) => `${de.moment(at, timezone)} ${wantedFlaws[why].de}.`,
    pt: ({ at, timezone, why }) => `${pt.moment(at, timezone)} ${wantedFlaws[why].pt}.`,
  },
  'not delivered there': {
    en: ({ postcode }) => `There is no delivery to ${postcode}.`,
    de: ({ postcode }) => `Nach ${postcode} wird nicht geliefert.`,
    pt: ({ postcode }) => `Não há entregas em ${postcode}.`,
  },
  'below minimum': {
    en: ({ minimum }) => `Deliveries there start at ${en.money(minimum)}, without the delivery fee.`,
    de: ({ minimum }) => `Dorthin wird ab ${de.money(minimum)} geliefert, ohne Liefergebühr gerechnet.`,
    pt: ({ minimum }) => `As entregas aí começam em ${pt.money(minimum)}, sem a taxa de entrega.`,
  },
  'not offered': {
    en: ({ mode }) =>
      mode === null ? 'Choose how you want to have your order.' : `"${modeText(mode)}" cannot be ordered here now.`,
    de: ({ mode }) =>
      mode === null
        ? 'Wählen Sie, wie Sie Ihre Bestellung bekommen.'
        : `Die Bestellart „${modeText(mode, 'de')}“ gibt es hier gerade nicht.`,
    pt: ({ mode }) =>
      mode === null
        ? 'Escolha como quer receber o pedido.'
        : `A modalidade «${modeText(mode, 'pt')}» não está disponível aqui neste momento.`,
  },
  'detail missing': {
    en: ({ detail }) => missingDetails[detail].en,
    de: ({ detail }) => missingDetails[detail].de,
    pt: ({ detail }) => missingDetails[detail].pt,
  },
  'too late to cancel': {
    en: 'It is too late to cancel this order here. Please speak to the staff.',
    de: 'Diese Bestellung lässt sich hier nicht mehr stornieren. Bitte sprechen Sie mit dem Personal.',
    pt: 'Já é tarde para cancelar este pedido aqui. Fale com o pessoal, por favor.',
  },
  'order limit': {
    en: 'Too many orders came in within a short time. Try again later.',
    de: 'In kurzer Zeit sind zu viele Bestellungen eingegangen. Versuchen Sie es später noch einmal.',
    pt: 'Entraram demasiados pedidos em pouco tempo. Tente de novo mais tarde.',
  },
  'takes no orders': {
    en: ({ location, why, until, timezone }) =>
      why === 'paused'
        ? `Orders are paused at location ${location}${until === null ? '' : ` until ${en.moment(until, timezone)}`}.`
        : `Location ${location} is closed${until === null ? '' : ` and opens at ${en.moment(until, timezone)}`}.`,
    de: ({ location, why, until, timezone }) =>
      why === 'paused'
        ? `Am Standort ${location} sind Bestellungen${until === null ? '' : ` bis ${de.moment(until, timezone)}`} angehalten.`
        : `Standort ${location} ist geschlossen${until === null ? '' : ` und öffnet ${de.moment(until, timezone)}`}.`,
    pt: ({ location, why, until, timezone }) =>
      why === 'paused'
        ? `Os pedidos estão em pausa no local ${location}${until === null ? '' : ` até ${pt.moment(until, timezone)}`}.`
        : `O local ${location} está fechado${until === null ? '' : ` e abre ${pt.moment(until, timezone)}`}.`,
  },
  'order closed': {
    en: ({ status }) => `This order is ${statusText(status)} and can no longer be changed.`,
    de: ({ status }) => `Diese Bestellung ist ${statusText(status, 'de')} und lässt sich nicht mehr ändern.`,
    pt: ({ status }) => `Este pedido está ${statusText(status, 'pt')} e já não pode ser alterado.`,
  },
  'order changed': {
    en: 'This order has changed since you opened it. Look at the changes before you go on.',
    de: 'Diese Bestellung hat sich geändert, seit Sie sie geöffnet haben. Sehen Sie sich die Änderungen an, bevor Sie weitermachen.',
    pt: 'Este pedido mudou desde que o abriu. Veja as alterações antes de continuar.',
  },
  'location closed': {
    en: ({ location }) => `Location ${location} has no menu now, so nothing can be added.`,
    de: ({ location }) => `Standort ${location} hat gerade keine Speisekarte, darum lässt sich nichts hinzufügen.`,
    pt: ({ location }) => `O local ${location} não tem ementa neste momento, por isso nada pode ser adicionado.`,
  },
  'no lines left': {
    en: 'An order keeps at least one line. Cancel the order instead.',
    de: 'Eine Bestellung behält mindestens eine Position. Stornieren Sie stattdessen die Bestellung.',
    pt: 'Um pedido fica sempre com pelo menos uma linha. Em vez disso, cancele o pedido.',
  },
  'too many lines': {
    en: ({ most }) => `An order has at most ${most} lines.`,
    de: ({ most }) => `Eine Bestellung hat höchstens ${de.number(most)} Positionen.`,
    pt: ({ most }) => `Um pedido tem no máximo ${pt.number(most)} linhas.`,
  },
  'order too large': {
    en: ({ most }) => `The order would be too large: the maximum is ${en.money(most)}.`,
    de: ({ most }) => `Die Bestellung würde zu groß: Der Höchstbetrag ist ${de.money(most)}.`,
    pt: ({ most }) => `O pedido ficaria demasiado grande: o máximo é ${pt.money(most)}.`,
  },

  'status move': {
    en: ({ from, to }) =>
      from === to
        ? `This order is already ${statusText(to)}.`
        : `An order that is ${statusText(from)} cannot become ${statusText(to)}.${isTooLate(from, to) ? creditInstead.en : ''}`,
    de: ({ from, to }) =>
      from === to
        ? `Diese Bestellung ist schon ${statusText(to, 'de')}.`
        : `Eine Bestellung, die „${statusText(from, 'de')}“ ist, kann nicht „${statusText(to, 'de')}“ werden.${
            isTooLate(from, to) ? creditInstead.de : ''
          }`,
    pt: ({ from, to }) =>
      from === to
        ? `Este pedido já está ${statusText(to, 'pt')}.`
        : `Um pedido que está «${statusText(from, 'pt')}» não pode passar a «${statusText(to, 'pt')}».${
            isTooLate(from, to) ? creditInstead.pt : ''
          }`,
  },
  'fulfilment move': {
    en: ({ from, to }) =>
      from === to
        ? `This order is already ${fulfilmentText(to)}.`
        : `An order that is ${from === null ? 'nothing for the kitchen' : fulfilmentText(from)} cannot become ${fulfilmentText(to)}.`,
    de: ({ from, to }) =>
      from === to
        ? `Diese Bestellung ist schon ${fulfilmentText(to, 'de')}.`
        : `Eine Bestellung, die ${from === null ? 'nichts für die Küche enthält' : `„${fulfilmentText(from, 'de')}“ ist`}, kann nicht „${fulfilmentText(to, 'de')}“ werden.`,
    pt: ({ from, to }) =>
      from === to
        ? `Este pedido já está ${fulfilmentText(to, 'pt')}.`
        : `Um pedido que ${from === null ? 'nada tem para a cozinha' : `está «${fulfilmentText(from, 'pt')}»`} não pode passar a «${fulfilmentText(to, 'pt')}».`,
  },
  'still to be paid': {
    en: ({ amount }) => `${en.money(amount)} is still to be paid. Take the payment first.`,
    de: ({ amount }) => `Es sind noch ${de.money(amount)} zu zahlen. Kassieren Sie zuerst.`,
    pt: ({ amount }) => `Ainda há ${pt.money(amount)} por pagar. Receba primeiro o pagamento.`,
  },
  'still to be refunded': {
    en: ({ amount }) => `${en.money(amount)} is still to be refunded. Refund it first.`,
    de: ({ amount }) => `Es sind noch ${de.money(amount)} zu erstatten. Erstatten Sie zuerst diesen Betrag.`,
    pt: ({ amount }) => `Ainda há ${pt.money(amount)} por reembolsar. Faça primeiro o reembolso.`,
  },
  'open tickets': {
    en: ({ tickets, held }) =>
      both(
        countedTickets(tickets, {
          one: ids => `Ticket ${ids} of this order is still open in the kitchen. Mark it as done first.`,
          other: ids => `Tickets ${ids} of this order are still open in the kitchen. Mark them as done first.`,
        }),
        countedTickets(held, {
          one: ids => `Ticket ${ids} of this order is held back. Fire it first.`,
          other: ids => `Tickets ${ids} of this order are held back. Fire them first.`,
        }),
      ),
    de: ({ tickets, held }) =>
      both(
        countedTickets(tickets, {
          one: ids => `Bon ${ids} dieser Bestellung ist in der Küche noch offen. Melden Sie ihn zuerst fertig.`,
          other: ids => `Die Bons ${ids} dieser Bestellung sind in der Küche noch offen. Melden Sie sie zuerst fertig.`,
        }),
        countedTickets(held, {
          one: ids => `Bon ${ids} dieser Bestellung ist zurückgehalten. Rufen Sie ihn zuerst ab.`,
          other: ids => `Die Bons ${ids} dieser Bestellung sind zurückgehalten. Rufen Sie sie zuerst ab.`,
        }),
      ),
    pt: ({ tickets, held }) =>
      both(
        countedTickets(tickets, {
          one: ids => `O talão ${ids} deste pedido ainda está aberto na cozinha. Marque-o primeiro como pronto.`,
          other: ids =>
            `Os talões ${ids} deste pedido ainda estão abertos na cozinha. Marque-os primeiro como prontos.`,
        }),
        countedTickets(held, {
          one: ids => `O talão ${ids} deste pedido está em espera. Lance-o primeiro.`,
          other: ids => `Os talões ${ids} deste pedido estão em espera. Lance-os primeiro.`,
        }),
      ),
  },
  'reason missing': {
    en: 'A cancellation needs a reason.',
    de: 'Eine Stornierung braucht einen Grund.',
    pt: 'Um cancelamento precisa de um motivo.',
  },
  'paid already': {
    en: ({ amount }) => `${en.money(amount)} was paid for this order. Refund it first.`,
    de: ({ amount }) => `Für diese Bestellung wurden ${de.money(amount)} bezahlt. Erstatten Sie zuerst den Betrag.`,
    pt: ({ amount }) => `Foram pagos ${pt.money(amount)} por este pedido. Faça primeiro o reembolso.`,
  },
  'too little stock': {
    en: ({ lines }) =>
      `There is too little stock for ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')} of this order.`,
    de: ({ lines }) =>
      `Der Bestand reicht nicht für ${lines.length === 1 ? 'Position' : 'die Positionen'} ${lines.join(', ')} dieser Bestellung.`,
    pt: ({ lines }) =>
      `Não há stock suficiente para ${lines.length === 1 ? 'a linha' : 'as linhas'} ${lines.join(', ')} deste pedido.`,
  },

  'reference used': {
    en: ({ reference, entry }) => `The reference ${reference} belongs to entry ${entry}, which is different.`,
    de: ({ reference, entry }) => `Die Referenz ${reference} gehört schon zu Buchung ${entry}, die andere Angaben hat.`,
    pt: ({ reference, entry }) => `A referência ${reference} pertence ao movimento ${entry}, que é diferente.`,
  },
  'nothing to pay': {
    en: 'Nothing is to be paid for this order.',
    de: 'Für diese Bestellung ist nichts zu zahlen.',
    pt: 'Não há nada a pagar por este pedido.',
  },
  'more than to pay': {
    en: ({ balance }) => `Only ${en.money(balance)} is to be paid for this order.`,
    de: ({ balance }) => `Für diese Bestellung sind nur ${de.money(balance)} zu zahlen.`,
    pt: ({ balance }) => `Só há ${pt.money(balance)} a pagar por este pedido.`,
  },
  'nothing paid': {
    en: 'Nothing was paid for this order.',
    de: 'Für diese Bestellung wurde nichts bezahlt.',
    pt: 'Nada foi pago por este pedido.',
  },
  'more than paid': {
    en: ({ paid }) => `Only ${en.money(paid)} was paid for this order.`,
    de: ({ paid }) => `Für diese Bestellung wurden nur ${de.money(paid)} bezahlt.`,
    pt: ({ paid }) => `Só foram pagos ${pt.money(paid)} por este pedido.`,
  },
  'more than owed': {
    en: ({ status, owed }) =>
      `This order is ${statusText(status)} and its guest is owed ${en.money(owed)}. Give a credit first.`,
    de: ({ status, owed }) =>
      `Diese Bestellung ist ${statusText(status, 'de')}, und der Gast bekommt ${de.money(owed)} zurück. Geben Sie zuerst eine Gutschrift.`,
    pt: ({ status, owed }) =>
      `Este pedido está ${statusText(status, 'pt')} e devem-se ${pt.money(owed)} ao cliente. Dê primeiro um crédito.`,
  },
  'not completed': {
    en: ({ status }) =>
      status === 'cancelled'
        ? 'This order is cancelled, so there is nothing to credit.'
        : `A credit is for completed orders and this one is ${statusText(status)}. Edit the order to change what it costs.`,
    de: ({ status }) =>
      status === 'cancelled'
        ? 'Diese Bestellung ist storniert, darum gibt es nichts gutzuschreiben.'
        : `Gutschriften gibt es nur für abgeschlossene Bestellungen, und diese ist ${statusText(status, 'de')}. Bearbeiten Sie die Bestellung, um ihren Preis zu ändern.`,
    pt: ({ status }) =>
      status === 'cancelled'
        ? 'Este pedido está cancelado, por isso não há nada a creditar.'
        : `Um crédito é para pedidos concluídos e este está ${statusText(status, 'pt')}. Edite o pedido para alterar o que custa.`,
  },
  'more than due': {
    en: ({ due }) => `This order cost only ${en.money(due)}.`,
    de: ({ due }) => `Diese Bestellung hat nur ${de.money(due)} gekostet.`,
    pt: ({ due }) => `Este pedido só custou ${pt.money(due)}.`,
  },
  'not a payment': {
    en: ({ entry }) => `Entry ${entry} of this order is not a payment.`,
    de: ({ entry }) => `Buchung ${entry} dieser Bestellung ist keine Zahlung.`,
    pt: ({ entry }) => `O movimento ${entry} deste pedido não é um pagamento.`,
  },
  'payment voided': {
    en: ({ entry }) => `Payment ${entry} has already been voided.`,
    de: ({ entry }) => `Zahlung ${entry} wurde schon storniert.`,
    pt: ({ entry }) => `O pagamento ${entry} já foi anulado.`,
  },
  'payment of another day': {
    en: ({ entry, date }) =>
      `Payment ${entry} is from ${date}, and only today's payments can be voided. Refund it instead.`,
    de: ({ entry, date }) =>
      `Zahlung ${entry} ist von ${de.day(date)}, und nur Zahlungen von heute lassen sich stornieren. Erstatten Sie sie stattdessen.`,
    pt: ({ entry, date }) =>
      `O pagamento ${entry} é de ${pt.day(date)} e só se podem anular pagamentos de hoje. Em vez disso, reembolse-o.`,
  },
  'payment refunded': {
    en: ({ entry }) => `Payment ${entry} has already been refunded, in whole or in part.`,
    de: ({ entry }) => `Zahlung ${entry} wurde schon ganz oder teilweise erstattet.`,
    pt: ({ entry }) => `O pagamento ${entry} já foi reembolsado, no todo ou em parte.`,
  },
  'payment of closed order': {
    en: ({ entry, status }) =>
      `Payment ${entry} cannot be voided, because this order is ${statusText(status)}.${status === 'completed' ? creditInstead.en : ''}`,
    de: ({ entry, status }) =>
      `Zahlung ${entry} lässt sich nicht stornieren, weil diese Bestellung ${statusText(status, 'de')} ist.${status === 'completed' ? creditInstead.de : ''}`,
    pt: ({ entry, status }) =>
      `O pagamento ${entry} não pode ser anulado, porque este pedido está ${statusText(status, 'pt')}.${status === 'completed' ? creditInstead.pt : ''}`,
  },

  'unknown close': {
    en: ({ location, number }) => `Location ${location} has no day close ${number}.`,
    de: ({ location, number }) => `Standort ${location} hat keinen Tagesabschluss ${number}.`,
    pt: ({ location, number }) => `O local ${location} não tem o fecho do dia ${number}.`,
  },
  'invalid pieces': {
    en: ({ of, most }) =>
      `Of each note and coin in ${of.currency}, a whole number from 0 to ${most} can be counted. This does not fit for ${en.money(of)}.`,
    de: ({ of, most }) =>
      `${de.money(of)} ist kein Schein und keine Münze in ${of.currency}, oder die Anzahl ist keine ganze Zahl von 0 bis ${de.number(most)}.`,
    pt: ({ of, most }) =>
      `${pt.money(of)} não é uma nota nem uma moeda em ${of.currency}, ou a quantidade não é um número inteiro de 0 a ${pt.number(most)}.`,
  },
  'day closed': {
    en: ({ date, number }) => `${date} is already closed, by close ${number}.`,
    de: ({ date, number }) => `${de.day(date)} ist schon abgeschlossen, mit Abschluss ${number}.`,
    pt: ({ date, number }) => `${pt.day(date)} já está fechado, com o fecho ${number}.`,
  },
  'day not begun': {
    en: ({ date }) => `${date} has not begun, so it cannot be closed.`,
    de: ({ date }) => `${de.day(date)} hat noch nicht begonnen und lässt sich darum nicht abschließen.`,
    pt: ({ date }) => `${pt.day(date)} ainda não começou, por isso não pode ser fechado.`,
  },
  'earlier day open': {
    en: ({ date }) => `${date} is still open. Close it first.`,
    de: ({ date }) => `${de.day(date)} ist noch offen. Schließen Sie diesen Tag zuerst ab.`,
    pt: ({ date }) => `${pt.day(date)} ainda está aberto. Feche primeiro esse dia.`,
  },
  'more than counted': {
    en: ({ amount }) => `Only ${en.money(amount)} was counted, so no more than that can stay in the drawer.`,
    de: ({ amount }) => `Es wurden nur ${de.money(amount)} gezählt, darum kann nicht mehr in der Kasse bleiben.`,
    pt: ({ amount }) => `Só foram contados ${pt.money(amount)}, por isso não pode ficar mais do que isso na caixa.`,
  },

  'left the kitchen': {
    en: ({ ticket, fulfilment }) => `The order of ticket ${ticket} is already ${fulfilmentText(fulfilment)}.`,
    de: ({ ticket, fulfilment }) => `Die Bestellung zu Bon ${ticket} ist schon ${fulfilmentText(fulfilment, 'de')}.`,
    pt: ({ ticket, fulfilment }) => `O pedido do talão ${ticket} já está ${fulfilmentText(fulfilment, 'pt')}.`,
  },
  'not ready': {
    en: () => 'This order is not ready yet.',
    de: () => 'Diese Bestellung ist noch nicht fertig.',
    pt: () => 'Este pedido ainda não está pronto.',
  },
  'nothing open': {
    en: ({ ticket }) => `Nothing on ticket ${ticket} is open.`,
    de: ({ ticket }) => `Auf Bon ${ticket} ist nichts offen.`,
    pt: ({ ticket }) => `Não há nada em aberto no talão ${ticket}.`,
  },
  'nothing done': {
    en: ({ ticket }) => `Nothing on ticket ${ticket} is done.`,
    de: ({ ticket }) => `Auf Bon ${ticket} ist nichts fertig.`,
    pt: ({ ticket }) => `Não há nada pronto no talão ${ticket}.`,
  },
  'ticket held': {
    en: ({ ticket }) => `Ticket ${ticket} is held back. Fire it first.`,
    de: ({ ticket }) => `Bon ${ticket} ist zurückgehalten. Rufen Sie ihn zuerst ab.`,
    pt: ({ ticket }) => `O talão ${ticket} está em espera. Lance-o primeiro.`,
  },
  'changed since shown': {
    en: () => 'This has changed since your screen showed it, and nothing was done. Read it again, then press again.',
    de: () =>
      'Das hat sich geändert, seit Ihr Bildschirm es gezeigt hat; es wurde nichts getan. Lesen Sie es noch einmal und drücken Sie dann erneut.',
    pt: () => 'Isto mudou desde que o ecrã o mostrou e nada foi feito. Leia de novo e volte a carregar.',
  },
  'not acknowledged': {
    en: () => 'This ticket has a note about an allergy or from the guest. First confirm that you have read it.',
    de: () =>
      'Dieser Bon hat einen Hinweis auf eine Allergie oder vom Gast. Bestätigen Sie zuerst, dass Sie ihn gelesen haben.',
    pt: () => 'Este talão tem uma nota sobre uma alergia ou do cliente. Confirme primeiro que a leu.',
  },
  'not held': {
    en: ({ ticket, state }) => `Ticket ${ticket} is ${ticketStateText(state)}, not held.`,
    de: ({ ticket, state }) => `Bon ${ticket} ist ${ticketStateText(state, 'de')}, nicht zurückgehalten.`,
    pt: ({ ticket, state }) => `O talão ${ticket} está ${ticketStateText(state, 'pt')}, não em espera.`,
  },
  'not remembered': {
    en: ({ since, timezone }) =>
      since === null
        ? 'Nothing has happened in the kitchen yet.'
        : `The history of the kitchen begins at ${en.moment(since, timezone)}.`,
    de: ({ since, timezone }) =>
      since === null
        ? 'In der Küche ist noch nichts geschehen.'
        : `Die Aufzeichnungen der Küche beginnen: ${de.moment(since, timezone)}.`,
    pt: ({ since, timezone }) =>
      since === null
        ? 'Ainda não aconteceu nada na cozinha.'
        : `O registo da cozinha começa em: ${pt.moment(since, timezone)}.`,
  },
  'line not open': {
    en: ({ ticket, name, state }) => `"${name}" on ticket ${ticket} is already ${ticketStateText(state)}.`,
    de: ({ ticket, name, state }) => `„${name}“ auf Bon ${ticket} ist schon ${ticketStateText(state, 'de')}.`,
    pt: ({ ticket, name, state }) => `«${name}» no talão ${ticket} já está ${ticketStateText(state, 'pt')}.`,
  },

  'more than on hand': {
    en: ({ title, unit, onHand }) =>
      `Only ${onHand / MICRO} ${unit} of ${title} is on hand. If there is more, count it first.`,
    de: ({ title, unit, onHand }) =>
      `Von ${title} sind nur ${de.number(onHand / MICRO)} ${unit} vorhanden. Wenn es mehr ist, zählen Sie zuerst nach.`,
    pt: ({ title, unit, onHand }) =>
      `Só há ${pt.number(onHand / MICRO)} ${unit} de ${title} em stock. Se houver mais, faça primeiro uma contagem.`,
  },
  'stock moved': {
    en: ({ title, unit, was, onHand }) =>
      `There were ${was / MICRO} ${unit} of ${title}; meanwhile there are ${onHand / MICRO}. Look again, then save.`,
    de: ({ title, unit, was, onHand }) =>
      `Von ${title} waren ${de.number(was / MICRO)} ${unit} vorhanden, inzwischen sind es ${de.number(onHand / MICRO)}. Prüfen Sie es noch einmal und speichern Sie dann.`,
    pt: ({ title, unit, was, onHand }) =>
      `Havia ${pt.number(was / MICRO)} ${unit} de ${title} e agora há ${pt.number(onHand / MICRO)}. Verifique de novo e depois guarde.`,
  },
  'too much stock': {
    en: ({ most }) => `At most ${most} of anything can be on hand.`,
    de: ({ most }) => `Von einem Artikel können höchstens ${de.number(most)} vorhanden sein.`,
    pt: ({ most }) => `De cada artigo pode haver no máximo ${pt.number(most)} em stock.`,
  },

  'endpoint exists': {
    en: ({ url }) => `${url} is already an endpoint.`,
    de: ({ url }) => `${url} ist schon ein Empfänger.`,
    pt: ({ url }) => `${url} já é um recetor.`,
  },
  'too many endpoints': {
    en: ({ most }) => `There can be at most ${most} endpoints. Remove one first.`,
    de: ({ most }) => `Es kann höchstens ${most} Empfänger geben. Entfernen Sie zuerst einen.`,
    pt: ({ most }) => `Pode haver no máximo ${most} recetores. Remova um primeiro.`,
  },

  'no secret': {
    en: 'No secret is set, so deliveries are unsigned.',
    de: 'Es ist kein Geheimnis gesetzt, darum sind die Zustellungen nicht signiert.',
    pt: 'Não há nenhum segredo definido, por isso os envios não são assinados.',
  },

  'name taken': {
    en: ({ name }) => `${name} already works here. Choose another name, such as one with an initial.`,
    de: ({ name }) =>
      `${name} arbeitet hier schon. Wählen Sie einen anderen Namen, zum Beispiel mit einem Anfangsbuchstaben.`,
    pt: ({ name }) => `${name} já trabalha aqui. Escolha outro nome, por exemplo com uma inicial.`,
  },
  'invalid password': {
    en: ({ flaw }) => `A password ${passwordFlawText(flaw, 'en')}.`,
    de: ({ flaw }) => `Ein Passwort ${passwordFlawText(flaw, 'de')}.`,
    pt: ({ flaw }) => `Uma palavra-passe ${passwordFlawText(flaw, 'pt')}.`,
  },
  'invalid PIN': {
    en: ({ flaw }) =>
      flaw === 'simple' ? 'This PIN is too easy to guess. Choose other digits.' : 'A PIN has six digits.',
    de: ({ flaw }) =>
      flaw === 'simple'
        ? 'Diese PIN ist zu leicht zu erraten. Wählen Sie andere Ziffern.'
        : 'Eine PIN hat sechs Ziffern.',
    pt: ({ flaw }) =>
      flaw === 'simple'
        ? 'Este PIN é demasiado fácil de adivinhar. Escolha outros algarismos.'
        : 'Um PIN tem seis algarismos.',
  },
  'too many log-ins': {
    en: 'Too many people are logging in at the moment. Try again in a few seconds.',
    de: 'Im Moment melden sich zu viele Personen an. Versuchen Sie es in einigen Sekunden noch einmal.',
    pt: 'Há demasiadas pessoas a iniciar sessão neste momento. Tente de novo dentro de alguns segundos.',
  },
  'wrong log-in': {
    en: 'The name or the password is wrong.',
    de: 'Der Name oder das Passwort ist falsch.',
    pt: 'O nome ou a palavra-passe não estão certos.',
  },
  'wrong PIN': {
    en: 'The PIN is wrong.',
    de: 'Die PIN ist falsch.',
    pt: 'O PIN está errado.',
  },
  'wrong code': {
    en: 'The code is wrong, was used already or has expired.',
    de: 'Der Code ist falsch, wurde schon benutzt oder ist abgelaufen.',
    pt: 'O código está errado, já foi usado ou expirou.',
  },
  'wait before trying': {
    en: ({ seconds }) => `Too many wrong tries. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    de: ({ seconds }) =>
      `Zu viele falsche Versuche. Versuchen Sie es in ${seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`} noch einmal.`,
    pt: ({ seconds }) =>
      `Demasiadas tentativas erradas. Tente de novo dentro de ${seconds === 1 ? 'um segundo' : `${seconds} segundos`}.`,
  },
  'has owner': {
    en: 'There is an owner already. Log in instead.',
    de: 'Es gibt schon eine Inhaberin oder einen Inhaber. Melden Sie sich stattdessen an.',
    pt: 'Já existe um proprietário. Em vez disso, inicie sessão.',
  },
  'last owner': {
    en: ({ name }) => `${name} is the only owner who can log in. Give somebody else this role first.`,
    de: ({ name }) => `Mit dieser Rolle kann sich nur noch ${name} anmelden. Geben Sie sie zuerst noch jemandem.`,
    pt: ({ name }) => `${name} é o único proprietário que pode iniciar sessão. Dê primeiro esta função a outra pessoa.`,
  },
  'no password for staff': {
    en: ({ name }) => `${name} logs in with a PIN. Only owners and managers have a password.`,
    de: ({ name }) => `${name} meldet sich mit einer PIN an. Ein Passwort haben nur Inhaber und Leitung.`,
    pt: ({ name }) => `${name} inicia sessão com um PIN. Só os proprietários e os gerentes têm palavra-passe.`,
  },
  'station circle': {
    en: ({ station, to }) =>
      `The dishes of ${quoted(station, 'en')} cannot go to ${quoted(to, 'en')}, because those of ${quoted(to, 'en')} go to ${quoted(station, 'en')}.`,
    de: ({ station, to }) =>
      `Die Gerichte von ${quoted(station, 'de')} können nicht an ${quoted(to, 'de')} gehen, weil die von ${quoted(to, 'de')} an ${quoted(station, 'de')} gehen.`,
    pt: ({ station, to }) =>
      `Os pratos de ${quoted(station, 'pt')} não podem ir para ${quoted(to, 'pt')}, porque os de ${quoted(to, 'pt')} vão para ${quoted(station, 'pt')}.`,
  },
  'station elsewhere': {
    en: ({ station, location }) => `Location ${location} has no station ${station}.`,
    de: ({ station, location }) => `Standort ${location} hat keine Station ${station}.`,
    pt: ({ station, location }) => `O local ${location} não tem o posto ${station}.`,
  },
  'too many pairings': {
    en: ({ most }) => `There are ${most} codes in use already. Wait until one has expired.`,
    de: ({ most }) => `Es sind schon ${most} Codes im Umlauf. Warten Sie, bis einer abgelaufen ist.`,
    pt: ({ most }) => `Já há ${most} códigos em uso. Espere até que um expire.`,
  },
  'too few digits': {
    en: ({ phone, least }) =>
      `"${phone}" is the end of too many phone numbers. Give at least ${least} digits, not counting zeros at its beginning.`,
    de: ({ phone, least }) =>
      `Auf „${phone}“ enden zu viele Telefonnummern. Geben Sie mindestens ${least} Ziffern an, Nullen am Anfang nicht mitgezählt.`,
    pt: ({ phone, least }) =>
      `Há demasiados números de telefone que terminam em «${phone}». Indique pelo menos ${least} algarismos, sem contar os zeros iniciais.`,
  },
  'invalid email': {
    en: ({ email }) => `"${email}" is not an email address.`,
    de: ({ email }) => `„${email}“ ist keine E-Mail-Adresse.`,
    pt: ({ email }) => `«${email}» não é um endereço de e-mail.`,
  },

  'file name missing': {
    en: 'The backup needs a file name.',
    de: 'Die Sicherung braucht einen Dateinamen.',
    pt: 'A cópia de segurança precisa de um nome de ficheiro.',
  },
  'file exists': {
    en: ({ path }) => `${path} already exists, and a backup never overwrites. Choose another name.`,
    de: ({ path }) => `${path} gibt es schon, und eine Sicherung überschreibt nie. Wählen Sie einen anderen Namen.`,
    pt: ({ path }) => `${path} já existe e uma cópia de segurança nunca substitui ficheiros. Escolha outro nome.`,
  },
  'folder missing': {
    en: ({ path }) => `There is no folder ${path}. Make it first.`,
    de: ({ path }) => `Es gibt keinen Ordner ${path}. Legen Sie ihn zuerst an.`,
    pt: ({ path }) => `Não existe a pasta ${path}. Crie-a primeiro.`,
  },
  'backup under way': {
    en: 'A backup is being made now. Wait until it is finished.',
    de: 'Es wird gerade eine Sicherung gemacht. Warten Sie, bis sie fertig ist.',
    pt: 'Está a ser feita uma cópia de segurança. Espere que termine.',
  },
  'no room for backup': {
    en: ({ missingMib }) => `The disk is too full for a backup: make ${missingMib} MiB of room, or keep fewer backups.`,
    de: ({ missingMib }) =>
      `Der Datenträger ist zu voll für eine Sicherung: Schaffen Sie ${missingMib} MiB Platz oder bewahren Sie weniger Sicherungen auf.`,
    pt: ({ missingMib }) =>
      `O disco está demasiado cheio para uma cópia de segurança: liberte ${missingMib} MiB ou guarde menos cópias.`,
  },
  'backup running': {
    en: ({ path }) => `${path} already exists: another backup to the same file is running. If none is, delete ${path}.`,
    de: ({ path }) =>
      `${path} gibt es schon: Eine andere Sicherung in dieselbe Datei läuft. Wenn keine läuft, löschen Sie ${path}.`,
    pt: ({ path }) =>
      `${path} já existe: está em curso outra cópia de segurança para o mesmo ficheiro. Se não estiver, apague ${path}.`,
  },
  'backup damaged': {
    en: ({ flaw }) => `The copy is damaged: ${flaw}. The file itself may be damaged, too; have it examined.`,
    de: ({ flaw }) =>
      `Die Kopie ist beschädigt: ${flaw}. Vielleicht ist auch die Datei selbst beschädigt; lassen Sie sie prüfen.`,
    pt: ({ flaw }) =>
      `A cópia está danificada: ${flaw}. O próprio ficheiro também pode estar danificado; mande examiná-lo.`,
  },
  'backup failed': {
    en: ({ cause }) => `No backup was made: ${cause}.`,
    de: ({ cause }) => `Es wurde keine Sicherung gemacht: ${cause}.`,
    pt: ({ cause }) => `Não foi feita nenhuma cópia de segurança: ${cause}.`,
  },

  'not a file': {
    en: ({ path }) => `${path} is not a file.`,
    de: ({ path }) => `${path} ist keine Datei.`,
    pt: ({ path }) => `${path} não é um ficheiro.`,
  },
  'file inaccessible': {
    en: ({ path, cause }) => `${path} cannot be read or written (${cause}).`,
    de: ({ path, cause }) => `${path} lässt sich nicht lesen oder schreiben (${cause}).`,
    pt: ({ path, cause }) => `Não é possível ler ou escrever ${path} (${cause}).`,
  },
  'not a conversion': {
    en: ({ path }) =>
      `${path} already exists and is not a conversion that can be replaced. Choose another name with --to.`,
    de: ({ path }) =>
      `${path} gibt es schon und ist keine Umwandlung, die ersetzt werden kann. Wählen Sie mit --to einen anderen Namen.`,
    pt: ({ path }) => `${path} já existe e não é uma conversão que se possa substituir. Escolha outro nome com --to.`,
  },
  'conversion edited': {
    en: ({ path }) =>
      `${path} was edited since it was converted, so it is not overwritten. Add "--to NEW.json --ids ${path}" to convert into another file with the same ids.`,
    de: ({ path }) =>
      `${path} wurde seit der Umwandlung bearbeitet und wird darum nicht überschrieben. Mit „--to NEU.json --ids ${path}“ entsteht eine andere Datei mit denselben Nummern.`,
    pt: ({ path }) =>
      `${path} foi editado depois da conversão, por isso não é substituído. Adicione «--to NOVO.json --ids ${path}» para converter para outro ficheiro com os mesmos números.`,
  },
  'no ids to keep': {
    en: ({ path }) => `${path} is not a conversion, so it has no ids to keep.`,
    de: ({ path }) => `${path} ist keine Umwandlung und hat darum keine Nummern, die bleiben könnten.`,
    pt: ({ path }) => `${path} não é uma conversão, por isso não tem números para manter.`,
  },
  'unreadable menu': {
    en: ({ path, flaw }) => `${path} ${flaw}. Nothing was written.`,
    de: ({ path, flaw }) => `${path} lässt sich nicht lesen (${flaw}). Es wurde nichts geschrieben.`,
    pt: ({ path, flaw }) => `Não é possível ler ${path} (${flaw}). Nada foi escrito.`,
  },

  'does not fit': {
    en: ({ problems }) => problems.map(findingText).join('\n'),
    de: ({ problems }) => `Das passt nicht:\n${problems.map(findingText).join('\n')}`,
    pt: ({ problems }) => `Isto não está certo:\n${problems.map(findingText).join('\n')}`,
  },
  'nothing to undo': {
    en: 'There is no change of the menu that can be undone.',
    de: 'Es gibt keine Änderung der Speisekarte, die sich rückgängig machen lässt.',
    pt: 'Não há nenhuma alteração da ementa que se possa desfazer.',
  },

  'edit does not fit': {
    en: ({ problems }) => problems.map(findingText).join('\n'),
    de: ({ problems }) => `Das passt nicht:\n${problems.map(findingText).join('\n')}`,
    pt: ({ problems }) => `Isto não está certo:\n${problems.map(findingText).join('\n')}`,
  },
  'changed meanwhile': {
    en: ({ fields }) =>
      `Somebody else has changed this meanwhile: ${membersText(fields, 'en')}. Look at it, then save again.`,
    de: ({ fields }) =>
      `Das hat inzwischen jemand anders geändert: ${membersText(fields, 'de')}. Sehen Sie es sich an und speichern Sie dann noch einmal.`,
    pt: ({ fields }) =>
      `Entretanto, outra pessoa alterou isto: ${membersText(fields, 'pt')}. Verifique e depois guarde de novo.`,
  },
  'undone first': {
    en: ({ actor }) => `${actor} has changed the menu since. Only the last change can be undone.`,
    de: ({ actor }) =>
      `Seitdem hat ${actor} die Speisekarte geändert. Nur die letzte Änderung lässt sich rückgängig machen.`,
    pt: ({ actor }) => `Depois disso, ${actor} alterou a ementa. Só se pode desfazer a última alteração.`,
  },
  image: {
    en: ({ flaw, mostBytes }) =>
      flaw === 'too large'
        ? `An image may have at most ${Math.floor(mostBytes / 1024)} KB.`
        : 'This is not a PNG, JPEG, WebP, AVIF or GIF image.',
    de: ({ flaw, mostBytes }) =>
      flaw === 'too large'
        ? `Ein Bild darf höchstens ${de.number(Math.floor(mostBytes / 1024))} KB groß sein.`
        : 'Das ist kein Bild im Format PNG, JPEG, WebP, AVIF oder GIF.',
    pt: ({ flaw, mostBytes }) =>
      flaw === 'too large'
        ? `Uma imagem pode ter no máximo ${pt.number(Math.floor(mostBytes / 1024))} KB.`
        : 'Isto não é uma imagem PNG, JPEG, WebP, AVIF ou GIF.',
  },
  'has orders': {
    en: ({ orders }) =>
      `The file already has ${orders === 1 ? 'an order' : `${orders} orders`}; practice only fills a file without orders.`,
    de: ({ orders }) =>
      `Die Datei enthält schon ${orders === 1 ? 'eine Bestellung' : `${de.number(orders)} Bestellungen`}; die Übung füllt nur eine Datei ohne Bestellungen.`,
    pt: ({ orders }) =>
      `O ficheiro já tem ${orders === 1 ? 'um pedido' : `${pt.number(orders)} pedidos`}; o treino só preenche um ficheiro sem pedidos.`,
  },
  'nothing published': {
    en: 'There is no published location, and practice needs one.',
    de: 'Es ist kein Standort veröffentlicht, und die Übung braucht einen.',
    pt: 'Não há nenhum local publicado e o treino precisa de um.',
  },
}

/** A refusal as a sentence; several faults are one line each. */
export function refusalText<Code extends RefusalCode>(refusal: Refusal<Code>, language: Language = 'en'): string {
  const sentence: Sentence<Code> = sentences[refusal.refused][language]
  return typeof sentence === 'string' ? sentence : sentence(refusal)
}

const creditInstead: Record<Language, string> = {
  en: ' Give a credit and refund it instead.',
  de: ' Geben Sie stattdessen eine Gutschrift und erstatten Sie den Betrag.',
  pt: ' Em vez disso, dê um crédito e reembolse-o.',
}

function isTooLate(from: string, to: string): boolean {
  return from === 'completed' && to === 'cancelled'
}

function quotedList(texts: string[], language: Language): string {
  return texts.map(text => quoted(text, language)).join(', ')
}

function membersText(fields: { field: string }[], language: Language): string {
  return fields.map(({ field }) => memberText(field, language)).join(', ')
}

function both(...sentences: string[]): string {
  return sentences.filter(sentence => sentence !== '').join(' ')
}

/** Empty without tickets. */
function countedTickets(tickets: number[], forms: Record<'one' | 'other', (ids: string) => string>): string {
  return tickets.length === 0 ? '' : forms[tickets.length === 1 ? 'one' : 'other'](tickets.join(', '))
}

const missingDetails: Record<Refusal<'detail missing'>['detail'], Record<Language, string>> = {
  name: { en: 'Enter your name.', de: 'Geben Sie Ihren Namen ein.', pt: 'Indique o seu nome.' },
  phone: {
    en: 'Enter your phone number.',
    de: 'Geben Sie Ihre Telefonnummer ein.',
    pt: 'Indique o seu número de telefone.',
  },
  address: { en: 'Enter the address.', de: 'Geben Sie die Adresse ein.', pt: 'Indique a morada.' },
  postcode: { en: 'Enter the postcode.', de: 'Geben Sie die Postleitzahl ein.', pt: 'Indique o código postal.' },
}

const fieldNames: Record<Refusal<'text'>['field'], Record<'de' | 'pt', string>> = {
  reason: { de: 'Der Grund', pt: 'O motivo' },
  note: { de: 'Die Anmerkung', pt: 'A nota' },
  reference: { de: 'Die Referenz', pt: 'A referência' },
  name: { de: 'Der Name', pt: 'O nome' },
  attempt: { de: 'Die Kennung des Versuchs', pt: 'O identificador da tentativa' },
  address: { de: 'Die Adresse', pt: 'A morada' },
  postcode: { de: 'Die Postleitzahl', pt: 'O código postal' },
}

/** The end of a sentence about a text that cannot be kept. */
function flawText(flaw: TextFlaw, language: Language): string {
  if (language === 'en') return textFlawText(flaw)
  if (typeof flaw === 'object') {
    return language === 'de'
      ? `darf höchstens ${de.number(flaw.longerThan)} Zeichen haben`
      : `pode ter no máximo ${pt.number(flaw.longerThan)} caracteres`
  }
  return textFlaws[flaw][language]
}

const textFlaws: Record<Exclude<TextFlaw, object>, Record<'de' | 'pt', string>> = {
  unstorable: {
    de: 'enthält ein Zeichen, das sich nicht speichern lässt',
    pt: 'contém um carácter que não é possível guardar',
  },
  empty: { de: 'darf nicht leer sein', pt: 'não pode ficar em branco' },
  'several lines': { de: 'darf keinen Zeilenumbruch enthalten', pt: 'não pode ter quebras de linha' },
}

/** The sentences about an order that the API refuses in English. */
const faultSentences: Record<Fault['title'], Record<'de' | 'pt', string>> = {
  [faultTitles.invalidJson]: {
    de: 'Der Inhalt der Anfrage ist kein gültiges JSON.',
    pt: 'O corpo do pedido HTTP não é JSON válido.',
  },
  [faultTitles.notAnOrder]: {
    de: 'Der Inhalt der Anfrage ist keine Bestellung.',
    pt: 'O corpo do pedido HTTP não é um pedido.',
  },
  [faultTitles.invalidLocation]: {
    de: 'Der Standort fehlt oder stimmt nicht.',
    pt: 'O local falta ou não está certo.',
  },
  [faultTitles.paused]: {
    de: 'An diesem Standort sind Bestellungen angehalten.',
    pt: 'Os pedidos estão em pausa neste local.',
  },
  [faultTitles.closed]: { de: 'Dieser Standort ist geschlossen.', pt: 'Este local está fechado.' },
  [faultTitles.noItems]: { de: 'Die Bestellung ist leer.', pt: 'O pedido está vazio.' },
  [faultTitles.tooLarge]: { de: 'Die Bestellung ist zu groß.', pt: 'O pedido é demasiado grande.' },
  [faultTitles.invalidLine]: { de: 'Diese Position ist nicht gültig.', pt: 'Esta linha não é válida.' },
  [faultTitles.invalidQuantity]: { de: 'Die Menge ist nicht gültig.', pt: 'A quantidade não é válida.' },
  [faultTitles.unavailableItem]: {
    de: 'Dieser Artikel ist nicht mehr verfügbar.',
    pt: 'Este artigo já não está disponível.',
  },
  [faultTitles.unavailableOption]: {
    de: 'Eine gewählte Option ist nicht verfügbar.',
    pt: 'Uma das opções escolhidas não está disponível.',
  },
  [faultTitles.invalidOptionQuantity]: {
    de: 'Die Menge einer Option ist nicht gültig.',
    pt: 'A quantidade de uma opção não é válida.',
  },
  [faultTitles.missingOption]: { de: 'Eine Pflichtauswahl fehlt.', pt: 'Falta uma escolha obrigatória.' },
  [faultTitles.tooManyOptions]: { de: 'Es sind zu viele Optionen gewählt.', pt: 'Há demasiadas opções escolhidas.' },
  [faultTitles.invalidDetails]: {
    de: 'Die Angaben zur Bestellung stimmen nicht.',
    pt: 'Os dados do pedido não estão certos.',
  },
}

/** "Position 2: …", because people do not count lines from 0. */
function faultsText({ faults }: Refusal<'faults'>, line: string, language: 'de' | 'pt'): string {
  return faults
    .map(({ title, pointer }) => {
      const index = /^\/items\/(\d+)/.exec(pointer ?? '')?.[1]
      const text = faultSentences[title][language]
      return index === undefined ? text : `${line} ${Number(index) + 1}: ${text}`
    })
    .join('\n')
}

const wantedFlaws: Record<Refusal<'wanted time'>['why'], Record<Language, string>> = {
  'not a minute': {
    en: 'has seconds. Choose a whole minute',
    de: 'enthält Sekunden. Wählen Sie eine volle Minute',
    pt: 'tem segundos. Escolha um minuto certo',
  },
  past: {
    en: 'has already passed. Choose a later time',
    de: 'ist schon vorbei. Wählen Sie eine spätere Zeit',
    pt: 'já passou. Escolha uma hora mais tarde',
  },
  'too far ahead': {
    en: 'is too far ahead. Orders are taken for up to 14 days',
    de: 'liegt zu weit in der Zukunft. Bestellungen werden für bis zu 14 Tage im Voraus angenommen',
    pt: 'é demasiado longe no futuro. Aceitam-se pedidos com até 14 dias de antecedência',
  },
  closed: {
    en: 'is outside the opening hours',
    de: 'liegt außerhalb der Öffnungszeiten',
    pt: 'fica fora do horário de abertura',
  },
}

function settingFlawText(flaw: SettingFlaw, language: Language): string {
  if (flaw === 'time zone') return notTimeZone[language]
  if (typeof flaw === 'object' && 'oneOf' in flaw) return oneOf[language](flaw.oneOf)
  if (typeof flaw === 'object' && 'someOf' in flaw) return someOf[language](flaw.someOf)
  if (flaw === 'hour') return fullHour[language]
  if (typeof flaw === 'object' && 'wholeNumberTo' in flaw) return wholeNumber[language](flaw.wholeNumberTo)
  if (typeof flaw === 'object' && 'idsTo' in flaw) return listOfIds[language](flaw.idsTo)
  return flawText(flaw, language)
}

const notTimeZone: Record<Language, string> = {
  en: 'is not a time zone that this system knows, such as Europe/Lisbon',
  de: 'ist keine Zeitzone, die dieses System kennt, wie etwa Europe/Lisbon',
  pt: 'não é um fuso horário que este sistema conheça, como Europe/Lisbon',
}

const oneOf: Record<Language, (values: readonly string[]) => string> = {
  en: values => `must be ${values.join(' or ')}`,
  de: values => `muss ${values.join(' oder ')} sein`,
  pt: values => `tem de ser ${values.join(' ou ')}`,
}

const someOf: Record<Language, (values: readonly string[]) => string> = {
  en: values => `must be "none" or some of ${values.join(', ')}, separated by commas`,
  de: values => `muss „none“ sein oder einige von ${values.join(', ')}, durch Kommas getrennt`,
  pt: values => `tem de ser “none” ou algumas de ${values.join(', ')}, separadas por vírgulas`,
}

const fullHour: Record<Language, string> = {
  en: 'must be off or a full hour from 0 to 23',
  de: 'muss off oder eine volle Stunde von 0 bis 23 sein',
  pt: 'tem de ser off ou uma hora certa de 0 a 23',
}

const wholeNumber: Record<Language, (most: number) => string> = {
  en: most => `must be a whole number from 1 to ${most}`,
  de: most => `muss eine ganze Zahl von 1 bis ${de.number(most)} sein`,
  pt: most => `tem de ser um número inteiro de 1 a ${pt.number(most)}`,
}

const listOfIds: Record<Language, (most: number) => string> = {
  en: most => `must be a list of at most ${most} ids with commas, such as 12,15`,
  de: most => `muss eine Liste von höchstens ${de.number(most)} Ids mit Kommas sein, wie etwa 12,15`,
  pt: most => `tem de ser uma lista de no máximo ${pt.number(most)} ids com vírgulas, como 12,15`,
}

function endpointFlawText(flaw: Refusal<'invalid endpoint'>['flaw'], language: Language): string {
  if (flaw === 'not a URL' || flaw === 'not https' || flaw === 'has credentials') return endpointFlaws[flaw][language]
  return flawText(flaw, language)
}

const endpointFlaws: Record<Exclude<Refusal<'invalid endpoint'>['flaw'], TextFlaw>, Record<Language, string>> = {
  'not a URL': { en: 'is not a URL', de: 'ist keine URL', pt: 'não é um URL' },
  'not https': {
    en: 'must start with https://',
    de: 'muss mit https:// beginnen',
    pt: 'tem de começar por https://',
  },
  'has credentials': {
    en: 'must not contain a user name or password',
    de: 'darf weder Benutzernamen noch Passwort enthalten',
    pt: 'não pode conter nome de utilizador nem palavra-passe',
  },
}

function passwordFlawText(flaw: Refusal<'invalid password'>['flaw'], language: Language): string {
  if (flaw === 'the name') return notTheName[language]
  if (typeof flaw === 'object' && 'shorterThan' in flaw) return atLeast[language](flaw.shorterThan)
  return flawText(flaw, language)
}

const notTheName: Record<Language, string> = {
  en: 'must not be the name',
  de: 'darf nicht der Name sein',
  pt: 'não pode ser o nome',
}

const atLeast: Record<Language, (characters: number) => string> = {
  en: characters => `must have at least ${characters} characters`,
  de: characters => `muss mindestens ${characters} Zeichen haben`,
  pt: characters => `tem de ter pelo menos ${characters} caracteres`,
}

const secretFlaws: Record<Refusal<'invalid secret'>['flaw'], Record<Language, string>> = {
  empty: { en: 'is empty', de: 'ist leer', pt: 'está vazio' },
  unstorable: {
    en: 'contains a character that cannot be stored',
    de: 'enthält ein Zeichen, das sich nicht speichern lässt',
    pt: 'contém um carácter que não é possível guardar',
  },
  'not base64': {
    en: 'must have standard base64 after whsec_',
    de: 'muss nach whsec_ normales Base64 enthalten',
    pt: 'tem de ter base64 normal depois de whsec_',
  },
}
