import { chimeForNew } from './chime.ts'
import { runKiosk } from './guest/kiosk.ts'
import { placeOnce } from './guest/place.ts'
import { watchStatus } from './guest/status.ts'
import { sendOnce } from './once.ts'

// Pages that would otherwise load again by themselves need not.
// biome-ignore lint/suspicious/noDocumentCookie: the newer way needs a secure context
document.cookie = 'script=1; Path=/; SameSite=Lax'

placeOnce()
sendOnce()
watchStatus()
chimeForNew()
// Last, because it follows the links and sends the forms that nothing else has taken.
runKiosk()
