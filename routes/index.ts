import { approve } from './access/approve.ts'
import { everybody } from './access/everybody.ts'
import type { Find } from './access/kept-form.ts'
import { logIn, logOut, readLogIn } from './access/log-in.ts'
import { pair, readPair } from './access/pair.ts'
import { device, manager, owner, staff } from './access/person.ts'
import { enterPin, readPin } from './access/pin.ts'
import { pagesOnly } from './access/same-site.ts'
import { readSetup, setUp } from './access/setup.ts'
import { apiRoutes } from './api.ts'
import { readAsset } from './assets.ts'
import { guestRoutes } from './guest/guest-routes.ts'
import type { App } from './http/handler.ts'
import { type Group, type Router, route, router } from './http/router.ts'
import { imageAt, readImage } from './images.ts'
import { actAtPass, readPass, readPassBoard } from './kitchen/pass.ts'
import { readPickUpBoard, readPickUpNumbers } from './kitchen/pickup-board.ts'
import { readStation } from './kitchen/station.ts'
import { actOnScreen, readBoard } from './kitchen/station-board.ts'
import { changeGuestRules, changeGuests, readGuests, resetTableCodes } from './office/guests/guests.ts'
import { chooseLanguage, readOffice, start } from './office/home.ts'
import { readDeliveries, readDelivery } from './office/integrations/deliveries.ts'
import { generateToken, readIntegrations, showToken, switchApi } from './office/integrations/integrations.ts'
import { downloadLost, readLost } from './office/integrations/lost.ts'
import { readRefused } from './office/integrations/refused.ts'
import {
  addEndpoint,
  changeEndpoint,
  changeSecret,
  readWebhooks,
  selectEvents,
  showSecret,
} from './office/integrations/webhooks.ts'
import {
  changeBackup,
  changeBusy,
  changePause,
  closeStation,
  openStation,
  readKitchen,
} from './office/kitchen/kitchen.ts'
import { readLookBack } from './office/kitchen/look-back.ts'
import { readOrderPad } from './office/kitchen/order-pad.ts'
import { addDish, copyDish, readDishPage, readNewDish, saveDish, saveImage } from './office/menu/dish.ts'
import { readMenuPage } from './office/menu/menu.ts'
import { exportMenu, importMenuFile, previewMenuFile, readMenuFile } from './office/menu/menu-file.ts'
import { putBack, readOff, takeOff } from './office/menu/menu-off.ts'
import { moveInMenu, readMenuOrder } from './office/menu/menu-order.ts'
import { undoMenuChange } from './office/menu/menu-undo.ts'
import { readGroup, saveGroup } from './office/menu/option-group.ts'
import { readPrices, savePrices } from './office/menu/prices.ts'
import { readSection, saveSection } from './office/menu/section.ts'
import { closeDay, readClose, readCloses, readClosing } from './office/money/close.ts'
import { enterCash, readDrawer } from './office/money/drawer.ts'
import { readMoney } from './office/money/money.ts'
import { editOrder, readEdit } from './office/orders/edit-order.ts'
import { readOrder, readReceipt } from './office/orders/order.ts'
import { actAsManager, actOnOrder } from './office/orders/order-acts.ts'
import { readOrders } from './office/orders/orders.ts'
import { payTableBill, readTableBill } from './office/orders/table-bill.ts'
import { readTicketSlip } from './office/orders/ticket-slip.ts'
import { changePassword, changePin, endOwnSession, readAccount } from './office/people/account.ts'
import { endDevice, offerPairing, readDevices } from './office/people/devices.ts'
import { endSession, readSessions } from './office/people/sessions.ts'
import { addStaff, changePerson, endPerson, readPerson, readStaff, setPassword, setPin } from './office/people/staff.ts'
import { readAllergenSheet } from './office/print/allergen-sheet.ts'
import { readPaperMenu } from './office/print/paper-menu.ts'
import { readPrintables } from './office/print/printables.ts'
import { makeTableCodes, readTableCards } from './office/print/table-cards.ts'
import {
  changePrinter,
  endPrinter,
  printOnRequest,
  readPrinter,
  renewAddress,
  settleQueue,
} from './office/printers/printer.ts'
import { addPrinter, chooseKitchenLanguage, readPrinters } from './office/printers/printers.ts'
import { downloadReport, readReports } from './office/reports/reports.ts'
import { readActivity } from './office/settings/activity.ts'
import { changeBackups, downloadBackup, makeBackup, readBackups } from './office/settings/backups.ts'
import { readExamination } from './office/settings/examination.ts'
import { changeLimits, changeSettings, readSettings } from './office/settings/settings.ts'
import { changeStock, readMovements, readStock } from './office/stock.ts'
import { readTill, useTill } from './office/till/till.ts'
import { refusalPage } from './page/refusal-page.ts'
import { printer } from './printers/printer-access.ts'
import { confirmPrinterJob, fetchPrinterJob, pollPrinter } from './printers/printers.ts'

