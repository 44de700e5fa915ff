import { chimeForNew } from './chime.ts'
import { markCategory } from './guest/categories.ts'
import { runKiosk } from './guest/kiosk.ts'
import { placeOnce } from './guest/place.ts'
import { keepPriceLive } from './guest/price.ts'
import { searchWhileTyping } from './guest/search.ts'
import { openDishesHere } from './guest/sheet.ts'
import { watchStatus } from './guest/status.ts'
import { sendOnce } from './once.ts'

// Pages that would otherwise load again by themselves need not.
// biome-ignore lint/suspicious/noDocumentCookie: the newer way needs a secure context
document.cookie = 'script=1; Path=/; SameSite=Lax'

searchWhileTyping()
markCategory()
keepPriceLive()
// A kiosk goes from page to page, so that it can look for the server before it leaves one.
if (document.body.dataset.kiosk === undefined) openDishesHere()
placeOnce()
sendOnce()
watchStatus()
chimeForNew()
// Last, because it follows the links and sends the forms that nothing else has taken.
runKiosk()
