import { chimeForNew } from './chime.ts'
import { keepLive } from './live.ts'
import { sendOnce } from './once.ts'
import { helpWithPin } from './pin.ts'
import { saveRows } from './rows.ts'

saveRows()
sendOnce()
keepLive()
chimeForNew()
helpWithPin()