/** Every route: method, path, who may call, handler. `find` finds one of them. */
export function table(app: App, find: Find): Group[] {
  const { basePath } = app
  return [
    {
      // Pages for people. Paths that have no route are refused as these, when a browser asks.
      prefix: basePath,
      // Who may call each: see access/person.ts.
      refusals: refusalPage(app),
      guard: pagesOnly,
      routes: [
        route('GET', '/', everybody, start),
        route('GET', '/setup', everybody, readSetup),
        route('POST', '/setup', everybody, setUp(find)),
        route('GET', '/login', everybody, readLogIn),
        route('POST', '/login', everybody, logIn(find)),
        route('POST', '/logout', everybody, logOut),
        route('GET', '/pair', everybody, readPair),
        route('POST', '/pair', everybody, pair(find)),
        route('GET', '/pin', device('till', 'kitchen'), readPin),
        route('POST', '/pin', device('till', 'kitchen'), enterPin(find)),
        route('POST', '/approve', staff, approve(find)),
        route('POST', '/language', everybody, chooseLanguage),
        route('GET', '/office', staff, readOffice),

        route('GET', '/office/account', staff, readAccount),
        route('POST', '/office/account/password', manager, changePassword),
        route('POST', '/office/account/pin', staff, changePin),
        route('POST', '/office/account/sessions', staff, endOwnSession),
        route('GET', '/office/staff', owner, readStaff),
        route('POST', '/office/staff', owner, addStaff),
        route('GET', '/office/staff/:id', owner, readPerson),
        route('POST', '/office/staff/:id', owner, changePerson),
        route('POST', '/office/staff/:id/password', owner, setPassword),
        route('POST', '/office/staff/:id/pin', owner, setPin),
        route('POST', '/office/staff/:id/end', owner, endPerson),
        route('GET', '/office/devices', manager, readDevices),
        route('POST', '/office/devices', manager, offerPairing),
        route('POST', '/office/devices/:id/end', manager, endDevice),
        route('GET', '/office/printers', manager, readPrinters),
        route('POST', '/office/printers', manager, addPrinter),
        route('POST', '/office/printers/language', manager, chooseKitchenLanguage),
        route('GET', '/office/printers/:id', manager, readPrinter),
        route('POST', '/office/printers/:id', manager, changePrinter),
        route('POST', '/office/printers/:id/address', manager, renewAddress),
        route('POST', '/office/printers/:id/queue', manager, settleQueue),
        route('POST', '/office/printers/:id/end', manager, endPrinter),
        route('POST', '/office/printers/:id/print', staff, printOnRequest),
        route('GET', '/office/sessions', owner, readSessions),
        route('POST', '/office/sessions', owner, endSession),

        route('GET', '/office/orders', staff, readOrders),
        route('GET', '/office/orders/:orderId', staff, readOrder),
        route('GET', '/office/orders/:orderId/print', staff, readReceipt),
        route('GET', '/office/orders/:orderId/tickets/:ticketId', staff, readTicketSlip),
        route('GET', '/office/orders/:orderId/edit', staff, readEdit),
        route('POST', '/office/orders/:orderId/edit', staff, editOrder),
        route('POST', '/office/orders/:orderId/refund', manager, actAsManager('refund')),
        route('POST', '/office/orders/:orderId/credit', manager, actAsManager('credit')),
        route('POST', '/office/orders/:orderId/void', manager, actAsManager('void')),
        route('POST', '/office/orders/:orderId/:act', staff, actOnOrder),
        route('GET', '/office/tables/:table', staff, readTableBill),
        route('POST', '/office/tables/:table/pay', staff, payTableBill),
        route('GET', '/office/till', staff, readTill),
        route('POST', '/office/till', staff, useTill),

        route('GET', '/office/kitchen', staff, readKitchen),
        route('GET', '/office/kitchen/look-back', staff, readLookBack),
        route('GET', '/office/kitchen/pad', manager, readOrderPad),
        route('POST', '/office/kitchen/busy', staff, changeBusy),
        route('POST', '/office/kitchen/pause', staff, changePause),
        route('POST', '/office/kitchen/backup', staff, changeBackup),
        route('POST', '/office/kitchen/close', staff, closeStation),
        route('POST', '/office/kitchen/open', staff, openStation),

        // Settings and upkeep
        route('GET', '/office/settings', manager, readSettings),
        route('POST', '/office/settings', manager, changeSettings),
        route('POST', '/office/settings/limits', owner, changeLimits),
        route('GET', '/office/settings/backups', manager, readBackups),
        route('POST', '/office/settings/backups', manager, changeBackups),
        route('POST', '/office/settings/backups/now', manager, makeBackup),
        route('GET', '/office/settings/backups/:id', owner, downloadBackup),
        route('GET', '/office/settings/examination', manager, readExamination),
        route('GET', '/office/settings/activity', manager, readActivity),

        // Integrations
        route('GET', '/office/integrations', owner, readIntegrations),
        route('POST', '/office/integrations/switch', owner, switchApi),
        route('POST', '/office/integrations/token', owner, generateToken),
        route('GET', '/office/integrations/token', owner, showToken),
        route('GET', '/office/integrations/webhooks', owner, readWebhooks),
        route('POST', '/office/integrations/webhooks/add', owner, addEndpoint),
        route('POST', '/office/integrations/webhooks/endpoints/:id', owner, changeEndpoint),
        route('POST', '/office/integrations/webhooks/events', owner, selectEvents),
        route('POST', '/office/integrations/webhooks/secret', owner, changeSecret),
        route('GET', '/office/integrations/webhooks/secret', owner, showSecret),
        route('GET', '/office/integrations/deliveries', owner, readDeliveries),
        route('GET', '/office/integrations/deliveries/:id', owner, readDelivery),
        route('GET', '/office/integrations/lost', owner, readLost),
        route('GET', '/office/integrations/lost.csv', owner, downloadLost),
        route('GET', '/office/integrations/refused', owner, readRefused),

        route('GET', '/office/menu', staff, readMenuPage),
        route('GET', '/office/menu/off', staff, readOff),
        route('POST', '/office/menu/off', staff, takeOff),
        route('POST', '/office/menu/on', staff, putBack),
        route('POST', '/office/menu/undo', manager, undoMenuChange),
        route('GET', '/office/menu/dish', manager, readDishPage),
        route('POST', '/office/menu/dish', manager, saveDish),
        route('GET', '/office/menu/new', manager, readNewDish),
        route('POST', '/office/menu/new', manager, addDish),
        route('POST', '/office/menu/copy', manager, copyDish),
        route('POST', '/office/menu/image', manager, saveImage),
        route('GET', '/office/menu/section', manager, readSection),
        route('POST', '/office/menu/section', manager, saveSection),
        route('GET', '/office/menu/group', manager, readGroup),
        route('POST', '/office/menu/group', manager, saveGroup),
        route('GET', '/office/menu/order', manager, readMenuOrder),
        route('POST', '/office/menu/order', manager, moveInMenu),
        route('GET', '/office/menu/file', manager, readMenuFile),
        route('POST', '/office/menu/file', manager, previewMenuFile),
        route('POST', '/office/menu/import', manager, importMenuFile),
        route('GET', '/office/menu/export', manager, exportMenu),
        route('GET', '/office/menu/prices', manager, readPrices),
        route('POST', '/office/menu/prices', manager, savePrices),

        // The guests' pages, and what is printed for guests
        route('GET', '/office/guests', manager, readGuests),
        route('POST', '/office/guests', manager, changeGuests),
        route('POST', '/office/guests/rules', manager, changeGuestRules),
        route('POST', '/office/guests/codes', manager, resetTableCodes),
        route('GET', '/office/print', manager, readPrintables),
        route('GET', '/office/print/tables', manager, readTableCards),
        route('POST', '/office/print/tables', manager, makeTableCodes),
        route('GET', '/office/print/menu', manager, readPaperMenu),
        route('GET', '/office/print/allergens', manager, readAllergenSheet),

        route('GET', '/office/stock', staff, readStock),
        route('POST', '/office/stock', staff, changeStock),
        route('GET', '/office/stock/movements', staff, readMovements),

        route('GET', '/office/money', manager, readMoney),
        route('GET', '/office/money/drawer', manager, readDrawer),
        route('POST', '/office/money/drawer', manager, enterCash),
        route('GET', '/office/money/close', manager, readClosing),
        route('POST', '/office/money/close', manager, closeDay),
        route('GET', '/office/money/closes', manager, readCloses),
        route('GET', '/office/money/closes/:location/:number', manager, readClose),

        route('GET', '/office/reports', manager, readReports),
        route('GET', '/office/reports/csv', manager, downloadReport),

        ...guestRoutes(),
        // The screens of the kitchen
        route('GET', '/kitchen', device('kitchen'), readStation),
        route('POST', '/kitchen/act', device('kitchen'), actOnScreen),
        route('GET', '/kitchen/pass', device('kitchen'), readPass),
        route('POST', '/kitchen/pass/act', device('kitchen'), actAtPass),
        route('GET', '/board', device('board'), readPickUpBoard),
      ],
    },
    {
      // What the scripts of pages ask for.
      prefix: basePath,
      refusals: 'json',
      guard: pagesOnly,
      routes: [
        route('GET', '/kitchen/board', device('kitchen'), readBoard),
        route('GET', '/kitchen/pass/board', device('kitchen'), readPassBoard),
        route('GET', '/board/numbers', device('board'), readPickUpNumbers),
      ],
    },
    {
      prefix: basePath,
      refusals: 'json',
      routes: [route('GET', '/assets/:name', everybody, readAsset), route('GET', imageAt, everybody, readImage)],
    },
    {
      // Printers that poll: they are no browsers, and know the server by its address.
      prefix: basePath,
      refusals: 'json',
      routes: [
        route('POST', '/printers/:secret', printer, pollPrinter),
        route('GET', '/printers/:secret', printer, fetchPrinterJob),
        route('DELETE', '/printers/:secret', printer, confirmPrinterJob),
      ],
    },
    ...apiRoutes(basePath),
  ]
}

/** Finds every route. */
export function siteRouter(app: App): Router {
  const routes: Router = router(
    app,
    table(app, (method, path) => routes.find(method, path)),
  )
  return routes
}
