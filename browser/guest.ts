import { chimeForNew } from './chime.ts'
import { markCategory } from './guest/categories.ts'
import { runKiosk } from './guest/kiosk.ts'
import { placeOnce } from './guest/place.ts'
import { keepPriceLive } from './guest/price.ts'
import { focusPressedAgain } from './guest/refocus.ts'
import { searchWhileTyping } from './guest/search.ts'
import { openDishesHere } from './guest/sheet.ts'
import { watchStatus } from './guest/status.ts'
import { sendOnce } from './once.ts'

// The server then leaves out the `Refresh` header of pages that a script keeps up to date.
// biome-ignore lint/suspicious/noDocumentCookie: the newer way needs a secure context
document.cookie = 'script=1; Path=/; SameSite=Lax'

searchWhileTyping()
markCategory()
keepPriceLive()
// A kiosk opens every dish as a page of its own, because it checks for the server before it leaves a page.
if (document.body.dataset.kiosk === undefined) openDishesHere()
focusPressedAgain()
placeOnce()
sendOnce()
watchStatus()
chimeForNew()
// Last, because it follows the links and sends the forms that no other listener has handled.
runKiosk()
